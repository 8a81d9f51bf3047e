// Compliant contact against closed forms: impacts, rest, sliding, rolling, slopes, momentum.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/contact_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::contact_test {
namespace {

constexpr double kG = 9.81;

double time_of(const SimulationResult& result, const std::string& name, int which = 0) {
  for (const EventRecord& event : result.events) {
    if (event.name == name && which-- == 0) return event.time;
  }
  ADD_FAILURE() << "no event '" << name << "'";
  return 0.0;
}

SimulationSetup flight(const Model& model, const ContactForce::Settings& settings,
                       const Vector3& gravity = Vector3::Zero(), double tolerance = 1e-10) {
  SimulationSetup setup = contact_setup(model, settings, gravity);
  setup.integrator = adaptive(IntegrationMethod::dop853, tolerance);
  return setup;
}

/// A ball of 1 kg and 0.1 m that falls on the ground without gravity, 0.05 m above it.
SimulationResult drop(const NormalContact::Settings& law, double speed) {
  const Model model = ball(1.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.15};
  state.v_0 = {0, 0, -speed};
  return simulate(flight(model, on_ground(model, law)), state, 0.05 / speed + 3.0);
}

TEST(Contact, AnImpactHasTheRestitutionOfTheFile) {
  for (const double e : {0.05, 0.2, 0.5, 0.8, 1.0}) {
    for (const double n : {1.0, 1.5, 2.0}) {
      const double speed = 0.3 + 0.4 * e * n;
      const SimulationResult end = drop(hunt_crossley(1e5, e, n), speed);
      // tolerances of the integration; 0.002 is what is asked for
      EXPECT_NEAR(end.state.v_0.z() / speed, e, 1e-6) << e << ' ' << n;
      EXPECT_LE(end.audit.energy_residual(), 1e-7);
      // impulse of the normal force: change of momentum
      ASSERT_EQ(end.contacts.size(), 1u);
      EXPECT_NEAR(end.contacts[0].impulse, (1.0 + e) * speed, 1e-7);
      EXPECT_EQ(end.contacts[0].count, 1);
      EXPECT_NEAR(end.contacts[0].first, 0.05 / speed, 1e-12);
      EXPECT_EQ(end.contacts[0].last, time_of(end, "ground lifts"));
    }
  }
}

TEST(Contact, EachOfSeveralContactsHasItsOwnHistory) {
  const Model model = two_balls(1.0, 0.1, 2.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.15};
  state.v_0 = {0, 0, -0.4};
  state.q.head<3>() = Vector3(1, 0, 0.05);
  ContactForce::Settings first =
      on_ground(model, hunt_crossley(1e5, 0.3, 1.5), bristle(0.3, 1e4, 20.0));
  ContactForce::Settings second = first;
  first.pairs.pop_back();
  second.pairs.erase(second.pairs.begin());
  SimulationSetup setup = flight(model, first);
  setup.forces.push_back(std::make_shared<ContactForce>("second", second));
  const SimulationResult end = simulate(setup, state, 3.0);
  ASSERT_EQ(end.contacts.size(), 2u);
  for (const ContactSummary& contact : end.contacts) EXPECT_EQ(contact.count, 1) << contact.name;
  // both balls come back with e of their speed
  EXPECT_NEAR(end.contacts[0].impulse, 1.3 * 0.4 * 1.0, 1e-6);
  EXPECT_NEAR(end.contacts[1].impulse, 1.3 * 0.4 * 2.0, 1e-6);
  EXPECT_NEAR(end.state.v_0.z(), 0.3 * 0.4, 1e-6);
  EXPECT_LE(end.audit.energy_residual(), 1e-7);
}

TEST(Contact, LinearHasItsClosedRestitutionAndDuration) {
  // e = exp(−ζ φ/√(1 − ζ²)), φ = atan2(2 ζ √(1 − ζ²), 2 ζ² − 1)
  const double known[][2] = {
      {0.05, 0.85875810}, {0.1, 0.74407940}, {0.2, 0.57174003}, {0.5, 0.29843606}};
  for (const auto& [zeta, e] : known) {
    const SimulationResult end = drop(linear_law(1e5, 2.0 * zeta * std::sqrt(1e5)), 0.7);
    EXPECT_NEAR(end.state.v_0.z() / 0.7, e, 2e-8) << zeta;
    EXPECT_LE(end.audit.energy_residual(), 1e-8);
  }
}

TEST(Contact, AnElasticImpactLastsHalfAPeriodAndPressesWithItsEnergy) {
  const SimulationResult end = drop(linear_law(1e5, 0.0), 0.5);
  const double omega = std::sqrt(1e5);
  EXPECT_NEAR(time_of(end, "ground lifts") - time_of(end, "ground touches"), kPi / omega, 1e-11);
  EXPECT_NEAR(end.contacts[0].largest_force, omega * 0.5, 1e-5 * omega);
  EXPECT_NEAR(end.state.v_0.z(), 0.5, 1e-9);
}

TEST(Contact, ABouncingBallReturnsInAGeometricSeries) {
  const Model model = ball(1.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 1.1};
  const SimulationResult end =
      simulate(flight(model, on_ground(model, hunt_crossley(1e9, 0.8)), {0, 0, -kG}), state, 4.0);
  EXPECT_NEAR(time_of(end, "ground touches"), std::sqrt(2.0 / kG), 1e-11);
  double before = 2.0 * std::sqrt(2.0 / kG);
  for (int bounce = 0; bounce < 5; ++bounce) {
    const double flight_time =
        time_of(end, "ground touches", bounce + 1) - time_of(end, "ground lifts", bounce);
    // gravity acts during the impact, too: some m g/F of it
    EXPECT_NEAR(flight_time / before, 0.8, 2e-3) << bounce;
    before = flight_time;
  }
}

TEST(Contact, ABallComesToRestWhereTheElasticForceIsItsWeight) {
  const Model model = ball(2.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.11};
  for (const double n : {1.0, 1.5}) {
    const double k = 1e5;
    SimulationSetup setup =
        flight(model, on_ground(model, hunt_crossley(k, 0.3, n)), {0, 0, -kG}, 1e-9);
    const State end = simulate(setup, state, 3.0).state;
    EXPECT_NEAR(0.1 - end.r_0.z(), std::pow(2.0 * kG / k, 1.0 / n), 1e-8) << n;
    EXPECT_NEAR(end.v_0.norm(), 0.0, 1e-6);
  }
}

TEST(Contact, AContactThatBeginsAtTheStartRemembersItsSpeed) {
  const Model model = ball(1.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.1};
  state.v_0 = {0, 0, -0.4};
  const SimulationResult end =
      simulate(flight(model, on_ground(model, hunt_crossley(1e5, 0.5))), state, 1.0);
  EXPECT_NEAR(end.state.v_0.z(), 0.2, 1e-7);
  EXPECT_EQ(end.contacts[0].first, 0.0);
}

TEST(Contact, ASlidingBallRollsAtFiveSeventhsOfItsSpeed) {
  const Model model = ball(1.0, 0.1);
  const double k = 1e5, mu = 0.3;
  State state(model);
  state.r_0 = {0, 0, 0.1 - kG / k};
  state.v_0 = {1, 0, 0};
  const SimulationResult end = simulate(
      flight(model, on_ground(model, linear_law(k, 100.0), coulomb(mu, 1e-4)), {0, 0, -kG}, 1e-8),
      state, 0.2);
  EXPECT_NEAR(end.state.v_0.x(), 5.0 / 7.0, 1e-7);
  EXPECT_NEAR(end.state.omega_0.y(), 50.0 / 7.0, 1e-6);
  // it slides for 2 v/(7 μ g) over 12 v²/(49 μ g); the regularization shifts this by some of v_ε
  const double t = 2.0 / (7.0 * mu * kG), x = 12.0 / (49.0 * mu * kG);
  EXPECT_NEAR(end.state.r_0.x(), x + 5.0 / 7.0 * (0.2 - t), 2e-6);
  // friction took 2/7 of the kinetic energy
  EXPECT_NEAR(end.contacts[0].friction_work, -1.0 / 7.0, 1e-6);
}

SimulationSetup block_on_slope(double angle, const ContactFriction& friction, State& state) {
  const Model model =
      body_with(shape_of(CollisionType::box, "block", {0.4, 0.4, 0.1}), 3.0, {0.05, 0.05, 0.08});
  state = State(model);
  const auto slope = std::make_shared<PlaneTerrain>(PlaneTerrain::slope(angle, 0.0));
  const double k = 1e5;
  state.A_0 = exp_so3({0, -angle, 0});
  state.r_0 = (0.05 - 3.0 * kG * std::cos(angle) / (4.0 * k)) * slope->normal(0, 0);
  return flight(model, on_ground(model, linear_law(k, 300.0), friction, slope), {0, 0, -kG}, 1e-8);
}

TEST(Contact, ABlockSlidesDownASteepSlope) {
  State state;
  const double angle = 25.0 * kDegree, mu = 0.3;
  const SimulationSetup setup = block_on_slope(angle, coulomb(mu, 1e-4), state);
  const State end = simulate(setup, state, 1.0).state;
  const Vector3 down(-std::cos(angle), 0.0, -std::sin(angle));
  // while it starts friction is below μ F_n for some v_ε
  EXPECT_NEAR(end.v_0.dot(down), kG * (std::sin(angle) - mu * std::cos(angle)), 2e-4);
}

TEST(Contact, ABlockSticksToAFlatSlopeWithoutCreepOnABristle) {
  State state;
  const double angle = 15.0 * kDegree;
  const SimulationSetup setup = block_on_slope(angle, bristle(0.3, 1e5, 300.0), state);
  const State early = simulate(setup, state, 1.0).state, late = simulate(setup, state, 3.0).state;
  EXPECT_NEAR((late.r_0 - early.r_0).norm(), 0.0, 1e-9);
  EXPECT_NEAR(late.v_0.norm(), 0.0, 1e-9);
  // on four bristles of 1e5 N/m it has moved by its weight along the slope, and slid some at first
  EXPECT_NEAR((late.r_0 - state.r_0).norm(), 3.0 * kG * std::sin(angle) / 4e5, 3e-5);
  // the regularized law creeps, more slowly than the slip velocity
  const SimulationSetup creeping = block_on_slope(angle, coulomb(0.3, 1e-3), state);
  const State crept = simulate(creeping, state, 1.0).state;
  EXPECT_GT(crept.v_0.norm(), 1e-5);
  EXPECT_LT(crept.v_0.norm(), 1e-3);
}

TEST(Contact, ABallRollsDownASlopeWithFiveSeventhsOfItsPull) {
  const double angle = 20.0 * kDegree, k = 1e5;
  const Model model = ball(1.0, 0.1);
  const auto slope = std::make_shared<PlaneTerrain>(PlaneTerrain::slope(angle, 0.7));
  State state(model);
  state.r_0 = (0.1 - kG * std::cos(angle) / k) * slope->normal(0, 0);
  const SimulationResult end = simulate(
      flight(model, on_ground(model, linear_law(k, 200.0), bristle(0.5, 1e5, 100.0), slope),
             {0, 0, -kG}, 1e-9),
      state, 1.0);
  // bristles let it slip by their deflection at the beginning
  EXPECT_NEAR(end.state.v_0.norm(), 5.0 / 7.0 * kG * std::sin(angle), 1e-4);
  EXPECT_NEAR(end.state.omega_0.norm() * 0.1, end.state.v_0.norm(), 1e-4);
}

TEST(Contact, RollingAndSpinningFrictionSlowARollingBallDown) {
  const Model model = ball(1.0, 0.1);
  const double k = 1e5, rho = 1e-3;
  ContactFriction friction = coulomb(0.5, 1e-4);
  friction.rolling = rho;
  friction.spinning = 2e-3;
  friction.slip_rate = 1e-3;
  State state(model);
  state.r_0 = {0, 0, 0.1 - kG / k};
  state.v_0 = {1, 0, 0};
  state.omega_0 = {0, 10, 5};
  const SimulationResult end =
      simulate(flight(model, on_ground(model, linear_law(k, 200.0), friction), {0, 0, -kG}, 1e-8),
               state, 0.5);
  // (m + I/r²) a = −ρ m g/r, I ω̇_z = −σ m g
  EXPECT_NEAR(end.state.v_0.x(), 1.0 - 5.0 / 7.0 * rho / 0.1 * kG * 0.5, 2e-5);
  EXPECT_NEAR(end.state.omega_0.z(), 5.0 - 2e-3 * kG / 4e-3 * 0.5, 2e-4);
}

TEST(Contact, TwoCollidingBallsKeepTheirMomentum) {
  const Model model = two_balls(2.0, 0.2, 0.5, 0.1);
  State state(model);
  state.v_0 = {0.5, 0, 0};
  state.omega_0 = {0, 0, 2};
  state.q.head<3>() = Vector3(1.0, 0.1, 0.05);  // misses by less than the radii
  // (−1, −0.2, 0) in inertial axes: the coordinates are in those of the first ball, which spins
  state.qd.head<3>() = Vector3(-1.0, -0.2, 0.0) - state.omega_0.cross(state.q.head<3>());
  SimulationSetup setup =
      flight(model, between_two(model, hunt_crossley(1e6, 0.7), bristle(0.4, 1e6, 100.0)));
  const SimulationResult end = simulate(setup, state, 3.0);
  ASSERT_EQ(end.contacts[0].count, 1);
  EXPECT_LE(end.audit.linear_drift(), 1e-13);
  EXPECT_LE(end.audit.angular_drift(), 1e-11);  // kept by the tolerances of the integration
  EXPECT_LE(end.audit.energy_residual(), 1e-8);
  EXPECT_LT(end.final_energy.total(), end.initial_energy.total());
}

TEST(Contact, AHeadOnImpactOfTwoBallsIsNeverPassedOver) {
  // no force before it: steps become as long as the flight
  const Model model = two_balls(1.0, 0.05, 3.0, 0.05);
  State state(model);
  state.v_0 = {1.0, 0, 0};
  state.q.head<3>() = Vector3(40.0, 0, 0);
  state.qd.head<3>() = Vector3(-1.0, 0, 0);
  for (const auto method : {IntegrationMethod::dop853, IntegrationMethod::dopri5}) {
    SimulationSetup setup = flight(model, between_two(model, hunt_crossley(1e6, 0.5)));
    setup.integrator.method = method;
    const SimulationResult end = simulate(setup, state, 100.0);
    ASSERT_EQ(end.contacts[0].count, 1);
    EXPECT_NEAR(end.contacts[0].first, 39.9, 1e-9);
    // relative velocity −e times what it was
    EXPECT_NEAR(end.state.qd(0), 0.5, 1e-6);
  }
}

TEST(Contact, TumblingBodiesNeverGainEnergyFromTheGround) {
  for (const CollisionType type : all_collision_types()) {
    const Model model =
        body_with(shape_of(type, "body", {0.2, 0.3, 0.25}), 1.0, {0.01, 0.012, 0.008});
    State state(model);
    state.r_0 = {0, 0, 0.6};
    state.v_0 = {0.3, 0.1, 0};
    state.omega_0 = {2.0, -3.0, 1.0};
    // elastic: what is stored comes back
    SimulationSetup setup =
        flight(model, on_ground(model, hunt_crossley(1e5, 1.0)), {0, 0, -kG}, 1e-9);
    const SimulationResult elastic = simulate(setup, state, 1.0);
    EXPECT_NEAR(elastic.final_energy.total(), elastic.initial_energy.total(), 1e-6)
        << to_string(type);
    EXPECT_GE(elastic.contacts[0].count, 1);
    setup =
        flight(model, on_ground(model, hunt_crossley(1e5, 0.4), coulomb(0.4)), {0, 0, -kG}, 1e-8);
    Trajectory observer;
    const SimulationResult lossy = Simulator(setup).run(state, 1.0, 0.01, observer);
    EXPECT_LE(lossy.audit.energy_residual(), 1e-7) << to_string(type);
    EXPECT_LT(lossy.contacts[0].friction_work, 0.0);
    for (std::size_t i = 1; i < observer.points.size(); ++i) {
      ASSERT_LE(observer.points[i].energy.total(), observer.points[i - 1].energy.total() + 1e-7);
    }
  }
}

TEST(Contact, GoesOnFromACheckpointBitForBit) {
  class Stopping final : public SimulationObserver {
   public:
    void on_output(const SimulationPoint&) override {}
    bool on_step(double time, const IntegratorStatistics&) override { return time < stop_at; }
    void on_checkpoint(const Checkpoint& given) override { checkpoint = given; }
    double stop_at = 0.462;
    Checkpoint checkpoint;
  };
  const Model model = ball(1.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 1.1};
  state.v_0 = {0.5, 0, 0};
  const SimulationSetup setup = flight(
      model, on_ground(model, hunt_crossley(1e4, 0.6), bristle(0.3, 1e4, 10.0)), {0, 0, -kG}, 1e-8);
  const SimulationResult whole = simulate(setup, state, 1.0);
  Stopping stopping;
  Simulator(setup).run(state, 1.0, 1.0, stopping);
  stopping.stop_at = 10.0;
  const SimulationResult resumed = Simulator(setup).resume(stopping.checkpoint, stopping);
  EXPECT_EQ(resumed.state.r_0, whole.state.r_0);
  EXPECT_EQ(resumed.state.z, whole.state.z);
  EXPECT_EQ(resumed.contacts[0].impulse, whole.contacts[0].impulse);
  EXPECT_EQ(resumed.contacts[0].largest_force, whole.contacts[0].largest_force);
  EXPECT_EQ(resumed.contacts[0].count, whole.contacts[0].count);
}

TEST(Contact, MethodsOfAllKindsAgree) {
  const Model model = ball(1.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.15};
  state.v_0 = {0.2, 0, -0.5};
  SimulationSetup setup =
      flight(model, on_ground(model, hunt_crossley(1e4, 0.6), coulomb(0.3)), {0, 0, -kG});
  const State exact = simulate(setup, state, 0.3).state;
  for (const auto method : {IntegrationMethod::dopri5, IntegrationMethod::rodas}) {
    setup.integrator = adaptive(method, 1e-7);
    const State end = simulate(setup, state, 0.3).state;
    EXPECT_NEAR((end.r_0 - exact.r_0).norm(), 0.0, 1e-5) << to_string(method);
  }
  setup.integrator = {};
  setup.integrator.method = IntegrationMethod::rk4;
  setup.integrator.step = 2e-5;
  const State end = simulate(setup, state, 0.3).state;
  EXPECT_NEAR((end.r_0 - exact.r_0).norm(), 0.0, 1e-5);
}

}  // namespace
}  // namespace spacedyn::testing::contact_test
