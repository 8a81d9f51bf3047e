#include "integration/events/guard.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

using Kind = RootBound::Kind;
using PointMode = DiscreteState::ContactPointState::Mode;

/// The function of an event.
class EventGuard : public Guard {
 public:
  EventGuard(const std::vector<Event>& events, std::size_t index, const EventSequence& sequence,
             const QuantityReader& quantities)
      : event_(events[index]), index_(index), sequence_(sequence), quantities_(quantities) {
    for (const EventAction& action : event_.actions) {
      const auto* connect = std::get_if<ConnectAction>(&action);
      if (connect != nullptr) connects_.push_back(connect->connection);
      bounces_ = bounces_ || std::holds_alternative<BounceAction>(action);
    }
  }

  double value(const EquationsOfMotion& equations) const override {
    return waits(equations) ? kBesideZero : level(equations) + offset;
  }
  Sight sight(const EquationsOfMotion& equations) const final;
  double level(const EquationsOfMotion& equations) const final {
    if (event_.delay) return -1.0;  // steps land on it
    if (event_.value) return event_.value(equations.context());
    return quantities_(*event_.quantity, equations) - event_.level;
  }
  bool counts(bool rises) const final {
    if (!sequence_.is_armed(index_)) return false;
    return event_.direction == CrossingDirection::both ||
           (event_.direction == CrossingDirection::rising) == rises;
  }
  bool keeps_side(const EquationsOfMotion& equations) const override { return waits(equations); }
  bool is_decided() const override { return false; }
  bool bounces() const final { return bounces_; }
  bool may_rest_at_zero() const final {
    return event_.owner == nullptr && !event_.rate && !bounces_;
  }
  bool rests_above(double value) const final {
    return event_.direction == CrossingDirection::both
               ? value >= 0.0
               : event_.direction == CrossingDirection::falling;
  }
  std::string name(const EquationsOfMotion& /*equations*/) const final { return event_.name; }

 private:
  /// Whether it makes connections, and they hold. What has triggered it may then stay at zero, as
  /// the connections hold it there.
  bool waits(const EquationsOfMotion& equations) const {
    return !connects_.empty() &&
           std::all_of(connects_.begin(), connects_.end(), [&](std::size_t connection) {
             return equations.discrete().connections[connection].active;
           });
  }

  const Event& event_;
  std::size_t index_;
  const EventSequence& sequence_;
  const QuantityReader& quantities_;
  std::vector<std::size_t> connects_;
  bool bounces_ = false;
};

Sight EventGuard::sight(const EquationsOfMotion& equations) const {
  Sight sight = Guard::sight(equations);
  const bool is_constant = event_.delay || (event_.quantity && event_.quantity->is_held);
  if (keeps_side(equations) || is_constant || !sequence_.is_armed(index_)) return sight;
  sight.bound.kind = Kind::sampled;
  if (const auto* root = event_.value.target<BoundedRoot>()) {
    sight.bound = root->bound(equations.context());
  } else if (event_.rate) {
    sight.bound = smooth_bound(event_.rate(equations.context()));
  }
  // what rests does so by its value, whichever way its points are carried
  if (offset != 0.0 && sight.bound.kind == Kind::distance) sight.bound.kind = Kind::smooth;
  return sight;
}

/// That of a stop on which a joint may rest: one on its stop has not passed it.
class StopGuard final : public EventGuard {
 public:
  StopGuard(const std::vector<Event>& events, const EventSequence& sequence,
            const QuantityReader& quantities, const RestingContacts& contacts,
            const RestingContacts::Stop& stop)
      : EventGuard(events, stop.event, sequence, quantities), contacts_(contacts), stop_(stop) {}

  double value(const EquationsOfMotion& equations) const override {
    const double value = EventGuard::value(equations);
    const bool is_on_stop = std::abs(value) <= rounding(equations);
    return is_on_stop || contacts_.is_at_rest(stop_) ? inside() : value;
  }
  bool keeps_side(const EquationsOfMotion& equations) const override {
    return contacts_.is_at_rest(stop_) || EventGuard::keeps_side(equations);
  }
  bool is_decided() const override { return true; }
  double after_actions(double value, bool has_fired,
                       const EquationsOfMotion& equations) const override {
    const bool is_inside = (value >= 0.0) == (stop_.outward < 0.0);
    return std::abs(value) <= rounding(equations) || (has_fired && !is_inside) ? inside() : value;
  }

 private:
  double inside() const { return std::copysign(kBesideZero, -stop_.outward); }
  /// How far roundings may put the joint past its stop.
  double rounding(const EquationsOfMotion& equations) const {
    return 4.0 * std::numeric_limits<double>::epsilon() *
           std::abs(equations.state().q(stop_.joint - 1));
  }

  const RestingContacts& contacts_;
  const RestingContacts::Stop& stop_;
};

/// That of an event about a rigid contact: it happens where the functions of the contact fire.
class ContactEventGuard final : public EventGuard {
 public:
  using EventGuard::EventGuard;
  double value(const EquationsOfMotion& /*equations*/) const override { return -kBesideZero; }
  bool keeps_side(const EquationsOfMotion& /*equations*/) const override { return true; }
  bool moves(const EquationsOfMotion& /*equations*/) const override { return false; }
};

/// Margin of the force with which a stop holds a joint: it fires where the stop would have to pull.
class HoldingGuard final : public Guard {
 public:
  HoldingGuard(const std::vector<Event>& events, const RestingContacts& contacts, std::size_t stop)
      : contacts_(contacts), stop_(stop), name_(events[contacts.stops()[stop].event].name) {}

  double value(const EquationsOfMotion& equations) const override {
    return contacts_.margin(equations, stop_);
  }
  /// Forces that are held at zero or below by roundings fire again where they go on falling.
  double after_actions(double value, bool /*has_fired*/,
                       const EquationsOfMotion& /*equations*/) const override {
    return value > 0.0 ? value : kBesideZero;
  }
  std::string name(const EquationsOfMotion& /*equations*/) const override { return name_; }

 private:
  const RestingContacts& contacts_;
  std::size_t stop_;
  const std::string& name_;
};

/// A function of a point of rigid contact: where it fires has just been decided.
class PointGuard final : public Guard {
 public:
  PointGuard(const RigidContacts& rigid, std::size_t function)
      : rigid_(rigid), function_(function) {}

  double value(const EquationsOfMotion& equations) const override {
    return RigidContacts::value(equations, function_);
  }
  Sight sight(const EquationsOfMotion& equations) const override {
    Sight sight = Guard::sight(equations);
    if (function_ % 2 != 0 || mode(equations) != PointMode::apart) return sight;
    sight.bound = pair_bound(equations.context(), *point(equations).pair, 1.0,
                             RigidContacts::rate(equations, function_));
    return sight;
  }
  double level(const EquationsOfMotion& equations) const override {
    return RigidContacts::level(equations, function_);
  }
  double after_actions(double value, bool /*has_fired*/,
                       const EquationsOfMotion& /*equations*/) const override {
    return value > 0.0 ? value : kBesideZero;
  }
  bool moves(const EquationsOfMotion& equations) const override {
    return mode(equations) != PointMode::touching;
  }
  bool concerns(const Event& event, const EquationsOfMotion& equations) const override {
    return rigid_.concerns(equations, function_, event);
  }
  std::string name(const EquationsOfMotion& equations) const override {
    return point(equations).contact->name();
  }

 private:
  PointMode mode(const EquationsOfMotion& equations) const {
    return equations.discrete().contact_points[function_ / 2].mode;
  }
  const RigidPoints::Point& point(const EquationsOfMotion& equations) const {
    return equations.rigid()->points().points()[function_ / 2];
  }

  const RigidContacts& rigid_;
  std::size_t function_;
};

}  // namespace

Guard::~Guard() = default;

Sight Guard::sight(const EquationsOfMotion& equations) const {
  Sight sight{value(equations), {}};
  sight.bound.kind = Kind::implied;
  return sight;
}

std::vector<std::unique_ptr<Guard>> make_guards(const std::vector<Event>& events,
                                                const EventSequence& sequence,
                                                const QuantityReader& quantities,
                                                const RestingContacts& contacts,
                                                const RigidContacts& rigid) {
  std::vector<std::unique_ptr<Guard>> guards;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const RestingContacts::Stop* stop = contacts.stop_of(i);
    if (rigid.function_count() > 0 && RigidContacts::is_about(events[i])) {
      guards.push_back(std::make_unique<ContactEventGuard>(events, i, sequence, quantities));
    } else if (stop != nullptr) {
      guards.push_back(std::make_unique<StopGuard>(events, sequence, quantities, contacts, *stop));
    } else {
      guards.push_back(std::make_unique<EventGuard>(events, i, sequence, quantities));
    }
  }
  for (std::size_t i = 0; i < contacts.stops().size(); ++i) {
    guards.push_back(std::make_unique<HoldingGuard>(events, contacts, i));
  }
  for (std::size_t i = 0; i < rigid.function_count(); ++i) {
    guards.push_back(std::make_unique<PointGuard>(rigid, i));
  }
  return guards;
}

}  // namespace spacedyn
