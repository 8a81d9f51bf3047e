#include <algorithm>
#include <cmath>

#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn {
namespace {

void check_times(const std::vector<double>& times) {
  if (times.size() < 2) {
    throw DimensionError("a time table has " + std::to_string(times.size()) +
                         " rows, expected at least 2");
  }
  for (std::size_t row = 0; row < times.size(); ++row) {
    const bool may_be_infinite = row + 1 == times.size() && times[row] > 0.0;
    if (!std::isfinite(times[row]) && !(may_be_infinite && std::isinf(times[row]))) {
      throw DomainError("time " + std::to_string(row + 1) + " of a time table is not finite");
    }
    if (row > 0 && !(times[row] > times[row - 1])) {
      throw DomainError("the times of a time table must increase, but time " +
                        std::to_string(row + 1) + " does not exceed the one before it");
    }
  }
}

/// The row that a time is before, or 0 outside the table.
Eigen::Index row_after(const std::vector<double>& times, double time) {
  if (time < times.front() || time >= times.back()) return 0;
  return std::upper_bound(times.begin(), times.end(), time) - times.begin();
}

}  // namespace

TimeTable::TimeTable(std::vector<double> times, MatrixX values)
    : times_(std::move(times)), values_(std::move(values)) {
  check_times(times_);
  if (values_.cols() != static_cast<Eigen::Index>(times_.size())) {
    throw DimensionError("a time table has " + std::to_string(times_.size()) + " times but " +
                         std::to_string(values_.cols()) + " values");
  }
  if (!values_.allFinite()) throw DomainError("a value of a time table is not finite");
}

TimeTable TimeTable::constant(const VectorX& value, double from, double until) {
  if (!(until > from)) throw DomainError("a constant load must end later than it begins");
  MatrixX values(value.size(), 2);
  values << value, value;
  return TimeTable({from, until}, std::move(values));
}

TimeTable TimeTable::starting_at(int event) const {
  TimeTable table = *this;
  table.start_ = EventStart(event, times_);
  return table;
}

void TimeTable::append_discontinuities(std::vector<double>& times) const {
  if (!start_.waits()) times.insert(times.end(), times_.begin(), times_.end());
}

void TimeTable::append_event_discontinuities(const EventTimes& events,
                                             std::vector<double>& times) const {
  start_.append(events, times);
}

void TimeTable::evaluate(const Instant& now, VectorRef value) const {
  SPACEDYN_ASSERT(value.size() == values_.rows());
  const double time = start_.since(now);
  const Eigen::Index right = row_after(times_, time);
  if (right == 0) {
    value.setZero();
    return;
  }
  const double start = times_[static_cast<std::size_t>(right - 1)];
  const double end = times_[static_cast<std::size_t>(right)];
  const double s = (time - start) / (end - start);  // 0 on a row that holds for ever
  value = values_.col(right - 1) + s * (values_.col(right) - values_.col(right - 1));
}

void TimeTable::slope(const Instant& now, VectorRef value) const {
  SPACEDYN_ASSERT(value.size() == values_.rows());
  const double time = start_.since(now);
  const Eigen::Index right = row_after(times_, time);
  if (right == 0) {
    value.setZero();
    return;
  }
  const double start = times_[static_cast<std::size_t>(right - 1)];
  const double end = times_[static_cast<std::size_t>(right)];
  value = (values_.col(right) - values_.col(right - 1)) / (end - start);
}

}  // namespace spacedyn
