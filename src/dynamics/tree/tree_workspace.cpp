#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "dynamics/tree/kernel_choice.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/error.hpp"
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

namespace {

constexpr const char* kVariable = "SPACEDYN_INSTRUCTION_SET";
constexpr int kUndecided = -1;
std::atomic<int> chosen{kUndecided};

bool is_supported(InstructionSet set) {
  const auto& all = supported_instruction_sets();
  return std::find(all.begin(), all.end(), set) != all.end();
}

std::string supported_names() {
  std::string names;
  for (const InstructionSet set : supported_instruction_sets()) {
    names += names.empty() ? "" : ", ";
    names += to_string(set);
  }
  return names;
}

InstructionSet decide() {
  const char* wanted = std::getenv(kVariable);
  if (wanted == nullptr || *wanted == '\0') return supported_instruction_sets().back();
  for (const InstructionSet set : supported_instruction_sets()) {
    if (to_string(set) == wanted) return set;
  }
  throw DomainError(std::string(kVariable) + " is '" + wanted + "', this machine supports " +
                    supported_names());
}

}  // namespace

std::string_view to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::baseline:
      break;
  }
  return "baseline";
}

const std::vector<InstructionSet>& supported_instruction_sets() {
  static const std::vector<InstructionSet> sets = [] {
    std::vector<InstructionSet> found{InstructionSet::baseline};
#ifdef SPACEDYN_X86_64_KERNELS
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx2) found.push_back(InstructionSet::avx2);
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      found.push_back(InstructionSet::avx512);
    }
#endif
    return found;
  }();
  return sets;
}

InstructionSet instruction_set() {
  int set = chosen.load(std::memory_order_relaxed);
  if (set == kUndecided) {
    // two threads may both decide, and decide the same
    int undecided = kUndecided;
    set = static_cast<int>(decide());
    if (!chosen.compare_exchange_strong(undecided, set)) set = undecided;
  }
  return static_cast<InstructionSet>(set);
}

void use_instruction_set(InstructionSet set) {
  if (!is_supported(set)) {
    throw DomainError("this machine does not support " + std::string(to_string(set)) +
                      ", it supports " + supported_names());
  }
  chosen.store(static_cast<int>(set), std::memory_order_relaxed);
}

const KernelTable& kernels_of(InstructionSet set) { return SPACEDYN_CHOOSE_KERNELS(kernels, set); }

}  // namespace spacedyn
