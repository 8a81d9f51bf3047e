// J₂ in the frame of an orbit against inertial flight about an oblate planet.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/hill_oblateness.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

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
  const HillOblateness field("oblateness", OrbitSettings{kRadius},
                             {kJ2, kEarthRadius, kInclination, kArgument});
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

TEST(OrbitOblateness, RefusesWhatMakesNoSense) {
  const auto build = [](double orbit, const HillOblateness::Settings& settings) {
    return message_of<DomainError>(
        [&] { HillOblateness("oblateness", OrbitSettings{orbit}, settings); });
  };
  EXPECT_EQ(build(-1.0, {kJ2, kEarthRadius}),
            "'oblateness': radius and mu of the orbit must be finite and positive");
  EXPECT_EQ(build(kRadius, {std::nan(""), kEarthRadius}),
            "'oblateness': its numbers must be finite");
  EXPECT_EQ(build(kRadius, {kJ2, kRadius}),
            "'oblateness': the equatorial radius must be positive and within the orbit");
  EXPECT_EQ(build(kRadius, {kJ2, 0.0}),
            "'oblateness': the equatorial radius must be positive and within the orbit");
}

}  // namespace
}  // namespace spacedyn::testing::orbit_oblateness_test
