#include "spacedyn/dynamics/tree_workspace.hpp"

#include "dynamics/kernel_choice.hpp"
#include "dynamics/tree_memory.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kAlignment = 64;  // bytes

}  // namespace

TreeWorkspace::Memory::Memory(const Model& model, const Mobility& its_mobility)
    : set(spacedyn::instruction_set()),
      kernels(kernels_of(set)),
      constants(model),
      mobility(its_mobility),
      free(static_cast<std::size_t>(model.body_count())),
      all_free(true),
      scratch(nullptr) {
  const Tree tree = constants.tree();
  store_.assign(kernels.scratch_size(tree) + kAlignment / sizeof(double), 0.0);
  void* start = store_.data();
  std::size_t space = store_.size() * sizeof(double);
  scratch = static_cast<double*>(std::align(kAlignment, space - kAlignment, start, space));
  kernels.prepare(tree, scratch);
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
