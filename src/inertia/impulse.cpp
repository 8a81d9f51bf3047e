#include "spacedyn/inertia/impulse.hpp"

#include "inertia/dense_size.hpp"
#include "inertia/least_pivot.hpp"
#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {
namespace {

/// Factorizes H* and compares its pivots with H_m, from which it was subtracted.
bool factorize(const MatrixX& H_m, ImpulseResponse& response) {
  if (H_m.rows() == 0) return true;
  response.factorization.compute(response.H_star);
  if (response.factorization.info() != Eigen::Success) return false;
  const auto pivots = response.factorization.matrixLLT().diagonal().array().square();
  return (pivots > kLeastPivot * H_m.diagonal().array()).all();
}

}  // namespace

ImpulseResponse::ImpulseResponse(const Model& model)
    : H_star(MatrixX::Zero(dense_size(model, "impulse response"), model.joint_count())),
      J_star(Matrix6X::Zero(6, model.joint_count())),
      factorization(model.joint_count()),
      velocity_per_impulse(MatrixX::Zero(model.velocity_size(), 6)) {}

InertiaStatus compute_impulse_response(const InertiaBlocks& blocks, const BaseResponse& base,
                                       const Eigen::Ref<const Matrix6X>& J_m, const Matrix6& J_b,
                                       ImpulseResponse& response) noexcept {
  const Eigen::Index n = blocks.H_m.rows();
  SPACEDYN_ASSERT(J_m.cols() == n && response.velocity_per_impulse.rows() == 6 + n);
  response.velocity_per_impulse.setZero();
  response.inverse_inertia.setZero();
  reduced_inertia(blocks, base, response.H_star);
  generalized_jacobian(J_m, J_b, base, response.J_star);
  if (!factorize(blocks.H_m, response)) return InertiaStatus::singular_joint_inertia;

  // Δq̇ = H*⁻¹ J*ᵀ p, one unit impulse at a time
  auto joints = response.velocity_per_impulse.bottomRows(n);
  for (Eigen::Index impulse = 0; impulse < 6 && n > 0; ++impulse) {
    joints.col(impulse) = response.J_star.row(impulse).transpose();
    auto column = joints.col(impulse);
    response.factorization.solveInPlace(column);
  }
  // Δx_b = H_b⁻¹ J_bᵀ p + D Δq̇
  auto twist = response.velocity_per_impulse.topRows<6>();
  twist = base.H_b_inverse.lazyProduct(J_b.transpose());
  const Matrix6 by_base = J_b * twist;
  twist.noalias() += base.D.lazyProduct(joints);
  // J H⁻¹ Jᵀ, symmetrized against rounding
  const Matrix6 inverse = response.J_star.lazyProduct(joints) + by_base;
  response.inverse_inertia = 0.5 * (inverse + inverse.transpose());
  return InertiaStatus::ok;
}

ImpulseResponse impulse_response(const Model& model, const State& state, const Frame& frame) {
  const FrameJacobians J = frame_jacobians(model, state, frame);
  const ResponseSnapshot<Snapshot> now(model, state);
  ImpulseResponse result(model);
  require(compute_impulse_response(now.blocks, now.response, J.J_m, J.J_b, result));
  return result;
}

}  // namespace spacedyn
