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

}  // namespace spacedyn
