#include "spacedyn/inertia/base_response.hpp"

#include "inertia/base_inverse.hpp"
#include "inertia/least_pivot.hpp"
#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
bool factorize_base_inertia(const Matrix6& H_b, Eigen::LLT<Matrix6>& factors) {
  factors.compute(H_b);
  if (factors.info() != Eigen::Success) return false;
  const auto pivots = factors.matrixLLT().diagonal().array().square();
  // written so that NaN fails
  return (pivots > kLeastPivot * H_b.diagonal().array()).all();
}

InertiaStatus invert_base_inertia(const Matrix6& H_b, Matrix6& inverse) {
  inverse.setZero();
  Eigen::LLT<Matrix6> factors;
  if (!factorize_base_inertia(H_b, factors)) return InertiaStatus::singular_base_inertia;
  inverse = factors.solve(Matrix6::Identity());
  return InertiaStatus::ok;
}

BaseResponse::BaseResponse(const Model& model) : D(Matrix6X::Zero(6, model.joint_count())) {}

InertiaStatus compute_base_response(const Model& model, const InertiaBlocks& blocks,
                                    BaseResponse& response) noexcept {
  SPACEDYN_ASSERT(response.D.cols() == blocks.H_bm.cols());
  response.H_b_inverse.setZero();
  response.D.setZero();
  if (model.has_fixed_base()) return InertiaStatus::ok;
  Eigen::LLT<Matrix6> factors;
  if (!factorize_base_inertia(blocks.H_b, factors)) return InertiaStatus::singular_base_inertia;
  response.H_b_inverse = factors.solve(Matrix6::Identity());
  // column by column, because Eigen may allocate for a block of them
  for (Eigen::Index j = 0; j < response.D.cols(); ++j) {
    response.D.col(j) = -factors.solve(blocks.H_bm.col(j));
  }
  return InertiaStatus::ok;
}

void compute_base_response_rate(const BaseResponse& response, const InertiaRates& rates,
                                Eigen::Ref<Matrix6X> D_dot) {
  SPACEDYN_ASSERT(D_dot.cols() == response.D.cols());
  // column by column, so that the right side needs no memory
  for (Eigen::Index j = 0; j < D_dot.cols(); ++j) {
    const Vector6 momentum_rate = rates.H_bm_dot.col(j) + rates.H_b_dot * response.D.col(j);
    D_dot.col(j).noalias() = -response.H_b_inverse * momentum_rate;
  }
}

Vector6 base_twist(const BaseResponse& response, ConstVectorRef qd, const Vector6& momentum) {
  SPACEDYN_ASSERT(qd.size() == response.D.cols());
  Vector6 twist = response.H_b_inverse * momentum;
  twist.noalias() += response.D * qd;
  return twist;
}

Vector6 momentum_about_base(const Vector6& momentum, MomentumPoint point, const Vector3& r_0,
                            const InertiaBlocks& blocks) {
  const Vector3 P = momentum.head<3>();
  Vector6 result = momentum;
  if (point == MomentumPoint::inertial_origin) result.tail<3>() -= r_0.cross(P);
  if (point == MomentumPoint::system_centroid) result.tail<3>() += blocks.r_0g.cross(P);
  return result;
}

BaseResponse base_response(const Model& model, const State& state) {
  return ResponseSnapshot<Snapshot>(model, state).response;
}

}  // namespace spacedyn
