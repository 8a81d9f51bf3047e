#include "spacedyn/dynamics/tree_workspace.hpp"

#include "dynamics/kernel_choice.hpp"
#include "dynamics/tree_memory.hpp"

namespace spacedyn {

TreeWorkspace::Memory::Memory(const Model& model, const Mobility& its_mobility)
    : set(spacedyn::instruction_set()),
      kernels(kernels_of(set)),
      constants(model, VisitOrder::depth_first),
      mobility(its_mobility),
      free(static_cast<std::size_t>(model.body_count())),
      all_free(true),
      scratch(kernels.scratch_size(model.body_count())) {
  const Tree tree = constants.tree();
  free[0] = mobility.base_free() ? 1.0 : 0.0;
  for (int entry = 1; entry < tree.bodies; ++entry) {
    const bool joint_is_free = mobility.joint_free(tree.body[entry]);
    free[static_cast<std::size_t>(entry)] = joint_is_free ? 1.0 : 0.0;
    all_free = all_free && joint_is_free;
  }
}

TreeWorkspace::TreeWorkspace(const Model& model, const Mobility& mobility)
    : memory_(std::make_unique<Memory>(model, mobility)) {}
TreeWorkspace::~TreeWorkspace() = default;
TreeWorkspace::TreeWorkspace(TreeWorkspace&&) noexcept = default;
TreeWorkspace& TreeWorkspace::operator=(TreeWorkspace&&) noexcept = default;

const Mobility& TreeWorkspace::mobility() const { return memory_->mobility; }
InstructionSet TreeWorkspace::instruction_set() const { return memory_->set; }

}  // namespace spacedyn
