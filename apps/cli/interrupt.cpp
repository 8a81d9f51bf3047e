#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace spacedyn::cli {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "needed in a signal handler");

extern "C" void remember_interrupt(int /*signal*/) { requested.store(true); }

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = &remember_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupt_requested() { return requested.load(std::memory_order_relaxed); }

}  // namespace spacedyn::cli
