// Wheels and tyres as force elements: geometry, standstill, energy, closed forms, simulations.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/contexts.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"
#include "support/steady_reference.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::wheel_force_test {
namespace {

constexpr double kRadius = 0.09;

/// A floating base with a wheel about `axis` at its centroid; together 6.6 kg.
Model one_wheel(const Vector3& axis = Vector3::UnitY()) {
  LinkDescription wheel =
      link_body("wheel", "base", 1.2, {0.004, 0.005, 0.004}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = axis;
  return ModelBuilder("one_wheel")
      .set_base(base_body(5.4, {0.1, 0.1, 0.1}))
      .add_link(wheel)
      .build();
}

WheelForce::Settings soft(std::shared_ptr<const Terrain> terrain) {
  WheelForce::Settings settings;
  settings.link = 1;
  settings.wheel = rover_wheel();
  settings.soil = regolith_simulant();
  settings.terrain = std::move(terrain);
  settings.gravity = 9.8;
  return settings;
}

std::shared_ptr<const Terrain> level() {
  return std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
}

/// A wheel with a sinkage h on the plane z = 0 that travels with (v_x, v_y, 0) and rotates.
State rolling(const Model& model, double h, const Vector3& v, double rim) {
  State state(model);
  state.r_0 = {0.3, -0.2, kRadius - h};
  state.v_0 = v;
  state.qd(0) = rim / kRadius;
  return state;
}

TEST(WheelForce, IsTheLibrarysForceInSteadyMotion) {
  const Model model = one_wheel();
  const WheelForce wheel("wheel", soft(level()));
  const WheelSoilModel soil(rover_wheel(), regolith_simulant(), 9.8);
  for (const double slip : {0.0, 0.2, 0.5, -0.3}) {
    for (const double angle : {0.0, 0.2, -0.3}) {
      const double v = 0.05, rim = slip >= 0.0 ? v / (1.0 - slip) : v * (1.0 + slip);
      const Snapshot now(model, rolling(model, 0.015, {v, v * std::tan(angle), 0.0}, rim));
      const WheelReading reading = wheel.reading(now.at(0.0));
      const WheelSoilForce exact = soil.force(0.015, slip, angle);
      // roundings of the geometry
      EXPECT_NEAR(reading.sinkage, 0.015, 1e-15);
      EXPECT_NEAR(reading.slip, slip, 1e-12);
      EXPECT_NEAR(reading.slip_angle, angle, 1e-12);
      EXPECT_NEAR(reading.drawbar_pull, exact.drawbar_pull, 1e-9);
      EXPECT_NEAR(reading.side_force, exact.side_force, 1e-9);
      EXPECT_NEAR(reading.vertical_force, exact.vertical_force, 1e-9);
      EXPECT_NEAR(reading.resistance_torque, exact.resistance_torque, 1e-9);
      Loads loads(model);
      wheel.apply(now.at(0.0), loads);
      const Vector3 force(exact.drawbar_pull, -exact.side_force, exact.vertical_force);
      EXPECT_NEAR((loads.force.col(1) - force).norm(), 0.0, 1e-9);
      EXPECT_NEAR(loads.moment(1, 1), -exact.resistance_torque, 1e-9);
    }
  }
}

TEST(WheelForce, DoesNotDependOnTheSignOfTheAxisOrTheDirectionOfTravel) {
  const Model model = one_wheel(), other = one_wheel(-Vector3::UnitY());
  const WheelForce wheel("wheel", soft(level()));
  const Vector3 v(0.04, 0.01, -0.002);
  Loads along(model), turned(other), backward(model);
  State state = rolling(model, 0.015, v, 0.06);
  wheel.apply(Snapshot(model, state).at(0.0), along);
  state.qd *= -1.0;
  wheel.apply(Snapshot(other, state).at(0.0), turned);
  EXPECT_NEAR((along.force - turned.force).norm(), 0.0, 1e-10);
  EXPECT_NEAR((along.moment - turned.moment).norm(), 0.0, 1e-11);
  state = rolling(model, 0.015, {-v.x(), -v.y(), v.z()}, -0.06);
  wheel.apply(Snapshot(model, state).at(0.0), backward);
  const Vector3 about_z(-1.0, -1.0, 1.0);
  EXPECT_NEAR((along.force.col(1) - about_z.cwiseProduct(backward.force.col(1))).norm(), 0.0,
              1e-10);
}

TEST(WheelForce, ActsInTheAxesOfASlope) {
  const Model model = one_wheel();
  const double alpha = 20.0 * kDegree;
  const WheelForce on_level("level", soft(level()));
  const WheelForce on_slope("slope",
                            soft(std::make_shared<PlaneTerrain>(PlaneTerrain::slope(alpha, 0.0))));
  const Matrix3 A = rotation_y(-alpha);  // x climbs
  State flat = rolling(model, 0.015, {0.04, 0.01, -0.001}, 0.06), steep = flat;
  steep.A_0 = A;
  steep.r_0 = A * flat.r_0;
  steep.v_0 = A * flat.v_0;
  Loads level_loads(model), slope_loads(model);
  on_level.apply(Snapshot(model, flat).at(0.0), level_loads);
  on_slope.apply(Snapshot(model, steep).at(0.0), slope_loads);
  EXPECT_NEAR((slope_loads.force - A * level_loads.force).norm(), 0.0, 1e-9);
  EXPECT_NEAR((slope_loads.moment - A * level_loads.moment).norm(), 0.0, 1e-10);
}

TEST(WheelForce, IsSmoothThroughStandstill) {
  const Model model = one_wheel();
  const WheelForce wheel("wheel", soft(level()));
  const auto force = [&](double v, double rim, double aside) {
    Loads loads(model);
    wheel.apply(Snapshot(model, rolling(model, 0.015, {v, aside, 0.0}, rim)).at(0.0), loads);
    return Vector3(loads.force.col(1));
  };
  // at rest only the ground's pressure acts
  const Vector3 rest = force(0.0, 0.0, 0.0);
  EXPECT_NEAR(rest.head<2>().norm(), 0.0, 1e-12);
  // slopes on both sides agree along lines through standstill, turning points and zero slip
  constexpr double kStep = 1e-10;
  for (const Vector3& at :
       {Vector3(0, 0, 0), Vector3(0, 0.05, 0), Vector3(0.05, 0, 0.0), Vector3(0.05, 0.05, 0.0),
        Vector3(0, 0.001, 0), Vector3(0.05, -0.05, 0)}) {
    for (const Vector3& d :
         {Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 1, 0)}) {
      const auto f = [&](double s) {
        return force(at.x() + s * d.x(), at.y() + s * d.y(), at.z() + s * d.z());
      };
      const Vector3 left = (f(0.0) - f(-kStep)) / kStep, right = (f(kStep) - f(0.0)) / kStep;
      // slopes are up to 1e6 N s/m; over this step the second derivative changes them by 0.4
      EXPECT_NEAR((left - right).norm(), 0.0, 1.0) << at.transpose() << " along " << d.transpose();
    }
  }
}

TEST(WheelForce, NeverGivesEnergyToASteadyWheel) {
  const Model model = one_wheel();
  const WheelForce wheel("wheel", soft(level()));
  std::mt19937 engine(5);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  for (int i = 0; i < 10000; ++i) {
    const double scale = std::pow(10.0, number(-5.0, 0.0));
    const State state =
        rolling(model, number(1e-4, 0.04), scale * Vector3(number(-1, 1), number(-1, 1), 0.0),
                scale * number(-1, 1));
    const Snapshot now(model, state);
    ASSERT_GE(wheel.energy_rates(now.at(0.0)).dissipated, -1e-12)
        << state.v_0.transpose() << " rim " << state.qd * kRadius;
  }
}

TEST(WheelForce, BooksStoredEnergyExactlyOnAnyRelief) {
  // dV/dt against differences along a motion over hills, the wheel inclined
  MatrixX heights(9, 9);
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j < 9; ++j) heights(i, j) = 0.03 * std::sin(0.9 * i) * std::cos(0.7 * j);
  }
  const Model model = one_wheel();
  const WheelForce wheel(
      "wheel", soft(std::make_shared<HeightField>(heights, 0.5, Vector3(-2.0, -2.0, 0.0))));
  State state(model);
  state.A_0 = rotation_x(0.2) * rotation_z(0.4);
  state.r_0 = {0.3, -0.2, 0.0};
  state.r_0.z() = 0.07 + HeightField(heights, 0.5, {-2.0, -2.0, 0.0}).height(0.3, -0.2);
  state.v_0 = {0.2, 0.1, 0.05};
  state.omega_0 = {0.3, -0.2, 0.1};
  const auto energy = [&](double t) {
    State moved = state;
    moved.r_0 += t * state.v_0;
    moved.A_0 = exp_so3(t * state.omega_0) * state.A_0;
    return wheel.stored_energy(Snapshot(model, moved).at(0.0));
  };
  ASSERT_GT(energy(0.0), 0.0);
  constexpr double kStep = 1e-5;
  const double power = (energy(kStep) - energy(-kStep)) / (2.0 * kStep);
  EXPECT_NEAR(wheel.energy_rates(Snapshot(model, state).at(0.0)).stored, power,
              1e-7 * std::abs(power) + 1e-8);
}

/// A wheel on rails that sinks under its load while carriage and wheel are driven.
SimulationSetup test_bed(double slip, double speed) {
  BaseDescription rails;
  rails.name = "rails";
  rails.fixed = true;
  LinkDescription carriage = link_body("carriage", "rails", 5.0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  carriage.joint.type = JointType::prismatic;
  carriage.joint.axis = Vector3::UnitX();
  LinkDescription slide = link_body("slide", "carriage", 5.4, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  slide.joint.type = JointType::prismatic;
  slide.joint.axis = Vector3::UnitZ();
  LinkDescription wheel =
      link_body("wheel", "slide", 1.2, {0.004, 0.005, 0.004}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = Vector3::UnitY();
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder("test_bed")
                                                  .set_base(rails)
                                                  .add_link(carriage)
                                                  .add_link(slide)
                                                  .add_link(wheel)
                                                  .build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0.0, 0.0, -9.8};
  WheelForce::Settings settings = soft(level());
  settings.link = 3;
  setup.forces = {std::make_shared<WheelForce>("wheel", settings)};
  setup.prescribed_joints = {{1, steady_reference(speed)},
                             {3, steady_reference(speed / (1.0 - slip) / kRadius)}};
  return setup;
}

TEST(WheelForce, SinksToThePublishedDepthUnderItsLoad) {
  for (const double slip : {0.0, 0.2, 0.5}) {
    SimulationSetup setup = test_bed(slip, 0.05);
    State start(*setup.model);
    start.q(1) = 0.08;
    start.qd(0) = 0.05;
    start.qd(2) = 0.05 / (1.0 - slip) / kRadius;
    SimulationObserver observer;
    const SimulationResult result = Simulator(setup).run(start, 3.0, 3.0, observer);
    const WheelSoilModel soil(rover_wheel(), regolith_simulant(), 9.8);
    const double h = soil.sinkage(kRoverLoad, slip, 0.0);
    // 3 s are more than 30 times as long as the sinkage takes
    EXPECT_NEAR(kRadius - result.state.q(1), h, 1e-8);
    EXPECT_LT(result.audit.energy_residual(), 1e-8);
  }
}

TEST(WheelForce, LinearizesToTheSlopesOfItsStresses) {
  constexpr double kSinkage = 0.015, kSlip = 0.2, kSpeed = 0.05;
  SimulationSetup setup = test_bed(kSlip, kSpeed);
  setup.prescribed_joints.clear();
  const double rim = kSpeed / (1.0 - kSlip);
  State state(*setup.model);
  state.q(1) = kRadius - kSinkage;
  state.qd(0) = kSpeed;
  state.qd(2) = rim / kRadius;
  const Linearization linear = linearize(setup, state);
  WheelSoilModel::Slopes by;
  WheelSoilModel(rover_wheel(), regolith_simulant(), 9.8)
      .force({kSinkage, kSlip, 0.0, 0.0, 1.0}, by);
  // of rail, lift and wheel; s = 1 − v/(rω), and σ grows by the damping times the sinkage rate
  const double per_v = -1.0 / rim, per_spin = kRadius * kSpeed / (rim * rim);
  const double damping = soft(level()).sinkage_damping;
  Matrix3 K = Matrix3::Zero(), D;
  K.col(1) << by.by_sinkage.drawbar_pull, by.by_sinkage.vertical_force,
      -by.by_sinkage.resistance_torque;
  D.col(0) << -per_v * by.by_slip.drawbar_pull, -per_v * by.by_slip.vertical_force,
      per_v * by.by_slip.resistance_torque;
  D.col(1) << damping * by.by_pressing.drawbar_pull, damping * by.by_pressing.vertical_force,
      -damping * by.by_pressing.resistance_torque;
  D.col(2) << -per_spin * by.by_slip.drawbar_pull, -per_spin * by.by_slip.vertical_force,
      per_spin * by.by_slip.resistance_torque;
  // both are exact for the same sums of stresses
  EXPECT_NEAR((linear.K.bottomRightCorner<3, 3>() - K).norm(), 0.0, 1e-11 * K.norm());
  EXPECT_NEAR((linear.D.bottomRightCorner<3, 3>() - D).norm(), 0.0, 1e-11 * D.norm());
}

TEST(WheelForce, MisuseIsRefused) {
  const Model model = one_wheel();
  WheelForce::Settings settings = soft(level());
  settings.link = 0;
  EXPECT_THROW(WheelForce("w", settings).check(model), DomainError);
  settings = soft(nullptr);
  EXPECT_EQ(message_of<DomainError>([&] { WheelForce("w", settings); }),
            "'w': a wheel needs a terrain");
  settings = soft(level());
  settings.slip_velocity = 0.0;
  EXPECT_EQ(message_of<DomainError>([&] { WheelForce("w", settings); }),
            "'w': the slip velocity must be positive");
  settings = soft(level());
  settings.sinkage_damping = -1.0;
  EXPECT_EQ(message_of<DomainError>([&] { WheelForce("w", settings); }),
            "'w': the sinkage damping must not be negative");
  settings = soft(level());
  settings.link = 2;
  const SimulationSetup bed = test_bed(0.0, 0.1);
  EXPECT_EQ(message_of<DomainError>([&] { WheelForce("w", settings).check(*bed.model); }),
            "'w': a wheel turns on a revolute joint, 'slide' is none");
}

}  // namespace
}  // namespace spacedyn::testing::wheel_force_test
