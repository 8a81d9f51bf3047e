// How the detector looks into a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "forces/root_bound.hpp"
#include "integration/events/event_detector.hpp"
#include "spacedyn/error.hpp"
#include "system/instants.hpp"

namespace spacedyn {
namespace {

using Kind = RootBound::Kind;

/// Part of a step over which the rate of a function is taken that does not say it.
constexpr double kDifference = 1e-5;

Sight on_one_side(double value) {
  Sight sight{value, {}};
  sight.bound.kind = Kind::implied;
  return sight;
}

}  // namespace

class EventDetector::StepView final : public RootSearch::Watched {
 public:
  StepView(EventDetector& detector, EquationsOfMotion& equations, Stepper& stepper,
           const Step& step)
      : detector_(detector), equations_(equations), stepper_(stepper), step_(step) {}

  bool see(const RootSearch::Indices& functions, RootSearch::Node& node) override {
    return detector_.see(equations_, stepper_, step_, functions, node);
  }
  bool counts(std::size_t function, double before, double after) const override {
    return detector_.crosses(function, before, after);
  }

 private:
  EventDetector& detector_;
  EquationsOfMotion& equations_;
  Stepper& stepper_;
  const Step& step_;
};

bool EventDetector::keeps_side(std::size_t event, const EquationsOfMotion& equations) const {
  const RestingContacts::Stop* stop = contacts_.stop_of(event);
  return (stop != nullptr && contacts_.is_at_rest(*stop)) || waits(event, equations) ||
         (!is_about_rigid_.empty() && is_about_rigid_[event]);
}

Sight EventDetector::sight_of(std::size_t function, const EquationsOfMotion& equations) const {
  Sight sight = on_one_side(value_of(function, equations));
  if (function >= first_rigid_) {
    const std::size_t point = (function - first_rigid_) / 2;
    const bool is_gap =
        (function - first_rigid_) % 2 == 0 && equations.discrete().contact_points[point].mode ==
                                                  DiscreteState::ContactPointState::Mode::apart;
    if (!is_gap) return sight;
    sight.bound = pair_bound(equations.context(), *equations.rigid()->points().points()[point].pair,
                             1.0, RigidContacts::rate(equations, function - first_rigid_));
    return sight;
  }
  if (function >= events_.size() || keeps_side(function, equations)) return sight;
  const Event& event = events_[function];
  const bool is_constant = event.delay || (event.quantity && event.quantity->is_held);
  if (is_constant || !sequence_.is_armed(function)) return sight;
  sight.bound.kind = Kind::sampled;
  if (const auto* root = event.value.target<BoundedRoot>()) {
    sight.bound = root->bound(equations.context());
  } else if (event.rate) {
    sight.bound = smooth_bound(event.rate(equations.context()));
  }
  // what rests does so by its value, whichever way its points are carried
  if (offsets_[function] != 0.0 && sight.bound.kind == Kind::distance) {
    sight.bound.kind = Kind::smooth;
  }
  return sight;
}

bool EventDetector::see(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                        const RootSearch::Indices& functions, RootSearch::Node& node) {
  const auto place = [&](double time) {
    if (time <= step.t_old) {
      x_ = step.x_old;
    } else if (time >= step.t_new) {
      x_ = step.x_new;
    } else {
      stepper.interpolate(equations, step, time, x_);
    }
    return update(equations, x_, time);
  };
  if (!place(node.time)) return false;
  bool any_sampled = false;
  const bool looks_inside = stepper.watched_parts() > 1;
  for (const std::size_t i : functions) {
    Sight& sight = node.sights[i] = sight_of(i, equations);
    if (!looks_inside) sight.bound.kind = Kind::implied;
    any_sampled = any_sampled || sight.bound.kind == Kind::sampled;
  }
  if (!any_sampled) return true;
  const double reach = kDifference * (step.t_new - step.t_old);
  const double beside = node.time + reach < step.t_new ? node.time + reach : node.time - reach;
  if (!place(beside)) return false;
  for (const std::size_t i : functions) {
    Sight& sight = node.sights[i];
    if (sight.bound.kind != Kind::sampled) continue;
    sight.bound.rate = (value_of(i, equations) - sight.value) / (beside - node.time);
  }
  return true;
}

bool EventDetector::must_sample(const EquationsOfMotion& equations,
                                const RootSearch::Node& left) const {
  // references may swing faster than a method's steps tell
  if (equations.has_prescribed_motion() || contacts_.any_held()) return true;
  if (first_rigid_ < old_.size() && RigidContacts::needs_forces(equations)) return true;
  return std::any_of(left.sights.begin(), left.sights.end(),
                     [](const Sight& sight) { return sight.bound.kind == Kind::sampled; });
}

bool EventDetector::offset_resting(const Vector3& place, double h) {
  bool any_changes = false;
  // loops leave more than roundings inside steps
  const double open = std::max(kResting, 10.0 * contacts_.setup().integrator.relative_tolerance);
  const double rounding = 16.0 * std::numeric_limits<double>::epsilon() * place.norm();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (search_.near()[i] > 0.0 || !may_rest_at_zero(i)) continue;
    const RootBound& bound = begin_.sights[i].bound;
    if (bound.kind == Kind::implied) continue;
    const double length = std::max(bound.reach, bound.position.norm());
    const double part = bound.kind == Kind::sampled ? kRearming : kResting;
    const double rest = length > 0.0 ? open * length + rounding : part * largest_[i];
    const double value = old_[i] - offsets_[i];
    if (offsets_[i] != 0.0) {
      if (std::abs(value) <= 2.0 * std::abs(offsets_[i])) continue;
      offsets_[i] = 0.0;
    } else if (std::abs(value) <= rest && h * std::abs(bound.rate) <= rest) {
      const bool is_above = events_[i].direction == CrossingDirection::both
                                ? value >= 0.0
                                : events_[i].direction == CrossingDirection::falling;
      offsets_[i] = is_above ? rest : -rest;
    } else {
      continue;
    }
    old_[i] = value + offsets_[i];
    any_changes = true;
  }
  return any_changes;
}

bool EventDetector::find(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                         double outputs) {
  const double h = step.t_new - step.t_old;
  begin_.time = step.t_old;
  begin_.sights.assign(old_.size(), on_one_side(0.0));
  end_.sights.assign(old_.size(), on_one_side(0.0));
  see(equations, stepper, step, search_.all(), begin_);
  if (offset_resting(step.x_old.segment<3>(StateLayout::r_0), h)) {
    see(equations, stepper, step, search_.all(), begin_);
  }
  for (std::size_t i = 0; i < old_.size(); ++i) begin_.sights[i].value = old_[i];
  int parts = stepper.watched_parts();
  if (parts > 1) {
    parts = must_sample(equations, begin_) ? static_cast<int>(std::max<double>(parts, outputs)) : 1;
  }
  const double least = 4.0 * tolerance(step.t_new);
  StepView view(*this, equations, stepper, step);
  new_ = old_;
  for (int part = 1; part <= parts; ++part) {
    end_.time = part < parts ? step.t_old + h * part / parts : step.t_new;
    if (!see(equations, stepper, step, search_.all(), end_)) continue;
    if (search_.find(begin_, end_, least, view)) return true;
    std::swap(begin_, end_);
    for (std::size_t i = 0; i < new_.size(); ++i) new_[i] = begin_.sights[i].value;
  }
  return false;
}

// What the detector does at an instant: sequences, conditions and jumps.

double EventDetector::quantity_of(const EventQuantity& quantity,
                                  const EquationsOfMotion& equations) const {
  static const std::vector<ContactReading> kNone;
  const bool reads_contacts = quantity.needs_forces && contact_reader_;
  if (reads_contacts) contact_reader_(equations, readings_);
  const QuantityContext at{equations.context(), equations.forces(), equations.discrete(),
                           reads_contacts ? readings_ : kNone};
  return quantity.value(at);
}

double EventDetector::value_of_event(std::size_t event, const EquationsOfMotion& equations) const {
  const Event& own = events_[event];
  if (own.delay) return -1.0;  // steps land on it
  if (own.value) return own.value(equations.context());
  return quantity_of(*own.quantity, equations) - own.level;
}

void EventDetector::note_conditions(EquationsOfMotion& equations, const VectorX& x, double time) {
  if (!has_conditions_ || !update(equations, x, time)) return;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const std::vector<EventCondition>& conditions = events_[i].conditions;
    holds_[i] = std::all_of(conditions.begin(), conditions.end(), [&](const auto& condition) {
      const double value = quantity_of(condition.quantity, equations);
      return value > condition.above && value < condition.below;
    });
  }
}

const std::vector<std::size_t>& EventDetector::find_jumps(EquationsOfMotion& equations,
                                                          const VectorX& x, double time) {
  jumped_.clear();
  if (!looks_for_jumps_ || !evaluate(equations, x, time, new_)) return jumped_;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (event.delay) {
      if (sequence_.due(i) > latest_same_instant(time)) continue;
      sequence_.take(i);
      jumped_.push_back(i);
    } else if (event.quantity || awakened_[i]) {
      if (!keeps_side(i, equations) && crosses(i, old_[i], new_[i])) jumped_.push_back(i);
      old_[i] = new_[i];
    }
  }
  std::fill(awakened_.begin(), awakened_.end(), false);
  return jumped_;
}

void EventDetector::take_due(const std::vector<std::size_t>& events) {
  for (const std::size_t i : events) {
    if (events_[i].delay) sequence_.take(i);
  }
}

double EventDetector::value_at(std::size_t function, EquationsOfMotion& equations, const VectorX& x,
                               double time) const {
  if (!update(equations, x, time)) return std::nan("");
  if (function >= first_rigid_) return RigidContacts::level(equations, function - first_rigid_);
  if (function >= events_.size()) return contacts_.margin(equations, function - events_.size());
  return value_of_event(function, equations);
}

bool EventDetector::moves(std::size_t function, const EquationsOfMotion& equations) const {
  if (function < events_.size()) return is_about_rigid_.empty() || !is_about_rigid_[function];
  if (function < first_rigid_) return true;
  const auto& points = equations.discrete().contact_points;
  return points[(function - first_rigid_) / 2].mode !=
         DiscreteState::ContactPointState::Mode::touching;
}

std::string EventDetector::name_of(std::size_t function, const EquationsOfMotion& equations) const {
  if (function < events_.size()) return events_[function].name;
  if (function < first_rigid_) {
    return events_[contacts_.stops()[function - events_.size()].event].name;
  }
  const RigidPoints& points = equations.rigid()->points();
  return points.points()[(function - first_rigid_) / 2].contact->name();
}

void EventDetector::happen(std::size_t event, double time) {
  if (sequence_.is_idle()) return;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].after == events_[event].name && !events_[i].after.empty()) awakened_[i] = true;
  }
  sequence_.happen(event, time);
}

void EventDetector::restore(const std::vector<EventRecord>& happened, double time) {
  for (const EventRecord& record : happened) {
    for (std::size_t i = 0; i < events_.size() && !record.is_warning; ++i) {
      if (events_[i].name == record.name) sequence_.happen(i, record.time);
    }
  }
  sequence_.pass(time);
}

// What the detector knows of contacts: which events they cause, and functions that find no end.

void EventDetector::add_contact_events(const EquationsOfMotion& equations) {
  std::vector<std::size_t> functions;
  for (const std::size_t i : fired_) {
    if (i >= first_rigid_) functions.push_back(i - first_rigid_);
  }
  if (functions.empty()) return;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const bool concerns =
        is_about_rigid_[i] &&
        std::any_of(functions.begin(), functions.end(), [&](std::size_t function) {
          return rigid_.concerns(equations, function, events_[i]);
        });
    if (concerns) fired_.push_back(i);
  }
  std::sort(fired_.begin(), fired_.end());
}

void EventDetector::stop_striking(double time, long steps, double span) const {
  std::vector<std::size_t> stops(strikes_.events.begin() + kWatchedStrikes / 2,
                                 strikes_.events.end());
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  std::string names;
  for (const std::size_t stop : stops) {
    names += (names.empty() ? "'" : ", '") + events_[stop].name + "'";
  }
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s after {} steps: the joints at {} strike "
                  "their stops again and again within {:.3g} s and do not come to rest; let the "
                  "stops give way (joint_stop), or change their restitution",
                  time, steps, names, span),
      time, steps, "events " + names);
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
