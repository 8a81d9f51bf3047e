#include "unlocked.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace spacedyn::python {
namespace {

/// Flights stop within one evaluation; batches and searches cannot be stopped.
constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::milliseconds kPause{2};

std::atomic<int> computations{0};
std::atomic<bool> end_has_begun{false};

}  // namespace

Unlocked::Count::Count() { ++computations; }
Unlocked::Count::~Count() { --computations; }

bool interpreter_ends() { return end_has_begun.load(std::memory_order_relaxed); }

void wait_at_the_end() {
  namespace py = pybind11;
  // threads stay behind where a process forks
  ::pthread_atfork(nullptr, nullptr, [] { computations = 0; });
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    end_has_begun = true;
    const py::gil_scoped_release unlocked;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (computations > 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(kPause);
    }
  }));
}

}  // namespace spacedyn::python
