// Rigid contact by fixed steps against closed forms and against runs from event to event.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::time_stepping_test {
namespace {

constexpr double kG = 9.81;
const Vector3 kDown(0, 0, -kG);

Model box() {
  return body_with(shape_of(CollisionType::box, "box", {0.4, 0.3, 0.2}), 3.0,
                   {0.0325, 0.05, 0.0625});
}

SimulationSetup stepped(const Model& model, const RigidContact::Settings& settings, double step,
                        const Vector3& gravity = kDown) {
  SimulationSetup setup = rigid_setup(model, settings, gravity);
  setup.integrator = fixed_step(IntegrationMethod::time_stepping, step);
  setup.integrator.contact_tolerance = 1e-12;
  setup.integrator.contact_iterations = 1000;
  return setup;
}

SimulationSetup by_events(SimulationSetup setup) {
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  return setup;
}

TEST(TimeStepping, ABallThatSlidesRollsAtFiveSeventhsOfItsSpeed) {
  const Model model = ball(1.5, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.1};
  state.v_0 = {1.0, 0, 0};
  const double time = 2.0 / (7.0 * 0.3 * kG);
  for (const double h : {1e-2, 1e-3}) {
    const SimulationResult end =
        simulate(stepped(model, on_rigid_ground(model, rigid_law(0.5, 0.3)), h), state, 1.0);
    // impulses do not depend on where in a step sliding ends
    EXPECT_NEAR(end.state.v_0.x(), 5.0 / 7.0, 1e-11);
    EXPECT_NEAR(end.state.omega_0.y(), 50.0 / 7.0, 1e-10);
    const double x = 12.0 / (49.0 * 0.3 * kG) + 5.0 / 7.0 * (1.0 - time);
    EXPECT_NEAR(end.state.r_0.x(), x, 10.0 * h * h);  // the velocity has a kink in one step
    EXPECT_NEAR(end.contacts[0].friction_work, -1.5 / 7.0, 1e-11);
    EXPECT_NEAR(end.contacts[0].largest_force, 1.5 * kG, 1e-9);
    EXPECT_LE(end.audit.energy_residual(), 1e-11);
    EXPECT_LE(end.contacts[0].residual, 1e-12);
  }
}

TEST(TimeStepping, ABlockOnASlopeSticksOrSlides) {
  const Model model = box();
  State state(model);
  state.r_0 = {0, 0, 0.1};
  for (const double angle : {0.3, 0.463, 0.4637, 0.6}) {
    const Vector3 gravity(kG * std::sin(angle), 0, -kG * std::cos(angle));
    const SimulationResult end = simulate(
        stepped(model, on_rigid_ground(model, rigid_law(0.0, 0.5)), 0.01, gravity), state, 1.0);
    const double a = std::max(0.0, kG * (std::sin(angle) - 0.5 * std::cos(angle)));
    // a hundred steps, each to the tolerance of contacts
    EXPECT_NEAR(end.state.v_0.x(), a, 1e-9) << angle;
    EXPECT_NEAR(end.state.r_0.x(), 0.5 * a, 1e-9) << angle;
    EXPECT_NEAR(end.contacts[0].impulse, 3.0 * kG * std::cos(angle), 1e-9);
    EXPECT_TRUE(a == 0.0 || end.audit.energy_residual() <= 1e-8) << angle;
  }
}

TEST(TimeStepping, ABallBouncesLikeASeriesAndComesToRest) {
  const Model model = ball(2.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 1.1};
  const double first = std::sqrt(2.0 / kG), speed = std::sqrt(2.0 * kG), e = 0.7;
  for (const double h : {1e-3, 1e-4}) {
    const SimulationResult end =
        simulate(stepped(model, on_rigid_ground(model, rigid_law(e)), h), state, 5.0);
    double expected = first, flying = 2.0 * speed / kG * e;
    std::size_t bounce = 0;
    for (const EventRecord& event : end.events) {
      if (event.name != "ground touches" || bounce == 6) continue;
      // an impact counts from the start of its step, and its speed is that of the start
      EXPECT_NEAR(event.time, expected, 10.0 * h) << bounce;
      expected += flying;
      flying *= e;
      ++bounce;
    }
    EXPECT_EQ(bounce, 6u);
    EXPECT_EQ(end.events.back().name, "ground rests");
    EXPECT_NEAR(end.events.back().time, first + 2.0 * speed / kG * e / (1.0 - e), 100.0 * h);
    EXPECT_NEAR(end.state.r_0.z(), 0.1, 2e-9);
    EXPECT_NEAR(end.contacts[0].energy_lost, 2.0 * kG, 1e-7);
    EXPECT_NEAR(end.contacts[0].impulse, 2.0 * kG * 5.0, 1e-6);
    EXPECT_LE(end.audit.energy_residual(), 1e-11);
  }
}

TEST(TimeStepping, ATumblingBoxConvergesToTheRunFromEventToEvent) {
  const Model model = box();
  State state(model);
  state.r_0 = {0, 0, 0.3};
  state.A_0 = exp_so3(Vector3(0.5, -0.3, 0.2));
  state.v_0 = {0.6, 0.2, 0};
  // with friction and without restitution edges come to stick, where reactions are not unique
  for (const auto& [e, friction] : {std::pair(0.0, 0.0), std::pair(0.5, 0.3)}) {
    const RigidContact::Settings law = on_rigid_ground(model, rigid_law(e, friction));
    const SimulationResult exact = simulate(by_events(stepped(model, law, 1e-3)), state, 0.5);
    ASSERT_GE(exact.contacts[0].count, e == 0.0 ? 1 : 3);
    double before = 0.0;
    for (const double h : {1e-3, 1e-4, 1e-5}) {
      const SimulationResult end = simulate(stepped(model, law, h), state, 0.5);
      const double apart = (end.state.r_0 - exact.state.r_0).norm() +
                           0.2 * log_so3(end.state.A_0.transpose() * exact.state.A_0).norm();
      EXPECT_LE(apart, 2.0 * h) << e;  // an impact is early or late by half a step
      EXPECT_TRUE(before == 0.0 || e == 0.0 || apart < 0.3 * before) << apart;
      before = apart;
    }
  }
}

TEST(TimeStepping, NoFlightOfRandomBoxesGainsEnergyByContact) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const auto vector = [&] {
    return Vector3(2.0 * unit(random) - 1.0, 2.0 * unit(random) - 1.0, 2.0 * unit(random) - 1.0);
  };
  const Model model = box();
  long impacts = 0;
  for (int i = 0; i < 100; ++i) {
    State state(model);
    state.r_0 = {0, 0, 0.3};
    state.A_0 = exp_so3(Vector3(3.0 * vector()));
    state.v_0 = 2.0 * vector();
    state.omega_0 = 8.0 * vector();
    const RigidContact::Settings law =
        on_rigid_ground(model, rigid_law(unit(random), 1.5 * unit(random)));
    const SimulationResult end = simulate(stepped(model, law, 1e-3), state, 1.0);
    impacts += end.contacts[0].count;
    EXPECT_GE(end.contacts[0].energy_lost, 0.0) << i;
    EXPECT_LE(end.contacts[0].friction_work, 0.0) << i;
    // the rule conserves energy of a tumbling box to h²
    EXPECT_LE(end.audit.energy_residual(), 3e-3) << i;
    EXPECT_LE(end.contacts[0].residual, 1e-8) << i;
  }
  EXPECT_GT(impacts, 100);
}

TEST(TimeStepping, OrderIsTwoWhereNothingTouches) {
  const Model model = box();
  State state(model);
  state.r_0 = {0, 0, 100.0};
  state.omega_0 = {1.0, 4.0, -2.0};
  const RigidContact::Settings law = on_rigid_ground(model, rigid_law(0.0));
  const SimulationResult exact = simulate(by_events(stepped(model, law, 0.01)), state, 1.0);
  double before = 0.0;
  for (const double h : {0.01, 0.005, 0.0025}) {
    const SimulationResult end = simulate(stepped(model, law, h), state, 1.0);
    const double error = log_so3(end.state.A_0.transpose() * exact.state.A_0).norm();
    EXPECT_TRUE(before == 0.0 || std::abs(before / error - 4.0) < 0.2) << before / error;
    before = error;
  }
}

TEST(TimeStepping, FrictionOfAJointIsImplicit) {
  LinkDescription slider =
      link_body("slider", "base", 2.0, Vector3::Constant(0.1), Vector3::Zero(), Vector3::Zero());
  slider.joint.type = JointType::prismatic;
  slider.joint.friction.coulomb = 5.0;
  slider.joint.friction.breakaway = 6.0;
  const Model model =
      ModelBuilder("rail").set_base(base_body(1.0, Vector3::Ones())).add_link(slider).build();
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.base_mode = BaseMode::fixed;
  setup.forces = {std::make_shared<AppliedJointTorque>(
      "push", 1, TimeTable::constant(VectorX::Constant(1, 8.0), 0.0, 1.0))};
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  const SimulationResult exact = simulate(setup, State(model), 2.0);
  // while it slides its bristle bends at 1500/s
  double before = 0.0;
  for (const double h : {4e-3, 1e-3, 2.5e-4}) {
    setup.integrator = fixed_step(IntegrationMethod::time_stepping, h);
    const SimulationResult end = simulate(setup, State(model), 2.0);
    const double error = std::abs(end.state.q(0) - exact.state.q(0));
    EXPECT_LE(error, 0.2 * h) << h;
    EXPECT_TRUE(before == 0.0 || error < 0.2 * before) << before / error;
    EXPECT_LE(end.audit.energy_residual(), 1e-6) << h;
    before = error;
  }
}

TEST(TimeStepping, APoissonImpactIsRefused) {
  const Model model = ball(1.0, 0.1);
  const SimulationSetup setup =
      stepped(model, on_rigid_ground(model, rigid_law(0.5, 0.0, ImpactLaw::poisson)), 0.01);
  EXPECT_THROW(Simulator{setup}, DomainError);
}

}  // namespace
}  // namespace spacedyn::testing::time_stepping_test
