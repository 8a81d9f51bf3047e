#include "spacedyn/forces/thruster_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/element_checks.hpp"
#include "forces/point_load.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {

/// w with w = 0 before the table begins, that goes to a table u ≥ 0 of one row at rates from
/// −1/fall to 1/rise and stays with it as long as u does not change faster. It is linear between
/// rows of its own, so it is exact; after the end of the table it goes to zero.
/// @param rise, fall  s, ≥ 0; zero: no limit
TimeTable rate_limited(const TimeTable& table, double rise, double fall);

namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();

double table_value(const TimeTable& table, const Instant& now) {
  Eigen::Matrix<double, 1, 1> value;
  table.evaluate(now, value);
  return value(0);
}

/// The same rows later.
TimeTable delayed(const TimeTable& table, double delay) {
  std::vector<double> times = table.times();
  MatrixX values(1, static_cast<Eigen::Index>(times.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    // the last row is where the command ends: its value is the limit from the left
    const bool is_last = i + 1 == times.size();
    const double before = i == 0 ? times[i] : std::nextafter(times[i], times[i - 1]);
    values(0, column) = table_value(table, is_last && std::isfinite(times[i]) ? before : times[i]);
    if (is_last && std::isinf(times[i])) values(0, column) = values(0, column - 1);
  }
  for (double& time : times) time += delay;
  return {std::move(times), std::move(values)};
}

/// Length of the shortest stretch of a schedule with a command other than zero.
double shortest_pulse(const TimeTable& table) {
  double shortest = kForEver, begun = -1.0;
  bool open = false;
  const std::vector<double>& times = table.times();
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const double middle = std::isinf(times[i + 1]) ? times[i] : 0.5 * (times[i] + times[i + 1]);
    const bool opens = table_value(table, middle) != 0.0;
    if (opens && !open) begun = times[i];
    if (!opens && open) shortest = std::min(shortest, times[i] - begun);
    open = opens;
  }
  return open ? std::min(shortest, times.back() - begun) : shortest;
}

}  // namespace

ThrusterForce::ThrusterForce(std::string name, const Thruster& thruster, const TimeTable& command)
    : ForceElement(std::move(name)), thruster_(thruster), opening_(command) {
  if (command.size() != 1) {
    throw DimensionError("the command of '" + this->name() + "' has " +
                         std::to_string(command.size()) + " rows, expected 1");
  }
  const TimeTable own_time = command.starting_at(-1);
  for (const double time : command.times()) {
    if (std::isinf(time)) continue;
    // the last row is where the command ends
    const bool is_last = time == command.times().back();
    const double value = table_value(own_time, is_last ? std::nextafter(time, -kForEver) : time);
    if (value >= 0.0 && value <= 1.0 + 1e-12) continue;
    throw DomainError(owner_prefix(*this) + "a command must be from 0 to 1");
  }
  if (shortest_pulse(own_time) < thruster.drive.minimum_on_time * (1.0 - 1e-12)) {
    throw DomainError(owner_prefix(*this) + "a pulse is shorter than the minimum on-time of '" +
                      thruster.name + "'");
  }
  opening_ = rate_limited(delayed(own_time, thruster.drive.delay), thruster.drive.rise_time,
                          thruster.drive.fall_time)
                 .starting_at(command.start_event());
}

ThrusterForce::ThrusterForce(std::string name, const Thruster& thruster, std::size_t slot)
    : ForceElement(std::move(name)),
      thruster_(thruster),
      opening_(TimeTable::constant(VectorX::Zero(1))),
      slot_(slot) {}

TimeTable ThrusterForce::pulse(const Thruster& thruster, double from, double until) {
  const double end = std::max(until, from + thruster.drive.minimum_on_time);
  if (!(until > from)) throw DomainError("a pulse must end after it begins");
  return TimeTable::constant(VectorX::Ones(1), from, end);
}

bool ThrusterForce::consumes() const { return std::isfinite(thruster_.drive.specific_impulse); }

template <typename Visit>
void ThrusterForce::for_each_stretch(const std::vector<ThrusterPulse>& pulses, std::size_t first,
                                     const Visit& visit) const {
  const ThrusterDrive& drive = thruster_.drive;
  double value = 0.0;
  for (std::size_t i = first; i < pulses.size(); ++i) {
    const double on = pulses[i].from + drive.delay, off = pulses[i].until + drive.delay;
    const double full = on + (1.0 - value) * drive.rise_time;
    if (drive.rise_time > 0.0) visit(on, value, 1.0 / drive.rise_time);
    if (full < off) visit(full, 1.0, 0.0);
    if (full >= off) value += (off - on) / drive.rise_time;
    if (full < off) value = 1.0;
    const double next = i + 1 < pulses.size() ? pulses[i + 1].from + drive.delay : kForEver;
    const double shut = off + value * drive.fall_time;
    if (drive.fall_time > 0.0) visit(off, value, -1.0 / drive.fall_time);
    if (shut < next) visit(shut, 0.0, 0.0);
    value = shut < next ? 0.0 : value - (next - off) / drive.fall_time;
  }
}

double ThrusterForce::pulsed_opening(const Instant& now) const {
  if (now.events == nullptr || *slot_ >= now.events->pulses.size()) return 0.0;
  const std::vector<ThrusterPulse>& pulses = now.events->pulses[*slot_];
  const ThrusterDrive& drive = thruster_.drive;
  std::size_t first = pulses.size();
  while (first > 0 && pulses[first - 1].from + drive.delay > now.time) --first;
  if (first == 0) return 0.0;
  --first;  // the latest that has begun, and those before it after which it has not closed
  while (first > 0 && pulses[first - 1].until + drive.fall_time > pulses[first].from) --first;
  double opening = 0.0;
  for_each_stretch(pulses, first, [&](double begin, double value, double slope) {
    if (begin <= now.time) opening = value + slope * (now.time - begin);
  });
  return opening;
}

double ThrusterForce::opening(const Instant& now) const {
  return slot_ ? pulsed_opening(now) : table_value(opening_, now);
}

void ThrusterForce::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  zd(0) = thruster_.drive.force * opening(context.instant()) /
          (thruster_.drive.specific_impulse * kStandardGravity);
}

void ThrusterForce::declare(Declarations& declared) const {
  if (slot_) declared.pulsed = {*slot_, &thruster_};
  if (consumes()) declared.tanks = {thruster_.drive.tank};
  declared.actuators.push_back(
      {thruster_.name, kThrustQuantity, [this](const EvaluationContext& context, ConstVectorRef) {
         return thruster_.drive.force * opening(context.instant());
       }});
}

void ThrusterForce::check(const Model& model) const { check_body(*this, thruster_.at.body, model); }

void ThrusterForce::apply(const EvaluationContext& context, Loads& loads) const {
  const double thrust = thruster_.drive.force * opening(context.instant());
  if (thrust == 0.0) return;
  const Vector3 force =
      thrust * (frame_orientation(context.frames, thruster_.at) * thruster_.drive.direction);
  add_at(thruster_.at, context, force, Vector3::Zero(), loads);
}

void ThrusterForce::append_discontinuities(std::vector<double>& times) const {
  if (!slot_) opening_.append_discontinuities(times);
}

void ThrusterForce::append_event_discontinuities(const EventTimes& events,
                                                 std::vector<double>& times) const {
  if (!slot_) return opening_.append_event_discontinuities(events, times);
  if (*slot_ >= events.pulses.size()) return;
  for_each_stretch(events.pulses[*slot_], 0,
                   [&](double begin, double, double) { times.push_back(begin); });
}

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
