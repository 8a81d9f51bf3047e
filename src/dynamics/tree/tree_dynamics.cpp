#include "spacedyn/dynamics/tree_dynamics.hpp"

#include "dynamics/tree/tree_memory.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
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

}  // namespace spacedyn
