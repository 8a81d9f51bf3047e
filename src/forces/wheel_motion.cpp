#include "forces/wheel_motion.hpp"

#include <cmath>

#include <fmt/format.h>

#include "forces/element_checks.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

WheelElement::WheelElement(std::string name, Mount mount)
    : ForceElement(std::move(name)), mount_(std::move(mount)) {}

void WheelElement::check(const Model& model) const {
  check_joint(*this, mount_.link, model);
  if (model.joint(mount_.link).type == JointType::revolute) return;
  throw DomainError(owner_prefix(*this) + "a wheel turns on a revolute joint, '" +
                    model.joint(mount_.link).name + "' is none");
}

void WheelElement::declare(Declarations& declared) const {
  declared.wheel = mount_;
  declared.ground = mount_.terrain.get();
  declared.outputs.push_back({"wheels",
                              {{"sinkage", "_sinkage_m", "m"},
                               {"slip", "_slip", ""},
                               {"slip_angle", "_slip_angle_rad", "rad"},
                               {"drawbar_pull", "_drawbar_pull_N", "N"},
                               {"side_force", "_side_force_N", "N"},
                               {"vertical_force", "_vertical_force_N", "N"},
                               {"resistance_torque", "_resistance_torque_N_m", "N m"}},
                              [this](const EvaluationContext& context, VectorRef values) {
                                const WheelReading now = reading(context);
                                values << now.sinkage, now.slip, now.slip_angle, now.drawbar_pull,
                                    now.side_force, now.vertical_force, now.resistance_torque;
                              }});
  declared.doubt = [this](const EvaluationContext& start, const EvaluationContext& end,
                          const auto& has_happened) -> std::string {
    const WheelReading now = reading(end);
    if (now.sinkage > 0.0 && now.slip > kStallSlip) {
      return fmt::format(
          "wheel '{}' has stalled: at the end it turns on the spot, with a slip of {:.3f}", name(),
          now.slip);
    }
    if (reading(start).sinkage > 0.0 || now.sinkage > 0.0 || has_happened(ground_event()))
      return "";
    return fmt::format("wheel '{}' never touches the ground: at the end it is {:.3g} m above it",
                       name(), -now.sinkage);
  };
}

void WheelElement::append_events(std::vector<ElementEvent>& events) const {
  const auto bound_of = [this](const EvaluationContext& now) {
    const WheelStance there = wheel_stance(mount_, now);
    RootBound bound = smooth_bound(there.sinkage_rate);
    // its own turning moves neither the centre nor the axis
    add_carriers(now, now.model.topology().connection(mount_.link), there.center, bound);
    return bound;
  };
  const auto sinkage = [this](const EvaluationContext& now) {
    return wheel_pose(mount_, now.frames).sinkage;
  };
  events.push_back({ground_event(), BoundedRoot(sinkage, bound_of)});
}

WheelPose wheel_pose(const WheelElement::Mount& mount, const LinkFrames& frames) {
  const auto i = static_cast<std::size_t>(mount.link);
  WheelPose pose;
  pose.center = frames.o[i];
  pose.axis = frames.k[i];
  pose.ground = mount.terrain->nearest(pose.center);
  pose.lean = pose.ground.normal.dot(pose.axis);
  pose.upright = std::sqrt(std::max(0.0, 1.0 - pose.lean * pose.lean));
  pose.stands = pose.upright > 1e-3;
  if (!pose.stands) return pose;
  pose.heading = pose.axis.cross(pose.ground.normal) / pose.upright;
  pose.up = pose.heading.cross(pose.axis);
  pose.sinkage = mount.radius - pose.ground.distance / pose.upright;
  return pose;
}

WheelStance WheelElement::stance(const EvaluationContext& context) const {
  return wheel_stance(mount_, context);
}

WheelStance wheel_stance(const WheelElement::Mount& mount, const EvaluationContext& context) {
  const auto i = static_cast<std::size_t>(mount.link);
  WheelStance stance{wheel_pose(mount, context.frames)};
  stance.omega = context.velocities.omega[i];
  stance.velocity =
      context.velocities.v[i] + stance.omega.cross(stance.center - context.frames.r[i]);
  if (!stance.stands) return stance;
  const SurfacePoint& ground = stance.ground;
  const double upright = stance.upright;
  const double lean_rate = stance.axis.dot(ground.normal_gradient * stance.velocity) +
                           ground.normal.dot(stance.omega.cross(stance.axis));
  stance.sinkage_rate = -ground.normal.dot(stance.velocity) / upright -
                        ground.distance * stance.lean * lean_rate / (upright * upright * upright);
  stance.forward = stance.heading.dot(stance.velocity);
  stance.sideward = stance.axis.dot(stance.velocity);
  stance.rim = mount.radius * stance.axis.dot(stance.omega);
  return stance;
}

}  // namespace spacedyn
