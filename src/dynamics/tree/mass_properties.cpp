#include "dynamics/tree/tree_sums.hpp"

#include "dynamics/tree/tree_memory.hpp"

namespace spacedyn {

void set_mass_properties(TreeWorkspace& workspace, const Model& model,
                         const std::vector<int>& bodies) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  for (const int body : bodies) {
    memory.constants.set_body(memory.constants.entry()[static_cast<std::size_t>(body)],
                              model.body(body));
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
