#include "forces/wheel_motion.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

WheelStance wheel_stance(const EvaluationContext& context, int link, double radius,
                         const Terrain& terrain) {
  const auto i = static_cast<std::size_t>(link);
  WheelStance stance;
  stance.center = context.frames.o[i];
  stance.axis = context.frames.k[i];
  stance.omega = context.velocities.omega[i];
  stance.velocity =
      context.velocities.v[i] + stance.omega.cross(stance.center - context.frames.r[i]);
  const SurfacePoint ground = terrain.nearest(stance.center);
  const double lean = ground.normal.dot(stance.axis);
  const double upright = std::sqrt(std::max(0.0, 1.0 - lean * lean));  // cos γ
  stance.stands = upright > 1e-3;
  if (!stance.stands) return stance;
  stance.heading = stance.axis.cross(ground.normal) / upright;
  stance.up = stance.heading.cross(stance.axis);
  stance.sinkage = radius - ground.distance / upright;
  const double lean_rate = stance.axis.dot(ground.normal_gradient * stance.velocity) +
                           ground.normal.dot(stance.omega.cross(stance.axis));
  stance.sinkage_rate = -ground.normal.dot(stance.velocity) / upright -
                        ground.distance * lean * lean_rate / (upright * upright * upright);
  stance.forward = stance.heading.dot(stance.velocity);
  stance.sideward = stance.axis.dot(stance.velocity);
  stance.rim = radius * stance.axis.dot(stance.omega);
  return stance;
}

void add_at_center(const EvaluationContext& context, int link, const Vector3& center,
                   const Vector3& force, const Vector3& moment, Loads& loads) {
  loads.add_wrench(link, context.frames.r[static_cast<std::size_t>(link)], center, force, moment);
}

void check_wheel_link(const Element& element, int link, const Model& model) {
  check_joint(element, link, model);
  if (model.joint(link).type == JointType::revolute) return;
  throw DomainError(owner_prefix(element) + "a wheel turns on a revolute joint, '" +
                    model.joint(link).name + "' is none");
}

}  // namespace spacedyn
