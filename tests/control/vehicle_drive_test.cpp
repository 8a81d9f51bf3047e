// Steering and drives of vehicles: Ackermann's closed form, crab, on the spot, pursuit, slip.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/vehicle_drive.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/contexts.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::vehicle_drive_test {
namespace {

constexpr double kBase = 1.2, kTrack = 0.9, kRadius = 0.15;

/// Four wheels about y on forks about z, front left, front right, rear left, rear right; the frame
/// of the base is in their middle. Links 1, 3, … are forks, 2, 4, … wheels; forks on the right turn
/// about −z and wheels there about −y.
ModelDescription car_description() {
  ModelBuilder builder("car");
  builder.set_base(base_body(50.0, {3, 3, 3}));
  const char* const names[] = {"fl", "fr", "rl", "rr"};
  for (int i = 0; i < 4; ++i) {
    const double x = i < 2 ? 0.5 : -0.5, side = i % 2 == 0 ? 1.0 : -1.0;
    LinkDescription fork = link_body(std::string("fork_") + names[i], "base", 1.0, {1, 1, 1},
                                     {x * kBase, 0.5 * side * kTrack, -0.1}, {0, 0, 0});
    fork.joint.axis = side * Vector3::UnitZ();
    LinkDescription wheel = link_body(std::string("wheel_") + names[i], fork.name, 1.0, {1, 1, 1},
                                      {0, 0, 0}, {0, 0, 0});
    wheel.joint.axis = side * Vector3::UnitY();
    builder.add_link(fork).add_link(wheel);
  }
  return builder.description();
}

Model car() { return ModelBuilder(car_description()).build(); }

/// Torques are what is asked for: stiffness and damping of drives 1, of steering 0.
VehicleDrive::Settings unit_gains(const PlanarMotion& motion) {
  VehicleDrive::Settings settings;
  for (int i = 0; i < 4; ++i) settings.wheels.push_back({2 * i + 2, kRadius, 2 * i + 1});
  settings.motion = motion;
  settings.damping = 1.0;
  settings.steering_stiffness = 1.0;
  return settings;
}

class Car {
 public:
  explicit Car(const VehicleDrive::Settings& settings) : drive_("drive", settings), state_(model_) {
    drive_.check(model_);
  }
  VectorX torques(double time = 100.0) const {
    const Snapshot now(model_, state_);
    VectorX command(4);
    drive_.command(now.at(time), command);
    Loads loads(model_);
    drive_.apply(now.at(time), command, loads);
    return loads.tau;
  }
  /// Turns the forks to where they should be; counted to the left.
  Eigen::Vector4d steer() {
    const VectorX tau = torques();
    Eigen::Vector4d angles;
    for (int i = 0; i < 4; ++i) {
      state_.q(2 * i) += tau(2 * i);
      angles(i) = (i % 2 == 0 ? 1.0 : -1.0) * state_.q(2 * i);
    }
    return angles;
  }
  /// Speeds of the rims ahead, m/s.
  Eigen::Vector4d rims(double time = 100.0) const {
    const VectorX tau = torques(time);
    Eigen::Vector4d speeds;
    for (int i = 0; i < 4; ++i) speeds(i) = (i % 2 == 0 ? 1.0 : -1.0) * kRadius * tau(2 * i + 1);
    return speeds;
  }

  Model model_ = car();
  VehicleDrive drive_;
  State state_;
};

TEST(VehicleDrive, SteersAfterAckermann) {
  for (const double curvature : {0.4, -0.25}) {
    Car car(unit_gains({1.0, 0.0, curvature, 0.3}));
    car.state_.A_0 = rotation_z(0.7);
    const Eigen::Vector4d angle = car.steer();
    // both axles steer: each wheel is half a base from the line through the centre
    const double cot_left = 1.0 / std::tan(angle(0)), cot_right = 1.0 / std::tan(angle(1));
    EXPECT_NEAR(cot_right - cot_left, kTrack / (0.5 * kBase), 1e-12);
    EXPECT_NEAR(angle(2), -angle(0), 1e-14);
    EXPECT_NEAR(angle(3), -angle(1), 1e-14);
    EXPECT_GT(angle(0) * curvature, 0.0);
    // rims turn as fast as they are far from the centre
    const Eigen::Vector4d rim = car.rims();
    for (int i = 0; i < 4; ++i) {
      const double aside = 1.0 / curvature - (i % 2 == 0 ? 0.5 : -0.5) * kTrack;
      EXPECT_NEAR(rim(i), 0.3 * std::abs(curvature) * std::hypot(0.5 * kBase, aside), 1e-13);
    }
    EXPECT_NEAR(car.steer()(0), angle(0), 1e-14);  // there it stays
  }
}

TEST(VehicleDrive, CrabsWithAllWheelsAlike) {
  const double angle = 0.6;
  Car car(unit_gains({std::cos(angle), std::sin(angle), 0.0, 0.2}));
  EXPECT_NEAR((car.steer() - Eigen::Vector4d::Constant(angle)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((car.rims() - Eigen::Vector4d::Constant(0.2)).norm(), 0.0, 1e-14);
  // backwards wheels stay steered as they are, and turn backwards
  Car back(unit_gains({-std::cos(angle), -std::sin(angle), 0.0, 0.2}));
  EXPECT_NEAR((back.steer() - Eigen::Vector4d::Constant(angle)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((back.rims() + Eigen::Vector4d::Constant(0.2)).norm(), 0.0, 1e-14);
}

TEST(VehicleDrive, TurnsOnTheSpot) {
  Car car(unit_gains({0.0, 0.0, 1.0, 0.5}));
  const double angle = std::atan2(kBase, kTrack), far = 0.5 * std::hypot(kBase, kTrack);
  EXPECT_NEAR((car.steer() - Eigen::Vector4d(-angle, angle, angle, -angle)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((car.rims() - 0.5 * far * Eigen::Vector4d(-1, 1, -1, 1)).norm(), 0.0, 1e-14);
}

TEST(VehicleDrive, StartsAfterAWhileAndSmoothly) {
  VehicleDrive::Settings settings = unit_gains({1.0, 0.0, 0.0, 0.4});
  settings.from = 2.0;
  settings.ramp = 3.0;
  const Car car(settings);
  EXPECT_EQ(car.rims(2.0).norm(), 0.0);
  EXPECT_NEAR(car.rims(3.5)(0), 0.2, 1e-15);
  EXPECT_EQ(car.rims(5.0)(0), 0.4);
  std::vector<double> times;
  car.drive_.append_discontinuities(times);
  EXPECT_EQ(times, (std::vector<double>{2.0, 5.0}));
}

TEST(VehicleDrive, BoundsTheSlip) {
  VehicleDrive::Settings settings = unit_gains({1.0, 0.0, 0.0, 0.4});
  settings.slip_limit = 0.2;
  Car car(settings);
  car.state_.v_0 = {0.1, 0.0, 0.0};
  // s = (rω − v)/(rω)
  EXPECT_NEAR(car.rims()(0), 0.1 / 0.8, 1e-15);
  car.state_.v_0 = {0.39, 0.0, 0.0};
  EXPECT_EQ(car.rims()(0), 0.4);
  car.state_.v_0.setZero();
  EXPECT_NEAR(car.rims()(0), 0.05 * 0.4 / 0.8, 1e-15);  // to start from rest
  settings.motion.speed = -0.4;
  Car backward(settings);
  backward.state_.v_0 = {-0.1, 0.0, 0.0};
  EXPECT_NEAR(backward.rims()(0), -0.1 / 0.8, 1e-15);
}

/// A wheel on rails that are pulled at 5 cm/s, under a load of 6.6 kg, with a stiff drive.
SimulationSetup pulled_bed(double slip_limit) {
  BaseDescription rails;
  rails.name = "rails";
  rails.fixed = true;
  LinkDescription carriage = link_body("carriage", "rails", 5.0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  carriage.joint.type = JointType::prismatic;
  carriage.joint.axis = Vector3::UnitX();
  LinkDescription slide = link_body("slide", "carriage", 5.4, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  slide.joint.type = JointType::prismatic;
  slide.joint.axis = Vector3::UnitZ();
  LinkDescription wheel = link_body("wheel", "slide", 1.2, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = Vector3::UnitY();
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder("bed")
                                                  .set_base(rails)
                                                  .add_link(carriage)
                                                  .add_link(slide)
                                                  .add_link(wheel)
                                                  .build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0.0, 0.0, -9.8};
  WheelForce::Settings soft;
  soft.link = 3;
  soft.wheel = rover_wheel();
  soft.soil = regolith_simulant();
  soft.terrain = std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
  soft.gravity = 9.8;
  setup.forces = {std::make_shared<WheelForce>("wheel", soft)};
  MatrixX rows(1, 2);
  rows << 0.0, 0.5;
  setup.prescribed_joints = {
      {1, std::make_shared<TableReference>(std::vector<double>{0.0, 10.0}, rows,
                                           TableReference::Interpolation::linear)}};
  VehicleDrive::Settings drive;
  drive.wheels = {{3, 0.09, 0}};
  drive.motion.speed = 0.2;
  drive.damping = 2000.0;
  drive.slip_limit = slip_limit;
  setup.controllers = {std::make_shared<VehicleDrive>("drive", drive)};
  return setup;
}

TEST(VehicleDrive, KeepsTheSlipInATestBed) {
  const SimulationSetup setup = pulled_bed(0.2);
  State start(*setup.model);
  start.q(1) = 0.09 - 15.57e-3;
  start.qd(0) = 0.05;
  start.qd(2) = 0.05 / 0.8 / 0.09;
  SimulationObserver observer;
  const State end = Simulator(setup).run(start, 3.0, 3.0, observer).state;
  const auto* wheel = dynamic_cast<const WheelForce*>(setup.forces[0].get());
  const WheelReading now = wheel->reading(Snapshot(*setup.model, end).at(3.0));
  // the drive yields by T/D = 6.8e-4 rad/s, 8e-4 of slip, which pulls by 42 N per unit of slip
  EXPECT_NEAR(now.slip, 0.2, 1e-3);
  const WheelSoilModel soil(rover_wheel(), regolith_simulant(), 9.8);
  const WheelSoilForce exact = soil.force(soil.sinkage(kRoverLoad, 0.2, 0.0), 0.2, 0.0);
  EXPECT_NEAR(now.drawbar_pull, exact.drawbar_pull, 0.05);
  EXPECT_NEAR(now.resistance_torque, exact.resistance_torque, 0.005);
}

TEST(VehicleDrive, KeepsToTheEffortOfTheJoints) {
  ModelDescription description = car_description();
  for (LinkDescription& link : description.links) link.joint.effort_limit = 0.01;
  const Model weak = ModelBuilder(description).build();
  const VehicleDrive drive("drive", unit_gains({1.0, 0.0, 0.4, 0.3}));
  const Snapshot now(weak, State(weak));
  VectorX command(4);
  drive.command(now.at(100.0), command);
  Loads loads(weak);
  drive.apply(now.at(100.0), command, loads);
  EXPECT_EQ(loads.tau.cwiseAbs().maxCoeff(), 0.01);
}

TEST(GuidePath, PursuesPointsAhead) {
  const GuidePath line{{0.0, 10.0}, {0.0, 0.0}, 2.0};
  // e beside a line and parallel to it: the point is L ahead and e aside
  const auto [curvature, factor] = line.pursue(1.0, -0.3, {1.0, 0.0});
  EXPECT_NEAR(curvature, 2.0 * 0.3 / (4.0 + 0.09), 1e-15);
  EXPECT_EQ(factor, 1.0);
  EXPECT_NEAR(line.pursue(3.0, 0.0, {0.8, -0.6})[0], 2.0 * 0.6 / 2.0, 1e-14);
  EXPECT_NEAR(line.pursue(9.0, 0.0, {1.0, 0.0})[1], 0.5, 1e-15);
  EXPECT_EQ(line.pursue(11.0, 0.0, {1.0, 0.0})[1], 0.0);
  EXPECT_NEAR(line.pursue(-5.0, 0.5, {1.0, 0.0})[0], -2.0 * 0.5 / (49.0 + 0.25), 1e-15);
}

TEST(GuidePath, StaysOnACircle) {
  // from a point of a circle on its tangent, any chord asks for the circle's own curvature
  GuidePath circle;
  circle.lookahead = 1.0;
  constexpr int kChords = 2000;
  constexpr double kCircle = 5.0;
  for (int i = 0; i <= kChords; ++i) {
    const double angle = 1.5 * kPi * i / kChords;
    circle.x.push_back(kCircle * std::sin(angle));
    circle.y.push_back(kCircle * (1.0 - std::cos(angle)));
  }
  for (const double angle : {0.3, 1.7, 4.0}) {
    const auto found = circle.pursue(kCircle * std::sin(angle), kCircle * (1.0 - std::cos(angle)),
                                     {std::cos(angle), std::sin(angle)});
    // chords lie c²/8R = 1.4e-6 m within the circle
    EXPECT_NEAR(found[0], 1.0 / kCircle, 1e-5);
  }
}

TEST(VehicleDrive, MisuseIsRefused) {
  const PlanarMotion ahead{1.0, 0.0, 0.0, 0.4};
  const auto refused = [](const VehicleDrive::Settings& settings) {
    return message_of<DomainError>([&] { VehicleDrive("d", settings).check(car()); });
  };
  VehicleDrive::Settings settings = unit_gains(ahead);
  settings.wheels.clear();
  EXPECT_EQ(refused(settings), "'d': a drive needs wheels");
  settings = unit_gains(ahead);
  settings.wheels[1].link = 2;
  EXPECT_EQ(refused(settings), "'d': link 2 is driven twice");
  settings = unit_gains(ahead);
  settings.wheels[1].steering = 1;
  EXPECT_EQ(refused(settings), "'d': 'fork_fl' does not steer 'wheel_fr'");
  settings = unit_gains(ahead);
  settings.wheels[0].radius = 0.0;
  EXPECT_EQ(refused(settings), "'d': the radius of a wheel must be positive");
  settings = unit_gains(ahead);
  settings.slip_limit = 1.0;
  EXPECT_EQ(refused(settings), "'d': the slip limit must be above 0 and below 1");
  settings = unit_gains(ahead);
  settings.damping = 0.0;
  EXPECT_EQ(refused(settings), "'d': the damping of drives must be positive");
  settings = unit_gains(ahead);
  settings.steering_stiffness = 0.0;
  EXPECT_EQ(refused(settings),
            "'d': the stiffness of steering must be positive, its damping not negative");
  settings = unit_gains(ahead);
  settings.ramp = 0.0;
  EXPECT_EQ(refused(settings), "'d': the start must not be negative, the ramp positive");
  settings = unit_gains(ahead);
  settings.sample_period = -1.0;
  EXPECT_EQ(refused(settings), "'d': sample_period must be finite and not negative");
  settings = unit_gains({1.0, 0.0, 0.0, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(refused(settings), "'d': the motion must be finite");
  settings = unit_gains(ahead);
  settings.path = {{0.0}, {0.0}, 1.0};
  EXPECT_EQ(refused(settings), "a path needs two points");
  settings.path = {{0.0, 0.0}, {0.0, 0.0}, 1.0};
  EXPECT_EQ(refused(settings), "a path must not stand still");
  settings.path = {{0.0, 1.0}, {0.0, 0.0}, 0.0};
  EXPECT_EQ(refused(settings), "the lookahead must be positive");
}

}  // namespace
}  // namespace spacedyn::testing::vehicle_drive_test
