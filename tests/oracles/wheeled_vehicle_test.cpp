// Vehicles against mechanics by hand: loads at rest, a circle, coasting, mirror images, relief.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/vehicle_drive.hpp"
#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "support/contexts.hpp"
#include "support/recorders.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"
#include "support/steady_reference.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::wheeled_vehicle_test {
namespace {

constexpr double kGravity = 9.81, kBase = 1.2, kTrack = 0.9, kRadius = 0.15, kSpin = 0.02;

/// 58 kg on four steered wheels; links 1, 3, … are forks, 2, 4, … wheels.
std::shared_ptr<const Model> kart() {
  ModelBuilder builder("kart");
  builder.set_base(base_body(50.0, {3, 6, 8}));
  const char* const names[] = {"fl", "fr", "rl", "rr"};
  for (int i = 0; i < 4; ++i) {
    const Vector3 place((i < 2 ? 0.5 : -0.5) * kBase, (i % 2 == 0 ? 0.5 : -0.5) * kTrack, 0.0);
    LinkDescription fork = link_body(std::string("fork_") + names[i], "base", 1.0,
                                     {0.01, 0.01, 0.01}, place, {0, 0, 0});
    fork.joint.axis = Vector3::UnitZ();
    LinkDescription wheel = link_body(std::string("wheel_") + names[i], fork.name, 1.0,
                                      {0.01, kSpin, 0.01}, {0, 0, 0}, {0, 0, 0});
    wheel.joint.axis = Vector3::UnitY();
    builder.add_link(fork).add_link(wheel);
  }
  return std::make_shared<const Model>(builder.build());
}

TyreForce::Settings tyre(int link) {
  TyreForce::Settings settings;
  settings.link = link;
  settings.radius = kRadius;
  settings.terrain = std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
  settings.stiffness = 4e4;
  settings.damping = 800.0;
  settings.friction = 0.8;
  settings.slip_stiffness = 10.0;
  settings.cornering_stiffness = 6.0;
  return settings;
}

WheelForce::Settings soft(int link) {
  WheelForce::Settings settings;
  settings.link = link;
  settings.wheel = {kRadius, 0.12, 0.0};
  settings.soil = regolith_simulant();
  settings.terrain = std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
  settings.gravity = kGravity;
  settings.slip_velocity = 0.01;
  return settings;
}

enum class Ground { hard, soft };

/// @param curvature  of the circle that it drives on, 1/m
SimulationSetup kart_setup(Ground ground, double speed, double curvature) {
  SimulationSetup setup;
  setup.model = kart();
  setup.gravity = {0.0, 0.0, -kGravity};
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  VehicleDrive::Settings drive;
  for (int i = 0; i < 4; ++i) {
    const int wheel = 2 * i + 2;
    const std::string name = "wheel_" + std::to_string(i);
    if (ground == Ground::hard) {
      setup.forces.push_back(std::make_shared<TyreForce>(name, tyre(wheel)));
    } else {
      setup.forces.push_back(std::make_shared<WheelForce>(name, soft(wheel)));
    }
    drive.wheels.push_back({wheel, kRadius, wheel - 1});
  }
  drive.motion.speed = speed;
  drive.motion.rotation = curvature;
  drive.ramp = 2.0;
  drive.damping = 20.0;
  drive.steering_stiffness = 400.0;
  drive.steering_damping = 8.0;
  setup.controllers = {std::make_shared<VehicleDrive>("drive", drive)};
  return setup;
}

/// At rest where the springs of the tyres carry it.
State standing(const Model& model) {
  State state(model);
  state.r_0.z() = kRadius - model.total_mass() * kGravity / 4.0 / 4e4;
  return state;
}

const WheelElement& wheel_of(const ForceElement& force) {
  return dynamic_cast<const WheelElement&>(force);
}

TEST(WheeledVehicle, RockerBogieStandsOnItsWheelsAsStaticsSay) {
  Scenario scenario = shipped_scenario("rover_path");
  scenario.setup.controllers.clear();  // wheels roll freely: the ground pushes upwards alone
  const Model& model = *scenario.setup.model;
  const State state = fly(scenario.setup, scenario.initial, 6.0).state;
  const Snapshot now(model, state);
  const LinkFrames& at = now.frames();
  const double pivot = at.o[static_cast<std::size_t>(*model.find_body("bogie_left"))].x();
  // about the pivot of the left bogie: all of the left half, and what the bogie carries
  double mass = 0.0, moment = 0.0, bogie = 0.0;
  for (int i = 0; i < model.body_count(); ++i) {
    const double m = model.body(i).mass, arm = at.r[static_cast<std::size_t>(i)].x() - pivot;
    mass += 0.5 * m;
    moment += 0.5 * m * arm;
    const std::string& name = model.body(i).name;
    const bool on_bogie = name == "bogie_left" || name == "wheel_middle_left" ||
                          name == "wheel_rear_left" || name == "fork_rear_left";
    if (on_bogie) bogie += m * arm;
  }
  Eigen::Matrix3d equations;  // for loads of the front, middle, rear wheel
  Eigen::Vector3d found;
  const char* const names[] = {"front_left", "middle_left", "rear_left"};
  Eigen::Index first = 0;
  for (const auto& force : scenario.setup.forces) {
    const VectorX own = state.z.segment(first, force->auxiliary_size());
    first += force->auxiliary_size();
    for (int k = 0; k < 3; ++k) {
      if (force->name() != names[k]) continue;
      const EvaluationContext whole = now.at(6.0);
      found(k) = wheel_of(*force)
                     .reading({6.0, model, state, whole.frames, whole.velocities, own})
                     .vertical_force;
      const auto link = static_cast<std::size_t>(wheel_of(*force).mount().link);
      const double arm = at.o[link].x() - pivot;
      equations.col(k) << 1.0, arm, k == 0 ? 0.0 : arm;
    }
  }
  const double g = -scenario.setup.gravity.z();
  const Eigen::Vector3d loads = equations.inverse() * (g * Eigen::Vector3d(mass, moment, bogie));
  EXPECT_GT(loads.minCoeff(), 400.0);
  // what is left of the bouncing
  EXPECT_NEAR((found - loads).norm(), 0.0, 1e-3)
      << found.transpose() << " and " << loads.transpose();
}

TEST(WheeledVehicle, CirclesAtTheSideslipThatItsTyresNeed) {
  constexpr double kCurvature = 0.1;
  const SimulationSetup setup = kart_setup(Ground::hard, 2.5, kCurvature);
  Trajectory trajectory;
  Simulator(setup).run(standing(*setup.model), 14.0, 0.25, trajectory);
  const State& end = trajectory.points.back().state;
  const Vector3 v = end.A_0.transpose() * end.v_0;
  const double speed = v.head<2>().norm();
  EXPECT_GT(speed, 2.4);
  // steady: the rate has not changed in a second
  EXPECT_NEAR(end.omega_0.z(), trajectory.points[trajectory.points.size() - 5].state.omega_0.z(),
              1e-6);
  // all axles steer: the circle is the one asked for, to the square of slip angle and steering
  EXPECT_NEAR(end.omega_0.z() / speed, kCurvature, 0.01 * kCurvature);
  // brush: f = x - x²/3 + x³/27 = v² κ/(μ g) at x = c α/μ; the vehicle slides outwards by α
  const double demand = speed * end.omega_0.z() / (0.8 * kGravity);
  double x = demand;
  for (int i = 0; i < 50; ++i) x = demand + x * x / 3.0 - x * x * x / 27.0;
  const double alpha = x * 0.8 / 6.0;
  EXPECT_NEAR(-std::atan2(v.y(), v.x()), alpha, 0.02 * alpha);
}

TEST(WheeledVehicle, KeepsToTheFrictionCircleWhileItSpins) {
  // asked for more than its tyres hold
  const SimulationSetup setup = kart_setup(Ground::hard, 6.0, 0.3);
  Trajectory trajectory;
  Simulator(setup).run(standing(*setup.model), 5.0, 0.02, trajectory);
  double most = 0.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    const Snapshot now(*setup.model, sample.state);
    const EvaluationContext whole = now.at(sample.time);
    for (std::size_t i = 0; i < setup.forces.size(); ++i) {
      const VectorX own = sample.state.z.segment<2>(2 * static_cast<Eigen::Index>(i));
      const WheelReading at = wheel_of(*setup.forces[i])
                                  .reading({sample.time, *setup.model, sample.state, whole.frames,
                                            whole.velocities, own});
      const double grip = std::hypot(at.drawbar_pull, at.side_force);
      EXPECT_LE(grip, 0.8 * at.vertical_force * (1.0 + 1e-14)) << sample.time;
      if (at.vertical_force > 0.0) most = std::max(most, grip / at.vertical_force);
    }
  }
  EXPECT_GT(most, 0.79);  // and they slide
}

TEST(WheeledVehicle, CoastsDownByItsRollingResistance) {
  constexpr double kResistance = 0.03;
  SimulationSetup setup = kart_setup(Ground::hard, 1.0, 0.0);
  setup.controllers.clear();
  for (int i = 0; i < 4; ++i) {
    TyreForce::Settings settings = tyre(2 * i + 2);
    settings.rolling_resistance = kResistance;
    setup.forces[static_cast<std::size_t>(i)] =
        std::make_shared<TyreForce>("wheel_" + std::to_string(i), settings);
  }
  State start = standing(*setup.model);
  start.v_0.x() = 2.0;
  for (int i = 0; i < 4; ++i) start.qd(2 * i + 1) = 2.0 / kRadius;
  Trajectory trajectory;
  Simulator(setup).run(start, 10.0, 0.5, trajectory);
  // wheels turn along: (m + 4 I/r²) v̇ = −f m g
  const double mass = setup.model->total_mass();
  const double rate = -kResistance * mass * kGravity / (mass + 4.0 * kSpin / (kRadius * kRadius));
  const auto speed = [&](double time) {
    return trajectory.points[static_cast<std::size_t>(2.0 * time)].state.v_0.x();
  };
  // slip, 0.003, changes how fast the wheels turn, 6 % of the inertia
  EXPECT_NEAR((speed(5.0) - speed(2.0)) / 3.0, rate, 5e-4 * std::abs(rate));
  // 2 m/s last 7.2 s, then it stands
  EXPECT_GT(speed(6.5), 0.1);
  EXPECT_NEAR(speed(10.0), 0.0, 1e-6);
}

class OnGround : public ::testing::TestWithParam<Ground> {};

TEST_P(OnGround, MirrorsCircles) {
  State ends[2];
  for (const int side : {0, 1}) {
    const double curvature = side == 0 ? 0.4 : -0.4;
    const SimulationSetup setup = kart_setup(GetParam(), 0.5, curvature);
    ends[side] = fly(setup, standing(*setup.model), 6.0).state;
  }
  // to the tolerance of both runs
  const Vector3 mirror(1.0, -1.0, 1.0);
  EXPECT_GT(std::abs(ends[0].r_0.y()), 0.1);
  EXPECT_NEAR((ends[0].r_0 - mirror.cwiseProduct(ends[1].r_0)).norm(), 0.0, 1e-7);
  EXPECT_NEAR((ends[0].v_0 - mirror.cwiseProduct(ends[1].v_0)).norm(), 0.0, 1e-7);
  for (const int axle : {0, 4}) {
    EXPECT_NEAR(ends[0].q(axle), -ends[1].q(axle + 2), 1e-7);       // steering
    EXPECT_NEAR(ends[0].qd(axle + 1), ends[1].qd(axle + 3), 1e-6);  // drives
  }
}

INSTANTIATE_TEST_SUITE_P(WheeledVehicle, OnGround, ::testing::Values(Ground::hard, Ground::soft),
                         [](const auto& of) {
                           return std::string(of.param == Ground::hard ? "hard" : "soft");
                         });

/// z = a cos(k x), analytic.
class Waves final : public Terrain {
 public:
  static constexpr double kHeight = 0.005, kNumber = 6.0;
  double height(double x, double) const override { return kHeight * std::cos(kNumber * x); }
  Vector3 normal(double x, double) const override {
    return Vector3(kHeight * kNumber * std::sin(kNumber * x), 0.0, 1.0).normalized();
  }
  SurfacePoint nearest(const Vector3& point) const override {
    double x = point.x();
    const auto slope = [&] { return -kHeight * kNumber * std::sin(kNumber * x); };
    const auto bend = [&] { return -kNumber * kNumber * height(x, 0.0); };
    for (int i = 0; i < 20; ++i) {
      const double above = height(x, 0.0) - point.z();
      x -= (x - point.x() + above * slope()) / (1.0 + slope() * slope() + above * bend());
    }
    SurfacePoint surface;
    surface.point = {x, point.y(), height(x, 0.0)};
    surface.normal = normal(x, 0.0);
    surface.distance = surface.normal.dot(point - surface.point);
    // of a curve: κ/(1 + κ d) along the tangent
    const double bent = -bend() / std::pow(1.0 + slope() * slope(), 1.5);
    const Vector3 along = Vector3(1.0, 0.0, slope()).normalized();
    surface.normal_gradient = bent / (1.0 + bent * surface.distance) * along * along.transpose();
    return surface;
  }
};

/// A wheel that is pulled over waves of soft ground at given speeds, free to sink.
SimulationSetup bed_on_waves(std::shared_ptr<const Terrain> terrain) {
  BaseDescription rails;
  rails.name = "rails";
  rails.fixed = true;
  const auto slide = [](const char* name, const char* parent, double mass, const Vector3& axis) {
    LinkDescription link = link_body(name, parent, mass, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
    link.joint.type = JointType::prismatic;
    link.joint.axis = axis;
    return link;
  };
  LinkDescription wheel = link_body("wheel", "lift", 1.2, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = Vector3::UnitY();
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("bed")
                                        .set_base(rails)
                                        .add_link(slide("carriage", "rails", 5.0, Vector3::UnitX()))
                                        .add_link(slide("lift", "carriage", 5.4, Vector3::UnitZ()))
                                        .add_link(wheel)
                                        .build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0.0, 0.0, -kGravity};
  WheelForce::Settings settings = soft(3);
  settings.terrain = std::move(terrain);
  setup.forces = {std::make_shared<WheelForce>("wheel", settings)};
  setup.prescribed_joints = {{1, steady_reference(0.5)},
                             {3, steady_reference(0.5 / 0.8 / kRadius)}};
  return setup;
}

/// What the wheels have lost at each output, J.
class Dissipation final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) sum += point.sources[i].dissipated;
    taken.push_back(sum);
  }
  std::vector<double> taken;
};

/// Errors of the height after 0.96 m of waves by two steps, one twice the other.
struct WaveErrors {
  double coarse, fine;
};
WaveErrors wave_errors(SimulationSetup setup, double step) {
  State start(*setup.model);
  start.q(1) = kRadius - 0.005;
  start.qd(0) = 0.5;
  start.qd(2) = 0.5 / 0.8 / kRadius;
  const auto height = [&](double h) {
    setup.integrator = fixed_step(IntegrationMethod::dop853, h);
    return fly(setup, start, 1.92).state.q(1);
  };
  const double exact = height(0.00125);
  return {std::abs(height(step) - exact), std::abs(height(0.5 * step) - exact)};
}

TEST(WheeledVehicle, Dop853KeepsItsOrderOverSmoothRelief) {
  const auto [coarse, fine] = wave_errors(bed_on_waves(std::make_shared<Waves>()), 0.06);
  // errors far above the roundings of the ground and of the sums of stresses
  EXPECT_GT(fine, 1e-12);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_GT(std::log2(coarse / fine), 7.0) << coarse << " and " << fine;
}

TEST(WheeledVehicle, Dop853KeepsItsOrderOverAHeightFieldUntilKinksShow) {
  const Waves waves;
  MatrixX heights(5, 61);
  for (Eigen::Index row = 0; row < heights.rows(); ++row) {
    for (Eigen::Index column = 0; column < heights.cols(); ++column) {
      heights(row, column) = waves.height(0.05 * static_cast<double>(column) - 1.0, 0.0);
    }
  }
  const auto field = std::make_shared<HeightField>(heights, 0.05, Vector3(-1.0, -0.1, 0.0));
  const SimulationSetup setup = bed_on_waves(field);
  const auto [coarse, fine] = wave_errors(setup, 0.12);
  EXPECT_GT(std::log2(coarse / fine), 7.0) << coarse << " and " << fine;
  // the spline's third derivative jumps at each of its lines, which shows where errors are small
  const auto [small, smallest] = wave_errors(setup, 0.04);
  EXPECT_LT(small, 1e-9);
  EXPECT_LT(std::log2(small / smallest), 5.0) << small << " and " << smallest;
}

TEST_P(OnGround, OnlyTakesEnergy) {
  SimulationSetup setup = kart_setup(GetParam(), 1.0, 0.3);
  Dissipation observer;
  const SimulationResult end = Simulator(setup).run(standing(*setup.model), 6.0, 0.02, observer);
  ASSERT_GT(observer.taken.size(), 200u);
  for (std::size_t i = 1; i < observer.taken.size(); ++i) {
    // what the wheels have lost never comes back; to the tolerance of the run
    EXPECT_GE(observer.taken[i], observer.taken[i - 1] - 1e-7) << i;
  }
  EXPECT_GT(observer.taken.back(), 0.5);
  EXPECT_LE(end.audit.energy_residual(), 1e-6);
}

}  // namespace
}  // namespace spacedyn::testing::wheeled_vehicle_test
