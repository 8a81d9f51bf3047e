#include "control/tasks/relative_pose.hpp"

namespace spacedyn {

RelativePose::RelativePose(const EvaluationContext& context, const Frame& frame,
                           const std::optional<Frame>& relative_to) {
  const Vector3 r = frame_position(context.frames, frame);
  const Vector6 twist = frame_velocity(context.frames, context.velocities, frame);
  pose.rotation = frame_orientation(context.frames, frame);
  if (!relative_to) {
    pose.position = r;
    velocity = twist;
    return;
  }
  const Vector6 of_F = frame_velocity(context.frames, context.velocities, *relative_to);
  A_F = frame_orientation(context.frames, *relative_to);
  d = r - frame_position(context.frames, *relative_to);
  omega_F = of_F.tail<3>();
  slip = twist.head<3>() - of_F.head<3>() - omega_F.cross(d);
  spin = twist.tail<3>() - omega_F;
  pose.position = A_F.transpose() * d;
  pose.rotation = A_F.transpose() * pose.rotation;
  velocity << A_F.transpose() * slip, A_F.transpose() * spin;
}

void RelativePose::relate(Eigen::Ref<Matrix6X> J, const Matrix6X* J_F) const {
  if (J_F == nullptr) return;  // the axes are inertial ones
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    const Vector3 turn = J_F->col(j).tail<3>();
    const Vector3 linear = J.col(j).head<3>() - J_F->col(j).head<3>() - turn.cross(d);
    const Vector3 angular = J.col(j).tail<3>() - turn;
    J.col(j) << A_F.transpose() * linear, A_F.transpose() * angular;
  }
}

Vector6 RelativePose::acceleration(const Vector6& own, const Vector6& of_F) const {
  const Vector3 turn = of_F.tail<3>();
  const Vector3 linear = own.head<3>() - of_F.head<3>() - turn.cross(d) -
                         omega_F.cross(omega_F.cross(d)) - 2.0 * omega_F.cross(slip);
  const Vector3 angular = own.tail<3>() - turn - omega_F.cross(spin);
  Vector6 result;
  result << A_F.transpose() * linear, A_F.transpose() * angular;
  return result;
}

void full_jacobian(const EvaluationContext& context, const Frame& frame, Matrix6X& J) {
  J.leftCols<6>() = base_jacobian(context.frames, frame);
  frame_jacobian(context.model, context.frames, frame, J.rightCols(J.cols() - 6));
}

}  // namespace spacedyn
