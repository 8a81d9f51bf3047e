#include "spacedyn/kinematics/point_acceleration.hpp"

#include "kinematics/jacobian_column_rates.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/spatial/ordering.hpp"

namespace spacedyn {

ClassicalAcceleration classical_acceleration(const LinkFrames& frames,
                                             const LinkVelocities& velocities,
                                             const LinkAccelerations& accelerations,
                                             const Frame& point) {
  const Vector6 acceleration = frame_acceleration(frames, velocities, accelerations, point);
  return {acceleration.tail<3>(), acceleration.head<3>()};
}

MotionVector spatial_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                              const Frame& point) {
  return motion_from_linear_first(frame_velocity(frames, velocities, point));
}

MotionVector spatial_acceleration(const LinkFrames& frames, const LinkVelocities& velocities,
                                  const LinkAccelerations& accelerations, const Frame& point) {
  return spatial_acceleration(classical_acceleration(frames, velocities, accelerations, point),
                              spatial_velocity(frames, velocities, point));
}

ClassicalAcceleration bias_acceleration(const Model& model, const State& state,
                                        const LinkFrames& frames, const LinkVelocities& velocities,
                                        const Frame& point) {
  SPACEDYN_ASSERT(state.qd.size() == model.joint_count());
  const Vector3 x = frame_position(frames, point);
  const Vector3 v = point_velocity(frames, velocities, point);
  ClassicalAcceleration bias;
  // J̇_b x_b = ω_0 × (v − v_0)
  bias.linear = velocities.omega[0].cross(v - velocities.v[0]);
  // J̇_m q̇
  for_each_joint_below(model, point.body, [&](int joint) {
    const double qd = state.qd(joint - 1);
    bias.linear += linear_column_rate(model, frames, velocities, joint, x, v) * qd;
    bias.angular += angular_column_rate(model, frames, velocities, joint) * qd;
  });
  return bias;
}

}  // namespace spacedyn
