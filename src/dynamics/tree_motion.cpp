#include "spacedyn/dynamics/tree_motion.hpp"

#include "dynamics/tree_memory.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {

void update_poses(const State& state, TreeWorkspace& workspace) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  memory.kernels.place(memory.tree, kernel_state(state), memory.scratch);
}

void update_motion(const State& state, ConstVectorRef acceleration,
                   TreeWorkspace& workspace) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  SPACEDYN_ASSERT(acceleration.size() == state.q.size() + 6);
  memory.kernels.move(memory.tree, memory.free.data(), kernel_state(state), acceleration.data(),
                      memory.scratch);
}

void export_motion(const State& state, TreeWorkspace& workspace, LinkFrames& frames,
                   LinkVelocities& velocities) noexcept {
  static_assert(sizeof(Matrix3) == 9 * sizeof(double) && sizeof(Vector3) == 3 * sizeof(double));
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(static_cast<int>(frames.A.size()) == memory.tree.bodies);
  memory.kernels.export_links(
      memory.tree, memory.scratch, state.r_0.data(), state.v_0.data(),
      {frames.A.front().data(), frames.r.front().data(), frames.p.front().data(),
       frames.o.front().data(), frames.k.front().data(), velocities.v.front().data(),
       velocities.omega.front().data()});
  velocities.qd = state.qd;
}

void endpoint_jacobian(TreeWorkspace& workspace, const Frame& frame,
                       Eigen::Ref<Matrix6X> J_m) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(J_m.cols() + 1 == memory.tree.bodies);
  const int entry = memory.constants.entry()[static_cast<std::size_t>(frame.body)];
  memory.kernels.point_jacobian(memory.tree, memory.scratch, entry, frame.position.data(),
                                J_m.data(), nullptr);
}

}  // namespace spacedyn
