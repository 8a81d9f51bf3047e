#include "spacedyn/dynamics/tree_motion.hpp"

#include "dynamics/tree/kernel_choice.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kAlignment = 64;  // bytes

}  // namespace

TreeWorkspace::Memory::Memory(const Model& model, const Mobility& its_mobility)
    : set(spacedyn::instruction_set()),
      kernels(kernels_of(set)),
      constants(model),
      tree(constants.tree()),
      mobility(its_mobility),
      free(static_cast<std::size_t>(model.body_count()), 1.0),
      zeros(free.size(), 0.0),
      ignored(free.size() + 5, 0.0),
      momentum(6 * ignored.size(), 0.0),
      runs(2 * free.size(), 0),
      scratch(nullptr) {
  store_.assign(kernels.scratch_size(tree) + kAlignment / sizeof(double), 0.0);
  void* start = store_.data();
  std::size_t space = store_.size() * sizeof(double);
  scratch = static_cast<double*>(std::align(kAlignment, space - kAlignment, start, space));
  if (!mobility.base_free()) free[0] = 0.0;
  for (std::size_t entry = 1; entry < free.size(); ++entry) {
    if (!mobility.joint_free(tree.body[entry])) free[entry] = 0.0;
  }
  for (const int first : model.spherical_joints()) {
    const int entry = constants.entry()[static_cast<std::size_t>(first)];
    spherical_.push_back({first, entry, model.joint(first)});
  }
  if (!spherical_.empty()) q_ = VectorX::Zero(model.joint_count());
}

void TreeWorkspace::Memory::turn_spherical_joints(const State& state) {
  q_ = state.q;
  for (const SphericalJoint& each : spherical_) {
    constants.set_rotation(each.entry,
                           turned_by(each.joint, spherical_rotation(state.q, each.first)));
    q_.segment<3>(each.first - 1).setZero();
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
