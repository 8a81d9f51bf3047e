#include "batch/worker_pool.hpp"

#include <algorithm>

namespace spacedyn::batch {

WorkerPool::WorkerPool(int threads) {
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
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int>(threads_.size());
    ++round_;
  }
  begin_.notify_all();
  work(0);
  std::unique_lock<std::mutex> lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerPool::wait_for_work(int worker) {
  long done = 0;
  while (true) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      begin_.wait(lock, [&] { return ending_ || round_ != done; });
      if (ending_) return;
      done = round_;
    }
    work(worker);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

void WorkerPool::work(int worker) {
  // portions small enough to end together, large enough not to be noticed
  const int portion = std::max(1, count_ / (16 * thread_count()));
  while (true) {
    const int first = next_.fetch_add(portion, std::memory_order_relaxed);
    if (first >= count_) return;
    const int last = std::min(count_, first + portion);
    for (int index = first; index < last; ++index) task_(context_, worker, index);
  }
}

}  // namespace spacedyn::batch
