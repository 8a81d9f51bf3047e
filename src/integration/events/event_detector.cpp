#include "integration/events/event_detector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/tools/toms748_solve.hpp>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

using Kind = RootBound::Kind;

/// Part of a step over which the rate of a function is taken that does not say it.
constexpr double kDifference = 1e-5;

/// Where a function that was said to have left zero after an event has truly done so.
double leave(const std::function<double(double)>& value, double start, double right, bool positive,
             double least) {
  for (double reach = least; start + reach < right; reach *= 2.0) {
    if ((value(start + reach) >= 0.0) == positive) return start + reach;
  }
  return start;
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
    return detector_.guards_[function]->crosses(before, after);
  }

 private:
  EventDetector& detector_;
  EquationsOfMotion& equations_;
  Stepper& stepper_;
  const Step& step_;
};

EventDetector::EventDetector(const std::vector<Event>& events, const RestingContacts& contacts,
                             const RigidContacts& rigid, double unit)
    : contacts_(contacts),
      rigid_(rigid),
      sequence_(events),
      chatter_(events, contacts, unit),
      guards_(make_guards(events, sequence_, quantities_, contacts, rigid)),
      old_(guards_.size()),
      search_(guards_.size()) {}

bool EventDetector::update(EquationsOfMotion& equations, const VectorX& x, double time) const {
  const bool needs_forces = sequence_.needs_forces() || holds_anything(equations);
  return needs_forces ? equations.evaluate_inside(x, time) : equations.update_kinematics(x, time);
}

bool EventDetector::evaluate(EquationsOfMotion& equations, const VectorX& x, double time,
                             std::vector<double>& values) {
  values.assign(guards_.size(), 0.0);
  if (!update(equations, x, time)) return false;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = guards_[i]->value(equations);
  return true;
}

double EventDetector::level_at(std::size_t function, EquationsOfMotion& equations, const VectorX& x,
                               double time) const {
  return update(equations, x, time) ? guards_[function]->level(equations) : std::nan("");
}

void EventDetector::start(EquationsOfMotion& equations, const VectorX& x, double time) {
  if (!is_idle() && evaluate(equations, x, time, old_)) take_sides(equations);
}

void EventDetector::resume(EquationsOfMotion& equations, const Step& step) {
  // far enough to show a rate above rounding
  const double reach = 1e-7 * chatter_.unit();
  if (!evaluate(equations, step.x_old, step.t_old, old_)) return;
  x_ = step.x_old + reach * step.rate_old;
  if (!evaluate(equations, x_, step.t_old + reach, right_)) return;
  for (const std::size_t i : fired_) {
    const Guard& guard = *guards_[i];
    if (guard.is_decided()) continue;
    const double near = kRearming * guard.largest;
    if (guard.may_rest_at_zero() && std::abs(old_[i]) <= near) {
      search_.disarm(i, near);
      continue;
    }
    const double change = right_[i] - old_[i];
    if (change != 0.0) {
      // a value that has left zero with its reset, a contact's for instance, tells by itself
      if (std::abs(change) >= std::abs(old_[i])) old_[i] = std::copysign(kBesideZero, change);
    } else if (guard.bounces()) {
      // too slow to show: it bounces again at once, until it counts as chattering
      old_[i] = new_[i] >= 0.0 ? -kBesideZero : kBesideZero;
    }
  }
  take_sides(equations);
}

void EventDetector::take_sides(const EquationsOfMotion& equations) {
  for (std::size_t i = 0; i < old_.size(); ++i) {
    const bool has_fired = std::binary_search(fired_.begin(), fired_.end(), i);
    old_[i] = guards_[i]->after_actions(old_[i], has_fired, equations);
  }
}

bool EventDetector::shorten(EquationsOfMotion& equations, Advancer& advancer, Step& step,
                            double outputs) {
  fired_.clear();
  for (std::size_t i = 0; i < old_.size(); ++i) {
    double& largest = guards_[i]->largest;
    largest = std::max(largest, std::abs(old_[i]));
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
    const bool follows = begin_.sights[i].bound.kind == Kind::implied;
    if (!is_found && !follows) continue;
    const Sight& before = is_found ? search_.left().sights[i] : begin_.sights[i];
    if (search_.near()[i] == 0.0 && guards_[i]->crosses(before.value, new_[i])) fired_.push_back(i);
  }
  add_concerned(equations);
  old_ = new_;
  return !fired_.empty();
}

void EventDetector::add_concerned(const EquationsOfMotion& equations) {
  const std::vector<std::size_t> functions = fired_;
  for (std::size_t i = 0; i < sequence_.events().size(); ++i) {
    const Event& event = sequence_.events()[i];
    if (std::any_of(functions.begin(), functions.end(), [&](std::size_t function) {
          return guards_[function]->concerns(event, equations);
        })) {
      fired_.push_back(i);
    }
  }
  std::sort(fired_.begin(), fired_.end());
}

double EventDetector::find_root(EquationsOfMotion& equations, Advancer& advancer, Step& step,
                                std::size_t function, double left, double right) {
  const Guard& guard = *guards_[function];
  const auto value = [&](double time) {
    double found = old_[function];
    if (time > step.t_old) {
      step.t_new = time;
      advancer.stepper().attempt(equations, step);
      found = update(equations, step.x_new, time) ? guard.value(equations)
                                                  : std::numeric_limits<double>::quiet_NaN();
    }
    // roundings make a slow function zero for a while; only its end is a crossing when it falls
    return found == 0.0 ? kBesideZero : found;
  };
  if (left == step.t_old && std::abs(old_[function]) == kBesideZero) {
    left = leave(value, left, right, old_[function] >= 0.0, 4.0 * tolerance(left));
    // what is decided moves back at once, into its stop for instance
    if (left == step.t_old && guard.is_decided()) return left + tolerance(left);
    if (left == step.t_old && guard.bounces()) {
      chatter_.stop(function, left, advancer.statistics().steps, 4.0 * tolerance(left));
    }
  }
  // the dense output may lie on another side of zero than the true step where both are small
  double at_left = value(left);
  if (!guard.crosses(at_left, value(right))) {
    left = step.t_old;
    at_left = value(left);
  }
  const double at_right = value(right);
  // nor is there a root beside a state at which nothing can be evaluated
  const bool known = !std::isnan(at_left) && !std::isnan(at_right);
  if (!known || !guard.crosses(at_left, at_right)) return right;
  const auto close = [&](double a, double b) { return std::abs(b - a) <= tolerance(b); };
  std::uintmax_t most = 200;
  return boost::math::tools::toms748_solve(value, left, right, at_left, at_right, close, most)
      .second;
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
    Sight& sight = node.sights[i] = guards_[i]->sight(equations);
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
    sight.bound.rate = (guards_[i]->value(equations) - sight.value) / (beside - node.time);
  }
  return true;
}

bool EventDetector::offset_resting(const Vector3& place, double h) {
  bool any_changes = false;
  // loops leave more than roundings inside steps
  const double open = std::max(kResting, 10.0 * contacts_.setup().integrator.relative_tolerance);
  const double rounding = 16.0 * std::numeric_limits<double>::epsilon() * place.norm();
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    Guard& guard = *guards_[i];
    if (search_.near()[i] > 0.0 || !guard.may_rest_at_zero()) continue;
    const RootBound& bound = begin_.sights[i].bound;
    if (bound.kind == Kind::implied) continue;
    const double length = std::max(bound.reach, bound.position.norm());
    const double part = bound.kind == Kind::sampled ? kRearming : kResting;
    const double rest = length > 0.0 ? open * length + rounding : part * guard.largest;
    const double value = old_[i] - guard.offset;
    if (guard.offset != 0.0) {
      if (std::abs(value) <= 2.0 * std::abs(guard.offset)) continue;
      guard.offset = 0.0;
    } else if (std::abs(value) <= rest && h * std::abs(bound.rate) <= rest) {
      guard.offset = guard.rests_above(value) ? rest : -rest;
    } else {
      continue;
    }
    old_[i] = value + guard.offset;
    any_changes = true;
  }
  return any_changes;
}

bool EventDetector::find(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                         double outputs) {
  const double h = step.t_new - step.t_old;
  begin_.time = step.t_old;
  Sight on_one_side;
  on_one_side.bound.kind = Kind::implied;
  begin_.sights.assign(guards_.size(), on_one_side);
  end_.sights.assign(guards_.size(), on_one_side);
  see(equations, stepper, step, search_.all(), begin_);
  if (offset_resting(step.x_old.segment<3>(StateLayout::r_0), h)) {
    see(equations, stepper, step, search_.all(), begin_);
  }
  bool must_sample = equations.has_prescribed_motion() || holds_anything(equations);
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    begin_.sights[i].value = old_[i];
    must_sample = must_sample || begin_.sights[i].bound.kind == Kind::sampled;
  }
  int parts = stepper.watched_parts();
  if (parts > 1) {
    parts = must_sample ? static_cast<int>(std::max<double>(parts, outputs)) : 1;
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

void EventDetector::note_conditions(EquationsOfMotion& equations, const VectorX& x, double time) {
  if (!sequence_.has_conditions() || !update(equations, x, time)) return;
  sequence_.note_conditions(quantities_, equations);
}

std::vector<std::size_t> EventDetector::find_jumps(EquationsOfMotion& equations, const VectorX& x,
                                                   double time) {
  std::vector<std::size_t> jumped;
  if (!sequence_.looks_for_jumps() || !evaluate(equations, x, time, new_)) return jumped;
  for (std::size_t i = 0; i < sequence_.events().size(); ++i) {
    if (sequence_.is_due(i, time)) {
      sequence_.take(i);
      jumped.push_back(i);
    } else if (sequence_.may_jump(i)) {
      if (!guards_[i]->keeps_side(equations) && guards_[i]->crosses(old_[i], new_[i]))
        jumped.push_back(i);
      old_[i] = new_[i];
    }
  }
  sequence_.end_instant();
  return jumped;
}

void EventDetector::transfer(Archive& archive) {
  std::vector<double> old = old_, largest, offsets;
  for (const auto& guard : guards_) {
    largest.push_back(guard->largest);
    offsets.push_back(guard->offset);
  }
  archive(old, largest, offsets, search_.near());
  const std::size_t size = guards_.size();
  if (old.size() != size || largest.size() != size || offsets.size() != size ||
      search_.near().size() != size) {
    throw IoError("the checkpoint is damaged: its events differ");
  }
  chatter_.transfer(archive);
  old_ = std::move(old);
  for (std::size_t i = 0; i < size; ++i) {
    guards_[i]->largest = largest[i];
    guards_[i]->offset = offsets[i];
  }
}

}  // namespace spacedyn
