// Accelerations with loops against the full equations (3.17) and the projection method.
#include "spacedyn/constraints/constrained_dynamics.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include "spacedyn/constraints/explicit_form.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/allocation_guard.hpp"
#include "support/closed_arms.hpp"
#include "textbook/loop_solver.hpp"

namespace spacedyn::testing::constrained_dynamics_test {
namespace {

/// [u̇; −λ] of (3.17) for the free coordinates, least norm where rows are redundant.
VectorX full_equations(const Model& model, const State& state, const Loads& loads,
                       const ConstrainedMotion& found) {
  const MatrixX H = inertia_matrix(model, state);
  const Eigen::Index n = H.rows(), m = found.K.rows();
  MatrixX matrix = MatrixX::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = H;
  matrix.topRightCorner(n, m) = found.K.transpose();
  matrix.bottomLeftCorner(m, n) = found.K;
  VectorX right(n + m), tau(n);
  tau << loads.F_b, loads.tau;
  right << tau - inverse_dynamics(model, state, VectorX::Zero(n), loads), found.k;
  return matrix.completeOrthogonalDecomposition().solve(right);
}

TEST(ConstrainedDynamics, SolvesTheFullEquations) {
  for (const LoopType type : {LoopType::spherical, LoopType::weld, LoopType::universal}) {
    ClosedArms arms(type);
    const Model model = arms.model();
    const State state = arms.state(model);
    const Loads loads = arms.random.loads(model);
    const ConstrainedMotion found = constrained_motion(model, state, loads);
    const VectorX expected = full_equations(model, state, loads, found);
    const Eigen::Index n = model.velocity_size();
    const double size = expected.norm();
    EXPECT_LT((found.acceleration - expected.head(n)).norm(), 1e-10 * size);
    EXPECT_LT((found.multipliers + expected.tail(found.K.rows())).norm(), 1e-9 * size);
    EXPECT_LT((found.K * found.acceleration - found.k).norm(), 1e-11 * size);
    EXPECT_EQ(found.rank, found.K.rows());
    EXPECT_EQ(found.degrees_of_freedom, n - found.rank);
  }
}

TEST(ConstrainedDynamics, IsThatOfTheProjectionMethod) {
  for (const LoopType type : {LoopType::revolute, LoopType::planar, LoopType::prismatic}) {
    ClosedArms arms(type, 9);
    const Model model = arms.model();
    const State state = arms.state(model);
    const Loads loads = arms.random.loads(model);
    const ConstrainedMotion found = constrained_motion(model, state, loads);
    const ExplicitForm form = explicit_form(model, state, loads);
    const double size = found.acceleration.norm();
    EXPECT_LT((form.acceleration() - found.acceleration).norm(), 1e-10 * size);
    // (3.12)
    EXPECT_LT((found.K * form.G).norm(), 1e-12);
    EXPECT_LT((found.K * form.g - found.k).norm(), 1e-11 * (1.0 + found.k.norm()));
    // constraints do no work
    EXPECT_LT((form.G.transpose() * form.constraint_force).norm(),
              1e-10 * form.constraint_force.norm());
    EXPECT_LT((form.constraint_force - found.K.transpose() * found.multipliers).norm(),
              1e-8 * form.constraint_force.norm());
    // (3.22), (3.23)
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const double kinetic = kinetic_energy(model, frames, velocities);
    EXPECT_NEAR(form.kinetic_energy(), kinetic, 1e-11 * kinetic);
    VectorX tau(model.velocity_size());
    tau << loads.F_b, loads.tau;
    EXPECT_NEAR(form.power(), tau.dot(state.velocity()), 1e-10);
    EXPECT_EQ(form.G.cols(), found.degrees_of_freedom);
  }
}

TEST(ConstrainedDynamics, HasMultipliersThatDoNoWork) {
  ClosedArms arms;
  const Model model = arms.model();
  const State state = arms.state(model);
  const ConstrainedMotion found = constrained_motion(model, state, arms.random.loads(model));
  const VectorX force = found.K.transpose() * found.multipliers;
  EXPECT_NEAR(force.dot(state.velocity()), 0.0, 1e-12 * force.norm() * state.velocity().norm());
  EXPECT_EQ(force.head<6>().norm(), 0.0);
}

TEST(ConstrainedDynamics, FindsRankAndShortestMultipliers) {
  ClosedArms arms(LoopType::revolute, 4);
  LoopDescription again = arms.description.loops.front();
  again.name = "again";
  again.type = LoopType::spherical;
  arms.description.loops.push_back(again);
  const Model model = arms.model();
  const State state = arms.state(model);
  const Loads loads = arms.random.loads(model);
  const ConstrainedMotion found = constrained_motion(model, state, loads);
  EXPECT_EQ(found.K.rows(), 9);
  EXPECT_EQ(found.rank, 6);
  // least norm: no part in the kernel of Kᵀ
  const MatrixX K_T = found.K.transpose();
  const VectorX least =
      K_T.completeOrthogonalDecomposition().solve(VectorX(K_T * found.multipliers));
  EXPECT_LT((found.multipliers - least).norm(), 1e-10 * least.norm());

  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  LoopSolver solver(model, Mobility(model));
  ASSERT_EQ(solver.update(state, frames), DynamicsStatus::ok);
  EXPECT_EQ(solver.redundant_loops(), std::vector<std::string>{"again"});
}

TEST(ConstrainedDynamics, KnowsThatAPlaneFourBarHasOneFreedom) {
  FourBar bar;
  bar.crank = 0.4;
  const Model model = bar.model();
  State state = bar.state(model, 0.8);
  state.qd(0) = 1.5;
  state = assemble_loops(model, state, {1}).state;
  Loads loads(model);
  loads.gravity = {0.0, -9.81, 0.0};
  const ConstrainedMotion found = constrained_motion(model, state, loads);
  EXPECT_EQ(found.K.rows(), 5);
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.degrees_of_freedom, 1);
}

/// H u̇ + c = τ + Kᵀ λ in all rows, those of held joints and a held base with the forces found.
TEST(ConstrainedDynamics, HoldsLoopsWhereJointsAreHeld) {
  ClosedArms arms;
  const Model model = arms.model();
  const State state = arms.state(model);
  Loads loads = arms.random.loads(model);
  std::vector<bool> free(static_cast<std::size_t>(model.joint_count()), true);
  free[1] = free[8] = false;
  for (const bool base_free : {true, false}) {
    const Mobility mobility(base_free, free);
    LoopMotion seen(model);
    seen.compute(model, state);
    LoopWorkspace loops(model, mobility);
    TreeWorkspace tree(model, mobility);
    VectorX acceleration = arms.random.vector(model.velocity_size()), forces = acceleration;
    const VectorX given = acceleration;
    update_motion(state, acceleration, tree);
    const VectorX tau_before = loads.tau;
    ASSERT_EQ(constrained_dynamics(state, loads, {}, loops, tree, acceleration, forces),
              DynamicsStatus::ok);
    EXPECT_EQ(loads.tau, tau_before);
    for (const int row : mobility.prescribed()) EXPECT_EQ(acceleration(row), given(row));
    ASSERT_EQ(loops.solver.update(seen.state, seen.frames), DynamicsStatus::ok);
    const MatrixX K = loops.solver.jacobian_transposed().transpose();
    VectorX k(K.rows());
    loops.solver.equations().bias(seen.frames, seen.velocities, seen.state, k);
    EXPECT_LT((K * acceleration - k).norm(), 1e-10 * acceleration.norm());
    VectorX tau(model.velocity_size());
    tau << loads.F_b, loads.tau;
    // what is found for held coordinates comes on top of what is given there
    for (const int row : mobility.prescribed()) tau(row) += forces(row);
    const VectorX needed = inverse_dynamics(model, state, acceleration, loads);
    const VectorX left = needed - tau - K.transpose() * loops.multipliers;
    EXPECT_LT(left.norm(), 1e-10 * needed.norm());
    // a second method
    const ExplicitForm form = explicit_form(model, state, loads, mobility, given);
    EXPECT_LT((form.acceleration() - acceleration).norm(), 1e-9 * acceleration.norm());
  }
}

TEST(ConstrainedDynamics, DrawsBackToLoopsWithGains) {
  ClosedArms arms;
  const Model model = arms.model();
  State state = arms.random.state(model);  // far from all loops
  LoopMotion seen(model);
  seen.compute(model, state);
  LoopWorkspace loops(model, Mobility(model));
  TreeWorkspace tree(model);
  VectorX acceleration = VectorX::Zero(model.velocity_size()), forces = acceleration;
  Loads loads(model);
  update_motion(state, acceleration, tree);
  ASSERT_EQ(constrained_dynamics(state, loads, {3.0, 2.0}, loops, tree, acceleration, forces),
            DynamicsStatus::ok);
  const LoopEquations& equations = loops.solver.equations();
  VectorX phi(equations.rows()), rate(phi), k(phi);
  equations.residual(seen.frames, seen.state, phi);
  equations.velocity(seen.frames, seen.velocities, seen.state, rate);
  equations.bias(seen.frames, seen.velocities, seen.state, k);
  ASSERT_EQ(loops.solver.update(seen.state, seen.frames), DynamicsStatus::ok);
  const MatrixX K = loops.solver.jacobian_transposed().transpose();
  EXPECT_LT((K * acceleration - (k - 6.0 * rate - 4.0 * phi)).norm(), 1e-9 * k.norm());
}

TEST(ConstrainedDynamics, AllocatesNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
  ClosedArms arms;
  const Model model = arms.model();
  const State state = arms.state(model);
  LoopMotion seen(model);
  seen.compute(model, state);
  LoopWorkspace loops(model, Mobility(model));
  TreeWorkspace tree(model);
  VectorX acceleration = VectorX::Zero(model.velocity_size()), forces = acceleration;
  VectorX lambda = loops.multipliers;
  Loads loads(model);
  const long before = allocation_count();
  update_motion(state, acceleration, tree);
  const DynamicsStatus status =
      constrained_dynamics(state, loads, {1.0, 1.0}, loops, tree, acceleration, forces);
  ASSERT_EQ(loops.solver.update(seen.state, seen.frames), DynamicsStatus::ok);
  loops.solver.respond(loops.multipliers, forces);
  lambda = loops.multipliers;
  loops.solver.shorten(lambda);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(status, DynamicsStatus::ok);
}

}  // namespace
}  // namespace spacedyn::testing::constrained_dynamics_test
