#include "spacedyn/integration/events.hpp"

#include <algorithm>
#include <cmath>

#include "forces/root_bound.hpp"
#include "forces/separation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {
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
