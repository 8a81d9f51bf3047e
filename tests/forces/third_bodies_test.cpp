// Sun and moon against published positions, and masses in the distance against free ones.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/third_bodies.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::third_bodies_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

double angle_between(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// Longitude and latitude of the ecliptic of date, from axes of J2000: precession in longitude.
std::pair<double, double> ecliptic_of_date(const Vector3& r, double days) {
  const Vector3 e = rotation_x(-23.43929111 * kDegree) * r;
  return {std::atan2(e.y(), e.x()) / kDegree + 1.39697 * days / 36525.0,
          std::asin(e.z() / e.norm()) / kDegree};
}

// Meeus, Astronomical Algorithms, second edition: examples 47.a, by some 120 terms, and 25.b, by
// VSOP87. The series have errors of some 0.02 degrees.
TEST(Ephemerides, GiveThePositionsOfMeeus) {
  const double april = 2448724.5 - 2451545.0, october = 2448908.5 - 2451545.0;
  const Vector3 moon = moon_position(april);
  EXPECT_NEAR(ecliptic_of_date(moon, april).first, 133.162655, 0.03);
  EXPECT_NEAR(ecliptic_of_date(moon, april).second, -3.229126, 0.03);
  EXPECT_NEAR(moon.norm(), 368409.7e3, 500e3);
  const Vector3 sun = sun_position(october);
  EXPECT_NEAR(ecliptic_of_date(sun, october).first + 360.0, 199.0 + 54.0 / 60 + 26.2 / 3600, 0.012);
  EXPECT_NEAR(sun.norm() / kAstronomicalUnit, 0.997608, 1e-4);
}

// The routines epv00 (VSOP2000) and moon98 (ELP 2000-82B) of the IAU's SOFA, as ERFA 2.0.0 has
// them.
TEST(Ephemerides, AreThoseOfTheSofaLibraryWithinTheirBounds) {
  struct Row {
    double date;
    Vector3 sun, moon;  // km
  };
  const std::vector<Row> rows = {{2451545.0,
                                  {26499029.71914863, -132757417.63303955, -57556716.961198874},
                                  {-291605.4663790748, -266715.2332831514, -76099.03632740979}},
                                 {2460000.5,
                                  {135038228.99494022, -55704874.21808407, -24148356.551332667},
                                  {299658.5106719863, 216596.23001293142, 95690.84121644736}},
                                 {2461000.5,
                                  {-77083765.78181046, -115707542.27126935, -50157174.84531102},
                                  {-162506.23592479253, -326350.2659353998, -179665.16757860675}}};
  for (const Row& row : rows) {
    const double days = row.date - 2451545.0;
    EXPECT_LE(angle_between(sun_position(days), row.sun), 0.012 * kDegree);
    EXPECT_NEAR(sun_position(days).norm() / row.sun.norm(), 1e3, 0.1);
    EXPECT_LE(angle_between(moon_position(days), row.moon), 0.08 * kDegree);
    EXPECT_NEAR(moon_position(days).norm(), 1e3 * row.moon.norm(), 5e5);
  }
}

TEST(Ephemerides, CountDaysFromTheCalendar) {
  // TT − UTC is 69.184 s
  EXPECT_NEAR(*epoch_of("2000-01-01T12:00:00"), 69.184 / 86400.0, 1e-12);
  EXPECT_NEAR(*epoch_of("2026-06-21T12:00:00.500Z"), 9668.0 + 69.684 / 86400.0, 1e-11);
  EXPECT_NEAR(*epoch_of("2024-03-01T00:00:00Z") - *epoch_of("2024-02-28T00:00:00"), 2.0, 1e-12);
  for (const char* wrong :
       {"2026-06-21", "2026-06-31T00:00:00", "2023-02-29T00:00:00", "2026-13-01T00:00:00",
        "2026-06-21T24:00:00", "2026-06-21 12:00:00", "2026-06-21T12:00:00+02:00",
        "1949-12-31T00:00:00", "2050-01-01T00:00:00", "2026-06-21T12:00:00.", "2026-06-21T12:00",
        "", " 026-06-21T12:00:00", "2026-06-21T12:00:00ZZ"}) {
    EXPECT_FALSE(epoch_of(wrong).has_value()) << wrong;
  }
}

TEST(ThirdBodies, LoseNothingNearThePlanet) {
  ThirdBody moon{"moon", kMoonMu, moon_position};
  const ThirdBodies tide({moon}, 9000.0);
  const Vector3 s = moon_position(9000.0);
  for (const double size : {1e-3, 1.0, 7e6, 4.2e7, 1e9}) {
    const Vector3 r = size * Vector3(0.3, -0.5, 0.81);
    // direct less indirect term in 64 bits of mantissa
    using Long = Eigen::Matrix<long double, 3, 1>;
    const Long far = s.cast<long double>(), d = far - r.cast<long double>();
    const Long pull = static_cast<long double>(kMoonMu) *
                      (d / (d.squaredNorm() * d.norm()) - far / (far.squaredNorm() * far.norm()));
    const GravityPotential here = tide.at(r, 0.0);
    // of the reference: roundings of 3e-5 m/s²; of the tide: its own
    EXPECT_LE((here.gradient - pull.cast<double>()).norm(), 2e-15 * here.gradient.norm() + 1e-23);
    // near the planet it is linear
    if (size > 1.0) continue;
    const Matrix3 linear = tide.at(Vector3::Zero(), 0.0).second;
    EXPECT_LE((here.gradient - linear * r).norm(), 1e-8 * here.gradient.norm());
  }
  EXPECT_TRUE(tide.at(Vector3::Zero(), 0.0).gradient.isZero(0.0));
}

constexpr double kCentralMu = 4e14, kOtherMu = 3e13;

Scenario flight(const std::string& environment, const std::string& rest = "") {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: third\n  duration: 1\n  environment:\n" + environment +
          rest + "  model:\n    name: ball\n    base: {name: bus, mass: 500, inertia: [9, 9, 9]}\n",
      "third.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  return scenario;
}

const std::string kStart = "  initial: {base: {position: [1.0e+7, 0, 0]}}\n";

/// Accelerations of a planet, its companion and a particle, in axes of no particular origin.
std::array<Vector3, 3> accelerations(const std::array<Vector3, 3>& r) {
  const auto pull = [&](double mu, int of, int on) {
    const Vector3 d = r[static_cast<std::size_t>(of)] - r[static_cast<std::size_t>(on)];
    return Vector3(mu / (d.squaredNorm() * d.norm()) * d);
  };
  return {pull(kOtherMu, 1, 0), pull(kCentralMu, 0, 1),
          pull(kCentralMu, 0, 2) + pull(kOtherMu, 1, 2)};
}

/// Three free masses over a time, by Runge and Kutta's method in small steps.
void fly_free(std::array<Vector3, 3>& r, std::array<Vector3, 3>& v, double duration, int steps) {
  const double h = duration / steps;
  for (int step = 0; step < steps; ++step) {
    std::array<Vector3, 3> place = r, speed = v, sum_r = r, sum_v = v;
    const std::array<double, 4> weights = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const std::array<double, 3> nodes = {0.5, 0.5, 1.0};
    for (std::size_t stage = 0; stage < 4; ++stage) {
      const std::array<Vector3, 3> a = accelerations(place);
      for (std::size_t i = 0; i < 3; ++i) {
        sum_r[i] += h * weights[stage] * speed[i];
        sum_v[i] += h * weights[stage] * a[i];
        if (stage == 3) continue;
        place[i] = r[i] + h * nodes[stage] * speed[i];
        speed[i] = v[i] + h * nodes[stage] * a[i];
      }
    }
    r = sum_r;
    v = sum_v;
  }
}

const std::string kCompanion =
    "    third_bodies: {other: {mu: 3.0e+13, radius: 40000 km, eccentricity: 0.1, true_anomaly: 40 "
    "deg, inclination: 20 deg, argument: 70 deg, ascending_node: 30 deg}}\n";

TEST(ThirdBodies, PullAsFreeMassesDo) {
  Scenario scenario =
      flight("    bodies: {planet: {mu: 4.0e+14, position: [0, 0, 0]}}\n" + kCompanion, kStart);
  scenario.initial.r_0 = {1e7, 2e6, 1e6};
  scenario.initial.v_0 = {-500.0, 5000.0, 3000.0};
  const double duration = 2e4;
  const SimulationResult result = simulate(scenario.setup, scenario.initial, duration);

  // the orbit of the companion about the planet is that of both masses
  const ReferenceOrbit orbit{4e7, kCentralMu + kOtherMu, 0.1, 40 * kDegree};
  const Matrix3 axes =
      rotation_z(30 * kDegree) * rotation_x(20 * kDegree) * rotation_z(70 * kDegree);
  const ReferenceOrbit::Place place = orbit.at(0.0);
  std::array<Vector3, 3> r = {Vector3::Zero(), axes * Vector3(place.radius, 0, 0),
                              scenario.initial.r_0};
  std::array<Vector3, 3> v = {Vector3::Zero(),
                              axes * Vector3(place.radial_speed, place.radius * place.rate, 0),
                              scenario.initial.v_0};
  fly_free(r, v, duration, 20000);
  // roundings of 2e4 steps at 1e7 m; the step of 1 s errs by less
  EXPECT_LE((result.state.r_0 - (r[2] - r[0])).norm(), 1e-4);
  EXPECT_LE((result.state.v_0 - (v[2] - v[0])).norm(), 1e-7);
  EXPECT_LE(result.audit.energy_residual(), 1e-9);
  // and it matters
  Scenario alone = flight("    bodies: {planet: {mu: 4.0e+14, position: [0, 0, 0]}}\n", kStart);
  EXPECT_GT((simulate(alone.setup, scenario.initial, duration).state.r_0 - result.state.r_0).norm(),
            1e5);
}

TEST(ThirdBodies, ActInTheFrameOfAnOrbitAsInInertialFlight) {
  const std::string sky =
      "    epoch: 2026-11-27T18:00:00Z\n    third_bodies: {sun: {}, moon: {}}\n";
  Scenario hill = flight(
      "    orbit: {radius: 20000 km, eccentricity: 0.3, true_anomaly: 50 deg, tide: exact, "
      "inclination: 28 deg, argument: 35 deg, ascending_node: 120 deg}\n" +
      sky);
  hill.initial.r_0 = {100, -50, 30};
  hill.initial.v_0 = {0.1, -0.2, 0.05};
  Scenario inertial =
      flight("    bodies: {earth: {mu: 3.986004418e+14, position: [0, 0, 0]}}\n" + sky, kStart);
  const ReferenceOrbit orbit{2e7, kEarthMu, 0.3, 50 * kDegree};
  const Matrix3 start =
      rotation_z(120 * kDegree) * rotation_x(28 * kDegree) * rotation_z(35 * kDegree);
  const auto place_of = [&](const State& state, double time) {
    const auto place = orbit.at(time);
    return std::pair{
        Vector3(start * orbit.attitude(time) * (state.r_0 + Vector3(place.radius, 0, 0))),
        Vector3(start * orbit.attitude(time) *
                (state.v_0 + Vector3(place.radial_speed, 0, 0) +
                 Vector3(0, 0, place.rate).cross(state.r_0 + Vector3(place.radius, 0, 0))))};
  };
  std::tie(inertial.initial.r_0, inertial.initial.v_0) = place_of(hill.initial, 0.0);
  const double duration = 86400.0;
  const SimulationResult a = simulate(hill.setup, hill.initial, duration);
  const SimulationResult b = simulate(inertial.setup, inertial.initial, duration);
  // roundings of 6e7 m and 1e-13 of them in each step
  EXPECT_LE((place_of(a.state, duration).first - b.state.r_0).norm(), 1e-2);
  EXPECT_LE(a.audit.energy_residual(), 1e-9);
  // a day of the tide at 40,000 km, some 1e-5 m/s²
  EXPECT_GT((a.state.r_0 - hill.initial.r_0).norm(), 1e3);
}

// A day in a low orbit about a spherical earth with sun and moon by GMAT, whose ephemeris is JPL's:
// validation data of the Open Space Toolkit, open-space-toolkit-astrodynamics at f26e57d,
// gmat_astrodynamics/004-force-model-sun-moon.csv, last row.
TEST(ThirdBodies, FlyADayAsInGmat) {
  Scenario scenario = flight(
      "    epoch: 2021-03-20T00:00:00\n    bodies: {earth: {mu: 3.986004415e+14}}\n    "
      "third_bodies: {sun: {}, moon: {}}\n",
      kStart);
  scenario.initial.r_0 = {-1514668.940810250, -192084.121491400, 6831711.458436870};
  scenario.initial.v_0 = {-6348.079187605, 3867.582492698, -1297.176104429};
  const State end = simulate(scenario.setup, scenario.initial, 86399.99999182764).state;
  const Vector3 expected(4592526.876894825, -3295797.682415174, 4126823.217431719);
  // the tide moves the satellite by 34 m; the series err by some thousandths of that
  EXPECT_LE((end.r_0 - expected).norm(), 0.1);
}

// The plane of a geostationary orbit turns about an axis towards the equinox, by a rate between
// 0.75 and 0.95 degrees a year with the lunar node [Soop, Handbook of Geostationary Orbits, 1994].
// The year below is near the maximum of the inclination of the moon.
TEST(ThirdBodies, TurnThePlaneOfGeostationaryOrbits) {
  Scenario scenario = flight(
      "    bodies: {earth: {mu: 3.986004418e+14, position: [0, 0, 0], planet_radius: 6378137, j2: "
      "1.08263e-3}}\n    epoch: 2025-01-01T00:00:00Z\n    third_bodies: {sun: {}, moon: {}}\n",
      kStart);
  const double radius = 42164e3;
  scenario.initial.r_0 = {radius, 0, 0};
  scenario.initial.v_0 = {0, std::sqrt(kEarthMu / radius), 0};
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  const State end = simulate(scenario.setup, scenario.initial, 365.25 * 86400.0).state;
  const Vector3 normal = end.r_0.cross(end.v_0).normalized();
  const double inclination = std::acos(normal.z()) / kDegree;
  EXPECT_GT(inclination, 0.90);
  EXPECT_LT(inclination, 0.97);
  // the node that it moves to is at 90 degrees, where the pole goes towards the equinox
  EXPECT_NEAR(std::atan2(normal.x(), -normal.y()) / kDegree, 90.0, 15.0);
}

TEST(ThirdBodies, RefuseWhatTheyCannotBe) {
  EXPECT_THAT([] { ThirdBodies({}, 0.0); },
              ThrowsMessage<DomainError>(HasSubstr("there must be a third body")));
  EXPECT_THAT(
      [] {
        ThirdBodies({{"moon", 0.0, moon_position}}, 0.0);
      },
      ThrowsMessage<DomainError>(HasSubstr("mu of 'moon' must be positive")));
  EXPECT_THAT(
      [] {
        ThirdBodies({{"rock", 1.0}}, 0.0);
      },
      ThrowsMessage<DomainError>(HasSubstr("'rock': the radius of the orbit")));
}

}  // namespace
}  // namespace spacedyn::testing::third_bodies_test
