// Rigid contact where it ends: random impacts, jams, stiff limits, slow sliding, refusals, resumed
// runs.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/interrupted_run.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::rigid_contact_limits_test {
namespace {

constexpr double kG = 9.81;

SimulationSetup flight(const Model& model, const RigidContact::Settings& settings,
                       const Vector3& gravity = Vector3::Zero(), double tolerance = 1e-10) {
  SimulationSetup setup = rigid_setup(model, settings, gravity);
  setup.integrator = adaptive(IntegrationMethod::dop853, tolerance);
  return setup;
}

TEST(RigidContactLimits, NoImpactOfRandomBodiesAddsEnergy) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const auto vector = [&] {
    return Vector3(2.0 * unit(random) - 1.0, 2.0 * unit(random) - 1.0, 2.0 * unit(random) - 1.0);
  };
  int impacts = 0;
  for (int i = 0; i < 300; ++i) {
    const Model model =
        body_with(shape_of(CollisionType::box, "box", {0.4, 0.3, 0.2}), 1.0, {0.02, 0.03, 0.04});
    const RigidContact::Settings law = rigid_law(
        unit(random), 1.5 * unit(random), i % 2 == 0 ? ImpactLaw::newton : ImpactLaw::poisson);
    SimulationSetup setup = flight(model, on_rigid_ground(model, law), {0, 0, -kG}, 1e-10);
    State state(model);
    state.r_0 = {0, 0, 0.3};
    state.A_0 = exp_so3(Vector3(3.0 * vector()));
    state.v_0 = 2.0 * vector();
    state.omega_0 = 8.0 * vector();
    const SimulationResult end = simulate(setup, state, 0.6);
    impacts += static_cast<int>(end.contacts[0].count);
    EXPECT_GE(end.contacts[0].energy_lost, -1e-12) << i;
    EXPECT_LE(end.contacts[0].friction_work, 0.0) << i;
    // errors of some twenty steps to 1e-10; 1.7e-8 at most with steps to 1e-9
    EXPECT_LE(end.audit.energy_residual(), 1e-8) << i;
    EXPECT_LE(end.contacts[0].residual, 1e-8) << i;
  }
  EXPECT_GT(impacts, 300);
}

TEST(RigidContactLimits, TenThousandRandomImpactsTakeEnergy) {
  // single impacts of a box without gravity: T is exact before and after, so all of it is the
  // impact's doing
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const auto vector = [&](double size) {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vector3(size * (2.0 * Vector3(x, y, z).array() - 1.0));
  };
  const Vector3 size(0.4, 0.3, 0.2), inertia(0.02, 0.03, 0.04);
  const Model model = body_with(shape_of(CollisionType::box, "box", size), 1.0, inertia);
  const auto kinetic = [&](const State& at) {
    const Vector3 omega = at.A_0.transpose() * at.omega_0;
    return 0.5 * (at.v_0.squaredNorm() + omega.dot(inertia.cwiseProduct(omega)));
  };
  long impacts = 0;
  for (int i = 0; i < 100; ++i) {
    const double e = unit(random), friction = 1.5 * unit(random);
    const RigidContact::Settings law =
        rigid_law(e, friction, i % 2 == 0 ? ImpactLaw::newton : ImpactLaw::poisson);
    const SimulationSetup setup = flight(model, on_rigid_ground(model, law));
    for (int k = 0; k < 100; ++k) {
      State state(model);
      state.A_0 = exp_so3(vector(3.0));
      // the lowest corner a micrometre above the ground, and on its way down by 1 to 3 m/s
      const Vector3 corner = -0.5 * state.A_0.row(2).transpose().cwiseSign().cwiseProduct(size);
      const Vector3 arm = state.A_0 * corner;
      state.r_0.z() = 1e-6 - arm.z();
      state.omega_0 = vector(8.0);
      state.v_0 = vector(2.0);
      state.v_0.z() = -1.0 - 2.0 * unit(random) - state.omega_0.cross(arm).z();
      const SimulationResult end = simulate(setup, state, 1e-5);
      const double before = kinetic(state), after = kinetic(end.state);
      impacts += end.contacts[0].count;
      ASSERT_LE(after, before * (1.0 + 1e-12)) << e << ' ' << friction;
      ASSERT_NEAR(before - after, end.contacts[0].energy_lost, 1e-12 * before);
      ASSERT_LE(end.contacts[0].friction_work, 0.0);
    }
  }
  EXPECT_GE(impacts, 10000);
}

TEST(RigidContactLimits, AStiffContactConvergesToTheRigidOne) {
  const Model model = ball(1.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.4};
  state.v_0 = {0.5, 0, 0};
  const Vector3 gravity(0, 0, -kG);
  const SimulationResult rigid =
      simulate(flight(model, on_rigid_ground(model, rigid_law(0.6, 0.3)), gravity), state, 0.5);
  double before = 0.0;
  for (const double stiffness : {1e6, 1e8}) {
    SimulationSetup soft = contact_setup(
        model, on_ground(model, hunt_crossley(stiffness, 0.6), coulomb(0.3, 1e-4)), gravity);
    soft.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
    const SimulationResult end = simulate(soft, state, 0.5);
    const double apart = (end.state.r_0 - rigid.state.r_0).norm();
    // an impact by Hertz's law takes a time in proportion to k to the power −2/5
    EXPECT_LE(apart, stiffness == 1e6 ? 5e-3 : 8e-4);
    EXPECT_TRUE(before == 0.0 || apart < 0.2 * before) << apart;
    before = apart;
  }
}

TEST(RigidContactLimits, ARodThatJamsIsNamed) {
  // Painlevé: a rod pushed over rough ground with its tip ahead
  const Model model = rod_with_tip();
  State state(model);
  state.A_0 = exp_so3(Vector3(0, 1.0, 0));
  const Vector3 tip = state.A_0 * Vector3(0.5, 0, 0);
  state.r_0 = Vector3(0, 0, 0.001) - Vector3(0, 0, tip.z());
  state.v_0 = {1.0, 0, 0};
  const SimulationSetup setup =
      flight(model, on_rigid_ground(model, rigid_law(0.0, 3.0)), {0, 0, -kG});
  try {
    simulate(setup, state, 1.0);
    ADD_FAILURE() << "nothing jams";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("contact 'ground' jams"), std::string::npos)
        << error.what();
  }
}

TEST(RigidContactLimits, MethodsThatCannotKeepItAreRefusedByName) {
  const Model model = ball(1.0, 0.1);
  for (const auto method : {IntegrationMethod::variational, IntegrationMethod::newmark}) {
    SimulationSetup setup = rigid_setup(model, on_rigid_ground(model, rigid_law(0.5)));
    setup.integrator.method = method;
    setup.integrator.step = 0.01;
    try {
      const Simulator simulator(setup);
      ADD_FAILURE();
    } catch (const DomainError& error) {
      EXPECT_EQ(std::string(error.what()), std::string(to_string(method)) +
                                               " cannot keep rigid contacts; 'ground' needs "
                                               "another method");
    }
  }
}

TEST(RigidContactLimits, WrongNumbersAndAStartInsideAreRefused) {
  const Model model = ball(1.0, 0.1);
  const auto refuses = [&](const RigidContact::Settings& law) {
    EXPECT_THROW(RigidContact("c", on_rigid_ground(model, law)), DomainError);
  };
  refuses(rigid_law(-0.1));
  refuses(rigid_law(1.1));
  refuses(rigid_law(0.5, -0.1));
  RigidContact::Settings law = rigid_law(0.5, 0.3);
  law.static_friction = 0.2;
  refuses(law);
  EXPECT_THROW(RigidContact("c", rigid_law(0.5)), DomainError);
  State state(model);
  state.r_0 = {0, 0, 0.05};
  EXPECT_THROW(simulate(flight(model, on_rigid_ground(model, rigid_law(0.5))), state, 1.0),
               DomainError);
}

TEST(RigidContactLimits, AResumedRunIsTheSameBitForBit) {
  const Model model =
      body_with(shape_of(CollisionType::box, "box", {0.4, 0.3, 0.2}), 3.0, {0.1, 0.12, 0.14});
  State state(model);
  state.r_0 = {0, 0, 0.4};
  state.A_0 = exp_so3(Vector3(0.3, 0.2, 0.1));
  state.v_0 = {1.0, 0, 0};
  SimulationSetup setup = flight(model, on_rigid_ground(model, rigid_law(0.3, 0.4)), {0, 0, -kG});
  setup.integrator.max_step = 0.1;  // a box at rest would take one to the end
  SimulationObserver none;
  Simulator whole(setup);
  const SimulationResult once = whole.run(state, 2.0, 0.1, none);
  for (const double at : {0.35, 0.6, 1.5}) {
    InterruptedAt observer(at);
    Simulator first(setup), second(setup);
    first.run(state, 2.0, 0.1, observer);
    ASSERT_GT(observer.kept.time, 0.0);
    const SimulationResult again = second.resume(observer.kept, none);
    EXPECT_EQ(again.state.r_0, once.state.r_0) << at;
    EXPECT_EQ(again.state.A_0, once.state.A_0) << at;
    EXPECT_EQ(again.events.size(), once.events.size()) << at;
    EXPECT_EQ(again.contacts[0].impulse, once.contacts[0].impulse) << at;
    EXPECT_EQ(again.contacts[0].energy_lost, once.contacts[0].energy_lost) << at;
  }
}

/// Two balls that a spring pulls together and that roll and spin on each other.
SimulationSetup pulled_balls() {
  const auto heavy = std::make_shared<const Model>(ball(3.0, 0.3));
  const auto light = std::make_shared<const Model>(ball(1.0, 0.2));
  const Model pair =
      ModelBuilder(aggregate("pair", {{"a", heavy, true, {}}, {"b", light, true, {}}})).build();
  const std::vector<BodyShape> shapes = collision_shapes(pair);
  RigidContact::Settings law = rigid_law(0.0, 0.5);
  law.pairs.push_back({shapes[0], shapes[1], false});
  SimulationSetup setup = flight(pair, law, Vector3::Zero(), 1e-9);
  setup.base_mode = BaseMode::fixed;
  SpringDamper::Settings spring;
  spring.from = pair.robots()[0].base;
  spring.to = pair.robots()[1].base;
  spring.stiffness = 3.0;
  spring.damping = 0.3;
  setup.forces.push_back(std::make_shared<SpringDamper>("spring", spring));
  return setup;
}

// differences of places were rounding there: 88 times the evaluations at 100 km
TEST(RigidContactLimits, BallsRollOnEachOtherFarFromTheOriginAsNearIt) {
  const SimulationSetup setup = pulled_balls();
  const Model& model = *setup.model;
  const auto fly = [&](const Vector3& place) {
    State state(model);
    const Vector3 from[] = {{0, 0, 0}, {0.55, 0.1, 0}};
    const Vector3 speed[] = {{0, 0, 0}, {-0.3, 0.05, 0.1}},
                  turn[] = {{0.1, 0.2, -0.6}, {-0.3, 0.4, 0.2}};
    for (std::size_t i = 0; i < 2; ++i) {
      BaseMotion motion = base_motion(model, model.robots()[i], state);
      motion.r_0 = place + from[i];
      motion.v_0 = speed[i];
      motion.omega_0 = turn[i];
      set_base_motion(model, model.robots()[i], motion, state);
    }
    return simulate(setup, state, 6.0);
  };
  const SimulationResult near = fly(Vector3::Zero());
  EXPECT_GE(near.contacts[0].count, 1);
  // rounding of places grows with the distance, and steps of 1e-9 see it at 1,000 km
  for (const auto& [distance, factor] : {std::pair{1e5, 2}, {1e6, 20}}) {
    const SimulationResult far = fly(distance * Vector3(0.6, -0.7, 0.3));
    EXPECT_LE(far.statistics.evaluations, factor * near.statistics.evaluations) << distance;
    for (std::size_t i = 0; i < 2; ++i) {
      const BaseMotion expected = base_motion(model, model.robots()[i], near.state);
      const BaseMotion actual = base_motion(model, model.robots()[i], far.state);
      // rounding of places over the radius, 1e-15 times the distance, in each of some hundred steps
      // of rolling, which repels neighbouring motions
      const double tolerance = 4e-13 * distance;
      EXPECT_LE((actual.A_0 - expected.A_0).norm(), tolerance) << distance;
      EXPECT_LE((actual.omega_0 - expected.omega_0).norm(), tolerance) << distance;
    }
  }
}

constexpr double kMass = 0.1, kFriction = 0.5, kDamping = 2.0, kOmega = 5.0;

Vector3 heading(double angle) { return {std::cos(angle), std::sin(angle), 0.0}; }

/// A foot that cannot turn, drawn in a circle: at the speed v it needs a force across its path,
/// m Ω v, and along it c v and friction.
SimulationSetup drawn_foot(double v, double Omega) {
  BaseDescription base = base_body(kMass, Vector3::Constant(1e12));
  base.collisions.push_back(sphere_shape("foot", 0.1));
  const Model model = ModelBuilder("foot").set_base(base).build();
  SimulationSetup setup =
      rigid_setup(model, on_rigid_ground(model, rigid_law(0.0, kFriction)), {0, 0, -kG});
  const double along = kDamping * v + kFriction * kMass * kG, across = kMass * Omega * v;
  setup.forces.push_back(std::make_shared<FunctionForce>(
      "pull", [along, across, Omega](const EvaluationContext& context, Loads& loads) {
        const Vector3 direction = heading(Omega * context.time);
        loads.F_b.head<3>() += along * direction + across * Vector3::UnitZ().cross(direction) -
                               kDamping * context.state.v_0;
      }));
  return setup;
}

TEST(RigidContactLimits, AFootDrawnSlowlyTakesStepsOfItsPathWithRodas) {
  // friction turns it at μ g/v: explicit steps would be 10⁴ and more
  for (const double v : {1e-2, 1e-4}) {
    SimulationSetup setup = drawn_foot(v, kOmega);
    setup.integrator = adaptive(IntegrationMethod::rodas, 1e-9);
    // in parts of its speed
    setup.integrator.absolute_tolerance.linear_velocity = 1e-7 * v;
    State start(*setup.model);
    start.r_0 = {0, -v / kOmega, 0.1};
    start.v_0 = v * heading(0.0);
    const SimulationResult end = simulate(setup, start, 1.0);
    // errors of steps add up less than they decay: some tolerances
    EXPECT_LE((end.state.v_0 - v * heading(kOmega)).norm(), 1e-6 * v) << v;
    EXPECT_LE(end.statistics.steps, 1500) << v;
    EXPECT_LE(end.audit.energy_residual(), 1e-7) << v;
  }
}

// differences of places were smaller than their rounding there
TEST(RigidContactLimits, ABallSlidesIntoRollingFarAwayWithRodasToo) {
  const Model model = ball(2.0, 0.1);
  SimulationSetup setup =
      rigid_setup(model, on_rigid_ground(model, rigid_law(0.0, 0.3)), {0, 0, -kG});
  setup.integrator = adaptive(IntegrationMethod::rodas, 1e-8);
  const auto slide = [&](const Vector3& from) {
    State state(model);
    state.r_0 = from + Vector3(0, 0, 0.1);
    state.v_0 = {0.7, 0.2, 0};
    return simulate(setup, state, 1.0);
  };
  // it rolls at 5/7 of its speed
  for (const double distance : {0.0, 1e4, 1e6}) {
    const SimulationResult end = slide(distance * Vector3(1, -2, 0));
    EXPECT_LE((end.state.v_0 - 5.0 / 7.0 * Vector3(0.7, 0.2, 0)).norm(), 1e-6) << distance;
    EXPECT_LE(end.audit.energy_residual(), 1e-6) << distance;
  }
}

TEST(RigidContactLimits, WhatCollidesAtTheStartKeepsTheAudit) {
  const Model model = ball(2.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.1};
  state.v_0 = {0.7, 0.2, -1.0};
  for (const double e : {0.0, 0.5}) {
    const SimulationSetup setup =
        rigid_setup(model, on_rigid_ground(model, rigid_law(e, 0.3)), {0, 0, -kG});
    const SimulationResult end = simulate(setup, state, 0.05);
    EXPECT_GT(end.contacts[0].energy_lost, 0.5);
    EXPECT_NEAR(end.initial_energy.kinetic, 0.5 * 2.0 * state.v_0.squaredNorm(), 1e-15);
    // roundings of two impacts
    EXPECT_LE(end.audit.energy_residual(), 1e-12);
    EXPECT_LE(end.audit.momentum_drift(), 1e-12);
  }
}

}  // namespace
}  // namespace spacedyn::testing::rigid_contact_limits_test
