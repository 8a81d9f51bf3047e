#include "integration/events/event_detector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/tools/toms748_solve.hpp>

#include "integration/contacts/root_tolerance.hpp"
#include "integration/contacts/turning_point.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
EventDetector::EventDetector(const std::vector<Event>& events, const RestingContacts& contacts,
                             const RigidContacts& rigid)
    : events_(events),
      contacts_(contacts),
      rigid_(rigid),
      first_rigid_(events.size() + contacts.stops().size()),
      old_(first_rigid_ + rigid.function_count()),
      has_rates_(std::any_of(events.begin(), events.end(),
                             [](const Event& event) { return event.rate != nullptr; })),
      history_(events.size()) {
  for (const Event& event : events) {
    connects_.emplace_back();
    for (const EventAction& action : event.actions) {
      if (const auto* connect = std::get_if<ConnectAction>(&action)) {
        connects_.back().push_back(connect->connection);
        continue;
      }
      connects_.back().clear();
      break;
    }
  }
  if (rigid.function_count() == 0) return;
  for (const Event& event : events) is_about_rigid_.push_back(RigidContacts::is_about(event));
}

void EventDetector::start(EquationsOfMotion& equations, const VectorX& x, double time) {
  if (is_idle() || !evaluate(equations, x, time, old_)) return;
  keep_inside(equations.state().q);
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
    if (i >= events_.size() || contacts_.stop_of(i) != nullptr) continue;
    const double change = right_[i] - old_[i];
    if (change != 0.0) {
      // a value that has left zero with its reset, a contact's for instance, tells by itself
      if (std::abs(change) >= std::abs(old_[i])) old_[i] = std::copysign(kTiny, change);
    } else if (bounces(i)) {
      // too slow to show: it bounces again at once, until it counts as chattering
      old_[i] = new_[i] >= 0.0 ? -kTiny : kTiny;
    }
  }
  keep_inside(equations.state().q);
}

void EventDetector::keep_inside(const VectorX& q) {
  // what rigid contacts do has just been decided
  for (std::size_t i = first_rigid_; i < old_.size(); ++i) {
    if (!(old_[i] > 0.0)) old_[i] = kTiny;
  }
  for (const RestingContacts::Stop& stop : contacts_.stops()) {
    double& value = old_[stop.event];
    const double rounding =
        4.0 * std::numeric_limits<double>::epsilon() * std::abs(q(stop.joint - 1));
    const bool has_fired = std::find(fired_.begin(), fired_.end(), stop.event) != fired_.end();
    const bool is_inside = (value >= 0.0) == (stop.outward < 0.0);
    if (std::abs(value) <= rounding || (has_fired && !is_inside)) {
      value = std::copysign(kTiny, -stop.outward);
    }
  }
}

bool EventDetector::evaluate(EquationsOfMotion& equations, const VectorX& x, double time,
                             std::vector<double>& values) {
  values.assign(old_.size(), 0.0);
  if (!update(equations, x, time)) return false;
  const EvaluationContext context = equations.context();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    values[i] = waits(i, equations) ? kTiny : from_inside(i, events_[i].value(context));
  }
  for (std::size_t i = events_.size(); i < values.size(); ++i) {
    values[i] = value_of(i, equations);
  }
  return true;
}

bool EventDetector::update(EquationsOfMotion& equations, const VectorX& x, double time) const {
  const bool needs_forces = contacts_.any_held() ||
                            (first_rigid_ < old_.size() && RigidContacts::needs_forces(equations));
  return needs_forces ? equations.evaluate_inside(x, time) : equations.update_kinematics(x, time);
}

double EventDetector::value_of(std::size_t function, const EquationsOfMotion& equations) const {
  if (function >= first_rigid_) return RigidContacts::value(equations, function - first_rigid_);
  if (function >= events_.size()) return contacts_.margin(equations, function - events_.size());
  if (waits(function, equations)) return kTiny;
  return from_inside(function, events_[function].value(equations.context()));
}

bool EventDetector::waits(std::size_t event, const EquationsOfMotion& equations) const {
  const std::vector<std::size_t>& connections = connects_[event];
  return !connections.empty() &&
         std::all_of(connections.begin(), connections.end(), [&](std::size_t connection) {
           return equations.discrete().connections[connection].active;
         });
}

double EventDetector::from_inside(std::size_t event, double value) const {
  if (!is_about_rigid_.empty() && is_about_rigid_[event]) return -kTiny;  // add_contact_events()
  const RestingContacts::Stop* stop = contacts_.stop_of(event);
  if (stop == nullptr || (value != 0.0 && !contacts_.is_at_rest(*stop))) return value;
  return std::copysign(kTiny, -stop->outward);
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
  const auto [left, right] = find_part(equations, advancer.stepper(), step);
  if (!any_crosses(left_, right_)) {
    old_ = new_;
    equations.update_kinematics(step.x_new, t_new);
    return false;
  }
  // of all functions that cross there, the one that does so first
  double first = right;
  const std::vector<double> before = left_;
  const std::vector<double> after = right_;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!crosses(i, before[i], after[i])) continue;
    first = std::min(first, find_root(equations, advancer, step, i, left, first));
  }
  advancer.end_step_at(equations, step, first);
  if (!evaluate(equations, step.x_new, first, new_)) return false;
  for (std::size_t i = 0; i < new_.size(); ++i) {
    if (crosses(i, old_[i], new_[i])) fired_.push_back(i);
  }
  add_contact_events(equations);
  old_ = new_;
  return !fired_.empty();
}

std::pair<double, double> EventDetector::find_part(EquationsOfMotion& equations, Stepper& stepper,
                                                   const Step& step) {
  left_ = old_;
  left_x_ = step.x_old;
  if (has_rates_ && equations.update_kinematics(left_x_, step.t_old)) {
    fill_rates(equations, left_rates_);
  }
  double left = step.t_old, right = left;
  const int parts = stepper.watched_parts();
  for (int part = 1; part <= parts; ++part) {
    right = step.t_new;
    right_ = new_;
    x_ = step.x_new;
    if (part < parts) {
      right = step.t_old + (step.t_new - step.t_old) * part / parts;
      stepper.interpolate(equations, step, right, x_);
      if (!evaluate(equations, x_, right, right_)) continue;
    }
    if (looks_behind(equations, stepper, step, left, right) || any_crosses(left_, right_)) break;
    if (finds_peak(equations, stepper, step, left, right)) break;
    if (finds_touch(equations, stepper, step, left, right)) break;
    left_ = right_;
    left_rates_ = right_rates_;
    left_x_ = x_;
    left = right;
  }
  return {left, right};
}

bool EventDetector::ends_at(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                            double left, double turn, double& right) {
  if (!(turn > left && turn < right)) return false;
  stepper.interpolate(equations, step, turn, peak_x_);
  if (!evaluate(equations, peak_x_, turn, peak_) || !any_crosses(left_, peak_)) return false;
  right = turn;
  right_ = peak_;
  return true;
}

bool EventDetector::looks_behind(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                                 double left, double& right) {
  const StateLayout& layout = equations.layout();
  for (const RestingContacts::Stop& stop : contacts_.stops()) {
    if (contacts_.is_at_rest(stop)) continue;
    const double start = stop.outward * left_x_(layout.qd() + stop.joint - 1);
    const double end = stop.outward * x_(layout.qd() + stop.joint - 1);
    if (start <= 0.0 || end >= 0.0) continue;
    // the joint turns in between, as far as the cubic polynomial through both ends says there
    const double travel = stop.outward * (right_[stop.event] - left_[stop.event]);
    const double turn = turning_point(left, right, start, end, travel);
    if (ends_at(equations, stepper, step, left, turn, right)) return true;
  }
  return false;
}

void EventDetector::fill_rates(const EquationsOfMotion& equations,
                               std::vector<double>& rates) const {
  const EvaluationContext context = equations.context();
  rates.assign(events_.size(), 0.0);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].rate) rates[i] = events_[i].rate(context);
  }
}

bool EventDetector::finds_peak(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                               double left, double& right) {
  if (!has_rates_ || !equations.update_kinematics(x_, right)) return false;
  fill_rates(equations, right_rates_);
  for (std::size_t i = 0; i < events_.size() && i < left_rates_.size(); ++i) {
    const bool may = left_[i] < 0.0 && right_[i] < 0.0 && left_rates_[i] > 0.0 &&
                     right_rates_[i] < 0.0 && events_[i].direction != CrossingDirection::falling;
    if (may && finds_peak(equations, stepper, step, i, left, right)) return true;
  }
  return false;
}

bool EventDetector::finds_peak(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                               std::size_t event, double left, double& right) {
  constexpr int kMost = 40;
  double a = left, b = right, at_a = left_[event], at_b = right_[event];
  double rate_a = left_rates_[event], rate_b = right_rates_[event];
  for (int i = 0; i < kMost; ++i) {
    // a distance of convex bodies has no peak above the tangents at both ends; some more may turn
    const double top =
        (at_a * -rate_b + at_b * rate_a + rate_a * -rate_b * (b - a)) / (rate_a - rate_b);
    const double ends = std::max(at_a, at_b);
    if (top + 0.5 * std::max(0.0, top - ends) < 0.0) return false;
    double turn = turning_point(a, b, rate_a, rate_b, at_b - at_a);
    if (!(turn > a + 0.02 * (b - a) && turn < b - 0.02 * (b - a))) turn = 0.5 * (a + b);
    if (!(turn > a && turn < b)) return false;
    stepper.interpolate(equations, step, turn, peak_x_);
    if (!equations.update_kinematics(peak_x_, turn)) return false;
    const EvaluationContext context = equations.context();
    const double value = events_[event].value(context), rate = events_[event].rate(context);
    if (value >= 0.0) {
      right = turn;
      return evaluate(equations, peak_x_, turn, right_);
    }
    (rate > 0.0 ? a : b) = turn;
    (rate > 0.0 ? at_a : at_b) = value;
    (rate > 0.0 ? rate_a : rate_b) = rate;
    if (rate == 0.0) return false;
  }
  return false;
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
      found = update(equations, step.x_new, time) ? value_of(event, equations)
                                                  : std::numeric_limits<double>::quiet_NaN();
    }
    // roundings make a slow function zero for a while; only its end is a crossing when it falls
    return found == 0.0 ? kTiny : found;
  };
  if (left == step.t_old && std::abs(old_[event]) == kTiny) {
    left = leave(value, left, right, old_[event] >= 0.0);
    if (left == step.t_old && (event >= first_rigid_ || contacts_.stop_of(event) != nullptr)) {
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
  // nor is there a root beside a state at which nothing can be evaluated
  const bool known = !std::isnan(at_left) && !std::isnan(at_right);
  if (!known || !crosses(event, at_left, at_right)) return right;
  const auto close = [](double a, double b) { return std::abs(b - a) <= root_tolerance(b); };
  std::uintmax_t most = 200;
  return boost::math::tools::toms748_solve(value, left, right, at_left, at_right, close, most)
      .second;
}

void EventDetector::count(std::size_t event, double time, long steps) {
  // joints at stops come to rest: all of them are watched together, and longer
  const bool is_stop = contacts_.stop_of(event) != nullptr;
  History& history = is_stop ? strikes_ : history_[event];
  const std::size_t watched = is_stop ? kWatchedStrikes : kWatched;
  if (history.times.size() == watched) {
    history.times.erase(history.times.begin());
    history.events.erase(history.events.begin());
  }
  history.times.push_back(time);
  history.events.push_back(event);
  if (history.times.size() < watched) return;
  // the second half took almost no time compared with the first
  const double whole = history.times.back() - history.times.front();
  const double last = history.times.back() - history.times[watched / 2];
  if (last > 1e-4 * whole && last > 1e-9) return;
  if (!is_stop) stop_chattering(event, time, steps, last);
  stop_striking(time, steps, last);
}

void EventDetector::transfer(Archive& archive) {
  std::vector<double> old = old_;
  archive(old, history_, strikes_);
  if (old.size() != old_.size() || history_.size() != events_.size()) {
    throw IoError("the checkpoint is damaged: its events differ");
  }
  const auto is_possible = [&](const History& history) {
    return history.times.size() == history.events.size() &&
           std::all_of(history.events.begin(), history.events.end(),
                       [&](std::size_t event) { return event < events_.size(); });
  };
  archive.require(is_possible(strikes_) &&
                  std::all_of(history_.begin(), history_.end(), is_possible));
  old_ = std::move(old);
}

}  // namespace spacedyn
