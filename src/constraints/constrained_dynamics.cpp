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
      given(torque) {}

DynamicsStatus constrained_dynamics(const LoopMotion& motion, Loads& loads,
                                    const BaumgarteGains& gains, LoopWorkspace& loops,
                                    TreeWorkspace& tree, VectorRef acceleration,
                                    VectorRef forces) noexcept {
  const State& state = motion.state;
  const LinkFrames& frames = motion.frames;
  const LinkVelocities& velocities = motion.velocities;
  DynamicsStatus status = articulated_body(loads, tree, acceleration, forces);
  if (status != DynamicsStatus::ok) return status;
  status = loops.solver.update(state, frames);
  if (status != DynamicsStatus::ok) return status;

  const LoopEquations& equations = loops.solver.equations();
  equations.bias(frames, velocities, state, loops.k);
  if (gains.alpha != 0.0 || gains.beta != 0.0) {
    equations.velocity(frames, velocities, state, loops.rest);
    loops.k -= 2.0 * gains.alpha * loops.rest;
    equations.residual(frames, state, loops.rest);
    loops.k -= gains.beta * gains.beta * loops.rest;
  }
  const MatrixX& K_T = loops.solver.jacobian_transposed();
  loops.rest = loops.k;
  loops.rest.noalias() -= K_T.transpose() * acceleration;
  loops.solver.multipliers(loops.rest, loops.multipliers);

  // motions of the base satisfy all loops: Kᵀ λ has no wrench on it
  const auto joints = K_T.bottomRows(loops.torque.size());
  loops.torque.noalias() = joints * loops.multipliers;
  loops.given = loads.tau;
  loads.tau += loops.torque;
  status = articulated_body(loads, tree, acceleration, forces);
  loads.tau = loops.given;
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
