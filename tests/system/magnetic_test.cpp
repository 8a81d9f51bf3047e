// Magnetic fields, dipoles in them, and torquers that take momentum out of wheels or damp rotation.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/allocation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/recording/channels.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::magnetic_test {
namespace {

constexpr double kEarthDipole = 7.71e22;

/// A ball of 20 kg m² with wheels and torquers along its axes.
Scenario flight(const std::string& environment, const std::string& rest, double duration = 100.0) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: magnetic\n  duration: " + std::to_string(duration) +
          "\n  environment: {" + environment + "}\n" + rest +
          "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [20, 20, 20]}\n"
          "    reaction_wheels:\n"
          "      - {name: wx, body: bus, axis: [1, 0, 0], spin_inertia: 0.05}\n"
          "      - {name: wy, body: bus, axis: [0, 1, 0], spin_inertia: 0.05}\n"
          "      - {name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.05}\n",
      "magnetic.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

/// Strong torquers along the axes of the body.
const std::string kThree =
    "  forces:\n"
    "    - {type: magnetic_torquer, name: mx, at: bus, axis: [1, 0, 0], dipole_limit: 1.0e6}\n"
    "    - {type: magnetic_torquer, name: my, at: bus, axis: [0, 2, 0], dipole_limit: 1.0e6}\n"
    "    - {type: magnetic_torquer, name: mz, at: bus, axis: [0, 0, 1], dipole_limit: 1.0e6}\n";

const MagneticField& field_of(const Scenario& scenario) {
  return dynamic_cast<const MagneticTorquer&>(*scenario.setup.forces.back()).torquer().field;
}

TEST(MagneticField, PointsAlongTheEquatorAndDownAtTheNorthernPole) {
  MagneticField field;
  field.dipole = kEarthDipole;
  field.axes.position = {1e6, -2e6, 3e6};
  const double r = kEarthRadius, strength = 1e-7 * kEarthDipole / (r * r * r);
  EXPECT_NEAR(strength, 2.97e-5, 1e-7);  // T, what compasses feel at the equator
  const Vector3 equator = field.at(0.0, field.axes.position + Vector3(0, r, 0));
  const Vector3 pole = field.at(0.0, field.axes.position + Vector3(0, 0, r));
  EXPECT_LE((equator - Vector3(0, 0, strength)).norm(), 1e-14 * strength);
  EXPECT_LE((pole - Vector3(0, 0, -2.0 * strength)).norm(), 1e-14 * strength);
}

TEST(MagneticField, HasNeitherSourcesNorCurl) {
  MagneticField field;
  field.dipole = 1e7;  // 1 T at 1 m
  field.north = Vector3(1, 2, 2) / 3.0;
  const Vector3 point(0.8, -0.5, 1.1);
  Matrix3 gradient;
  const double h = 1e-4;
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = h * Vector3::Unit(k);
    gradient.col(k) = (field.at(0, point + e) - field.at(0, point - e)) / (2.0 * h);
  }
  // the third derivative is some 60 T/m³, times h²/6
  EXPECT_NEAR(gradient.trace(), 0.0, 1e-6);
  EXPECT_LE((gradient - gradient.transpose()).norm(), 1e-6);
  EXPECT_GT(gradient.norm(), 0.5);
}

TEST(MagneticField, TurnsInTheFrameOfAnOrbitAsTextbooksSay) {
  // Wertz's axes, along the track, against the normal, down: D/R³ [cos u sin i, −cos i, 2 sin u
  // sin i]
  const Scenario scenario = flight(
      "orbit: {altitude: 550 km}, magnetic_field: {dipole: 7.71e+22, inclination: 51.6 deg, "
      "argument: 20 deg}",
      kThree);
  const MagneticField& field = field_of(scenario);
  const double R = kEarthRadius + 550e3, n = std::sqrt(kEarthMu / R) / R, i = 51.6 * kDegree;
  const double strength = 1e-7 * kEarthDipole / (R * R * R);
  for (const double time : {0.0, 700.0, 2345.0, 5000.0}) {
    const double u = 20 * kDegree + n * time;
    const Vector3 expected(-2 * std::sin(u) * std::sin(i), std::cos(u) * std::sin(i), std::cos(i));
    EXPECT_LE((field.at(time, Vector3::Zero()) - strength * expected).norm(), 1e-12 * strength);
  }
}

TEST(MagneticTorquer, SwingsAsACompassNeedle) {
  const Scenario scenario =
      flight("magnetic_field: {uniform: [0, 0, 5.0e-5]}",
             "  initial: {base: {rpy: [0, 1.0e-4, 0]}}\n  locked: [wx, wy, wz]\n"
             "  forces: [{type: magnetic_torquer, at: bus, axis: [0, 0, 3], dipole: 4000}]\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 30.0);
  // I θ̈ = −m B sin θ; of wheels that are locked the inertia counts as well
  const double omega = std::sqrt(4000 * 5e-5 / 20.05);
  EXPECT_NEAR(rpy_from_matrix(end.state.A_0).y(), 1e-4 * std::cos(30.0 * omega), 1e-11);
}

TEST(MagneticTorquer, TurnsWithItsSchedule) {
  const Scenario scenario = flight(
      "magnetic_field: {uniform: [0, 0, 5.0e-5]}",
      "  locked: [wx, wy, wz]\n"
      "  forces:\n"
      "    - {type: magnetic_torquer, at: bus, axis: [1, 0, 0], from: 2, until: 7, dipole: -3}\n"
      "    - type: magnetic_torquer\n      at: bus\n      axis: [1, 0, 0]\n      dipole_limit: 8\n"
      "      table: {time: [10, 12], dipole: [0, 8]}\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 20.0);
  // x × z = −y: ∫ m B dt = (15 − 8) 5e-5 N m s about y; the body has turned by 1e-4 meanwhile
  EXPECT_NEAR(end.state.omega_0.y(), 7.0 * 5e-5 / 20.05, 1e-12);
}

TEST(TorquerAllocation, GivesTheTorqueAcrossTheFieldWithTheLeastDipole) {
  const Scenario scenario = flight("magnetic_field: {uniform: [1.0e-5, -2.0e-5, 3.0e-5]}", kThree);
  std::vector<Torquer> torquers;
  for (const auto& force : scenario.setup.forces) {
    torquers.push_back(*declarations_of(*force).torquer);
  }
  const Model& model = *scenario.setup.model;
  State state = scenario.initial;
  state.A_0 = matrix_from_rpy({0.3, -0.5, 0.9});
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  const LinkVelocities velocities(model);
  const EvaluationContext context{0.0, model, state, frames, velocities, state.z};
  const Vector3 B(1e-5, -2e-5, 3e-5), N(4e-4, 1e-4, -2e-4), b = B.normalized();
  VectorX dipoles(3);
  TorquerAllocation("", model, torquers).allocate(context, {N}, dipoles);
  const Vector3 m = state.A_0 * Vector3(dipoles);
  EXPECT_LE((m.cross(B) - (N - b.dot(N) * b)).norm(), 1e-18);
  EXPECT_NEAR(m.dot(b), 0.0, 1e-14 * m.norm());
  // limits keep the direction
  for (Torquer& torquer : torquers) torquer.dipole_limit = 2.0;
  VectorX limited(3);
  TorquerAllocation("", model, torquers).allocate(context, {N}, limited);
  EXPECT_NEAR(limited.lpNorm<Eigen::Infinity>(), 2.0, 1e-15);
  EXPECT_LE((limited - 2.0 / dipoles.lpNorm<Eigen::Infinity>() * dipoles).norm(), 1e-14);
  // two do what they can, and never push the other way
  torquers.pop_back();
  VectorX two(2);
  TorquerAllocation("", model, torquers).allocate(context, {N}, two);
  const Vector3 of_two = state.A_0 * Vector3(two(0), two(1), 0.0);
  EXPECT_GT(of_two.cross(B).dot(N), 0.0);
}

TEST(MomentumDumping, LeavesToTorquersWhatIsAcrossTheField) {
  const Scenario scenario = flight(
      "magnetic_field: {uniform: [0, 0, 5.0e-5]}",
      kThree +
          "  initial: {joints: {wx: {velocity: 30}, wy: {velocity: -20}, wz: {velocity: 10}}}\n"
          "  control:\n    - {type: attitude, actuators: [wx, wy, wz], stiffness: 2000, damping: "
          "400}\n    - {type: momentum_dumping, wheels: [wx, wy, wz], torquers: [mx, my, mz], "
          "gain: 0.02}\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 60.0);
  const double left = std::exp(-0.02 * 60.0);
  // the attitude lags behind by k h/K = 1.5e-5 rad, the momentum by some 0.4/2000
  EXPECT_NEAR(end.state.qd(0) / (30.0 * left), 1.0, 5e-3);
  EXPECT_NEAR(end.state.qd(1) / (-20.0 * left), 1.0, 5e-3);
  EXPECT_NEAR(end.state.qd(2) / 10.0, 1.0, 5e-3);
  EXPECT_LE(end.audit.momentum_drift(), 1e-8);
  EXPECT_LE(end.audit.energy_residual(), 1e-8);
}

TEST(MomentumDumping, TakesAllMomentumWhereTheFieldTurns) {
  // over an orbit above the poles the field turns: what is left of h_z, along the normal, decays by
  // all of k; in the plane by its mean over the orbit, k (1 − mean b_i²) at least
  const Scenario scenario = flight(
      "orbit: {altitude: 550 km}, magnetic_field: {dipole: 7.71e+22, inclination: 90 deg}",
      kThree +
          "  initial: {joints: {wz: {velocity: 30}}}\n"
          "  control:\n    - {type: attitude, actuators: [wx, wy, wz], stiffness: 20, damping: "
          "40}\n"
          "    - {type: momentum_dumping, wheels: [wx, wy, wz], torquers: [mx, my, mz], gain: "
          "2.0e-3}\n",
      1000.0);
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 1000.0);
  EXPECT_NEAR(end.state.qd(2) / (30.0 * std::exp(-2.0)), 1.0, 5e-3);
}

TEST(Detumble, DampsWithTorquersWhatTurnsTheField) {
  const Scenario scenario = flight(
      "magnetic_field: {uniform: [0, 0, 5.0e-5]}",
      kThree +
          "  initial: {base: {angular_velocity: [0.02, -0.01, 0.03]}}\n  locked: [wx, wy, wz]\n"
          "  control: [{type: detumble, actuators: [mx, my, mz], damping: 0.5}]\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 50.0);
  // a ball: I ω̇ = −D ω across the field, and nothing along it
  const double left = std::exp(-0.5 * 50.0 / 20.05);
  EXPECT_LE((end.state.omega_0 - Vector3(0.02 * left, -0.01 * left, 0.03)).norm(), 1e-11);
}

// across the field the torquers give all of the torque: a spring and a damper about x
TEST(TorquerAllocation, HoldsAnAttitudeAcrossTheField) {
  const Scenario scenario =
      flight("magnetic_field: {uniform: [0, 0, 5.0e-5]}",
             kThree +
                 "  initial: {base: {rpy: [1.0e-4, 0, 0]}}\n  locked: [wx, wy, wz]\n"
                 "  control: [{type: attitude, actuators: [mx, my, mz], stiffness: 2, damping: 5, "
                 "reference: {rpy: [0, 0, 0]}}]\n");
  const double angle =
      rpy_from_matrix(simulate(scenario.setup, scenario.initial, 7.0).state.A_0).x();
  const double decay = 0.5 * 5.0 / 20.05, omega = std::sqrt(2.0 / 20.05 - decay * decay);
  const double expected = 1e-4 * std::exp(-decay * 7.0) *
                          (std::cos(omega * 7.0) + decay / omega * std::sin(omega * 7.0));
  // the quaternion's sine differs by θ²/24, the field in axes of the body by θ
  EXPECT_NEAR(angle, expected, 1e-11);
}

TEST(Detumble, HoldsSampledDipoles) {
  const Scenario scenario = flight(
      "magnetic_field: {uniform: [0, 0, 5.0e-5]}",
      kThree +
          "  initial: {base: {angular_velocity: [0.02, -0.01, 0.03]}}\n  locked: [wx, wy, wz]\n"
          "  control: [{type: detumble, actuators: [mx, my, mz], damping: 0.5, sample_period: "
          "0.1}]\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 50.0);
  // late by half a period on average: D/I · 0.05 s of what is left, the turn by 0.05 · 0.03 rad
  const double left = std::exp(-0.5 * 50.0 / 20.05);
  EXPECT_LE((end.state.omega_0 - Vector3(0.02 * left, -0.01 * left, 0.03)).norm(), 2e-5);
}

/// The dipoles at the start.
class FirstRow final : public SimulationObserver {
 public:
  explicit FirstRow(RowLayout& layout) : layout_(layout) {}
  void on_output(const SimulationPoint& point) override {
    if (row_.size() > 0) return;
    row_.resize(static_cast<Eigen::Index>(layout_.columns().size()));
    layout_.fill(point, row_);
  }
  double at(const std::string& torquer) const {
    for (std::size_t i = 0; i < layout_.columns().size(); ++i) {
      if (layout_.columns()[i].name != "actuators_" + torquer + "_dipole_A_m2") continue;
      EXPECT_EQ(layout_.columns()[i].unit, "A m²");
      return row_(static_cast<Eigen::Index>(i));
    }
    ADD_FAILURE() << torquer;
    return 0.0;
  }

 private:
  RowLayout& layout_;
  VectorX row_;
};

TEST(Detumble, RecordsTheDipoles) {
  const Scenario scenario = flight(
      "magnetic_field: {uniform: [0, 0, 5.0e-5]}",
      kThree +
          "    - {type: magnetic_torquer, name: own, at: bus, axis: [0, 0, 1], dipole: 0.25}\n"
          "  initial: {base: {angular_velocity: [0.02, -0.01, 0.03]}}\n"
          "  control: [{type: detumble, actuators: [mx, my, mz], damping: 0.5}]\n");
  RowLayout layout(scenario.setup, scenario.initial, {Channel::actuators});
  FirstRow first(layout);
  Simulator(scenario.setup).run(scenario.initial, 1.0, 1.0, first);
  // B × N/B² with N = −D ω
  const double scale = 0.5 / 5e-5;
  EXPECT_NEAR(first.at("mx"), -scale * 0.01, 1e-9);
  EXPECT_NEAR(first.at("my"), -scale * 0.02, 1e-9);
  EXPECT_EQ(first.at("mz"), 0.0);
  EXPECT_EQ(first.at("own"), 0.25);
}

TEST(MagneticTorquer, RefusesWhatMakesNoSense) {
  MagneticField field;
  const Frame at{"bus", 0};
  const auto build = [&](const Vector3& axis, double limit, double dipole) {
    return message_of<DomainError>([&] {
      MagneticTorquer("m", at, axis, field, limit,
                      TimeTable::constant(VectorX::Constant(1, dipole)));
    });
  };
  EXPECT_EQ(build({0, 0, 1}, 5, 1), "the magnetic field: it is zero");
  field.uniform = {0, 0, 1e-5};
  EXPECT_EQ(build({0, 0, 2}, 5, 1), "'m': its axis must be a unit vector");
  EXPECT_EQ(build({0, 0, 1}, 0, 1), "'m': dipole_limit must be positive");
  EXPECT_EQ(build({0, 0, 1}, 5, -6),
            "'m': expected a dipole of at most 5 A m², its dipole_limit, got 6");
  field.north = {0, 0, 2};
  EXPECT_EQ(build({0, 0, 1}, 5, 1), "the magnetic field: its north must be a unit vector");
  field.north = {0, 0, 1};
  const Torquer torquer{"m", at, {0, 0, 1}, 5, field};
  const Scenario scenario = flight("magnetic_field: {uniform: [1.0e-5, -2.0e-5, 3.0e-5]}", kThree);
  const Model& model = *scenario.setup.model;
  EXPECT_EQ(message_of<DomainError>([&] { TorquerAllocation("'c': ", model, {}); }),
            "'c': it has no torquers");
  EXPECT_EQ(message_of<DomainError>([&] {
              TorquerAllocation("'c': ", model, {torquer, torquer});
            }),
            "'c': 'm' is named twice");
  Torquer other = torquer;
  other.name = "n";
  other.at.body = 1;
  EXPECT_EQ(message_of<DomainError>([&] {
              TorquerAllocation("'c': ", model, {torquer, other});
            }),
            "'c': 'n' and 'm' are on different bodies");
}

}  // namespace
}  // namespace spacedyn::testing::magnetic_test
