#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "forces/element_checks.hpp"
#include "forces/root_bound.hpp"
#include "forces/separation.hpp"
#include "integration/events/event_actions.hpp"
#include "integration/events/event_sequence.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {
namespace {

/// Refuses what an action cannot do in a set-up.
class ActionCheck {
 public:
  ActionCheck(const SimulationSetup& setup, const Event& event)
      : setup_(setup), event_(event.name), direction_(event.direction) {}

  void operator()(const StopAction& /*action*/) const {}

  void operator()(const LockAction& action) const {
    const MethodTraits method = method_traits(setup_.integrator);
    if (!method.imposes_motion) {
      throw DomainError(fmt::format("event '{}' locks a joint, which the {} method cannot do",
                                    event_, method.name));
    }
    check_joint(action.joint);
  }

  void operator()(const ReleaseAction& action) const { check_joint(action.joint); }

  void operator()(const BounceAction& action) const {
    check_joint(action.joint);
    require_scalar_joint(*setup_.model, action.joint, fmt::format("event '{}'", event_));
    if (action.rests && direction_ == CrossingDirection::both) {
      throw DomainError(
          fmt::format("event '{}' needs a direction, rising or falling, for a joint to rest on "
                      "its stop",
                      event_));
    }
    if (action.restitution >= 0.0 && action.restitution <= 1.0) return;
    throw DomainError(
        fmt::format("the restitution of event '{}' must lie between 0 and 1", event_));
  }

  void operator()(const ImpulseAction& action) const {
    if (action.at.body < 0 || action.at.body >= setup_.model->body_count()) {
      throw DomainError(fmt::format("event '{}' acts on body {}, but model '{}' has bodies 0 to {}",
                                    event_, action.at.body, setup_.model->name(),
                                    setup_.model->joint_count()));
    }
    if (action.linear.allFinite() && action.angular.allFinite()) return;
    throw DomainError(fmt::format("the impulse of event '{}' is not finite", event_));
  }

  void operator()(const SwitchAction& action) const {
    const auto& controllers = setup_.controllers;
    if (std::any_of(controllers.begin(), controllers.end(), [&](const auto& controller) {
          return controller->name() == action.controller;
        })) {
      return;
    }
    throw DomainError(
        fmt::format("event '{}' switches unknown controller '{}'", event_, action.controller));
  }

  void operator()(const SetAction& action) const {
    (*this)(SwitchAction{action.controller, true});
    if (action.change) return;
    throw DomainError(
        fmt::format("event '{}' sets nothing of controller '{}'", event_, action.controller));
  }

  void operator()(const PulseAction& action) const {
    if (pulsed_thruster(setup_, action.slot) == nullptr) {
      throw DomainError(
          fmt::format("event '{}' opens a thruster that no force of events has: slot "
                      "{}",
                      event_, action.slot));
    }
    if (action.duration > 0.0 && std::isfinite(action.duration)) return;
    throw DomainError(
        fmt::format("the pulse of event '{}' must be of a positive, finite duration", event_));
  }

  void operator()(const ConnectAction& action) const {
    check_connection(action.connection);
    const Connection& connection = setup_.connections[action.connection];
    if (!action.snap || connection.is_rigid()) return;
    throw DomainError(fmt::format("event '{}' snaps connection '{}', which is compliant", event_,
                                  connection.name()));
  }

  void operator()(const DisconnectAction& action) const { check_connection(action.connection); }

 private:
  void check_connection(std::size_t connection) const {
    if (connection < setup_.connections.size()) return;
    throw DomainError(fmt::format("event '{}' acts on connection {}, but there are {}", event_,
                                  connection, setup_.connections.size()));
  }

  void check_joint(int joint) const {
    if (joint < 1 || joint > setup_.model->joint_count()) {
      throw DomainError(
          fmt::format("event '{}' acts on joint {}, but model '{}' has joints 1 to {}", event_,
                      joint, setup_.model->name(), setup_.model->joint_count()));
    }
    for (const PrescribedJoint& prescribed : setup_.prescribed_joints) {
      if (prescribed.joint != joint) continue;
      throw DomainError(fmt::format("event '{}' acts on joint '{}', whose motion is prescribed",
                                    event_, setup_.model->joint(joint).name));
    }
  }

  const SimulationSetup& setup_;
  const std::string& event_;
  const CrossingDirection direction_;
};

template <typename Action>
std::vector<int> joints_of(const Event& event) {
  std::vector<int> joints;
  for (const EventAction& any : event.actions) {
    if (const auto* action = std::get_if<Action>(&any)) joints.push_back(action->joint);
  }
  return joints;
}

}  // namespace

void check_events(const SimulationSetup& setup) {
  for (const Event& event : setup.events) {
    const bool has_quantity = event.quantity && event.quantity->value;
    if (!event.value && !has_quantity && !event.delay) {
      throw DomainError(fmt::format("event '{}' has no root function", event.name));
    }
    for (const EventCondition& condition : event.conditions) {
      if (condition.quantity.value && condition.above < condition.below) continue;
      throw DomainError(fmt::format("a condition of event '{}' can never hold", event.name));
    }
    const ActionCheck check(setup, event);
    for (const EventAction& action : event.actions) std::visit(check, action);
    const std::string who = fmt::format("event '{}'", event.name);
    require_whole_spherical_joints(*setup.model, joints_of<LockAction>(event), who);
    require_whole_spherical_joints(*setup.model, joints_of<ReleaseAction>(event), who);
  }
  const std::vector<Event> all = all_events(setup);
  const EventSequence sequence(all);
  for (const std::string& name : setup.awaited) {
    if (std::any_of(all.begin(), all.end(), [&](const Event& event) { return event.name == name; }))
      continue;
    throw DomainError(fmt::format("something begins at event '{}', which is no event", name));
  }
}

namespace {

using Root = std::function<double(const EvaluationContext&)>;

}  // namespace

Event quantity_event(std::string name, EventQuantity quantity, double level,
                     CrossingDirection direction) {
  Event event;
  event.name = std::move(name);
  event.direction = direction;
  event.unit = quantity.unit;
  event.level = level;
  if (quantity.root) event.value = quantity.root(level);
  event.quantity = std::move(quantity);
  return event;
}

Event delayed_event(std::string name, std::string after, double delay) {
  if (!(delay >= 0.0) || !std::isfinite(delay)) {
    throw DomainError("event '" + name + "' must come a finite time after '" + after + "'");
  }
  Event event;
  event.name = std::move(name);
  event.after = std::move(after);
  event.delay = delay;
  return event;
}

Root time_event(double time) {
  return BoundedRoot{[time](const EvaluationContext& now) { return now.time - time; },
                     [](const EvaluationContext&) { return smooth_bound(1.0); }};
}

Root joint_position_event(int joint, double position) {
  return BoundedRoot{
      [=](const EvaluationContext& now) { return now.state.q(joint - 1) - position; },
      [=](const EvaluationContext& now) { return smooth_bound(now.state.qd(joint - 1)); }};
}

Root joint_velocity_event(int joint, double velocity) {
  return [=](const EvaluationContext& now) { return now.state.qd(joint - 1) - velocity; };
}

Root frame_distance_event(const Frame& a, const Frame& b, double distance) {
  const auto bound_of = [=](const EvaluationContext& now) {
    RootBound bound;
    bound.kind = RootBound::Kind::distance;
    const auto [apart, velocity] = separation(now, b, a);
    bound.position = apart;
    bound.velocity = velocity;
    bound.reach = distance;
    bound.rate = bound.position.normalized().dot(bound.velocity);
    add_carriers(now, a.body, frame_position(now.frames, a), bound);
    add_carriers(now, b.body, frame_position(now.frames, b), bound);
    return bound;
  };
  return BoundedRoot{[=](const EvaluationContext& now) {
                       return separation(now, b, a).distance.norm() - distance;
                     },
                     bound_of};
}

Root plane_event(const Frame& frame, const Vector3& normal, double height) {
  const auto bound_of = [=](const EvaluationContext& now) {
    RootBound bound = smooth_bound(normal.dot(point_velocity(now.frames, now.velocities, frame)));
    add_carriers(now, frame.body, frame_position(now.frames, frame), bound);
    return bound;
  };
  return BoundedRoot{[=](const EvaluationContext& now) {
                       return normal.dot(frame_position(now.frames, frame)) - height;
                     },
                     bound_of};
}

}  // namespace spacedyn
