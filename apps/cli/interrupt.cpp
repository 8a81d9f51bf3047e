#include "interrupt.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdint>
#include <ctime>

#include <unistd.h>

#include "exit_codes.hpp"

namespace spacedyn::cli {
namespace {

/// What a step may still take after an interrupt; people wait half a second gladly.
constexpr std::int64_t kGrace = 200'000'000;  // ns

std::atomic<std::int64_t> requested_at{0};  // ns of the monotonic clock; 0: never
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "needed in a signal handler");

/// For the handler, which may not allocate; only changed while signals are blocked.
std::array<char, 8192> last_words;
std::size_t last_words_size = 0;
std::array<char, PATH_MAX> unfinished_file;

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec + 1;
}

extern "C" void remember_interrupt(int /*signal*/) {
  if (requested_at.load() == 0) requested_at.store(now());
}

extern "C" void end_at_once(int /*signal*/) {
  if (unfinished_file[0] != '\0') unlink(unfinished_file.data());
  const ssize_t written = write(STDERR_FILENO, last_words.data(), last_words_size);
  static_cast<void>(written);  // nowhere to complain to
  _exit(static_cast<int>(ExitCode::interrupted));
}

void handle_by(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// Keeps the two signals waiting.
class Blocked {
 public:
  Blocked() {
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &both, &before_);
  }
  ~Blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void end_on_interrupts(const std::string& message, const std::string& unfinished) {
  {
    const Blocked blocked;
    last_words_size = std::min(message.size(), last_words.size());
    std::copy_n(message.begin(), last_words_size, last_words.begin());
    const std::size_t size = unfinished.size() < unfinished_file.size() ? unfinished.size() : 0;
    std::copy_n(unfinished.begin(), size, unfinished_file.begin());
    unfinished_file[size] = '\0';
    handle_by(&end_at_once, 0);
  }
  if (interrupt_requested()) end_at_once(0);
}

void catch_interrupts() {
  handle_by(&remember_interrupt, static_cast<int>(SA_RESETHAND) | SA_RESTART);
}

bool interrupt_requested() { return requested_at.load(std::memory_order_relaxed) != 0; }

void forget_interrupt() { requested_at.store(0); }

bool interrupt_is_overdue() {
  const std::int64_t then = requested_at.load(std::memory_order_relaxed);
  return then != 0 && now() - then > kGrace;
}

}  // namespace spacedyn::cli
