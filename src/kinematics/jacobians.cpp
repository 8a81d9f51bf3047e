#include "spacedyn/kinematics/jacobians.hpp"

#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

void translational_jacobian(const Model& model, const LinkFrames& frames, int body,
                            Eigen::Ref<Matrix3X> J_T) {
  SPACEDYN_ASSERT(J_T.cols() == model.joint_count());
  const Vector3& r_i = frames.r[static_cast<std::size_t>(body)];
  J_T.setZero();
  for_each_joint_below(model, body, [&](int joint) {
    J_T.col(joint - 1) = linear_column(model, frames, joint, r_i);
  });
}

void rotational_jacobian(const Model& model, const LinkFrames& frames, int body,
                         Eigen::Ref<Matrix3X> J_R) {
  SPACEDYN_ASSERT(J_R.cols() == model.joint_count());
  J_R.setZero();
  for_each_joint_below(
      model, body, [&](int joint) { J_R.col(joint - 1) = angular_column(model, frames, joint); });
}

void frame_jacobian(const Model& model, const LinkFrames& frames, const Frame& frame,
                    Eigen::Ref<Matrix6X> J_m) {
  SPACEDYN_ASSERT(J_m.cols() == model.joint_count());
  const Vector3 p_e = frame_position(frames, frame);
  J_m.setZero();
  for_each_joint_below(model, frame.body, [&](int joint) {
    J_m.col(joint - 1) << linear_column(model, frames, joint, p_e),
        angular_column(model, frames, joint);
  });
}

Matrix6 base_jacobian(const LinkFrames& frames, const Frame& frame) {
  Matrix6 J_b = Matrix6::Identity();
  J_b.topRightCorner<3, 3>() = -tilde(frame_position(frames, frame) - frames.r[0]);
  return J_b;
}

void translational_jacobian_derivative(const Model& model, const LinkFrames& frames,
                                       const LinkVelocities& velocities, int body,
                                       Eigen::Ref<Matrix3X> J_T_dot) {
  SPACEDYN_ASSERT(J_T_dot.cols() == model.joint_count());
  const auto i = static_cast<std::size_t>(body);
  J_T_dot.setZero();
  for_each_joint_below(model, body, [&](int joint) {
    J_T_dot.col(joint - 1) =
        linear_column_rate(model, frames, velocities, joint, frames.r[i], velocities.v[i]);
  });
}

void rotational_jacobian_derivative(const Model& model, const LinkFrames& frames,
                                    const LinkVelocities& velocities, int body,
                                    Eigen::Ref<Matrix3X> J_R_dot) {
  SPACEDYN_ASSERT(J_R_dot.cols() == model.joint_count());
  J_R_dot.setZero();
  for_each_joint_below(model, body, [&](int joint) {
    J_R_dot.col(joint - 1) = angular_column_rate(model, frames, velocities, joint);
  });
}

void frame_jacobian_derivative(const Model& model, const LinkFrames& frames,
                               const LinkVelocities& velocities, const Frame& frame,
                               Eigen::Ref<Matrix6X> J_m_dot) {
  SPACEDYN_ASSERT(J_m_dot.cols() == model.joint_count());
  const Vector3 p_e = frame_position(frames, frame);
  const Vector3 v_e = point_velocity(frames, velocities, frame);
  J_m_dot.setZero();
  for_each_joint_below(model, frame.body, [&](int joint) {
    J_m_dot.col(joint - 1) << linear_column_rate(model, frames, velocities, joint, p_e, v_e),
        angular_column_rate(model, frames, velocities, joint);
  });
}

Matrix6 base_jacobian_derivative(const LinkFrames& frames, const LinkVelocities& velocities,
                                 const Frame& frame) {
  Matrix6 J_b_dot = Matrix6::Zero();
  J_b_dot.topRightCorner<3, 3>() =
      -tilde(point_velocity(frames, velocities, frame) - velocities.v[0]);
  return J_b_dot;
}

FrameJacobians frame_jacobians(const Model& model, const State& state, const Frame& frame) {
  state.check(model);
  check_frame(model, frame);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);

  FrameJacobians result;
  result.J_m.resize(6, model.joint_count());
  result.J_m_dot.resize(6, model.joint_count());
  frame_jacobian(model, frames, frame, result.J_m);
  frame_jacobian_derivative(model, frames, velocities, frame, result.J_m_dot);
  result.J_b = base_jacobian(frames, frame);
  result.J_b_dot = base_jacobian_derivative(frames, velocities, frame);
  return result;
}

}  // namespace spacedyn
