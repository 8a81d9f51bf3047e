#include "spacedyn/dynamics/tree_motion.hpp"

#include "dynamics/tree/tree_memory.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

int entry_of(const TreeWorkspace::Memory& memory, int body) {
  SPACEDYN_ASSERT(body >= 0 && body < memory.tree.bodies);
  return memory.constants.entry()[static_cast<std::size_t>(body)];
}

/// A point of a body from the base centroid, and the axes of the body.
struct PointMotion {
  Matrix3 axes;
  Vector3 place;
  Vector6 velocity;
};

PointMotion point_motion(TreeWorkspace::Memory& memory, const Frame& frame) {
  PointMotion point;
  memory.kernels.point_motion(memory.tree, memory.scratch, entry_of(memory, frame.body),
                              frame.position.data(), point.axes.data(), point.place.data(),
                              point.velocity.data());
  return point;
}

}  // namespace

void update_poses(const State& state, TreeWorkspace& workspace) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  memory.kernels.update_positions(memory.tree, memory.kernel_state(state), memory.scratch);
}

void update_motion(const State& state, ConstVectorRef acceleration,
                   TreeWorkspace& workspace) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  SPACEDYN_ASSERT(acceleration.size() == state.q.size() + 6);
  memory.kernels.move(memory.tree, memory.free.data(), memory.kernel_state(state),
                      acceleration.data(), memory.scratch);
}

void update_path_poses(const State& state, int body, TreeWorkspace& workspace) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  memory.kernels.update_path(memory.tree, memory.kernel_state(state), entry_of(memory, body),
                             memory.runs.data(), memory.scratch);
}

void update_path_motion(const State& state, int body, TreeWorkspace& workspace) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  memory.kernels.move_path(memory.tree, memory.kernel_state(state), entry_of(memory, body),
                           memory.runs.data(), memory.scratch);
}

FramePose frame_pose(const State& state, TreeWorkspace& workspace, const Frame& frame) noexcept {
  const PointMotion point = point_motion(workspace.memory(), frame);
  return {state.r_0 + point.place, point.axes * frame.rotation};
}

Vector6 frame_velocity(const State& state, TreeWorkspace& workspace, const Frame& frame) noexcept {
  Vector6 velocity = point_motion(workspace.memory(), frame).velocity;
  velocity.head<3>() += state.v_0;
  return velocity;
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

void frame_jacobian(TreeWorkspace& workspace, const Frame& frame,
                    Eigen::Ref<Matrix6X> J_m) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(J_m.cols() + 1 == memory.tree.bodies);
  memory.kernels.point_jacobian(memory.tree, memory.scratch, entry_of(memory, frame.body),
                                frame.position.data(), J_m.data(), nullptr);
}

}  // namespace spacedyn
