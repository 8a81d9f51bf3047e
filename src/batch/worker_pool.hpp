/// @file
/// Threads that share the work of a batch. Private.
#pragma once

#include <algorithm>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include "threads.hpp"

namespace spacedyn::batch {

/// Runs a function for each index of a range; the calling thread takes part.
///
/// A thread begins with the indices that it had in the last run, so that what it has in its cache
/// is there again; then it helps the others.
class WorkerPool {
 public:
  explicit WorkerPool(int threads) : arena_(threads) { allow_threads(); }

  int thread_count() const { return arena_.max_concurrency(); }

  /// Returns when all indices 0 … count − 1 are done, each by one thread.
  /// @param function  of (worker, index); must not throw; the worker, 0 … thread_count() − 1, says
  ///                  which thread it is, for memory of its own
  template <typename Function>
  void run(int count, const Function& function) {
    if (thread_count() == 1) {
      for (int index = 0; index < count; ++index) function(0, index);
      return;
    }
    // small enough to end together, large enough not to be noticed
    const int portion = std::max(1, count / (16 * thread_count()));
    begins_.give();
    arena_.execute([&] {
      const auto run_portion = [&](const oneapi::tbb::blocked_range<int>& indices) {
        begins_.take();
        const int worker = oneapi::tbb::this_task_arena::current_thread_index();
        for (int i = indices.begin(); i < indices.end(); ++i) function(worker, i);
        ends_.give();
      };
      oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<int>(0, count, portion), run_portion,
                                last_portions_);
    });
    ends_.take();
  }

 private:
  oneapi::tbb::task_arena arena_;
  oneapi::tbb::affinity_partitioner last_portions_;
  Handover begins_, ends_;
};

}  // namespace spacedyn::batch
