#include "spacedyn/kinematics/jacobians.hpp"

#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
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

}  // namespace spacedyn
