/// @file
/// Threads that options ask for. Private.
#pragma once

#include <algorithm>
#include <string>
#include <thread>

#include <oneapi/tbb/global_control.h>

#include "spacedyn/error.hpp"

#if defined(SPACEDYN_THREAD_SANITIZER)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif

namespace spacedyn {

/// One at least, also where the system does not say.
inline int core_count() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// @param wanted  0: one for each core
/// @throws DomainError if it is negative
inline int thread_count(int wanted) {
  if (wanted < 0) throw DomainError("threads must not be negative, got " + std::to_string(wanted));
  return wanted > 0 ? wanted : core_count();
}

/// Lets oneTBB have all threads that arenas ask for instead of one for each core. Rows may wait for
/// others to be handed out or taken, so that none of the threads that they were promised may be
/// missing.
inline void allow_threads() {
  constexpr std::size_t kMost = 256;  // the least that oneTBB itself bounds them by
  static const oneapi::tbb::global_control kAllowed(
      oneapi::tbb::global_control::max_allowed_parallelism, kMost);
}

/// What oneTBB puts in order inside its library, told to the thread sanitizer, which does not see
/// into it; nothing in other builds.
class Handover {
 public:
  /// What this thread has done until here comes before …
  void give() {
#if defined(SPACEDYN_THREAD_SANITIZER)
    __tsan_release(this);
#endif
  }
  /// … what this thread does from here on.
  void take() {
#if defined(SPACEDYN_THREAD_SANITIZER)
    __tsan_acquire(this);
#endif
  }
};

}  // namespace spacedyn
