// The frame of an elliptic orbit against inertial two-body flight, and its linear tide against the
// closed form of Yamanaka and Ankersen.
#include <cmath>
#include <iomanip>
#include <sstream>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::reference_orbit_test {
namespace {

const ReferenceOrbit kEllipse{7.0e6, kEarthMu, 0.3, 40.0 * kDegree};
const std::string kOrbit =
    "orbit: {radius: 7000 km, eccentricity: 0.3, true_anomaly: 40 deg, tide: exact}";

Scenario flight(const std::string& environment, const std::string& rest = "",
                const std::string& model = "") {
  Scenario scenario =
      parse_scenario("spacedyn: 1\nscenario:\n  name: ellipse\n  duration: 1\n  environment: {" +
                         environment + "}\n" + rest +
                         "  model:\n    name: craft\n    base: {name: bus, mass: 500, inertia: "
                         "[300, 500, 650]}\n" +
                         model,
                     "ellipse.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  return scenario;
}

/// A state of the local frame in inertial axes that it has at t = 0, from the centre of the planet.
State inertial(const ReferenceOrbit& orbit, double time, State state) {
  const auto place = orbit.at(time);
  const Matrix3 A = orbit.attitude(time);
  const Vector3 rate(0, 0, place.rate), r = state.r_0 + Vector3(place.radius, 0, 0);
  state.v_0 = A * (state.v_0 + Vector3(place.radial_speed, 0, 0) + rate.cross(r));
  state.r_0 = A * r;
  state.omega_0 = A * (state.omega_0 + rate);
  state.A_0 = A * state.A_0;
  return state;
}

TEST(ReferenceOrbit, IsAKeplerOrbit) {
  for (const double e : {0.0, 1e-9, 0.1, 0.5, 0.9, 0.99}) {
    const ReferenceOrbit orbit{7.0e6, kEarthMu, e, 1.2};
    const double a = 7.0e6 / (1 - e), n = std::sqrt(kEarthMu / a) / a;
    const double p = 7.0e6 * (1 + e), period = 2 * kPi / n;
    for (const double part : {-1.3, 0.0, 0.1, 0.37, 0.5, 0.81, 2.4}) {
      const double t = part * period;
      const auto place = orbit.at(t);
      const double h = 1e-5 / place.rate;  // far from the roundings of the angle and of h² alike
      // integrals of energy and of angular momentum, and the equation of the ellipse
      const double speed = place.radius * place.rate;
      EXPECT_NEAR(
          0.5 * (speed * speed + place.radial_speed * place.radial_speed) - kEarthMu / place.radius,
          -0.5 * kEarthMu / a, 1e-13 * kEarthMu / 7.0e6);
      EXPECT_NEAR(place.radius * speed, std::sqrt(kEarthMu * p), 1e-9 * std::sqrt(kEarthMu * p));
      EXPECT_NEAR(place.radius * (1 + e * std::cos(1.2 + place.angle)), p, 1e-12 * p) << e << part;
      // rates are those of the place
      const auto before = orbit.at(t - h), after = orbit.at(t + h);
      EXPECT_NEAR((after.radius - before.radius) / (2 * h), place.radial_speed, 1e-4);
      EXPECT_NEAR((after.angle - before.angle) / (2 * h), place.rate, 1e-8 * place.rate);
      EXPECT_NEAR((after.rate - before.rate) / (2 * h), place.rate_change,
                  1e-8 * place.rate * place.rate + 1e-7 * std::abs(place.rate_change));
    }
    EXPECT_NEAR(orbit.at(0.0).angle, 0.0, 1e-13);
    EXPECT_NEAR(orbit.at(3 * period).angle, 6 * kPi, 1e-12);
  }
}

TEST(EllipticOrbit, WithTheExactTideIsTwoBodyFlight) {
  for (const char* gradient : {"false", "true"}) {
    Scenario local =
        flight(kOrbit + ", gravity_gradient: " + gradient, "",
               "    reaction_wheels: [{name: w, body: bus, axis: [1, 1, 0], spin_inertia: 0.5}]\n");
    local.initial.r_0 = {9000, -20000, 7000};
    local.initial.v_0 = {3, -5, 2};
    local.initial.omega_0 = {1e-3, -2e-3, 1.5e-3};
    local.initial.A_0 = matrix_from_rpy({0.2, -0.1, 0.4});
    local.initial.qd(0) = 40.0;
    Scenario free =
        flight(std::string("bodies: {earth: {mu: 3.986004418e14}}, gravity_gradient: ") + gradient,
               "  initial: {base: {position: [7000000, 0, 0]}}\n",
               "    reaction_wheels: [{name: w, body: bus, axis: [1, 1, 0], spin_inertia: 0.5}]\n");
    free.initial = inertial(kEllipse, 0.0, local.initial);
    const double duration = 12000.0;  // a revolution and more
    const SimulationResult result = simulate(local.setup, local.initial, duration);
    const State a = inertial(kEllipse, duration, result.state);
    const State b = simulate(free.setup, free.initial, duration).state;
    // positions of 1e7 m have roundings of 1e-9 m at each of some 1000 steps
    EXPECT_LE((a.r_0 - b.r_0).norm(), 2e-4) << gradient;
    EXPECT_LE((a.v_0 - b.v_0).norm(), 2e-7);
    EXPECT_LE((a.A_0 - b.A_0).norm(), 1e-7);
    EXPECT_LE((a.omega_0 - b.omega_0).norm(), 1e-10);
    EXPECT_NEAR(a.qd(0), b.qd(0), 1e-9);
    EXPECT_LE(result.audit.energy_residual(), 1e-9);
    EXPECT_LE(result.audit.momentum_drift(), 1e-9);
  }
}

/// In-plane and cross-track fundamental solutions of Tschauner and Hempel at a true anomaly, in the
/// coordinates x outward, y along the track, scaled by ρ = 1 + e cos ν [Yamanaka 2002].
Eigen::Matrix<double, 6, 6> solutions(double e, double nu, double J) {
  const double rho = 1 + e * std::cos(nu), s = rho * std::sin(nu), c = rho * std::cos(nu);
  const double ds = std::cos(nu) + e * std::cos(2 * nu),
               dc = -(std::sin(nu) + e * std::sin(2 * nu));
  const double r2 = rho * rho;
  Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
  // rows x, y, z, x', y', z'; outward is −z and along is x of the paper
  M.row(0) << 0, s, c, 2 - 3 * e * s * J, 0, 0;
  M.row(1) << 1, c * (1 + 1 / rho), -s * (1 + 1 / rho), -3 * r2 * J, 0, 0;
  M.row(2) << 0, 0, 0, 0, std::cos(nu), std::sin(nu);
  M.row(3) << 0, ds, dc, -3 * e * (ds * J + s / r2), 0, 0;
  M.row(4) << 0, -2 * s, e - 2 * c, -3 * (1 - 2 * e * s * J), 0, 0;
  M.row(5) << 0, 0, 0, 0, -std::sin(nu), std::cos(nu);
  return M;
}

TEST(EllipticOrbit, WithTheLinearTideIsThatOfYamanakaAndAnkersen) {
  Scenario scenario = flight("orbit: {radius: 7000 km, eccentricity: 0.3, true_anomaly: 40 deg}");
  scenario.initial.r_0 = {100, -50, 30};
  scenario.initial.v_0 = {0.1, -0.2, 0.05};
  const double e = 0.3, p = 7.0e6 * 1.3, k2 = std::sqrt(kEarthMu / p) / p;
  Trajectory trajectory;
  Simulator(scenario.setup).run(scenario.initial, 15000.0, 1500.0, trajectory);
  Eigen::Matrix<double, 6, 1> constants;
  for (const TrajectoryPoint& sample : trajectory.points) {
    const auto place = kEllipse.at(sample.time);
    const double nu = 40.0 * kDegree + place.angle, rho = 1 + e * std::cos(nu);
    const auto M = solutions(e, nu, k2 * sample.time);
    if (sample.time == 0.0) {
      Eigen::Matrix<double, 6, 1> start;
      start << rho * sample.state.r_0,
          -e * std::sin(nu) * sample.state.r_0 + sample.state.v_0 / (k2 * rho);
      constants = M.partialPivLu().solve(start);
    }
    const Vector3 expected = (M * constants).head<3>() / rho;
    EXPECT_LE((sample.state.r_0 - expected).norm(), 1e-9 * (100.0 + expected.norm()))
        << sample.time;
  }
  EXPECT_GT(trajectory.points.back().state.r_0.norm(), 500.0);
}

TEST(EllipticOrbit, CarriesAirSunAndMagnetsAsInertialFlightDoes) {
  const std::string plates =
      ", plates: [{at: bus, normal: [0, 1, 0], area: 30, two_sided: true}, {at: bus, normal: [1, "
      "0, "
      "0], area: 20, two_sided: true}], sun: {direction: [0.3, -1, 0.4], pressure: 0.01}, "
      "atmosphere: {density: 1.0e-9, reference_altitude: 300 km, scale_height: 400 km, rotation: "
      "[0, 0, 7.3e-5]}";
  const std::string magnet =
      "  forces: [{type: magnetic_torquer, at: bus, axis: [1, 2, 0], dipole: 30}]\n";
  Scenario local = flight(
      "orbit: {altitude: 300 km, eccentricity: 0.2, true_anomaly: 70 deg, tide: "
      "exact}, magnetic_field: {dipole: 7.71e+22, inclination: 50 deg, argument: "
      "20 deg, tilt: 11 deg, rotation: 7.3e-3, longitude: 30 deg}" +
          plates,
      magnet);
  const ReferenceOrbit orbit{kEarthRadius + 300e3, kEarthMu, 0.2, 70 * kDegree};
  // the dipole in axes that the local frame has at the start
  const BodyAxes earth =
      BodyAxes::in_orbit(orbit, 50 * kDegree, 20 * kDegree, 7.3e-3, 30 * kDegree);
  const Vector3 north =
      earth.attitude * Vector3(std::sin(11 * kDegree), 0.0, std::cos(11 * kDegree));
  const auto list = [](const Vector3& v) {
    std::ostringstream text;
    text << std::setprecision(17) << '[' << v.x() << ", " << v.y() << ", " << v.z() << ']';
    return text.str();
  };
  Scenario free = flight(
      "bodies: {earth: {mu: 3.986004418e14, planet_radius: 6378137}}, gravity_gradient: false, "
      "magnetic_field: {dipole: 7.71e+22, north: " +
          list(north) + ", angular_velocity: " + list(earth.angular_velocity) + "}" + plates,
      "  initial: {base: {position: [7000000, 0, 0]}}\n" + magnet);
  free.initial = inertial(orbit, 0.0, local.initial);
  const double duration = 4000.0;
  const State a = inertial(orbit, duration, simulate(local.setup, local.initial, duration).state);
  const State b = simulate(free.setup, free.initial, duration).state;
  // of some 30 km; steps cross the kinks where plates turn over and where the shadow begins
  EXPECT_LE((a.r_0 - b.r_0).norm(), 1e-3);
  EXPECT_LE((a.A_0 - b.A_0).norm(), 1e-8);
  EXPECT_LE((a.omega_0 - b.omega_0).norm(), 1e-11);
  EXPECT_GT((a.omega_0 - inertial(orbit, 0.0, local.initial).omega_0).norm(), 1e-4);
}

TEST(EllipticOrbit, IsKnownToSensors) {
  // a body at rest against the stars: a gyroscope reads nothing, a star tracker always the same
  Scenario scenario =
      flight(kOrbit,
             "  sensors:\n    - {type: gyroscope, name: g, at: bus, sample_period: 500}\n"
             "    - {type: star_tracker, name: s, at: bus, sample_period: 500}\n"
             "    - {type: accelerometer, name: a, at: bus, sample_period: 500}\n");
  scenario.initial.omega_0 = {0.0, 0.0, -kEllipse.at(0.0).rate};
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 5000.0);
  EXPECT_NEAR(end.state.omega_0.z(), -kEllipse.at(5000.0).rate, 1e-12);
  EXPECT_LE((kEllipse.attitude(5000.0) * end.state.A_0 - Matrix3::Identity()).norm(), 1e-9);
}

TEST(EllipticOrbit, OfNoEllipseIsRefused) {
  const Scenario scenario = flight(kOrbit);
  const auto refusal = [&](double radius, double e) {
    OrbitSettings orbit;
    orbit.radius = radius;
    orbit.eccentricity = e;
    return message_of<DomainError>([&] { HillField("hill", *scenario.setup.model, orbit); });
  };
  EXPECT_EQ(refusal(7e6, 1.0),
            "'hill': the eccentricity of the orbit must be at least 0 and below 1");
  EXPECT_EQ(refusal(0.0, 0.1), "'hill': the radius of the orbit must be finite and positive");
}

}  // namespace
}  // namespace spacedyn::testing::reference_orbit_test
