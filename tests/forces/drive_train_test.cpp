// Coupled springs, elastic transmissions with play, and dry friction: closed forms and energy.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "spacedyn/forces/dry_friction.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/elastic_drive.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::drive_train_test {
namespace {

BaseDescription wall() {
  BaseDescription base = base_body(1.0, {1.0, 1.0, 1.0});
  base.fixed = true;
  return base;
}

/// A disc of inertia 1 about z.
LinkDescription disc(const std::string& name, const std::string& parent) {
  return link_body(name, parent, 1.0, {0.5, 0.5, 1.0}, Vector3::Zero(), Vector3::Zero());
}

SimulationSetup setup_of(const ModelDescription& description, double tolerance) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  if (setup.model->has_fixed_base()) setup.base_mode = BaseMode::fixed;
  setup.integrator = dopri5(tolerance);
  return setup;
}

ModelDescription coupled_discs() {
  ModelDescription discs = ModelBuilder("discs")
                               .set_base(wall())
                               .add_link(disc("a", "base"))
                               .add_link(disc("b", "base"))
                               .description();
  JointCouplingDescription coupling;
  coupling.name = "band";
  coupling.joints = {"b", "a"};
  coupling.stiffness = (MatrixX(2, 2) << 5, -2, -2, 3).finished();
  coupling.damping = (MatrixX(2, 2) << 0.4, 0.1, 0.1, 0.2).finished();
  coupling.rest_position = (VectorX(2) << 0.1, -0.2).finished();
  discs.couplings.push_back(coupling);
  return discs;
}

TEST(Coupling, PullsByItsMatrices) {
  const Model model = ModelBuilder(coupled_discs()).build();
  State state(model);
  state.q << 0.3, 0.7;
  state.qd << -0.5, 0.25;
  const VectorX torque = passive_torque(model, state);
  EXPECT_NEAR(torque(0), -(-2 * 0.6 + 3 * 0.5) - (0.1 * 0.25 + 0.2 * -0.5), 1e-15);
  EXPECT_NEAR(torque(1), -(5 * 0.6 - 2 * 0.5) - (0.4 * 0.25 + 0.1 * -0.5), 1e-15);
  EXPECT_NEAR(elastic_energy(model, state.q), 0.5 * (5 * 0.36 - 2 * 2 * 0.6 * 0.5 + 3 * 0.25),
              1e-15);
  const MatrixX K = (MatrixX(2, 2) << 3, -2, -2, 5).finished();
  EXPECT_EQ(stiffness_matrix(model), K);
  EXPECT_EQ(damping_matrix(model), (MatrixX(2, 2) << 0.2, 0.1, 0.1, 0.4).finished());
}

TEST(Coupling, VibratesWithTheEigenvaluesOfItsMatrix) {
  ModelDescription discs = coupled_discs();
  discs.couplings[0].damping.resize(0, 0);
  const SimulationSetup setup = setup_of(discs, 1e-12);
  // both discs have inertia 1: modes are eigenvectors of K
  const Eigen::SelfAdjointEigenSolver<MatrixX> modes(stiffness_matrix(*setup.model));
  const VectorX rest = (VectorX(2) << -0.2, 0.1).finished();
  for (const int mode : {0, 1}) {
    State state(*setup.model);
    state.q = rest + 0.3 * modes.eigenvectors().col(mode);
    const double time = 7.7;
    const SimulationResult result = simulate(setup, state, time);
    const double factor = std::cos(std::sqrt(modes.eigenvalues()(mode)) * time);
    EXPECT_LT((result.state.q - rest - factor * (state.q - rest)).norm(), 1e-10);
    EXPECT_LT(result.audit.energy_residual(), 1e-10);  // some hundred steps add up
  }
}

TEST(Coupling, LosesWhatItsDamperTakes) {
  const SimulationSetup setup = setup_of(coupled_discs(), 1e-12);
  State state(*setup.model);
  state.q << 1.0, -0.5;
  const SimulationResult result = simulate(setup, state, 10.0);
  EXPECT_LT(result.audit.energy_residual(), 1e-11);
  EXPECT_GT(result.integrals.dissipated, 0.1);
  EXPECT_NEAR(result.integrals.work, 0.0, 1e-11);
}

/// A disc driven by a rotor through a gear of ratio N; the rotor 0.02 kg m², the base free.
ModelDescription geared(double backlash, double damping = 0.0, double N = 5.0) {
  LinkDescription link = disc("load", "base");
  link.joint.rotor_inertia = 0.02;
  link.joint.gear_ratio = N;
  const ElasticDrive drive = separate_rotor(link, 40.0, damping, backlash);
  ModelBuilder builder("geared");
  builder.set_base(wall()).add_link(link).add_link(drive.rotor);
  ModelDescription description = builder.description();
  description.transmissions.push_back(drive.transmission);
  return description;
}

TEST(ElasticDrive, PutsTheRotorOnALinkOfItsOwn) {
  const Model model = ModelBuilder(geared(0.01)).build();
  ASSERT_EQ(model.joint_count(), 2);
  EXPECT_EQ(model.joint(2).name, "load_motor");
  EXPECT_EQ(model.body(2).name, "load_rotor");
  EXPECT_EQ(model.body(2).inertia_L.diagonal(), Vector3(0.01, 0.01, 0.02));
  EXPECT_EQ(model.joint(1).armature, 0.0);
  ASSERT_EQ(model.transmissions().size(), 1u);
  EXPECT_EQ(model.transmissions()[0].motor, 2);
  EXPECT_EQ(model.transmissions()[0].joint, 1);
}

TEST(ElasticDrive, RefusesAJointWithoutRotor) {
  LinkDescription link = disc("load", "base");
  try {
    separate_rotor(link, 1.0, 0.0);
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(),
                 "the elastic transmission of joint 'load' needs a positive rotor_inertia: the "
                 "rotor would move without resistance");
  }
}

TEST(ElasticDrive, VibratesAgainstItsReflectedRotor) {
  for (const double N : {5.0, -3.0}) {
    const SimulationSetup setup = setup_of(geared(0.0, 0.0, N), 1e-12);
    const double reflected = N * N * 0.02;
    const double omega = std::sqrt(40.0 * (1.0 / reflected + 1.0));
    State state(*setup.model);
    state.q << -0.1 * reflected, 0.1 * N;  // the common turn is at rest
    const double time = 3.1;
    const SimulationResult result = simulate(setup, state, time);
    EXPECT_LT((result.state.q - std::cos(omega * time) * state.q).norm(), 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-10);
  }
}

TEST(ElasticDrive, TurnsFreelyWithinItsPlayAndKeepsEnergy) {
  SimulationSetup setup = setup_of(geared(0.2), 1e-11);
  State state(*setup.model);
  state.qd(1) = 5.0;  // 1 rad/s at the joint
  Trajectory flight;
  const double in_play = 0.09;
  Simulator(setup).run(state, in_play, 0.01, flight);
  EXPECT_EQ(flight.points.back().state.q(0), 0.0);
  EXPECT_NEAR(flight.points.back().state.q(1), 5.0 * in_play, 1e-14);

  // afterwards they collide elastically, again and again
  const SimulationResult result = simulate(setup, state, 5.0);
  EXPECT_LT(result.audit.energy_residual(), 1e-8);  // each contact is a kink
  EXPECT_GT(std::abs(result.state.q(0)), 0.1);
  // N I_r θ̇ + I q̇, what the transmission cannot change
  EXPECT_NEAR(5.0 * 0.02 * result.state.qd(1) + result.state.qd(0), 0.5, 1e-9);
}

TEST(ElasticDrive, LosesEnergyAtEachContactAndNeverGains) {
  const SimulationSetup setup = setup_of(geared(0.05, 2.0), 1e-10);
  RandomModels random(3);
  const PassiveJoints springs;
  for (int i = 0; i < 1000; ++i) {
    State state(*setup.model);
    state.q = random.vector(2, 0.1);
    state.qd = random.vector(2, 5.0);
    LinkFrames frames(*setup.model);
    LinkVelocities velocities(*setup.model);
    EXPECT_GE(
        springs.energy_rates({0.0, *setup.model, state, frames, velocities, state.z}).dissipated,
        0.0);
  }
  State state(*setup.model);
  state.qd(1) = 5.0;
  const SimulationResult result = simulate(setup, state, 4.0);
  EXPECT_LT(result.audit.energy_residual(), 1e-7);  // each contact is a kink
  EXPECT_GT(result.integrals.dissipated, 0.01);
}

ModelDescription rubbing(double coulomb, double breakaway) {
  LinkDescription link = disc("a", "base");
  link.joint.friction = {coulomb, breakaway, 0.05, 1e-3};
  return ModelBuilder("rubbing").set_base(wall()).add_link(link).description();
}

std::shared_ptr<const ForceElement> ramp(double rate) {
  return std::make_shared<FunctionForce>(
      "ramp",
      [rate](const EvaluationContext& now, Loads& loads) { loads.tau(0) += rate * now.time; });
}

TEST(DryFriction, StopsWhereCoulombFrictionHasEatenTheEnergy) {
  const SimulationSetup setup = setup_of(rubbing(2.0, 0.0), 1e-10);
  State state(*setup.model);
  state.qd(0) = 1.5;
  const SimulationResult result = simulate(setup, state, 6.0);
  // ω²/2F_c after ω/F_c = 0.75 s, give or take the deflection of the bristle
  EXPECT_NEAR(result.state.q(0), 1.5 * 1.5 / 4.0, 2e-3);
  EXPECT_LT(std::abs(result.state.qd(0)), 1e-6);
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
  EXPECT_NEAR(result.integrals.dissipated + result.final_energy.total(), 1.125, 1e-9);
}

TEST(DryFriction, HoldsWithoutCreepUntilItBreaksAway) {
  SimulationSetup setup = setup_of(rubbing(2.0, 3.0), 1e-9);
  setup.forces.push_back(ramp(0.5));
  State state(*setup.model);
  Trajectory flight;
  Simulator(setup).run(state, 8.0, 0.05, flight);
  for (const TrajectoryPoint& sample : flight.points) {
    // a spring of σ_0 = 2000 N m/rad until 0.9 · 3 N m are reached after 5.4 s; the damper of the
    // bristle lags by σ_1 q̇ / σ_0 = 1.5e-6, and 1 kg m² on the spring rings with q̇/ω = 5.6e-6
    const double torque = 0.5 * sample.time;
    if (sample.time > 5.3) continue;
    EXPECT_NEAR(sample.state.q(0), torque / 2000.0, 7.2e-6);
  }
  EXPECT_GT(flight.points.back().state.q(0), 0.5);

  // held for long below the breakaway torque it stays where it is
  setup.forces = {std::make_shared<FunctionForce>(
      "push", [](const EvaluationContext&, Loads& loads) { loads.tau(0) += 1.9; })};
  const double early = simulate(setup, state, 5.0).state.q(0);
  const double late = simulate(setup, state, 50.0).state.q(0);
  EXPECT_LT(early, 0.01);
  EXPECT_NEAR(late, early, 1e-6);
}

TEST(DryFriction, SlidesAtConstantSpeedWithTheStribeckCurve) {
  const Model model = ModelBuilder(rubbing(2.0, 3.0)).build();
  const DryFriction friction(model);
  for (const double v : {0.01, 0.05, 0.2, -0.05, -1.0}) {
    State state(model);
    state.qd(0) = v;
    const double g = 2.0 + std::exp(-(v / 0.05) * (v / 0.05));
    state.z = VectorX::Constant(1, std::copysign(g / 2000.0, v));  // where ż vanishes
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    const EvaluationContext now{0.0, model, state, frames, velocities, state.z};
    VectorX rate(1);
    friction.auxiliary_rate(now, rate);
    EXPECT_NEAR(rate(0), 0.0, 1e-15);
    Loads loads(model);
    friction.apply(now, loads);
    EXPECT_NEAR(loads.tau(0), -std::copysign(g, v), 1e-12);
    EXPECT_NEAR(friction.energy_rates(now).dissipated, g * std::abs(v), 1e-12);
  }
}

TEST(DryFriction, NeverPutsEnergyIn) {
  const Model model = ModelBuilder(rubbing(2.0, 3.0)).build();
  const DryFriction friction(model);
  RandomModels random(7);
  for (int i = 0; i < 1000; ++i) {
    State state(model);
    state.qd = random.vector(1, std::pow(10.0, random.number(-4, 1)));
    state.z = random.vector(1, 1.5e-3);
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    EXPECT_GE(friction.energy_rates({0.0, model, state, frames, velocities, state.z}).dissipated,
              0.0);
  }
}

TEST(DryFriction, BelongsToTheJointsAndIsTheLastOfTheAuxiliaryStates) {
  ModelDescription both = rubbing(2.0, 0.0);
  both.links.push_back(disc("b", "a"));
  const Model model = ModelBuilder(both).build();
  EXPECT_EQ(DryFriction(model).joints(), std::vector<int>{1});
  const SimulationSetup setup = setup_of(both, 1e-9);
  const SimulationResult result = simulate(setup, State(*setup.model), 0.1);
  EXPECT_EQ(result.state.z.size(), 1);
}

}  // namespace
}  // namespace spacedyn::testing::drive_train_test
