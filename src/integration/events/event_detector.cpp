#include "integration/events/event_detector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/tools/toms748_solve.hpp>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// How far roundings may put a joint past its stop.
double rounding_of(double position) {
  return 4.0 * std::numeric_limits<double>::epsilon() * std::abs(position);
}

}  // namespace

EventDetector::EventDetector(const std::vector<Event>& events, const RestingContacts& contacts,
                             const RigidContacts& rigid, double unit)
    : events_(events),
      contacts_(contacts),
      rigid_(rigid),
      unit_(unit),
      first_rigid_(events.size() + contacts.stops().size()),
      connects_(events.size()),
      old_(first_rigid_ + rigid.function_count()),
      largest_(old_.size(), 0.0),
      offsets_(events.size(), 0.0),
      search_(old_.size()),
      sequence_(events),
      holds_(events.size(), true),
      awakened_(events.size(), false),
      looks_for_jumps_(!sequence_.is_idle()),
      history_(events.size()) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::optional<EventQuantity>& quantity = events[i].quantity;
    looks_for_jumps_ = looks_for_jumps_ || quantity.has_value();
    needs_forces_ = needs_forces_ || (quantity && quantity->needs_forces);
    for (const EventCondition& condition : events[i].conditions) {
      has_conditions_ = true;
      needs_forces_ = needs_forces_ || condition.quantity.needs_forces;
    }
    for (const EventAction& action : events[i].actions) {
      const auto* connect = std::get_if<ConnectAction>(&action);
      if (connect != nullptr) connects_[i].push_back(connect->connection);
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
  // far enough to show a rate above rounding
  const double reach = 1e-7 * unit_;
  if (!evaluate(equations, step.x_old, step.t_old, old_)) return;
  x_ = step.x_old + reach * step.rate_old;
  if (!evaluate(equations, x_, step.t_old + reach, right_)) return;
  for (const std::size_t i : fired_) {
    if (i >= events_.size() || contacts_.stop_of(i) != nullptr) continue;
    const double near = kRearming * largest_[i];
    if (may_rest_at_zero(i) && std::abs(old_[i]) <= near) {
      search_.disarm(i, near);
      continue;
    }
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
    const double rounding = rounding_of(q(stop.joint - 1));
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
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(i, equations);
  return true;
}

bool EventDetector::update(EquationsOfMotion& equations, const VectorX& x, double time) const {
  const bool needs_forces = needs_forces_ || contacts_.any_held() ||
                            (first_rigid_ < old_.size() && RigidContacts::needs_forces(equations));
  return needs_forces ? equations.evaluate_inside(x, time) : equations.update_kinematics(x, time);
}

double EventDetector::value_of(std::size_t function, const EquationsOfMotion& equations) const {
  if (function >= first_rigid_) return RigidContacts::value(equations, function - first_rigid_);
  if (function >= events_.size()) return contacts_.margin(equations, function - events_.size());
  if (waits(function, equations)) return kTiny;
  return from_inside(function, value_of_event(function, equations), equations);
}

bool EventDetector::waits(std::size_t event, const EquationsOfMotion& equations) const {
  const std::vector<std::size_t>& connections = connects_[event];
  return !connections.empty() &&
         std::all_of(connections.begin(), connections.end(), [&](std::size_t connection) {
           return equations.discrete().connections[connection].active;
         });
}

double EventDetector::from_inside(std::size_t event, double value,
                                  const EquationsOfMotion& equations) const {
  if (!is_about_rigid_.empty() && is_about_rigid_[event]) return -kTiny;  // add_contact_events()
  const RestingContacts::Stop* stop = contacts_.stop_of(event);
  if (stop == nullptr) return value + offsets_[event];
  const bool is_on_stop = std::abs(value) <= rounding_of(equations.state().q(stop->joint - 1));
  if (!is_on_stop && !contacts_.is_at_rest(*stop)) return value;
  return std::copysign(kTiny, -stop->outward);
}

bool EventDetector::crosses(std::size_t event, double before, double after) const {
  // zero belongs to the positive side, so that a step that ends on a root has crossed it once
  const bool was = before >= 0.0;
  const bool is = after >= 0.0;
  if (was == is) return false;
  if (event >= events_.size()) return was;  // a stop that begins to pull
  if (!sequence_.is_armed(event)) return false;
  const CrossingDirection direction = events_[event].direction;
  return direction == CrossingDirection::both || (direction == CrossingDirection::rising) == is;
}

bool EventDetector::may_rest_at_zero(std::size_t function) const {
  return function < events_.size() && events_[function].owner == nullptr &&
         !events_[function].rate && !bounces(function);
}

bool EventDetector::shorten(EquationsOfMotion& equations, Advancer& advancer, Step& step,
                            double outputs) {
  fired_.clear();
  for (std::size_t i = 0; i < old_.size(); ++i) {
    largest_[i] = std::max(largest_[i], std::abs(old_[i]));
  }
  const double t_new = step.t_new;
  if (!find(equations, advancer.stepper(), step, outputs)) {
    old_ = new_;
    equations.update_kinematics(step.x_new, t_new);
    return false;
  }
  // of all functions that cross there, the one that does so first
  const double left = search_.left().time;
  double first = search_.right().time;
  for (const std::size_t i : search_.crossing()) {
    first = std::min(first, find_root(equations, advancer, step, i, left, first));
  }
  advancer.end_step_at(equations, step, first);
  if (!evaluate(equations, step.x_new, first, new_)) return false;
  const RootSearch::Indices& crossing = search_.crossing();
  for (std::size_t i = 0; i < new_.size(); ++i) {
    const bool is_found = std::binary_search(crossing.begin(), crossing.end(), i);
    // what others imply may have turned back by the end of the step, and was passed over there
    const bool follows = begin_.sights[i].bound.kind == RootBound::Kind::implied;
    if (!is_found && !follows) continue;
    const Sight& before = is_found ? search_.left().sights[i] : begin_.sights[i];
    if (search_.near()[i] == 0.0 && crosses(i, before.value, new_[i])) fired_.push_back(i);
  }
  add_contact_events(equations);
  old_ = new_;
  return !fired_.empty();
}

double EventDetector::leave(const std::function<double(double)>& value, double start, double right,
                            bool positive) const {
  for (double reach = 4.0 * tolerance(start); start + reach < right; reach *= 2.0) {
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
      return left + tolerance(left);  // it moves into its stop at once
    }
    if (left == step.t_old && bounces(event)) {
      stop_chattering(event, left, advancer.statistics().steps, 4.0 * tolerance(left));
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
  const auto close = [&](double a, double b) { return std::abs(b - a) <= tolerance(b); };
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
  if (last > 1e-4 * whole && last > 1e-9 * unit_) return;
  if (!is_stop) stop_chattering(event, time, steps, last);
  stop_striking(time, steps, last);
}

void EventDetector::transfer(Archive& archive) {
  std::vector<double> old = old_;
  archive(old, history_, strikes_, largest_, offsets_, search_.near());
  if (largest_.size() != old_.size() || offsets_.size() != events_.size() ||
      search_.near().size() != old_.size() || old.size() != old_.size() ||
      history_.size() != events_.size()) {
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
