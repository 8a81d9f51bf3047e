#include "spacedyn/kinematics/points.hpp"

#include <string>

#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"
#include "spacedyn/math/spatial/ordering.hpp"

namespace spacedyn {

Frame material_point(const Model& model, int body, const Vector3& position_L) {
  Frame point{"", body, position_L, Matrix3::Identity()};
  check_frame(model, point);
  return point;
}

Frame material_point_at(const Model& model, const LinkFrames& frames, int body,
                        const Vector3& position) {
  // the index must be good before it is used
  Frame point = material_point(model, body, Vector3::Zero());
  const auto i = static_cast<std::size_t>(body);
  point.position = frames.A[i].transpose() * (position - frames.o[i]);
  check_frame(model, point);
  return point;
}

void check_frame(const Model& model, const Frame& frame) {
  const std::string what = frame.name.empty() ? "a point" : "frame '" + frame.name + "'";
  if (frame.body < 0 || frame.body > model.joint_count()) {
    throw DomainError(what + " is on body " + std::to_string(frame.body) + ", expected 0 to " +
                      std::to_string(model.joint_count()));
  }
  if (!frame.position.allFinite() || !frame.rotation.allFinite()) {
    throw DomainError("the position or orientation of " + what + " is not finite");
  }
}

Vector3 point_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                       const Frame& point) {
  const auto i = static_cast<std::size_t>(point.body);
  return velocities.v[i] + velocities.omega[i].cross(frame_position(frames, point) - frames.r[i]);
}

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
