#include "spacedyn/dynamics/momentum_maps.hpp"

#include "dynamics/tree/tree_memory.hpp"
#include "inertia/base_inverse.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"

namespace spacedyn {
namespace {

using MomentumMap = Eigen::Map<Matrix6X>;

/// A_0 in memory of the workspace.
MomentumMap momentum_of(TreeWorkspace::Memory& memory) {
  memory.kernels.momentum_matrix(memory.tree, memory.scratch, memory.momentum.data());
  return {memory.momentum.data(), 6, memory.tree.bodies + 5};
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
  response.H_b_inverse.setZero();
  const InertiaStatus status = memory.mobility.base_free()
                                   ? invert_base_inertia(A_0.leftCols<6>(), response.H_b_inverse)
                                   : InertiaStatus::ok;
  response.D.noalias() = -response.H_b_inverse.lazyProduct(A_0.rightCols(response.D.cols()));
  return status;
}

void joint_twists(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> S) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(S.cols() + 1 == memory.tree.bodies);
  memory.kernels.joint_twists(memory.tree, memory.scratch, S.data());
}

InertiaStatus generalized_jacobian(TreeWorkspace& workspace, const Frame& frame,
                                   Eigen::Ref<Matrix6X> J_star) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(J_star.cols() + 1 == memory.tree.bodies);
  const int entry = memory.constants.entry()[static_cast<std::size_t>(frame.body)];
  if (!memory.mobility.base_free()) {
    memory.kernels.point_jacobian(memory.tree, memory.scratch, entry, frame.position.data(),
                                  J_star.data(), nullptr);
    return InertiaStatus::ok;
  }
  return memory.kernels.generalized_jacobian(memory.tree, memory.scratch, entry,
                                             frame.position.data(), kLeastPivot, J_star.data())
             ? InertiaStatus::ok
             : InertiaStatus::singular_base_inertia;
}

void composite_rigid_body(const State& state, TreeWorkspace& workspace,
                          Eigen::Ref<MatrixX> H) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  const bool with_base = H.rows() != state.q.size();
  SPACEDYN_ASSERT(H.rows() == state.q.size() + (with_base ? 6 : 0) && H.cols() == H.rows());
  memory.kernels.update_positions(memory.tree, memory.kernel_state(state), memory.scratch);
  memory.kernels.composite_body(memory.tree, memory.scratch, with_base, H.data(),
                                static_cast<int>(H.outerStride()));
}

DynamicsStatus solve_inertia(const State& state, ConstVectorRef b, TreeWorkspace& workspace,
                             VectorRef x) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  SPACEDYN_ASSERT(b.size() == state.q.size() + 6 && x.size() == b.size());
  // at rest, prescribed coordinates kept there
  const Vector3 zero = Vector3::Zero();
  KernelState<double> rest = memory.kernel_state(state);
  rest.omega_0 = zero.data();
  rest.qd = memory.zeros.data();
  x.setZero();
  memory.kernels.move(memory.tree, memory.free.data(), rest, x.data(), memory.scratch);
  const KernelLoads<double> loads{zero.data(), b.data(), b.data() + 6, nullptr, nullptr};
  return solve_articulated_bodies(memory, loads, x.data(), memory.ignored.data());
}

}  // namespace spacedyn
