#include <algorithm>

#include "dynamics/tree/kernel_choice.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "dynamics/tree/tree_walk.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
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
  kernels.prepare_scratch(tree, scratch);
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

TreeWalk::TreeWalk(const Tree& tree) : bodies(static_cast<std::size_t>(tree.bodies)) {
  for (int here = joint_count(); here >= 0; --here) {
    WalkBody& body = bodies[static_cast<std::size_t>(here)];
    body.link = tree.body[here];
    body.parent = tree.lower[here];
    body.end = std::max(body.end, here + 1);
    if (here == 0) break;
    WalkBody& parent = bodies[static_cast<std::size_t>(body.parent)];
    ++parent.children;
    parent.end = std::max(parent.end, body.end);
  }
  for (int here = 1; here <= joint_count(); ++here) {
    WalkBody& body = bodies[static_cast<std::size_t>(here)];
    const WalkBody& parent = (*this)[body.parent];
    body.fork = parent.fork + (body.parent > 0 && parent.children > 1 ? 1 : 0);
    deepest_fork = std::max(deepest_fork, body.fork);
  }
  for (int begin = 1; begin <= joint_count(); begin = branches.back().end) {
    branches.push_back({begin, (*this)[begin].end});
  }
}

Mobility::Mobility(const Model& model)
    : Mobility(!model.has_fixed_base(),
               std::vector<bool>(static_cast<std::size_t>(model.joint_count()), true)) {}

Mobility::Mobility(bool base_free, const std::vector<bool>& joint_free)
    : base_free_(base_free), joint_free_(joint_free) {
  for (int row = 0; row < 6; ++row) (base_free ? free_ : prescribed_).push_back(row);
  for (std::size_t i = 0; i < joint_free.size(); ++i) {
    (joint_free[i] ? free_ : prescribed_).push_back(6 + static_cast<int>(i));
  }
}

}  // namespace spacedyn
