#include "forces/rate_limit.hpp"

#include <cmath>

namespace spacedyn {
namespace {

/// Of levels that are sums of slopes.
constexpr double kLevelRounding = 1e-12;

/// The rows of w, and where it is now.
class LimitedCourse {
 public:
  LimitedCourse(double time, double level, double rise, double fall)
      : time_(time), level_(level), up_(1.0 / rise), down_(1.0 / fall) {
    note();
  }

  double level() const { return level_; }

  /// Through a stretch of u that begins now with a value and a slope.
  void follow(double from, double slope, double until) {
    settle_at(from);
    if (level_ == from && slope <= up_ && slope >= -down_) return move_on(slope, until);
    const bool is_below = level_ < from || (level_ == from && slope > up_);
    const double rate = is_below ? up_ : -down_;
    // a limit that is none: there at once; such a jump is at the beginning only
    const double meets = std::isinf(rate) ? 0.0 : (from - level_) / (rate - slope);
    if (level_ == from || !(meets >= 0.0) || time_ + meets >= until) return move_on(rate, until);
    move_on(rate, time_ + meets);
    level_ = from + slope * meets;
    follow(level_, slope, until);
  }

  TimeTable table() && {
    MatrixX values(1, static_cast<Eigen::Index>(levels_.size()));
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      values(0, static_cast<Eigen::Index>(i)) = levels_[i];
    }
    return {std::move(times_), std::move(values)};
  }

 private:
  void settle_at(double value) {
    if (std::abs(level_ - value) <= kLevelRounding) level_ = value;
  }
  void move_on(double rate, double until) {
    if (!(until > time_)) return;
    if (std::isfinite(until)) level_ += rate * (until - time_);
    time_ = until;
    settle_at(0.0);
    note();
  }
  void note() {
    times_.push_back(time_);
    levels_.push_back(level_);
  }

  double time_, level_, up_, down_;
  std::vector<double> times_, levels_;
};

}  // namespace

TimeTable rate_limited(const TimeTable& table, double rise, double fall) {
  if (rise == 0.0 && fall == 0.0) return table;
  const std::vector<double>& times = table.times();
  Eigen::Matrix<double, 1, 1> value, slope;
  table.evaluate(times.front(), value);
  LimitedCourse follower(times.front(), rise == 0.0 ? value(0) : 0.0, rise, fall);
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    table.evaluate(times[i], value);
    table.slope(times[i], slope);
    follower.follow(value(0), slope(0), times[i + 1]);
  }
  const double left = follower.level() * fall;
  if (std::isfinite(times.back()) && left > 0.0) {
    follower.follow(0.0, 0.0, times.back() + left);
  }
  return std::move(follower).table();
}

}  // namespace spacedyn
