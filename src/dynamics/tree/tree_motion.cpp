#include "spacedyn/dynamics/tree_motion.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "dynamics/tree/tree_sums.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"

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

namespace {

/// A pivot above this part of a bound of its inertia is above kLeastPivot of the inertia itself,
/// even where joints slide to eight times the size of the robot: no need to compute that.
constexpr double kUndoubtedPivot = 64.0 * kLeastPivot;

}  // namespace

DynamicsStatus solve_articulated_bodies(TreeWorkspace::Memory& memory,
                                        const KernelLoads<double>& loads, double* acceleration,
                                        double* forces, double* base_inverse) noexcept {
  const KernelMobility mobility{memory.free.data()};
  const double smallest = memory.kernels.articulated_body(
      memory.tree, mobility, loads, memory.scratch, acceleration, forces, base_inverse);
  return judge_pivots(memory, smallest);
}

DynamicsStatus judge_pivots(TreeWorkspace::Memory& memory, double smallest) noexcept {
  if (smallest > kUndoubtedPivot) return DynamicsStatus::ok;
  const KernelMobility mobility{memory.free.data()};
  return memory.kernels.has_sound_pivots(memory.tree, mobility, memory.scratch, kLeastPivot)
             ? DynamicsStatus::ok
             : DynamicsStatus::inertia_not_positive_definite;
}

DynamicsStatus forward_dynamics(const Loads& loads, TreeWorkspace& workspace,
                                VectorRef acceleration, VectorRef forces) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(acceleration.size() == memory.tree.bodies + 5);
  SPACEDYN_ASSERT(forces.size() == acceleration.size());
  forces.head<6>() = loads.F_b;
  forces.tail(loads.tau.size()) = loads.tau;
  return solve_articulated_bodies(memory, kernel_loads(loads), acceleration.data(), forces.data());
}

DynamicsStatus forward_dynamics(const State& state, const Loads& loads, TreeWorkspace& workspace,
                                VectorRef acceleration, VectorRef forces) noexcept {
  update_motion(state, acceleration, workspace);
  return forward_dynamics(loads, workspace, acceleration, forces);
}

VectorX forward_dynamics(const Model& model, const State& state, const Loads& loads) {
  state.check(model);
  loads.check(model);
  TreeWorkspace workspace(model);
  VectorX acceleration = VectorX::Zero(model.velocity_size());
  VectorX forces(model.velocity_size());
  if (forward_dynamics(state, loads, workspace, acceleration, forces) != DynamicsStatus::ok) {
    throw singularity_error(model, state);
  }
  return acceleration;
}

void inverse_dynamics(const State& state, ConstVectorRef acceleration, const Loads& loads,
                      TreeWorkspace& workspace, VectorRef forces) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(acceleration.size() == memory.tree.bodies + 5);
  SPACEDYN_ASSERT(forces.size() == acceleration.size());
  // nothing is free: all accelerations are given
  memory.kernels.move(memory.tree, memory.zeros.data(), memory.kernel_state(state),
                      acceleration.data(), memory.scratch);
  memory.kernels.newton_euler(memory.tree, kernel_loads(loads), memory.scratch, forces.data());
  for (int entry = 1; entry < memory.tree.bodies; ++entry) {
    const int row = 5 + memory.tree.body[entry];
    forces(row) += memory.tree.links[entry].armature * acceleration(row);
  }
}

void update_tank_masses(TreeWorkspace& workspace, const Model& model) noexcept {
  if (model.tanks().empty()) return;
  TreeWorkspace::Memory& memory = workspace.memory();
  for (const Tank& tank : model.tanks()) {
    memory.constants.set_body(memory.constants.entry()[static_cast<std::size_t>(tank.body)],
                              model.body(tank.body));
  }
  memory.constants.update_carried_masses();
}

SystemSums system_sums(const Model& model, const State& state, TreeWorkspace& workspace) noexcept {
  const auto vector = [](const double* from) { return Vector3(from[0], from[1], from[2]); };
  const TreeWorkspace::Memory& memory = workspace.memory();
  KernelSums from;
  memory.kernels.sum_motion(memory.tree, memory.scratch, state.v_0.data(), from);
  SystemSums sums;
  sums.r_g = state.r_0 + vector(from.r_g);
  sums.v_g = state.v_0 + vector(from.v_g);
  sums.momentum.linear = vector(from.linear);
  sums.momentum.angular_base = vector(from.angular_base);
  sums.momentum.angular_centroid = vector(from.angular_centroid);
  sums.momentum.angular_origin = sums.momentum.angular_base + state.r_0.cross(sums.momentum.linear);
  sums.scale = {from.linear_size, from.angular_size};
  sums.kinetic_energy = 0.5 * from.twice_energy;
  sums.relative_linear = from.relative_size;
  if (model.total_mass() > 0.0) sums.radius_squared = from.inertia / model.total_mass();
  return sums;
}

}  // namespace spacedyn
