/// @file
/// Rows of a sweep that are still to be flown. Private.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

namespace spacedyn {

/// Which rows fly together: at most so many of the same block of successive rows.
struct RowBundle {
  long most = 1, block = 1;
};

/// Hands out rows that have not been flown, in ascending order but for those that come back.
/// All functions may be called by several threads at once.
class PendingRows {
 public:
  PendingRows(long rows, const RowBundle& bundle);

  /// Before rows are handed out. @throws DomainError if one is none of the sweep
  void keep_only(const std::vector<long>& rows);
  /// Before rows are handed out.
  void leave_out(long row);
  /// Rows that have not been handed out.
  long count() const;

  /// Rows to fly together, none if there are no more; waits while some may still be added.
  std::vector<long> next();
  /// At most so many rows for another process; each is settled or added again later.
  std::vector<long> lend(long most);
  /// Expects that add() brings so many rows; fewer if negative.
  void expect(long rows);
  /// Rows that have been expected.
  void add(const std::vector<long>& rows);
  /// Hands out nothing from now on.
  void close();

 private:
  /// The next row, −1 if there is none.
  long first();
  /// Hands it out.
  void drop_first();

  const RowBundle bundle_;
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
