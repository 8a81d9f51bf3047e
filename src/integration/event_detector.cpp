#include "integration/event_detector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/tools/toms748_solve.hpp>

#include "integration/root_tolerance.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr double kTiny = std::numeric_limits<double>::min();  // stands for a side of zero

}  // namespace

EventDetector::EventDetector(const std::vector<Event>& events, const RestingContacts& contacts)
    : events_(events),
      contacts_(contacts),
      old_(events.size() + contacts.stops().size()),
      history_(events.size()) {}

void EventDetector::start(EquationsOfMotion& equations, const VectorX& x, double time) {
  if (!is_idle()) evaluate(equations, x, time, old_);
}

bool EventDetector::bounces(std::size_t function) const {
  if (function >= events_.size()) return false;
  const std::vector<EventAction>& actions = events_[function].actions;
  return std::any_of(actions.begin(), actions.end(), [](const EventAction& action) {
    return std::holds_alternative<BounceAction>(action);
  });
}

void EventDetector::resume(EquationsOfMotion& equations, const Step& step) {
  constexpr double kReach = 1e-7;  // s: far enough to show a rate above rounding
  if (!evaluate(equations, step.x_old, step.t_old, old_)) return;
  x_ = step.x_old + kReach * step.rate_old;
  if (!evaluate(equations, x_, step.t_old + kReach, right_)) return;
  for (const std::size_t i : fired_) {
    if (i >= events_.size()) continue;
    const RestingContacts::Stop* stop = contacts_.stop_of(i);
    const double change = right_[i] - old_[i];
    if (stop != nullptr) {
      if ((old_[i] >= 0.0) != (stop->outward < 0.0)) old_[i] = std::copysign(kTiny, -stop->outward);
    } else if (change != 0.0) {
      old_[i] = std::copysign(kTiny, change);
    } else if (bounces(i)) {
      // too slow to show: it bounces again at once, until it counts as chattering
      old_[i] = new_[i] >= 0.0 ? -kTiny : kTiny;
    }
  }
}

bool EventDetector::evaluate(EquationsOfMotion& equations, const VectorX& x, double time,
                             std::vector<double>& values) {
  values.assign(old_.size(), 0.0);
  if (!place(equations, x, time)) return false;
  const Situation situation = equations.situation();
  for (std::size_t i = 0; i < events_.size(); ++i) values[i] = events_[i].value(situation);
  for (std::size_t i = events_.size(); i < values.size(); ++i) {
    values[i] = contacts_.margin(equations, i - events_.size());
  }
  return true;
}

bool EventDetector::place(EquationsOfMotion& equations, const VectorX& x, double time) const {
  return contacts_.any_held() ? equations.evaluate_inside(x, time) : equations.place(x, time);
}

double EventDetector::value_of(std::size_t function, const EquationsOfMotion& equations) const {
  return function < events_.size() ? events_[function].value(equations.situation())
                                   : contacts_.margin(equations, function - events_.size());
}

bool EventDetector::crosses(std::size_t event, double before, double after) const {
  // zero belongs to the positive side, so that a step that ends on a root has crossed it once
  const bool was = before >= 0.0;
  const bool is = after >= 0.0;
  if (was == is) return false;
  if (event >= events_.size()) return was;  // a stop that begins to pull
  const CrossingDirection direction = events_[event].direction;
  return direction == CrossingDirection::both || (direction == CrossingDirection::rising) == is;
}

bool EventDetector::any_crosses(const std::vector<double>& before,
                                const std::vector<double>& after) const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (crosses(i, before[i], after[i])) return true;
  }
  return false;
}

bool EventDetector::shorten(EquationsOfMotion& equations, Advancer& advancer, Step& step) {
  fired_.clear();
  const double t_new = step.t_new;
  evaluate(equations, step.x_new, t_new, new_);
  left_ = old_;
  double left = step.t_old, right = t_new;
  const int parts = advancer.stepper().watched_parts();
  for (int part = 1; part <= parts; ++part) {
    right = t_new;
    right_ = new_;
    if (part < parts) {
      right = step.t_old + (t_new - step.t_old) * part / parts;
      advancer.stepper().interpolate(equations, step, right, x_);
      if (!evaluate(equations, x_, right, right_)) continue;
    }
    if (any_crosses(left_, right_)) break;
    left_ = right_;
    left = right;
  }
  // of all functions that cross there, the one that does so first
  double first = right;
  const std::vector<double> before = left_;
  const std::vector<double> after = right_;
  if (!any_crosses(before, after)) {
    old_ = new_;
    equations.place(step.x_new, t_new);
    return false;
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!crosses(i, before[i], after[i])) continue;
    first = std::min(first, find_root(equations, advancer, step, i, left, first));
  }
  advancer.end_step_at(equations, step, first);
  if (!evaluate(equations, step.x_new, first, new_)) return false;
  for (std::size_t i = 0; i < new_.size(); ++i) {
    if (crosses(i, old_[i], new_[i])) fired_.push_back(i);
  }
  old_ = new_;
  return !fired_.empty();
}

double EventDetector::leave(const std::function<double(double)>& value, double start, double right,
                            bool positive) const {
  for (double reach = 4.0 * root_tolerance(start); start + reach < right; reach *= 2.0) {
    if ((value(start + reach) >= 0.0) == positive) return start + reach;
  }
  return start;
}

double EventDetector::find_root(EquationsOfMotion& equations, Advancer& advancer, Step& step,
                                std::size_t event, double left, double right) {
  const auto value = [&](double time) {
    double found = old_[event];
    if (time > step.t_old) {
      step.t_new = time;
      advancer.stepper().attempt(equations, step);
      found = place(equations, step.x_new, time) ? value_of(event, equations)
                                                 : std::numeric_limits<double>::quiet_NaN();
    }
    // roundings make a slow function zero for a while; only its end is a crossing when it falls
    return found == 0.0 ? kTiny : found;
  };
  if (left == step.t_old && std::abs(old_[event]) == kTiny) {
    left = leave(value, left, right, old_[event] >= 0.0);
    if (left == step.t_old && contacts_.stop_of(event) != nullptr) {
      return left + root_tolerance(left);  // it moves into its stop at once
    }
    if (left == step.t_old && bounces(event)) {
      stop_chattering(event, left, advancer.statistics().steps, 4.0 * root_tolerance(left));
    }
  }
  // the dense output may lie on another side of zero than the true step where both are small
  double at_left = value(left);
  if (!crosses(event, at_left, value(right))) {
    left = step.t_old;
    at_left = value(left);
  }
  const double at_right = value(right);
  if (!crosses(event, at_left, at_right)) return right;
  const auto close = [](double a, double b) { return std::abs(b - a) <= root_tolerance(b); };
  std::uintmax_t most = 200;
  return boost::math::tools::toms748_solve(value, left, right, at_left, at_right, close, most)
      .second;
}

void EventDetector::count(std::size_t event, double time, long steps) {
  if (contacts_.stop_of(event) != nullptr) return;  // it comes to rest
  std::vector<double>& times = history_[event].times;
  if (times.size() == kWatched) times.erase(times.begin());
  times.push_back(time);
  if (times.size() < kWatched) return;
  // the second half took almost no time compared with the first
  const double whole = times.back() - times.front();
  const double last = times.back() - times[kWatched / 2];
  if (last > 1e-4 * whole && last > 1e-9) return;
  stop_chattering(event, time, steps, last);
}

void EventDetector::transfer(Archive& archive) {
  std::vector<double> old = old_;
  archive(old, history_);
  if (old.size() != old_.size() || history_.size() != events_.size()) {
    throw IoError("the checkpoint is damaged: its events differ");
  }
  old_ = std::move(old);
}

void EventDetector::stop_chattering(std::size_t event, double time, long steps, double span) const {
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s after {} steps: event '{}' chatters, again "
                  "and again within {:.3g} s; let its action change more, for instance lock the "
                  "joint",
                  time, steps, events_[event].name, span),
      time, steps, "event '" + events_[event].name + "'");
}

}  // namespace spacedyn
