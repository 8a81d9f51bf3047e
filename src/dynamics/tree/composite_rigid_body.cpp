#include "spacedyn/dynamics/tree_dynamics.hpp"

#include "dynamics/tree/tree_memory.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {

void composite_rigid_body(const State& state, TreeWorkspace& workspace,
                          Eigen::Ref<MatrixX> H) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  SPACEDYN_ASSERT(H.rows() == state.q.size() + 6 && H.cols() == H.rows());
  memory.kernels.update_positions(memory.tree, memory.kernel_state(state), memory.scratch);
  memory.kernels.composite_body(memory.tree, memory.scratch, H.data(),
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
