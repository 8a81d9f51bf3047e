#include "cli/program.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spacedyn::testing {
namespace {

/// In the child: replaces a stream by a device or a file.
void redirect(int stream, const std::string& device, const std::string& file_path, int flags) {
  const std::string& path = device.empty() ? file_path : device;
  const int file = open(path.c_str(), flags, 0600);
  if (file < 0 || dup2(file, stream) < 0) _exit(126);
  close(file);
}

/// In the child: becomes the program.
[[noreturn]] void execute(const std::vector<std::string>& arguments,
                          const Surroundings& surroundings, const TemporaryDirectory& streams) {
  redirect(STDIN_FILENO, "", streams / "in", O_RDONLY);
  redirect(STDOUT_FILENO, surroundings.output_device, streams / "out", O_WRONLY | O_CREAT);
  redirect(STDERR_FILENO, surroundings.error_device, streams / "err",
           O_WRONLY | O_CREAT | O_NOCTTY);
  if (chdir(surroundings.directory.c_str()) != 0) _exit(126);
  for (const auto& [name, value] : surroundings.environment) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (surroundings.file_size_limit > 0) {
    const auto size = static_cast<rlim_t>(surroundings.file_size_limit);
    const rlimit limit{size, size};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (surroundings.memory_limit > 0) {
    const auto size = static_cast<rlim_t>(surroundings.memory_limit);
    const rlimit limit{size, size};
    setrlimit(RLIMIT_AS, &limit);
  }
  std::vector<std::string> words{"spacedyn"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(SPACEDYN_PROGRAM, pointers.data());
  _exit(127);
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  write_text(streams_ / "in", surroundings.input);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot start a process");
  if (process_ == 0) execute(arguments, surroundings, streams_);
}

Program::~Program() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Program::send(int signal) const { kill(process_, signal); }

std::string Program::out_so_far() const {
  const std::string path = streams_ / "out";
  return std::filesystem::exists(path) ? read_text(path) : "";
}

Outcome Program::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  const int exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return {exit_code, read_text(streams_ / "out"), read_text(streams_ / "err")};
}

Outcome run_program(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return Program(arguments, surroundings).wait();
}

StarterDirectory::StarterDirectory() {
  const Outcome outcome = run({"new", "bot"});
  if (outcome.exit_code != 0) throw std::runtime_error("no starter: " + outcome.err);
}

Outcome StarterDirectory::run(const std::vector<std::string>& arguments,
                              Surroundings surroundings) const {
  surroundings.directory = path();
  return run_program(arguments, surroundings);
}

void StarterDirectory::edit(const std::string& file, const std::string& from,
                            const std::string& to) const {
  std::string text = read_text(*this / file);
  const std::size_t place = text.find(from);
  if (place == std::string::npos) throw std::runtime_error("no '" + from + "' in " + file);
  write_text(*this / file, text.replace(place, from.size(), to));
}

bool becomes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace spacedyn::testing
