// Tyres on hard ground: closed form of the brush, friction circle, rest without creep, energy.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/contexts.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::tyre_force_test {
namespace {

constexpr double kRadius = 0.1, kStiffness = 2e4, kFriction = 0.8;

Model one_wheel() {
  LinkDescription wheel =
      link_body("wheel", "base", 1.0, {0.004, 0.005, 0.004}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = Vector3::UnitY();
  return ModelBuilder("one_wheel")
      .set_base(base_body(9.0, {0.1, 0.1, 0.1}))
      .add_link(wheel)
      .build();
}

TyreForce::Settings tyre(TyreModel model = TyreModel::brush) {
  TyreForce::Settings settings;
  settings.link = 1;
  settings.radius = kRadius;
  settings.width = 0.05;
  settings.terrain = std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
  settings.model = model;
  settings.stiffness = kStiffness;
  settings.damping = 100.0;
  settings.friction = kFriction;
  settings.slip_stiffness = 8.0;
  settings.cornering_stiffness = 6.0;
  return settings;
}

/// A wheel pressed in by 1 mm, its carcass where steady rolling leaves it.
State rolling(const Model& model, double slip_x, double slip_y, double rim) {
  State state(model);
  state.r_0 = {0.0, 0.0, kRadius - 1e-3};
  state.qd(0) = rim / kRadius;
  state.v_0 = {rim * (1.0 + slip_x), rim * slip_y, 0.0};
  state.z = Eigen::Vector2d(slip_x * kRadius, slip_y * kRadius);
  return state;
}

TEST(TyreForce, SteadyBrushHasItsClosedForm) {
  const Model model = one_wheel();
  const TyreForce element("tyre", tyre());
  const double F_z = kStiffness * 1e-3;
  for (const double x : {-0.3, -0.05, 0.0, 0.1, 0.28}) {
    for (const double y : {-0.2, 0.0, 0.05, 0.35}) {
      const State state = rolling(model, x, y, 2.0);
      const Snapshot now(model, state);
      VectorX rate(2);
      element.auxiliary_rate(now.at(0.0), rate);
      const double slipping = std::hypot(8.0 * x, 6.0 * y) / (3.0 * kFriction);
      if (slipping < 1.0) {
        EXPECT_NEAR(rate.norm(), 0.0, 1e-14);  // the slip is steady
      }
      Loads loads(model);
      element.apply(now.at(0.0), loads);
      const double rest = std::max(0.0, 1.0 - slipping);
      const double size = kFriction * F_z * (1.0 - rest * rest * rest);
      const Eigen::Vector2d towards(8.0 * x, 6.0 * y);
      const Eigen::Vector2d force =
          slipping > 0.0 ? Eigen::Vector2d(-size * towards.normalized()) : Eigen::Vector2d(0, 0);
      EXPECT_NEAR((loads.force.col(1).head<2>() - force).norm(), 0.0, 1e-12 * F_z);
      EXPECT_NEAR(loads.force(2, 1), F_z, 1e-12 * F_z);
    }
  }
}

TEST(TyreForce, KeepsToTheFrictionCircle) {
  const Model model = one_wheel();
  std::mt19937 engine(3);
  const auto number = [&](double scale) {
    return std::uniform_real_distribution<double>(-scale, scale)(engine);
  };
  for (const TyreModel kind : {TyreModel::brush, TyreModel::pacejka}) {
    const TyreForce element("tyre", tyre(kind));
    for (int i = 0; i < 2000; ++i) {
      State state = rolling(model, number(3.0), number(3.0), number(2.0));
      state.v_0 = {number(1.0), number(1.0), number(0.05)};
      Loads loads(model);
      element.apply(Snapshot(model, state).at(0.0), loads);
      ASSERT_LE(loads.force.col(1).head<2>().norm(), kFriction * loads.force(2, 1) * (1.0 + 1e-14));
      ASSERT_GE(loads.force(2, 1), 0.0);
    }
  }
}

TEST(TyreForce, PacejkasFormulaStartsWithItsStiffnessAndPeaksAtOne) {
  const TyreForce element("tyre", tyre(TyreModel::pacejka));
  EXPECT_NEAR(element.mobilized(1e-6), 1e-6, 1e-15);
  double peak = 0.0;
  for (double x = 0.0; x < 20.0; x += 0.001) peak = std::max(peak, element.mobilized(x));
  EXPECT_NEAR(peak, 1.0, 1e-7);
  EXPECT_LT(element.mobilized(20.0), 0.95);  // less when it slides
}

/// A locked wheel that stands on a slope.
SimulationResult parked(double angle, double duration) {
  SimulationSetup setup;
  setup.base_mode = BaseMode::floating;
  setup.gravity = 9.81 * Vector3(-std::sin(angle), 0.0, -std::cos(angle));
  setup.locked_joints = {1};
  setup.forces = {std::make_shared<TyreForce>("tyre", tyre())};
  // a base so inert that the locked wheel hardly turns with it: by 1e-6 rad
  BaseDescription base = base_body(9.0, {1e8, 1e8, 1e8});
  LinkDescription wheel =
      link_body("wheel", "base", 1.0, {0.004, 0.005, 0.004}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = Vector3::UnitY();
  setup.model =
      std::make_shared<const Model>(ModelBuilder("parked").set_base(base).add_link(wheel).build());
  setup.integrator.relative_tolerance = 1e-8;
  State start(*setup.model);
  start.r_0.z() = kRadius - 10.0 * 9.81 * std::cos(angle) / kStiffness;
  SimulationObserver observer;
  return Simulator(setup).run(start, duration, duration, observer);
}

TEST(TyreForce, StandsWithoutCreep) {
  const double angle = 15.0 * kDegree;
  const SimulationResult early = parked(angle, 4.0), late = parked(angle, 6.0);
  // what is left of the oscillation of the carcass; creep by 1 mm/s would be 2 mm
  EXPECT_NEAR(late.state.r_0.x(), early.state.r_0.x(), 1e-7);
  EXPECT_LT(std::abs(late.state.r_0.x()), 5e-3);
  EXPECT_LT(late.audit.energy_residual(), 1e-7);
}

TEST(TyreForce, SlidesWhereFrictionDoesNotHold) {
  const double angle = 45.0 * kDegree, g = 9.81;
  const SimulationResult early = parked(angle, 1.0), late = parked(angle, 2.0);
  const double a = g * (std::sin(angle) - kFriction * std::cos(angle));
  // once the carcass has yielded it slides with μ F_z; the normal force swings by less than 1 %
  EXPECT_NEAR(late.state.v_0.x() - early.state.v_0.x(), -a, 0.01 * a);
}

TEST(TyreForce, MisuseIsRefused) {
  const auto message = [](auto spoil) {
    TyreForce::Settings settings = tyre();
    spoil(settings);
    return message_of<DomainError>([&] { TyreForce("t", settings); });
  };
  EXPECT_EQ(message([](auto& s) { s.terrain = nullptr; }), "'t': a tyre needs a terrain");
  EXPECT_EQ(message([](auto& s) { s.radius = 0.0; }),
            "'t': the radius must be positive, the width not negative");
  EXPECT_EQ(message([](auto& s) { s.stiffness = 0.0; }),
            "'t': the stiffness must be positive, the damping not negative");
  EXPECT_EQ(message([](auto& s) { s.friction = -1.0; }), "'t': the friction must be positive");
  EXPECT_EQ(message([](auto& s) { s.slip_stiffness = 0.0; }),
            "'t': slip and cornering stiffness must be positive");
  EXPECT_EQ(message([](auto& s) { s.shape = 3.0; }), "'t': the shape must be from 1 to 2");
  EXPECT_EQ(message([](auto& s) { s.curvature = 2.0; }), "'t': the curvature must be at most 1");
}

}  // namespace
}  // namespace spacedyn::testing::tyre_force_test
