#include "spacedyn/dynamics/articulated_body.hpp"

#include "dynamics/tree_memory.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {

DynamicsStatus articulated_body(const State& state, const Loads& loads, TreeWorkspace& workspace,
                                VectorRef acceleration, VectorRef forces) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(acceleration.size() == state.q.size() + 6);
  SPACEDYN_ASSERT(forces.size() == state.q.size() + 6);
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.constants.tree().bodies);
  forces.head<6>() = loads.F_b;
  forces.tail(loads.tau.size()) = loads.tau;
  const double smallest_pivot = memory.kernels.articulated_body(
      memory.constants.tree(), memory.kernel_mobility(), kernel_state(state), kernel_loads(loads),
      memory.scratch, acceleration.data(), forces.data());
  return smallest_pivot > 0.0 ? DynamicsStatus::ok : DynamicsStatus::inertia_not_positive_definite;
}

void newton_euler(const State& state, ConstVectorRef acceleration, const Loads& loads,
                  TreeWorkspace& workspace, VectorRef forces) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(acceleration.size() == state.q.size() + 6);
  SPACEDYN_ASSERT(forces.size() == state.q.size() + 6);
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.constants.tree().bodies);
  memory.kernels.newton_euler(memory.constants.tree(), kernel_state(state), kernel_loads(loads),
                              memory.scratch, acceleration.data(), forces.data());
}

}  // namespace spacedyn
