#include "study/sweep_implementation.hpp"

#include <string>

#include "spacedyn/error.hpp"

namespace spacedyn {

PendingRows::PendingRows(long rows, const RowBundle& bundle)
    : bundle_(bundle), flown_(static_cast<std::size_t>(rows), false), left_(rows) {}

void PendingRows::keep_only(const std::vector<long>& rows) {
  flown_.assign(flown_.size(), true);
  left_ = 0;
  for (const long row : rows) {
    if (row < 0 || row >= static_cast<long>(flown_.size())) {
      throw DomainError("the sweep has no row " + std::to_string(row));
    }
    if (flown_[static_cast<std::size_t>(row)]) ++left_;
    flown_[static_cast<std::size_t>(row)] = false;
  }
}

void PendingRows::leave_out(long row) {
  if (!flown_.at(static_cast<std::size_t>(row))) --left_;
  flown_[static_cast<std::size_t>(row)] = true;
}

long PendingRows::count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return left_;
}

long PendingRows::first() {
  if (closed_ || left_ == 0) return -1;
  if (!added_.empty()) return added_.back();
  while (flown_[static_cast<std::size_t>(next_)]) ++next_;
  return next_;
}

void PendingRows::drop_first() {
  --left_;
  if (added_.empty()) {
    ++next_;
  } else {
    added_.pop_back();
  }
}

std::vector<long> PendingRows::next() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || left_ > 0 || expected_ == 0; });
  std::vector<long> rows;
  while (static_cast<long>(rows.size()) < bundle_.most) {
    const long row = first();
    const bool fits = rows.empty() || row / bundle_.block == rows.front() / bundle_.block;
    if (row < 0 || !fits) break;
    rows.push_back(row);
    drop_first();
  }
  return rows;
}

std::vector<long> PendingRows::lend(long most) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<long> rows;
  while (static_cast<long>(rows.size()) < most) {
    const long row = first();
    if (row < 0) break;
    rows.push_back(row);
    drop_first();
  }
  expected_ += static_cast<long>(rows.size());
  return rows;
}

void PendingRows::expect(long rows) {
  const std::lock_guard<std::mutex> lock(mutex_);
  expected_ += rows;
  changed_.notify_all();
}

void PendingRows::add(const std::vector<long>& rows) {
  const std::lock_guard<std::mutex> lock(mutex_);
  added_.insert(added_.begin(), rows.rbegin(), rows.rend());
  left_ += static_cast<long>(rows.size());
  expected_ -= static_cast<long>(rows.size());
  changed_.notify_all();
}

void PendingRows::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace spacedyn
