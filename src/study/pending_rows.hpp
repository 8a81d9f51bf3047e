/// @file
/// Rows of a sweep that are still to be flown. Private.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

namespace spacedyn {

/// Hands out rows that have not been flown, in ascending order but for those that come back.
/// All functions may be called by several threads at once.
class PendingRows {
 public:
  explicit PendingRows(long rows);

  /// Before rows are handed out. @throws DomainError if one is none of the sweep
  void keep_only(const std::vector<long>& rows);
  /// Before rows are handed out.
  void leave_out(long row);
  /// Rows that have not been handed out.
  long count() const;

  /// A row to fly, −1 if there are no more; waits while some may still be added.
  long next();
  /// At most so many rows for another process; each is settled or added again later.
  std::vector<long> lend(long most);
  /// Expects that add() brings so many rows; fewer if negative.
  void expect(long rows);
  /// Rows that have been expected.
  void add(const std::vector<long>& rows);
  /// Hands out nothing from now on.
  void close();

 private:
  long take();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> flown_;
  long next_ = 0;
  std::vector<long> added_;  // from the back
  long left_;                // of flown_ from next_ on, and of added_
  long expected_ = 0;
  bool closed_ = false;
};

}  // namespace spacedyn
