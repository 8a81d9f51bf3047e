#include "spacedyn/inertia/generalized_jacobian.hpp"

#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {

void generalized_jacobian(const Eigen::Ref<const Matrix6X>& J_m, const Matrix6& J_b,
                          const BaseResponse& response, Eigen::Ref<Matrix6X> J_star) {
  SPACEDYN_ASSERT(J_m.cols() == response.D.cols() && J_star.cols() == J_m.cols());
  J_star = J_m;
  J_star.noalias() += J_b.lazyProduct(response.D);
}

void generalized_jacobian_derivative(const Eigen::Ref<const Matrix6X>& J_m_dot, const Matrix6& J_b,
                                     const Matrix6& J_b_dot, const BaseResponse& response,
                                     const Eigen::Ref<const Matrix6X>& D_dot,
                                     Eigen::Ref<Matrix6X> J_star_dot) {
  SPACEDYN_ASSERT(J_m_dot.cols() == response.D.cols() && J_star_dot.cols() == J_m_dot.cols());
  J_star_dot = J_m_dot;
  J_star_dot.noalias() += J_b_dot.lazyProduct(response.D);
  J_star_dot.noalias() += J_b.lazyProduct(D_dot);
}

Vector6 twist_offset(const Matrix6& J_b, const BaseResponse& response, const Vector6& momentum) {
  const Vector6 x_b = response.H_b_inverse * momentum;
  return J_b * x_b;
}

Vector6 twist_offset_rate(const Matrix6& J_b, const Matrix6& J_b_dot, const BaseResponse& response,
                          const InertiaRates& rates, const Vector3& v_0, const Vector6& momentum) {
  const Vector6 x_b = response.H_b_inverse * momentum;
  Vector6 force = -(rates.H_b_dot * x_b);
  force.tail<3>() -= v_0.cross(Vector3(momentum.head<3>()));
  const Vector6 xd_b = response.H_b_inverse * force;
  return J_b_dot * x_b + J_b * xd_b;
}

Matrix6X generalized_jacobian(const Model& model, const State& state, const Frame& frame) {
  const FrameJacobians J = frame_jacobians(model, state, frame);
  const ResponseSnapshot<Snapshot> now(model, state);
  Matrix6X J_star(6, model.joint_count());
  generalized_jacobian(J.J_m, J.J_b, now.response, J_star);
  return J_star;
}

Matrix6X generalized_jacobian_derivative(const Model& model, const State& state,
                                         const Frame& frame) {
  const FrameJacobians J = frame_jacobians(model, state, frame);
  const ResponseSnapshot<MovingSnapshot> now(model, state);
  Matrix6X D_dot(6, model.joint_count());
  Matrix6X J_star_dot(6, model.joint_count());
  compute_base_response_rate(now.response, now.rates, D_dot);
  generalized_jacobian_derivative(J.J_m_dot, J.J_b, J.J_b_dot, now.response, D_dot, J_star_dot);
  return J_star_dot;
}

Vector6 twist_offset(const Model& model, const State& state, const Frame& frame,
                     const Vector6& momentum, MomentumPoint point) {
  check_frame(model, frame);
  const ResponseSnapshot<Snapshot> now(model, state);
  return twist_offset(base_jacobian(now.frames, frame), now.response,
                      momentum_about_base(momentum, point, state.r_0, now.blocks));
}

}  // namespace spacedyn
