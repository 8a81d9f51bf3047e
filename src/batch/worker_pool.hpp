/// @file
/// Threads that wait for work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace spacedyn::batch {

/// Runs a function for each index of a range; the calling thread takes part.
///
/// Each thread begins with its own slice of the range, always the same, so that what it has in its
/// cache from the last run is there again; then it helps the others.
class WorkerPool {
 public:
  /// What is run; it must not throw.
  /// @param worker  0 … thread_count() − 1: which thread, for memory of its own
  using Task = void (*)(void* context, int worker, int index);

  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int thread_count() const { return static_cast<int>(threads_.size()) + 1; }

  /// Returns when all indices 0 … count − 1 are done, each by one thread.
  void run(int count, Task task, void* context);

  /// The same for any callable (worker, index).
  template <typename Function>
  void run(int count, Function&& function) {
    run(
        count,
        [](void* context, int worker, int index) {
          (*static_cast<std::remove_reference_t<Function>*>(context))(worker, index);
        },
        &function);
  }

 private:
  /// Whether something that another thread does happens while this one only polls it.
  template <typename Condition>
  bool comes_true_soon(Condition condition) const;
  void divide(int count);
  void wait_for_work(int worker);
  void work(int worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const int polls_;  ///< none if there are more threads than cores
  // changed with the mutex held where a thread may sleep, and read without it
  std::atomic<long> round_{0};  ///< of run()
  std::atomic<int> busy_{0};    ///< threads that have not finished this round
  std::atomic<bool> ending_{false};
  Task task_ = nullptr;
  void* context_ = nullptr;
  int portion_ = 1;  ///< indices taken at once

  /// What is left of the slice of a thread, on a cache line of its own.
  struct alignas(64) Slice {
    std::atomic<int> next{0};
    int last = 0;
  };
  std::vector<Slice> slices_;
};

}  // namespace spacedyn::batch
