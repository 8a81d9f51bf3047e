// Drag and solar pressure on plates against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/standard_atmosphere.hpp"
#include "spacedyn/forces/surface_forces.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::surface_forces_test {
namespace {

Plate plate_of_base(const Vector3& position, const Vector3& normal, double area) {
  Plate plate;
  plate.name = "plate";
  plate.at.position = position;
  plate.normal = normal;
  plate.area = area;
  return plate;
}

/// Force on a body at rest at an attitude, and moment about its centroid.
Vector6 wrench(const ForceElement& force, const Matrix3& A, const Vector3& v, double time = 0.0) {
  const Model model = single_body(10.0, {1.0, 2.0, 3.0});
  State state(model);
  state.A_0 = A;
  state.v_0 = v;
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  LinkVelocities velocities(model);
  compute_link_velocities(model, state, frames, velocities);
  Loads loads(model);
  force.apply({time, model, state, frames, velocities, state.z}, loads);
  Vector6 sum;
  sum << loads.force.col(0), loads.moment.col(0);
  return sum;
}

SolarPressure light(std::vector<Plate> plates, const Vector3& direction, Planet planet = {}) {
  SolarPressure::Settings settings;
  settings.plates = std::move(plates);
  settings.direction = direction;
  settings.planet = planet;
  return {"sun", single_body(10.0, {1.0, 2.0, 3.0}), settings};
}

TEST(SolarPressure, PushesPlatesAsTheyReflect) {
  const double P = 4.56e-6, angle = 0.4;
  const Vector3 sun(std::sin(angle), 0.0, std::cos(angle));
  Plate plate = plate_of_base({0.0, 0.5, 0.0}, Vector3::UnitZ(), 3.0);
  const double shone = P * 3.0 * std::cos(angle);
  Vector6 black = wrench(light({plate}, sun), Matrix3::Identity(), Vector3::Zero());
  EXPECT_LE((black.head<3>() + shone * sun).norm(), 1e-20);
  EXPECT_LE((black.tail<3>() - Vector3(0.0, 0.5, 0.0).cross(-shone * sun)).norm(), 1e-20);
  plate.specular = 1.0;
  const Vector6 mirror = wrench(light({plate}, sun), Matrix3::Identity(), Vector3::Zero());
  EXPECT_LE((mirror.head<3>() + 2.0 * shone * std::cos(angle) * Vector3::UnitZ()).norm(), 1e-20);
  plate.specular = 0.0;
  plate.diffuse = 1.0;
  const Vector6 white = wrench(light({plate}, sun), Matrix3::Identity(), Vector3::Zero());
  EXPECT_LE((white.head<3>() + shone * (sun + 2.0 / 3.0 * Vector3::UnitZ())).norm(), 1e-20);
}

TEST(SolarPressure, ReachesOneSideUnlessThereAreTwo) {
  Plate plate = plate_of_base({0.0, 0.0, 0.0}, -Vector3::UnitZ(), 3.0);
  EXPECT_TRUE(
      wrench(light({plate}, Vector3::UnitZ()), Matrix3::Identity(), Vector3::Zero()).isZero(0.0));
  plate.two_sided = true;
  EXPECT_NEAR(wrench(light({plate}, Vector3::UnitZ()), Matrix3::Identity(), Vector3::Zero())(2),
              -4.56e-6 * 3.0, 1e-20);
}

TEST(SolarPressure, StopsInTheShadowOfThePlanet) {
  const double R = 6378137.0;
  const SolarPressure sun = light({plate_of_base({0, 0, 0}, Vector3::UnitX(), 1.0)},
                                  Vector3::UnitX(), {Vector3::Zero(), R});
  EXPECT_EQ(sun.visible_part(0.0, Vector3(R + 5e5, 0.0, 0.0)), 1.0);
  EXPECT_NEAR(sun.visible_part(0.0, Vector3(-R - 5e5, 0.0, 0.0)), 0.0, 1e-12);
  EXPECT_EQ(sun.visible_part(0.0, Vector3(-R - 5e5, 2.0 * R, 0.0)), 1.0);
  // half of the disc where the limb passes through its centre; the limb is nearly straight
  const double x = 5.0e6;
  EXPECT_NEAR(sun.visible_part(0.0, Vector3(-x, R, 0.0)), 0.5, 2e-3);
}

TEST(SolarPressure, FollowsTheSunInAFrameThatTurns) {
  const double n = 1.1e-3;
  const SolarPressure sun =
      light({plate_of_base({0, 0, 0}, Vector3::UnitX(), 1.0)}, Vector3::UnitX(),
            {Vector3::Zero(), 0.0, {7.0e6, n * n * 3.43e20}});
  const double time = 0.3 / n;
  const Vector3 towards = rotation_z(-0.3) * Vector3::UnitX();
  const Vector6 pushed = wrench(sun, Matrix3::Identity(), Vector3::Zero(), time);
  EXPECT_LE((pushed.head<3>() + 4.56e-6 * std::cos(0.3) * towards).norm(), 1e-20);
}

TEST(SolarPressure, TurnsInAnOrbitAboutAPlanetWhoseRadiusIsNotKnown) {
  const Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: sun\n  duration: 10\n"
      "  environment:\n"
      "    orbit: {radius: 9000 km, mu: 4.0e+14}\n"
      "    sun: {direction: [1, 0, 0]}\n"
      "    plates: [{at: ball, normal: [1, 0, 0], area: 1, two_sided: true}]\n"
      "  model: {name: m, base: {name: ball, mass: 50, inertia: [1, 1, 1]}}\n",
      "sun.yaml");
  const double time = 0.3 / std::sqrt(4.0e14 / 7.29e20);
  const auto& sun = dynamic_cast<const SolarPressure&>(*scenario.setup.forces.back());
  const Vector6 pushed = wrench(sun, Matrix3::Identity(), Vector3::Zero(), time);
  const Vector3 towards = rotation_z(-0.3) * Vector3::UnitX();
  EXPECT_LE((pushed.head<3>() + 4.56e-6 * std::cos(0.3) * towards).norm(), 1e-19);
}

TEST(SolarPressure, FollowsTheEphemerisOfTheSun) {
  // the sun of 2026 is at 0.98330 astronomical units on January 3, and at 1.01664 on July 6
  const auto pushed = [](const std::string& epoch, const std::string& flight, double time) {
    const Scenario scenario = parse_scenario(
        "spacedyn: 1\nscenario:\n  name: sun\n  duration: 10\n  environment:\n    epoch: " + epoch +
            "\n" + flight +
            "    sun: {}\n    plates:\n"
            "      - {at: ball, normal: [1, 0, 0], area: 1, two_sided: true}\n"
            "      - {at: ball, normal: [0, 1, 0], area: 1, two_sided: true}\n"
            "      - {at: ball, normal: [0, 0, 1], area: 1, two_sided: true}\n"
            "  model: {name: m, base: {name: ball, mass: 50, inertia: [1, 1, 1]}}\n",
        "sun.yaml");
    const auto& sun = dynamic_cast<const SolarPressure&>(*scenario.setup.forces.back());
    return Vector3(wrench(sun, Matrix3::Identity(), Vector3::Zero(), time).head<3>());
  };
  // black plates in three planes: −P Σ|ŝ_i| ŝ, ŝ by right ascension and declination of an almanac
  const auto expected = [](double distance, const Vector3& s) {
    return Vector3(-4.56e-6 / (distance * distance) * s.lpNorm<1>() * s);
  };
  const std::string january = "2026-01-03T17:15:00Z", july = "2026-07-06T17:30:00Z";
  EXPECT_NEAR(pushed(january, "", 0.0).norm() / pushed(july, "", 0.0).norm(),
              std::pow(1.01664 / 0.98330, 2) *
                  sun_position(*epoch_of(january)).normalized().lpNorm<1>() /
                  sun_position(*epoch_of(july)).normalized().lpNorm<1>(),
              2e-4);
  const double days = *epoch_of(july);
  const Vector3 now = sun_position(days + 0.25);
  EXPECT_LE((pushed(july, "", 21600.0) - expected(now.norm() / kAstronomicalUnit, now.normalized()))
                .norm(),
            1e-19);
  // in the frame of an orbit: inclination 30°, argument 10°, node 80°, after some time
  const std::string orbit =
      "    orbit: {radius: 9000 km, inclination: 30 deg, argument: 10 deg, ascending_node: 80 "
      "deg}\n";
  const double time = 500.0, turned = std::sqrt(kEarthMu / 9e6) / 9e6 * time;
  const Matrix3 axes =
      rotation_z(80 * kDegree) * rotation_x(30 * kDegree) * rotation_z(10 * kDegree + turned);
  const Vector3 sun = sun_position(days + time / 86400.0);
  const Vector3 seen = axes.transpose() * sun.normalized();
  EXPECT_LE((pushed(july, orbit, time) - expected(sun.norm() / kAstronomicalUnit, seen)).norm(),
            1e-19);
}

DragForce air(std::vector<Plate> plates, const Vector3& rotation = Vector3::Zero()) {
  DragForce::Settings settings;
  settings.plates = std::move(plates);
  settings.planet = {Vector3(-6.8e6, 0.0, 0.0), 6.4e6};
  settings.density = 3.0e-12;
  settings.reference_altitude = 3.0e5;
  settings.scale_height = 5.0e4;
  settings.rotation = rotation;
  return {"drag", single_body(10.0, {1.0, 2.0, 3.0}), settings};
}

TEST(Drag, GrowsWithTheSquareOfTheSpeed) {
  const DragForce drag = air({plate_of_base({0, 0, 0}, Vector3::UnitY(), 2.0)});
  const double density = 3.0e-12 * std::exp(-1.0e5 / 5.0e4);
  const double angle = 0.3;
  const Vector3 v = 7600.0 * Vector3(0.0, std::cos(angle), std::sin(angle));
  const Vector6 felt = wrench(drag, Matrix3::Identity(), v);
  const Vector3 expected = -0.5 * density * 2.2 * 2.0 * std::cos(angle) * 7600.0 * v;
  EXPECT_LE((felt.head<3>() - expected).norm(), 1e-12 * expected.norm());
  EXPECT_TRUE(wrench(drag, Matrix3::Identity(), -v).isZero(0.0));  // its back
}

TEST(Drag, KnowsThatTheAirTurns) {
  const DragForce drag =
      air({plate_of_base({0, 0, 0}, Vector3::UnitY(), 2.0)}, Vector3(0.0, 0.0, 7.29e-5));
  const double wind = 7600.0 - 7.29e-5 * 6.8e6;
  const Vector6 felt = wrench(drag, Matrix3::Identity(), Vector3(0.0, 7600.0, 0.0));
  const double expected = -0.5 * 3.0e-12 * std::exp(-2.0) * 2.2 * 2.0 * wind * wind;
  EXPECT_NEAR(felt(1) / expected, 1.0, 1e-12);
}

TEST(Drag, KnowsTheStandardAtmosphere) {
  // tables of the standard: to 80 km by geometric altitude, then to 1,000 km; 4 digits
  const std::vector<std::pair<double, double>> table = {
      {0, 1.2250},      {1, 1.1117},      {5, 7.3643e-1},   {11, 3.6480e-1},  {20, 8.8910e-2},
      {25, 4.0084e-2},  {32, 1.3555e-2},  {50, 1.0269e-3},  {70, 8.2829e-5},  {80, 1.8458e-5},
      {86, 6.958e-6},   {90, 3.416e-6},   {100, 5.604e-7},  {110, 9.708e-8},  {120, 2.222e-8},
      {150, 2.076e-9},  {200, 2.541e-10}, {300, 1.916e-11}, {400, 2.803e-12}, {500, 5.215e-13},
      {600, 1.137e-13}, {700, 3.070e-14}, {800, 1.136e-14}, {900, 5.759e-15}, {1000, 3.561e-15}};
  for (const auto& [altitude, density] : table) {
    EXPECT_NEAR(us_1976_density(1e3 * altitude) / density, 1.0, 5e-4) << altitude;
  }
  // without jumps, the two parts meet to the digits of their constants
  EXPECT_NEAR(us_1976_density(86e3 - 1e-3) / us_1976_density(86e3), 1.0, 2e-5);
  for (double z = 80e3; z < 1.1e6; z *= 1.003) {
    const double before = us_1976_density(z), after = us_1976_density(1.003 * z);
    EXPECT_LT(after, before) << z;
    EXPECT_GT(after, 0.9 * before) << z;
  }
  DragForce::Settings settings;
  settings.plates = {plate_of_base({0, 0, 0}, Vector3::UnitY(), 2.0)};
  settings.planet = {Vector3(-6.8e6, 0.0, 0.0), 6.4e6};
  settings.standard = StandardAtmosphere::us_1976;
  const DragForce drag("drag", single_body(10.0, {1.0, 2.0, 3.0}), settings);
  const Vector6 felt = wrench(drag, Matrix3::Identity(), Vector3(0.0, 7600.0, 0.0));
  EXPECT_NEAR(felt(1) / (-0.5 * 2.803e-12 * 2.2 * 2.0 * 7600.0 * 7600.0), 1.0, 5e-4);
}

TEST(Drag, LowersAnOrbitAsItsDensitySays) {
  // ȧ = −ρ c_D A/m √(μ a) for a circular orbit
  const Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: decay\n  duration: 6000\n"
      "  integrator: {relative_tolerance: 1.0e-11}\n"
      "  initial: {base: {position: [6.778137e+6, 0, 0], velocity: [0, 7668.558, 0]}}\n"
      "  environment:\n"
      "    bodies: {earth: {mu: 3.986004418e+14, planet_radius: 6378137}}\n"
      "    gravity_gradient: false\n"
      "    atmosphere: {density: 1.0e-11, reference_altitude: 400 km, scale_height: 60 km}\n"
      "    plates:\n"
      "      - {at: ball, normal: [1, 0, 0], area: 1, two_sided: true}\n"
      "      - {at: ball, normal: [0, 1, 0], area: 1, two_sided: true}\n"
      "  model: {name: m, base: {name: ball, mass: 50, inertia: [1, 1, 1]}}\n",
      "decay.yaml");
  const auto axis = [](const State& state) {
    const double mu = 3.986004418e14;
    return 1.0 / (2.0 / state.r_0.norm() - state.v_0.squaredNorm() / mu);
  };
  const double a = axis(scenario.initial),
               period = 2.0 * kPi * std::sqrt(a * a * a / 3.986004418e14);
  const SimulationResult end = simulate(scenario.setup, scenario.initial, period);
  // the body keeps its attitude: |cos| + |sin| of the wind's angle is 4/π on average
  const double rate = -1.0e-11 * 2.2 * (4.0 / kPi) / 50.0 * std::sqrt(3.986004418e14 * a);
  EXPECT_NEAR((axis(end.state) - a) / (rate * period), 1.0, 0.02);
  EXPECT_LE(end.audit.energy_residual(), 1e-9);
}

TEST(SurfaceForces, RefusePlatesThatCannotBe) {
  Plate plate = plate_of_base({0, 0, 0}, Vector3::UnitX(), 0.0);
  const auto refusal = [&] {
    return message_of<DomainError>([&] { check_plate(plate, single_body(1.0, {1, 1, 1})); });
  };
  EXPECT_EQ(refusal(), "'plate': its area must be finite and positive");
  plate.area = 1.0;
  plate.normal = Vector3(1.0, 1.0, 0.0);
  EXPECT_EQ(refusal(), "'plate': its normal must have length 1");
  plate.normal = Vector3::UnitX();
  plate.specular = plate.diffuse = 0.6;
  EXPECT_EQ(refusal(),
            "'plate': specular and diffuse must be parts of the light, together at most 1");
  plate.specular = 0.0;
  plate.at.body = 3;
  EXPECT_EQ(refusal(), "'plate': it is on no body of the model");
}

}  // namespace
}  // namespace spacedyn::testing::surface_forces_test
