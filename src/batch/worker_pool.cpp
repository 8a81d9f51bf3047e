#include "batch/worker_pool.hpp"

#include <algorithm>

namespace spacedyn::batch {
namespace {

/// Polls of what other threads do: some 50 µs, as much as it takes to wake a thread up.
constexpr int kPolls = 2000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WorkerPool::WorkerPool(int threads)
    : polls_(static_cast<unsigned>(threads) <= std::thread::hardware_concurrency() ? kPolls : 0),
      slices_(static_cast<std::size_t>(std::max(threads, 1))) {
  for (int worker = 1; worker < threads; ++worker) {
    threads_.emplace_back([this, worker] { wait_for_work(worker); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(int count, Task task, void* context) {
  if (threads_.empty()) {
    for (int index = 0; index < count; ++index) task(context, 0, index);
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = task;
    context_ = context;
    divide(count);
    busy_ = static_cast<int>(threads_.size());
    ++round_;
  }
  begin_.notify_all();
  work(0);
  const auto is_done = [this] { return busy_ == 0; };
  if (comes_true_soon(is_done)) return;
  std::unique_lock<std::mutex> lock(mutex_);
  end_.wait(lock, is_done);
}

template <typename Condition>
bool WorkerPool::comes_true_soon(Condition condition) const {
  for (int i = 0; i < polls_; ++i) {
    if (condition()) return true;
    pause();
  }
  return false;
}

void WorkerPool::wait_for_work(int worker) {
  long done = 0;
  while (true) {
    const auto is_called = [&] { return ending_ || round_ != done; };
    if (!comes_true_soon(is_called)) {
      std::unique_lock<std::mutex> lock(mutex_);
      begin_.wait(lock, is_called);
    }
    if (ending_) return;
    done = round_;
    work(worker);
    if (--busy_ > 0) continue;
    const std::lock_guard<std::mutex> lock(mutex_);
    end_.notify_one();
  }
}

void WorkerPool::divide(int count) {
  const auto threads = static_cast<long>(slices_.size());
  for (long worker = 0; worker < threads; ++worker) {
    Slice& slice = slices_[static_cast<std::size_t>(worker)];
    slice.next.store(static_cast<int>(count * worker / threads), std::memory_order_relaxed);
    slice.last = static_cast<int>(count * (worker + 1) / threads);
  }
  // small enough to end together, large enough not to be noticed
  portion_ = std::max(1, count / static_cast<int>(16 * threads));
}

void WorkerPool::work(int worker) {
  const auto threads = static_cast<int>(slices_.size());
  for (int turn = 0; turn < threads; ++turn) {
    Slice& slice = slices_[static_cast<std::size_t>((worker + turn) % threads)];
    while (true) {
      const int first = slice.next.fetch_add(portion_, std::memory_order_relaxed);
      if (first >= slice.last) break;
      const int last = std::min(slice.last, first + portion_);
      for (int index = first; index < last; ++index) task_(context_, worker, index);
    }
  }
}

}  // namespace spacedyn::batch
