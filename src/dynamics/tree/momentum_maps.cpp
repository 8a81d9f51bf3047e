#include "spacedyn/dynamics/momentum_maps.hpp"

#include "dynamics/tree/tree_memory.hpp"
#include "inertia/base_inverse.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

using MomentumMap = Eigen::Map<Matrix6X>;

/// A_0 in memory of the workspace.
MomentumMap momentum_of(TreeWorkspace::Memory& memory) {
  memory.kernels.momentum_matrix(memory.tree, memory.scratch, memory.momentum.data());
  return {memory.momentum.data(), 6, memory.tree.bodies + 5};
}

/// H_b⁻¹ of a free base.
InertiaStatus invert(const TreeWorkspace::Memory& memory, const MomentumMap& A_0,
                     Matrix6& inverse) {
  inverse.setZero();
  if (!memory.mobility.base_free()) return InertiaStatus::ok;
  return invert_base_inertia(A_0.leftCols<6>(), inverse);
}

}  // namespace

void momentum_matrix(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> A_0) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(A_0.cols() == memory.tree.bodies + 5);
  A_0 = momentum_of(memory);
}

void centroidal_momentum_matrix(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> A_g) noexcept {
  momentum_matrix(workspace, A_g);
  const double w = A_g(0, 0);
  if (!(w > 0.0)) return;
  // the lower left block of H_b is w r̃_0g
  const Vector3 r_0g = Vector3(A_g(5, 1), A_g(3, 2), A_g(4, 0)) / w;
  for (Eigen::Index j = 0; j < A_g.cols(); ++j) {
    const Vector3 P = A_g.col(j).head<3>();
    A_g.col(j).tail<3>() -= r_0g.cross(P);
  }
}

InertiaStatus compute_base_response(TreeWorkspace& workspace, BaseResponse& response) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(response.D.cols() + 1 == memory.tree.bodies);
  const MomentumMap A_0 = momentum_of(memory);
  const InertiaStatus status = invert(memory, A_0, response.H_b_inverse);
  response.D.noalias() = -response.H_b_inverse.lazyProduct(A_0.rightCols(response.D.cols()));
  return status;
}

InertiaStatus generalized_jacobian(TreeWorkspace& workspace, const Frame& frame,
                                   Eigen::Ref<Matrix6X> J_star) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(J_star.cols() + 1 == memory.tree.bodies);
  const int entry = memory.constants.entry()[static_cast<std::size_t>(frame.body)];
  Vector3 r_0e;
  memory.kernels.point_jacobian(memory.tree, memory.scratch, entry, frame.position.data(),
                                J_star.data(), r_0e.data());
  if (!memory.mobility.base_free()) return InertiaStatus::ok;
  const MomentumMap A_0 = momentum_of(memory);
  Matrix6 answer;  // J_b H_b⁻¹, with J_b = [E, −r̃_0e; 0, E] (17)
  const InertiaStatus status = invert(memory, A_0, answer);
  answer.topRows<3>() -= tilde(r_0e) * answer.bottomRows<3>();
  J_star.noalias() -= answer.lazyProduct(A_0.rightCols(J_star.cols()));
  return status;
}

}  // namespace spacedyn
