// Rigid contact against closed forms: bounces, rest, sliding, rolling, slopes, impacts, momentum.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::rigid_contact_test {
namespace {

constexpr double kG = 9.81;

std::vector<double> times_of(const SimulationResult& result, const std::string& name) {
  std::vector<double> times;
  for (const EventRecord& event : result.events) {
    if (event.name == name) times.push_back(event.time);
  }
  return times;
}

SimulationSetup flight(const Model& model, const RigidContact::Settings& settings,
                       const Vector3& gravity = Vector3::Zero(), double tolerance = 1e-10) {
  SimulationSetup setup = rigid_setup(model, settings, gravity);
  setup.integrator = adaptive(IntegrationMethod::dop853, tolerance);
  return setup;
}

Vector3 down_a_slope(double angle) { return {kG * std::sin(angle), 0, -kG * std::cos(angle)}; }

TEST(RigidContactRun, BouncesFollowAGeometricSeriesAndEndAtItsSum) {
  const Model model = ball(2.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 1.1};
  const double first = std::sqrt(2.0 / kG), speed = std::sqrt(2.0 * kG);
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    for (const double e : {0.5, 0.8}) {
      const SimulationResult end = simulate(
          flight(model, on_rigid_ground(model, rigid_law(e, 0.0, law)), {0, 0, -kG}), state, 6.0);
      const std::vector<double> touches = times_of(end, "ground touches");
      ASSERT_GE(touches.size(), 12u) << e;
      double expected = first, flying = 2.0 * speed / kG * e;
      for (const double touch : touches) {
        EXPECT_NEAR(touch, expected, 1e-9) << e;
        expected += flying;
        flying *= e;
      }
      const std::vector<double> rests = times_of(end, "ground rests");
      ASSERT_EQ(rests.size(), 1u);
      EXPECT_NEAR(rests[0], first + 2.0 * speed / kG * e / (1.0 - e), 1e-8) << e;
      EXPECT_NEAR(end.state.r_0.z(), 0.1, 1e-15);
      EXPECT_NEAR(end.state.v_0.norm(), 0.0, 1e-15);
      EXPECT_NEAR(end.contacts[0].impulse, 2.0 * kG * 6.0, 1e-7);  // that of the weight
      EXPECT_NEAR(end.contacts[0].energy_lost, 2.0 * kG * 1.0, 1e-7);
      EXPECT_LE(end.audit.energy_residual(), 1e-11);
    }
  }
}

TEST(RigidContactRun, ASlidingBallRollsAtFiveSeventhsOfItsSpeed) {
  const Model model = ball(1.5, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.1};
  state.v_0 = {1.0, 0, 0};
  const double time = 2.0 / (7.0 * 0.3 * kG);
  const SimulationSetup setup =
      flight(model, on_rigid_ground(model, rigid_law(0.5, 0.3)), {0, 0, -kG});
  EXPECT_NEAR(simulate(setup, state, time).state.r_0.x(), 12.0 / (49.0 * 0.3 * kG), 1e-12);
  const SimulationResult end = simulate(setup, state, 1.0);
  EXPECT_NEAR(end.state.v_0.x(), 5.0 / 7.0, 1e-12);
  EXPECT_NEAR(end.state.omega_0.y(), 50.0 / 7.0, 1e-11);
  EXPECT_NEAR(end.state.r_0.x(), 12.0 / (49.0 * 0.3 * kG) + 5.0 / 7.0 * (1.0 - time), 1e-11);
  EXPECT_NEAR(end.contacts[0].friction_work, -1.5 / 7.0, 1e-11);
  EXPECT_NEAR(end.contacts[0].largest_force, 1.5 * kG, 1e-11);
  // a long step multiplies roundings of the normal force by the coefficients of its stages, some
  // 100
  EXPECT_LE(end.audit.energy_residual(), 1e-11);
  EXPECT_LE(end.contacts[0].residual, 1e-13);
}

TEST(RigidContactRun, ABlockOnASlopeSticksOrSlides) {
  const Model model =
      body_with(shape_of(CollisionType::box, "box", {0.4, 0.3, 0.2}), 3.0, {0.1, 0.12, 0.14});
  State state(model);
  state.r_0 = {0, 0, 0.1};
  const double friction = 0.5;
  for (const double angle : {0.3, 0.463, 0.4637, 0.6}) {
    const SimulationResult end = simulate(
        flight(model, on_rigid_ground(model, rigid_law(0.0, friction)), down_a_slope(angle)), state,
        1.0);
    const double a = std::max(0.0, kG * (std::sin(angle) - friction * std::cos(angle)));
    EXPECT_NEAR(end.state.v_0.x(), a, 1e-11) << angle;
    EXPECT_NEAR(end.state.r_0.x(), 0.5 * a, 1e-11) << angle;
    EXPECT_NEAR(end.contacts[0].impulse, 3.0 * kG * std::cos(angle), 1e-9);
    EXPECT_TRUE(a == 0.0 || end.audit.energy_residual() <= 1e-10) << angle;
  }
}

TEST(RigidContactRun, ABlockThatSlidesUpASlopeComesToRestOrTurnsBack) {
  const Model model =
      body_with(shape_of(CollisionType::box, "box", {0.4, 0.3, 0.2}), 3.0, {0.1, 0.12, 0.14});
  State state(model);
  state.r_0 = {0, 0, 0.1};
  state.v_0 = {-1.0, 0, 0};
  for (const double angle : {0.3, 0.6}) {
    const double up = kG * (std::sin(angle) + 0.5 * std::cos(angle));
    const double back = std::max(0.0, kG * (std::sin(angle) - 0.5 * std::cos(angle)));
    const double stop = 1.0 / up;
    const SimulationResult end =
        simulate(flight(model, on_rigid_ground(model, rigid_law(0.0, 0.5)), down_a_slope(angle)),
                 state, 1.0);
    EXPECT_NEAR(end.state.r_0.x(), -0.5 / up + 0.5 * back * (1 - stop) * (1 - stop), 1e-10);
    EXPECT_NEAR(end.state.v_0.x(), back * (1.0 - stop), 1e-10);
  }
}

TEST(RigidContactRun, ABallRollsDownASlopeAsLongAsFrictionBearsIt) {
  const Model model = ball(1.0, 0.2);
  State state(model);
  state.r_0 = {0, 0, 0.2};
  for (const double angle : {0.2, 0.5, 0.9}) {
    const double friction = 0.2;
    const SimulationResult end = simulate(
        flight(model, on_rigid_ground(model, rigid_law(0.0, friction)), down_a_slope(angle)), state,
        1.0);
    const bool rolls = friction >= 2.0 / 7.0 * std::tan(angle);
    const double a = rolls ? 5.0 / 7.0 * kG * std::sin(angle)
                           : kG * (std::sin(angle) - friction * std::cos(angle));
    EXPECT_NEAR(end.state.v_0.x(), a, 1e-10) << angle;
    EXPECT_NEAR(end.state.omega_0.y() * 0.2, rolls ? a : 2.5 * friction * kG * std::cos(angle),
                1e-10);
  }
}

TEST(RigidContactRun, ABoxThatLandsFlatBouncesOnAllItsCorners) {
  const Model model =
      body_with(shape_of(CollisionType::box, "box", {0.4, 0.3, 0.2}), 3.0, {0.1, 0.12, 0.14});
  State state(model);
  state.r_0 = {0, 0, 0.6};
  const SimulationResult end =
      simulate(flight(model, on_rigid_ground(model, rigid_law(0.5, 0.4)), {0, 0, -kG}), state, 3.0);
  const double first = std::sqrt(2.0 * 0.5 / kG);
  const std::vector<double> touches = times_of(end, "ground touches");
  ASSERT_GE(touches.size(), 5u);
  EXPECT_NEAR(touches[1], 2.0 * first, 1e-9);
  EXPECT_NEAR(touches[2], 2.5 * first, 1e-9);
  ASSERT_EQ(times_of(end, "ground rests").size(), 1u);
  EXPECT_NEAR(times_of(end, "ground rests")[0], 3.0 * first, 1e-8);
  EXPECT_NEAR(end.state.r_0.z(), 0.1, 1e-14);
  EXPECT_NEAR(end.state.omega_0.norm(), 0.0, 1e-12);
}

TEST(RigidContactRun, BallsOnARailPassTheirImpactOn) {
  const Model model = balls_on_a_rail({1, 1, 1, 1, 1});
  SimulationSetup setup = flight(model, along_a_rail(model, rigid_law(1.0)));
  setup.base_mode = BaseMode::fixed;
  for (int moving = 1; moving <= 4; ++moving) {
    State state(model);
    for (int i = 0; i < moving; ++i) {
      state.q(i) = -0.3;
      state.qd(i) = 1.0;
    }
    const SimulationResult end = simulate(setup, state, 1.0);
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(end.state.qd(i), i < 5 - moving ? 0.0 : 1.0, 1e-12) << moving << ' ' << i;
      EXPECT_NEAR(end.state.q(i), i < 5 - moving ? 0.0 : 0.7, 1e-11) << moving << ' ' << i;
    }
    EXPECT_EQ(times_of(end, "ground touches").size(), 1u);
    EXPECT_NEAR(times_of(end, "ground touches")[0], 0.3, 1e-12);
    EXPECT_LE(end.audit.energy_residual(), 1e-13);
  }
}

TEST(RigidContactRun, BallsOfOtherMassesTakeTheirTurns) {
  // 2 kg on 1 kg, that on 0.5 kg
  const Model model = balls_on_a_rail({2, 1, 0.5});
  SimulationSetup setup = flight(model, along_a_rail(model, rigid_law(0.7)));
  setup.base_mode = BaseMode::fixed;
  State state(model);
  state.qd(0) = 1.0;
  state.q << -0.1, 0.0, 0.0;
  const SimulationResult end = simulate(setup, state, 0.2);
  const double second = 1.7 * 2.0 / 3.0, third = 1.7 / 1.5 * second;
  EXPECT_NEAR(end.state.qd(0), 1.0 - 0.5 * second, 1e-12);
  EXPECT_NEAR(end.state.qd(1), second - 0.5 * third, 1e-12);
  EXPECT_NEAR(end.state.qd(2), third, 1e-12);
}

TEST(RigidContactRun, ABallBetweenTwoWallsKeepsOrLosesItsSpeed) {
  const Model model = balls_on_a_rail({1, 1, 1});
  for (const double e : {1.0, 0.5}) {
    SimulationSetup setup = flight(model, along_a_rail(model, rigid_law(e)));
    setup.base_mode = BaseMode::fixed;
    setup.locked_joints = {1, 3};
    State state(model);
    state.q << -0.5, 0.0, 0.5;  // gaps of 0.5 m on both sides
    state.qd(1) = 2.0;
    const SimulationResult end = simulate(setup, state, e == 1.0 ? 7.1 : 5.0);
    const std::vector<double> touches = times_of(end, "ground touches");
    double expected = 0.25, speed = 2.0;
    for (const double touch : touches) {
      EXPECT_NEAR(touch, expected, 1e-9);
      speed *= e;
      expected += 1.0 / speed;
    }
    EXPECT_EQ(touches.size(), e == 1.0 ? 14u : 3u);
    EXPECT_NEAR(std::abs(end.state.qd(1)), speed, 1e-12);
  }
}

/// What an impulse at x, z from the centroid of the rod does to the velocity there.
Eigen::Matrix2d rod_response(const Eigen::Vector2d& tip) {
  const double inertia = 1.0 / 12.0;
  Eigen::Matrix2d G;
  G << 1.0 + tip.y() * tip.y() / inertia, -tip.x() * tip.y() / inertia,
      -tip.x() * tip.y() / inertia, 1.0 + tip.x() * tip.x() / inertia;
  return G;
}

/// What Newton's and Coulomb's laws do to the rod: impulses along the tangent and the normal.
Eigen::Vector2d rod_impulse(const Eigen::Vector2d& tip, const Eigen::Vector2d& velocity, double e,
                            double friction) {
  const Eigen::Matrix2d G = rod_response(tip);
  const Eigen::Vector2d stick =
      G.inverse() * Eigen::Vector2d(-velocity.x(), -(1 + e) * velocity.y());
  if (std::abs(stick.x()) <= friction * stick.y()) return stick;
  for (const double side : {1.0, -1.0}) {
    // slides towards −side after the impact
    const double normal = -(1.0 + e) * velocity.y() / (G(1, 1) + side * friction * G(1, 0));
    const Eigen::Vector2d impulse(side * friction * normal, normal);
    const double after = velocity.x() + (G * impulse).x();
    if (normal > 0.0 && after * side <= 0.0) return impulse;
  }
  ADD_FAILURE();
  return stick;
}

TEST(RigidContactRun, AFreeRodStrikesTheGroundAsItsClosedFormSays) {
  const Model model = rod_with_tip();
  for (const double friction : {0.0, 0.2, 1.0}) {
    for (const double angle : {0.3, 1.0, 1.4}) {
      for (const double speed : {-0.7, 0.0, 1.5}) {
        State state(model);
        // the tip below, its ball of 1 mm above the ground by 5 mm
        state.A_0 = exp_so3(Vector3(0, angle, 0));
        const Vector3 tip = state.A_0 * Vector3(0.5, 0, 0);
        state.r_0 = Vector3(0, 0, 0.006) - Vector3(0, 0, tip.z());
        state.v_0 = {speed, 0, -1.0};
        const SimulationResult end = simulate(
            flight(model, on_rigid_ground(model, rigid_law(0.6, friction))), state, 0.0051);
        const Eigen::Vector2d arm(tip.x(), tip.z() - 0.001);
        const Eigen::Vector2d before(speed, -1.0);
        const Eigen::Vector2d impulse = rod_impulse(arm, before, 0.6, friction);
        if (impulse.dot(before + 0.5 * rod_response(arm) * impulse) > 0.0) {
          // that would add energy: the restitution is reduced until it does not
          EXPECT_NEAR(end.contacts[0].energy_lost, 0.0, 1e-12);
          continue;
        }
        EXPECT_NEAR(end.state.v_0.x(), speed + impulse.x(), 1e-10) << friction << ' ' << angle;
        EXPECT_NEAR(end.state.v_0.z(), -1.0 + impulse.y(), 1e-10) << friction << ' ' << angle;
        EXPECT_NEAR(end.state.omega_0.y(), 12.0 * (arm.y() * impulse.x() - arm.x() * impulse.y()),
                    1e-9);
        EXPECT_LE(end.contacts[0].friction_work, 0.0);
      }
    }
  }
}

TEST(RigidContactRun, JellettsIntegralStaysWhateverFrictionDoes) {
  // a ball whose centroid is off its centre on an axis of symmetry: L · (r_G − r_P) is constant
  const double radius = 0.02, off = 0.0025, mass = 0.015;
  const Model model =
      body_with(sphere_shape("top", radius, {0, 0, off}), mass, {2.3e-6, 2.3e-6, 2.5e-6});
  State state(model);
  state.A_0 = exp_so3(Vector3(0.3, 0, 0));
  state.r_0 = {0, 0, radius - off * std::cos(0.3)};
  state.omega_0 = 150.0 * state.A_0.col(2);
  const auto jellett = [&](const State& at) {
    const Vector3 momentum =
        at.A_0 * Vector3(2.3e-6, 2.3e-6, 2.5e-6).asDiagonal() * at.A_0.transpose() * at.omega_0;
    return momentum.dot(radius * Vector3::UnitZ() - off * at.A_0.col(2));
  };
  for (const double friction : {0.05, 0.3}) {
    const SimulationResult end = simulate(
        flight(model, on_rigid_ground(model, rigid_law(0.0, friction)), {0, 0, -kG}), state, 1.0);
    EXPECT_NEAR(jellett(end.state) / jellett(state), 1.0, 1e-8) << friction;
    EXPECT_LT(end.contacts[0].friction_work, -1e-4);
    EXPECT_LE(end.audit.energy_residual(), 1e-8);
  }
}

TEST(RigidContactRun, TwoBallsWithFrictionKeepTheirMomentum) {
  const Model model = two_balls(2.0, 0.2, 0.5, 0.1);
  State state(model);
  state.v_0 = {0.5, 0, 0};
  state.omega_0 = {0, 0, 2};
  state.q.head<3>() = Vector3(1.0, 0.1, 0.05);
  state.qd.head<3>() = Vector3(-1.0, -0.2, 0.0) - state.omega_0.cross(state.q.head<3>());
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    RigidContact::Settings settings = rigid_law(0.7, 0.4, law);
    settings.pairs = between_two(model, linear_law(1.0, 0.0)).pairs;
    const SimulationResult end = simulate(flight(model, settings), state, 3.0);
    ASSERT_EQ(end.contacts[0].count, 1);
    EXPECT_LE(end.audit.linear_drift(), 1e-13);
    EXPECT_LE(end.audit.angular_drift(), 1e-11);  // kept by the tolerances of the integration
    EXPECT_LE(end.audit.energy_residual(), 1e-11);
    EXPECT_LT(end.contacts[0].friction_work, 0.0);
    EXPECT_GT(end.contacts[0].energy_lost, -end.contacts[0].friction_work);
  }
}

}  // namespace
}  // namespace spacedyn::testing::rigid_contact_test
