#include "reporting/results/child_process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spacedyn/error.hpp"

extern char** environ;

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& program, int error) {
  throw IoError("cannot start '" + program + "': " + std::generic_category().message(error));
}

/// Both ends of a pipe, neither of them a standard stream.
std::pair<Descriptor, Descriptor> make_pipe(const std::string& program) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) fail(program, errno);
  const Descriptor first(ends[0]), second(ends[1]);
  std::pair<Descriptor, Descriptor> moved{Descriptor(fcntl(first, F_DUPFD_CLOEXEC, 3)),
                                          Descriptor(fcntl(second, F_DUPFD_CLOEXEC, 3))};
  if (moved.first < 0 || moved.second < 0) fail(program, errno);
  return moved;
}

/// What a new process begins with: streams, signals as they are by default, a group of its own.
class Beginning {
 public:
  Beginning(int input, int output) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
  }
  ~Beginning() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

}  // namespace

Descriptor::~Descriptor() { close(); }

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

bool Descriptor::close() {
  const int number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0;
}

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
                           int file) {
  auto [answers, output] = make_pipe(program);
  fcntl(answers, F_SETPIPE_SZ,
        1 << 20);  // fewer changes of the process; does not matter if refused
  const Descriptor input(fcntl(file, F_DUPFD_CLOEXEC, 3));
  if (input < 0) fail(program, errno);
  const Beginning beginning(input, output);
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int error = posix_spawn(&process_, program.c_str(), &beginning.files, &beginning.attributes,
                                pointers.data(), environ);
  if (error != 0) {
    process_ = -1;
    fail(program, error);
  }
  answers_ = std::move(answers);
}

ChildProcess::~ChildProcess() { finish(); }

bool ChildProcess::read(void* bytes, std::size_t size, double& seconds) {
  auto* next = static_cast<char*>(bytes);
  while (size > 0) {
    const auto start = Clock::now();
    pollfd answers{answers_, POLLIN, 0};
    const int ready = poll(&answers, 1, static_cast<int>(std::clamp(seconds, 0.0, 1.0e6) * 1.0e3));
    seconds -= std::chrono::duration<double>(Clock::now() - start).count();
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) was_too_slow_ = true;
    if (ready <= 0) return false;
    const ssize_t count = ::read(answers_, next, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

std::string ChildProcess::finish() {
  if (process_ < 0) return {};
  answers_.close();
  if (was_too_slow_) ::kill(process_, SIGKILL);
  // it may still be at work; whatever it says would be of no use
  int status = 0;
  pid_t ended = waitpid(process_, &status, WNOHANG);
  for (int i = 0; i < 20 && ended == 0; ++i) {
    usleep(1000);
    ended = waitpid(process_, &status, WNOHANG);
  }
  if (ended == 0) {
    ::kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  const bool is_known = std::exchange(process_, -1) == ended;
  if (was_too_slow_ || (is_known && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
    return "reading it takes too long";
  }
  if (is_known && WIFSIGNALED(status)) {
    return std::string("the HDF5 library fails on it: ") + strsignal(WTERMSIG(status));
  }
  return "its reader ended without an answer";
}

}  // namespace spacedyn
