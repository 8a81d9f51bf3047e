#include "spacedyn/constraints/constrained_dynamics.hpp"

#include "constraints/loop_kernel.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

LoopWorkspace::LoopWorkspace(const Model& model, const Mobility& mobility)
    : LoopWorkspace(model, mobility, model.loops()) {}

LoopWorkspace::LoopWorkspace(const Model& model, const Mobility& mobility, std::vector<Loop> loops)
    : solver(model, mobility, std::move(loops)),
      multipliers(VectorX::Zero(solver.equations().rows())),
      size(model_size(model, solver.equations().loops())),
      kernel(std::make_unique<LoopKernel>(solver.equations())) {}
LoopWorkspace::~LoopWorkspace() = default;
LoopWorkspace::LoopWorkspace(LoopWorkspace&&) noexcept = default;
LoopWorkspace& LoopWorkspace::operator=(LoopWorkspace&&) noexcept = default;

int LoopWorkspace::rank() const { return kernel->rank(); }

namespace {

/// More corrections of λ than rounding leaves.
constexpr int kMostCorrections = 2;
/// Part of the terms of K u̇, and of what accelerations of the size of the model make of rounding,
/// that is left.
constexpr double kLeftOfTerms = 1e-14;
constexpr double kLeftOfAcceleration = 1e-15;

void prepare_rows(const State& state, const BaumgarteGains& gains, LoopWorkspace& loops,
                  TreeWorkspace& tree) {
  LoopKernel& kernel = *loops.kernel;
  const int count = static_cast<int>(loops.solver.equations().loops().size());
  for (int loop = 0; loop < count; ++loop) {
    kernel.limit_rank(loop, loops.solver.most_independent(loop));
  }
  kernel.arrays().least_pivot = kIncrementalTolerance * kIncrementalTolerance;
  kernel.prepare(state, gains, tree);
}

}  // namespace

DynamicsStatus constrained_dynamics(const State& state, const Loads& loads,
                                    const BaumgarteGains& gains, LoopWorkspace& loops,
                                    TreeWorkspace& tree, VectorRef acceleration,
                                    VectorRef forces) noexcept {
  TreeWorkspace::Memory& memory = tree.memory();
  const KernelMobility mobility{memory.free.data()};
  LoopArrays& arrays = loops.kernel->arrays();
  prepare_rows(state, gains, loops, tree);
  forces.head<6>() = loads.F_b;
  forces.tail(loads.tau.size()) = loads.tau;
  LoopAnswer answer =
      memory.kernels.articulated_loops(memory.tree, mobility, kernel_loads(loads), arrays,
                                       memory.scratch, acceleration.data(), forces.data());
  loops.multipliers.setZero();
  loops.kernel->add_multipliers(loops.multipliers);
  const double smallest_pivot = answer.smallest_pivot;
  const double rounding = kLeftOfTerms * answer.terms +
                          kLeftOfAcceleration * loops.size * acceleration.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < kMostCorrections && answer.rest > rounding; ++i) {
    answer = memory.kernels.correct_loops(memory.tree, mobility, arrays, memory.scratch,
                                          acceleration.data(), forces.data());
    loops.kernel->add_multipliers(loops.multipliers);
  }
  return judge_pivots(memory, smallest_pivot);
}

ConstrainedMotion constrained_motion(const Model& model, const State& state, const Loads& loads) {
  state.check(model);
  loads.check(model);
  LoopMotion seen(model);
  seen.compute(model, state);
  const Mobility mobility(model);
  LoopWorkspace loops(model, mobility);
  TreeWorkspace tree(model, mobility);
  ConstrainedMotion motion;
  motion.acceleration = VectorX::Zero(model.velocity_size());
  VectorX forces = motion.acceleration;
  update_motion(state, motion.acceleration, tree);
  if (constrained_dynamics(state, loads, {}, loops, tree, motion.acceleration, forces) !=
          DynamicsStatus::ok ||
      loops.solver.update(seen.state, seen.frames) != DynamicsStatus::ok) {
    throw NumericalError("the inertia matrix is not positive definite", 0.0, 0, "inertia matrix");
  }
  motion.multipliers = loops.multipliers;
  loops.solver.shorten(motion.multipliers);
  motion.K = loops.solver.jacobian_transposed().transpose();
  motion.k = VectorX::Zero(motion.multipliers.size());
  loops.solver.equations().bias(seen.frames, seen.velocities, seen.state, motion.k);
  motion.rank = loops.solver.rank();
  motion.degrees_of_freedom = static_cast<int>(mobility.free().size()) - motion.rank;
  return motion;
}

}  // namespace spacedyn
