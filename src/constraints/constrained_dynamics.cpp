#include "spacedyn/constraints/constrained_dynamics.hpp"

#include "spacedyn/error.hpp"

namespace spacedyn {

LoopWorkspace::LoopWorkspace(const Model& model, const Mobility& mobility)
    : LoopWorkspace(model, mobility, model.loops()) {}

LoopWorkspace::LoopWorkspace(const Model& model, const Mobility& mobility, std::vector<Loop> loops)
    : solver(model, mobility, std::move(loops)),
      k(VectorX::Zero(solver.equations().rows())),
      multipliers(k),
      torque(VectorX::Zero(model.joint_count())),
      rest(k),
      correction(k),
      given(torque),
      nothing(VectorX::Zero(model.velocity_size())),
      coasting(model),
      size(model_size(model, solver.equations().loops())) {}

namespace {

/// More corrections of λ than rounding leaves.
constexpr int kMostCorrections = 2;
/// Part of k, and of what accelerations of the size of the model make of rounding, that is left.
constexpr double kLeftOfRight = 1e-12;
constexpr double kLeftOfAcceleration = 1e-15;

void find_right_side(const LoopMotion& motion, const BaumgarteGains& gains, LoopWorkspace& loops) {
  const LoopEquations& equations = loops.solver.equations();
  const State& state = motion.state;
  compute_link_accelerations(equations.model(), state, motion.frames, motion.velocities,
                             loops.nothing, loops.coasting);
  equations.bias(motion.frames, motion.velocities, loops.coasting, loops.k);
  if (gains.alpha == 0.0 && gains.beta == 0.0) return;
  equations.velocity(motion.frames, motion.velocities, state, loops.rest);
  loops.k -= 2.0 * gains.alpha * loops.rest;
  equations.residual(motion.frames, state, loops.rest);
  loops.k -= gains.beta * gains.beta * loops.rest;
}

/// Accelerations with the torques of λ. Motions of the base satisfy all loops: no wrench on it.
DynamicsStatus accelerate_with_loops(Loads& loads, LoopWorkspace& loops, TreeWorkspace& tree,
                                     VectorRef acceleration, VectorRef forces) {
  loops.solver.apply_transposed(loops.multipliers, loops.torque);
  loops.given = loads.tau;
  loads.tau += loops.torque;
  const DynamicsStatus status = articulated_body(loads, tree, acceleration, forces);
  loads.tau = loops.given;
  return status;
}

}  // namespace

DynamicsStatus constrained_dynamics(const LoopMotion& motion, Loads& loads,
                                    const BaumgarteGains& gains, LoopWorkspace& loops,
                                    TreeWorkspace& tree, VectorRef acceleration,
                                    VectorRef forces) noexcept {
  DynamicsStatus status = articulated_body(loads, tree, acceleration, forces);
  if (status != DynamicsStatus::ok) return status;
  status = loops.solver.update(motion.state, motion.frames);
  if (status != DynamicsStatus::ok) return status;
  find_right_side(motion, gains, loops);

  IncrementalAssembly& solver = loops.solver;
  solver.apply(acceleration, loops.rest);
  loops.rest = loops.k - loops.rest;
  const double right = solver.largest(loops.k) + solver.largest(loops.rest);
  solver.multipliers(loops.rest, loops.multipliers);
  for (int i = 0;; ++i) {
    status = accelerate_with_loops(loads, loops, tree, acceleration, forces);
    if (status != DynamicsStatus::ok || i == kMostCorrections) break;
    solver.apply(acceleration, loops.rest);
    loops.rest = loops.k - loops.rest;
    const double rounding = kLeftOfRight * right + kLeftOfAcceleration * loops.size *
                                                       acceleration.lpNorm<Eigen::Infinity>();
    if (!(solver.largest(loops.rest) > rounding)) break;
    solver.multipliers(loops.rest, loops.correction);
    loops.multipliers += loops.correction;
  }
  for (const int row : tree.mobility().free()) {
    if (row >= 6) forces(row) = loads.tau(row - 6);
  }
  return status;
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
  Loads all = loads;
  update_motion(state, motion.acceleration, tree);
  if (constrained_dynamics(seen, all, {}, loops, tree, motion.acceleration, forces) !=
      DynamicsStatus::ok) {
    throw NumericalError("the inertia matrix is not positive definite", 0.0, 0, "inertia matrix");
  }
  motion.multipliers = loops.multipliers;
  loops.solver.shorten(motion.multipliers);
  motion.K = loops.solver.jacobian_transposed().transpose();
  motion.k = loops.k;
  motion.rank = loops.solver.rank();
  motion.degrees_of_freedom = static_cast<int>(mobility.free().size()) - motion.rank;
  return motion;
}

}  // namespace spacedyn
