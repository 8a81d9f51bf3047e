#include "spacedyn/inertia/centroidal.hpp"

#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

void center_of_mass_jacobian(const InertiaBlocks& blocks, Eigen::Ref<Matrix3X> J_g) {
  SPACEDYN_ASSERT(J_g.cols() == 6 + blocks.J_Tw.cols());
  J_g.leftCols<6>() << Matrix3::Identity(), -tilde(blocks.r_0g);
  if (blocks.w > 0.0) {
    J_g.rightCols(blocks.J_Tw.cols()) = blocks.J_Tw / blocks.w;
  } else {
    J_g.rightCols(blocks.J_Tw.cols()).setZero();
  }
}

void center_of_mass_jacobian_derivative(const InertiaBlocks& blocks, const InertiaRates& rates,
                                        Eigen::Ref<Matrix3X> J_g_dot) {
  SPACEDYN_ASSERT(J_g_dot.cols() == 6 + blocks.J_Tw.cols());
  J_g_dot.leftCols<6>() << Matrix3::Zero(), -tilde(rates.r_0g_dot);
  if (blocks.w > 0.0) {
    J_g_dot.rightCols(blocks.J_Tw.cols()) = rates.J_Tw_dot / blocks.w;
  } else {
    J_g_dot.rightCols(blocks.J_Tw.cols()).setZero();
  }
}

void centroidal_momentum_matrix(const InertiaBlocks& blocks, Eigen::Ref<Matrix6X> A_g) {
  SPACEDYN_ASSERT(A_g.cols() == 6 + blocks.H_bm.cols());
  A_g.leftCols<6>() = blocks.H_b;
  A_g.rightCols(blocks.H_bm.cols()) = blocks.H_bm;
  // L_g = L_0 − r_0g × P
  A_g.bottomRows<3>().noalias() -= tilde(blocks.r_0g).lazyProduct(A_g.topRows<3>());
}

void centroidal_momentum_matrix_derivative(const InertiaBlocks& blocks, const InertiaRates& rates,
                                           Eigen::Ref<Matrix6X> A_g_dot) {
  const Eigen::Index n = blocks.H_bm.cols();
  SPACEDYN_ASSERT(A_g_dot.cols() == 6 + n);
  A_g_dot.leftCols<6>() = rates.H_b_dot;
  A_g_dot.rightCols(n) = rates.H_bm_dot;
  const Matrix3 r_tilde_dot = tilde(rates.r_0g_dot);
  A_g_dot.bottomRows<3>().noalias() -= tilde(blocks.r_0g).lazyProduct(A_g_dot.topRows<3>());
  A_g_dot.block<3, 6>(3, 0).noalias() -= r_tilde_dot.lazyProduct(blocks.H_b.topRows<3>());
  A_g_dot.bottomRightCorner(3, n).noalias() -= r_tilde_dot.lazyProduct(blocks.H_bm.topRows<3>());
}

CentroidalQuantities centroidal_quantities(const Model& model, const State& state) {
  const MovingSnapshot now(model, state);
  const int size = model.velocity_size();
  CentroidalQuantities result{Matrix3X(3, size), Matrix3X(3, size), Matrix6X(6, size),
                              Matrix6X(6, size)};
  center_of_mass_jacobian(now.blocks, result.J_g);
  center_of_mass_jacobian_derivative(now.blocks, now.rates, result.J_g_dot);
  centroidal_momentum_matrix(now.blocks, result.A_g);
  centroidal_momentum_matrix_derivative(now.blocks, now.rates, result.A_g_dot);
  return result;
}

}  // namespace spacedyn
