// J₂ in the frame of an orbit against inertial flight about an oblate planet.
#include <cmath>
#include <fstream>
#include <iomanip>
#include <sstream>

#include <gtest/gtest.h>

#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/spherical_harmonics.hpp"
#include "spacedyn/forces/third_bodies.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/recorders.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::testing::orbit_oblateness_test {
namespace {

constexpr double kRadius = kEarthRadius + 550e3, kJ2 = 1.0826e-3;
constexpr double kInclination = 51.6 * kDegree, kArgument = 20.0 * kDegree;

Scenario flight(const std::string& environment, const std::string& rest = "") {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: oblate\n  duration: 1\n  environment: {" + environment +
          "}\n" + rest +
          "  model:\n    name: ball\n    base: {name: bus, mass: 500, inertia: [9, 9, 9]}\n",
      "oblate.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  return scenario;
}

const std::string kOblate =
    "orbit: {altitude: 550 km, tide: exact, j2: 1.0826e-3, inclination: 51.6 deg, argument: 20 "
    "deg}";

/// Hill's axes in those of the equator.
Matrix3 hill_axes(double time) {
  const double n = std::sqrt(kEarthMu / kRadius) / kRadius;
  return rotation_x(kInclination) * rotation_z(kArgument + n * time);
}

TEST(OrbitOblateness, FliesAsInInertialAxes) {
  const Vector3 out(kRadius, 0.0, 0.0), n(0, 0, std::sqrt(kEarthMu / kRadius) / kRadius);
  Scenario hill = flight(kOblate);
  hill.initial.r_0 = {100, -50, 30};
  hill.initial.v_0 = {0.1, -0.2, 0.05};
  Scenario inertial = flight(
      "bodies: {earth: {mu: 3.986004418e+14, position: [0, 0, 0], planet_radius: 6378137, j2: "
      "1.0826e-3}}",
      "  initial: {base: {position: [7.0e+6, 0, 0]}}\n");
  inertial.initial.r_0 = hill_axes(0.0) * (out + hill.initial.r_0);
  inertial.initial.v_0 = hill_axes(0.0) * (hill.initial.v_0 + n.cross(out + hill.initial.r_0));
  const double orbit = 5739.0;
  const State a = simulate(hill.setup, hill.initial, orbit).state;
  const State b = simulate(inertial.setup, inertial.initial, orbit).state;
  const Vector3 expected = hill_axes(orbit).transpose() * b.r_0 - out;
  // roundings of 7e6 m and 1e-13 of them in each step
  EXPECT_LE((a.r_0 - expected).norm(), 1e-5);
  // and it is the planet's shape that moves it
  Scenario sphere = flight("orbit: {altitude: 550 km, tide: exact}");
  sphere.initial = hill.initial;
  EXPECT_GT((a.r_0 - simulate(sphere.setup, sphere.initial, orbit).state.r_0).norm(), 1e3);
}

TEST(OrbitOblateness, IsTheGradientOfThePotentialOfAPlanet) {
  HarmonicCoefficients shape = HarmonicCoefficients::oblate(kEarthMu, kEarthRadius, kJ2);
  shape.cosine(0, 0) = 0.0;
  const BodyField field("oblateness", std::make_shared<SphericalHarmonics>(shape),
                        BodyAxes::in_orbit({kRadius}, kInclination, kArgument));
  const Scenario scenario = flight(kOblate);
  const Model& model = *scenario.setup.model;
  LinkFrames frames(model);
  const LinkVelocities velocities(model);
  compute_link_frames(model, scenario.initial, frames);
  for (const double time : {0.0, 1000.0, 3000.0}) {
    const EvaluationContext context{time,   model,      scenario.initial,
                                    frames, velocities, scenario.initial.z};
    const Vector3 r(1000, -2000, 3000);
    CentralBody planet, ball;
    planet.mu = ball.mu = kEarthMu;
    planet.j2 = kJ2;
    planet.equatorial_radius = kEarthRadius;
    const Matrix3 A = hill_axes(time);
    const Vector3 place = A * (r + Vector3(kRadius, 0, 0));
    const Vector3 pull = A.transpose() * (planet.gradient(place) - ball.gradient(place));
    // differences of 8 m/s²
    EXPECT_LE((field.acceleration(context, 0, r, Vector3::Zero()) - pull).norm(), 1e-14);
    EXPECT_GT(pull.norm(), 5e-3);
  }
}

/// A file of low degree with the earth's mu and radius; figures of EGM96 to degree 2, made-up ones
/// beyond, large enough that they matter within an orbit.
std::string coefficient_file(const TemporaryDirectory& folder) {
  const std::string path = folder / "low.gfc";
  std::ofstream(path) << "product_type gravity_field\nmodelname low\nearth_gravity_constant "
                         "3.986004418e+14\nradius 6378137\nmax_degree 4\nend_of_head\n"
                         "gfc 2 0 -4.84165371736e-4 0\ngfc 2 2 2.43914352398e-6 -1.40016683654e-6\n"
                         "gfc 3 1 2.0e-5 2.5e-5\ngfc 4 3 -1.0e-5 3.0e-5\n";
  return path;
}

TEST(OrbitHarmonics, FlyAsInInertialAxesAboutAPlanetThatTurns) {
  const TemporaryDirectory folder;
  const std::string file = coefficient_file(folder);
  for (const char* gradient : {"true", "false"}) {
    const std::string rest = std::string("gravity_gradient: ") + gradient;
    Scenario hill = flight(
        "orbit: {radius: 6900 km, eccentricity: 0.05, true_anomaly: -30 deg, tide: "
        "exact, harmonics: " +
        file +
        ", inclination: 51.6 deg, argument: 20 deg, rotation: 7.292115e-5, "
        "longitude: 75 deg}, " +
        rest);
    hill.initial.r_0 = {100, -50, 30};
    hill.initial.v_0 = {0.1, -0.2, 0.05};
    const ReferenceOrbit orbit{6.9e6, kEarthMu, 0.05, -30 * kDegree};
    // equatorial axes in which the node is at x
    const Matrix3 start = rotation_x(kInclination) * rotation_z(kArgument);
    const auto inertial = [&](const State& state, double time) {
      const auto place = orbit.at(time);
      const Matrix3 A = start * orbit.attitude(time);
      State result = state;
      const Vector3 r = state.r_0 + Vector3(place.radius, 0, 0), rate(0, 0, place.rate);
      result.r_0 = A * r;
      result.v_0 = A * (state.v_0 + Vector3(place.radial_speed, 0, 0) + rate.cross(r));
      result.A_0 = A * state.A_0;
      result.omega_0 = A * (state.omega_0 + rate);
      return result;
    };
    Scenario free =
        flight("bodies: {earth: {harmonics: " + file +
                   ", rpy: [0, 0, -75 deg], angular_velocity: [0, 0, 7.292115e-5]}}, " + rest,
               "  initial: {base: {position: [7.0e+6, 0, 0]}}\n");
    free.initial = inertial(hill.initial, 0.0);
    const SimulationResult flown = simulate(hill.setup, hill.initial, 6000.0);
    const SimulationResult other = simulate(free.setup, free.initial, 6000.0);
    const State a = inertial(flown.state, 6000.0);
    EXPECT_LE((a.r_0 - other.state.r_0).norm(), 1e-4);
    EXPECT_LE((a.omega_0 - other.state.omega_0).norm(), 1e-11);
    EXPECT_LE(flown.audit.energy_residual(), 1e-9);
    EXPECT_LE(other.audit.energy_residual(), 1e-9);
    EXPECT_GT(flown.state.r_0.norm(), 1e3);
  }
}

TEST(OrbitHarmonics, LieAsTheEpochSays) {
  const TemporaryDirectory folder;
  const std::string file = coefficient_file(folder);
  const auto end = [&](const std::string& longitude) {
    Scenario scenario = flight(
        "epoch: 2007-10-15T00:00:00Z, third_bodies: {sun: {}}, orbit: {altitude: 550 km, tide: "
        "exact, harmonics: " +
        file +
        ", inclination: 51.6 deg, argument: 20 deg, ascending_node: 80 deg, rotation: "
        "7.292115e-5" +
        longitude + "}");
    scenario.initial.r_0 = {100, -50, 30};
    return simulate(scenario.setup, scenario.initial, 600.0).state.r_0;
  };
  // the earth rotation angle of that instant as SOFA's tests print it, eraEra00 of 54388.0
  const double angle = 0.4022837240028158102;
  EXPECT_NEAR(earth_rotation_angle(*epoch_of("2007-10-15T00:00:00Z")), angle, 1e-11);
  std::ostringstream same;
  same << std::setprecision(16) << 80.0 - angle / kDegree;
  EXPECT_LE((end("") - end(", longitude: " + same.str() + " deg")).norm(), 1e-6);
  EXPECT_GE((end("") - end(", longitude: 0")).norm(), 1.0);
}

}  // namespace
}  // namespace spacedyn::testing::orbit_oblateness_test
