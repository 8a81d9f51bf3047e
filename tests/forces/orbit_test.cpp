// Flight in the local frame of an orbit against closed forms: the solution of Clohessy and
// Wiltshire, torque-free tops, libration, and two-body flight in inertial axes.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::orbit_test {
namespace {

constexpr double kRadius = kEarthRadius + 550e3;
constexpr double kRate = 1.094823692886e-3;  // rad/s at 550 km

Scenario flight(const std::string& environment, const std::string& more,
                const std::string& inertia = "[6206, 7087, 3541]") {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: orbit\n  duration: 1\n  environment: {" + environment +
          "}\n  model:\n    name: craft\n    base: {name: bus, mass: 500, inertia: " + inertia +
          "}\n" + more,
      "orbit.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  return scenario;
}

const HillField& field_of(const Scenario& scenario) {
  return dynamic_cast<const HillField&>(*scenario.setup.forces.front());
}

TEST(Orbit, HasTheRateOfItsRadius) {
  EXPECT_NEAR(field_of(flight("orbit: {altitude: 550 km}", "")).rate(), kRate, 1e-15);
  EXPECT_NEAR(field_of(flight("orbit: {radius: 6928137}", "")).rate(), kRate, 1e-15);
  EXPECT_NEAR(field_of(flight("orbit: {radius: 2000 km, mu: 4.9e12}", "")).rate(),
              std::sqrt(4.9e12 / 8e18), 1e-17);
}

TEST(Orbit, MovesAsClohessyAndWiltshireSay) {
  const Scenario scenario = flight("orbit: {altitude: 550 km}",
                                   "  initial: {base: {position: [100, -50, 30], velocity: [0.1, "
                                   "-0.2, 0.05], angular_velocity: [0.01, 0.02, -0.01]}}\n");
  const double n = field_of(scenario).rate();
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(scenario.setup).run(scenario.initial, 6000.0, 500.0, trajectory);
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double c = std::cos(n * sample.time), s = std::sin(n * sample.time);
    const double nt = n * sample.time, x = 100, y = -50, z = 30, u = 0.1, v = -0.2, w = 0.05;
    const Vector3 r((4 - 3 * c) * x + s / n * u + 2 / n * (1 - c) * v,
                    6 * (s - nt) * x + y + 2 / n * (c - 1) * u + (4 * s - 3 * nt) / n * v,
                    c * z + s / n * w);
    EXPECT_LE((sample.state.r_0 - r).norm(), 1e-9 * (100.0 + r.norm())) << sample.time;
  }
  EXPECT_LE(result.audit.energy_residual(), 1e-10);
  EXPECT_LE(result.audit.momentum_drift(), 1e-10);
}

TEST(Orbit, LeavesInertialRotationAsItIs) {
  // without gravity gradient a body keeps its angular momentum in inertial axes, whatever it is
  const Scenario scenario =
      flight("orbit: {altitude: 550 km}",
             "  initial: {base: {angular_velocity: [1.0e-3, 2.0e-3, -3.0e-3]}}\n");
  const double n = field_of(scenario).rate();
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(scenario.setup).run(scenario.initial, 3000.0, 300.0, trajectory);
  const auto momentum = [&](const TrajectoryPoint& sample) -> Vector3 {
    const Vector3 rate = sample.state.omega_0 + n * Vector3::UnitZ();
    const Matrix3& A = sample.state.A_0;
    const Vector3 L = A * scenario.setup.model->body(0).inertia_L * A.transpose() * rate;
    return rotation_z(n * sample.time) * L;
  };
  const Vector3 first = momentum(trajectory.points.front());
  for (const TrajectoryPoint& sample : trajectory.points) {
    EXPECT_LE((momentum(sample) - first).norm(), 1e-10 * first.norm()) << sample.time;
  }
  EXPECT_LE(result.audit.energy_residual(), 1e-10);
}

TEST(Orbit, KeepsTheAngularMomentumOfASpinningWheel) {
  // a wheel's own gyroscopic moment is that of its absolute rate: it holds the body in space
  const Scenario scenario =
      flight("orbit: {altitude: 550 km}",
             "    reaction_wheels: [{name: w, body: bus, axis: [1, 0, 0], spin_inertia: 2}]\n"
             "  initial: {joints: {w: {velocity: 200}}}\n");
  const double n = field_of(scenario).rate();
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 500.0);
  const Model& model = *scenario.setup.model;
  const auto absolute = [&](const State& state, double time) -> Vector3 {
    const Matrix3& A = state.A_0;
    Matrix3 inertia = model.body(0).inertia_L;
    inertia(0, 0) += 2.0;
    const Vector3 body_rate = A.transpose() * (state.omega_0 + n * Vector3::UnitZ());
    return rotation_z(n * time) *
           (A * (inertia * body_rate + 2.0 * state.qd(0) * Vector3::UnitX()));
  };
  const Vector3 first = absolute(scenario.initial, 0.0);
  EXPECT_LE((absolute(result.state, 500.0) - first).norm(), 1e-10 * first.norm());
}

/// Period of small oscillations about an equilibrium, from zero crossings of an angle.
double libration_rate(const Scenario& scenario, const std::function<double(const State&)>& angle,
                      double duration) {
  Trajectory trajectory;
  Simulator(scenario.setup).run(scenario.initial, duration, duration / 20000.0, trajectory);
  std::vector<double> crossings;
  for (std::size_t i = 1; i < trajectory.points.size(); ++i) {
    const double a = angle(trajectory.points[i - 1].state), b = angle(trajectory.points[i].state);
    if (a * b >= 0.0) continue;
    const double t = trajectory.points[i - 1].time;
    crossings.push_back(t + (trajectory.points[i].time - t) * a / (a - b));
  }
  EXPECT_GE(crossings.size(), 4u);
  const auto turns = static_cast<double>(crossings.size() - 1);
  return kPi * turns / (crossings.back() - crossings.front());
}

class Libration : public ::testing::TestWithParam<const char*> {};

TEST_P(Libration, HasTheRateOfPitchUnderGravityGradient) {
  // yaw axis x of least inertia outward, roll y along the track, pitch z: ω² = 3n² (I_y − I_x)/I_z
  const Scenario scenario =
      flight(std::string("orbit: {altitude: 550 km}, gravity_gradient: true, tide: ") + GetParam(),
             "  initial: {base: {rpy: [0, 0, 1.0e-4]}}\n", "[3541, 6206, 7087]");
  const double expected = kRate * std::sqrt(3.0 * (6206.0 - 3541.0) / 7087.0);
  EXPECT_NEAR(expected, 1.1628460e-3, 1e-9);
  const double rate = libration_rate(
      scenario, [](const State& state) { return rpy_from_matrix(state.A_0).z(); }, 20000.0);
  EXPECT_NEAR(rate, expected, 1e-6 * expected);
}

TEST_P(Libration, OfADumbbellIsSqrt3InPitchAnd2InRoll) {
  // two masses of 50 kg, 20 m apart: no inertia of their own, so only the tide turns them
  const auto dumbbell = [](const std::string& rpy) {
    return flight(
        std::string("orbit: {altitude: 550 km}, gravity_gradient: true, tide: ") + GetParam(),
        "    links:\n"
        "      - {name: up, parent: bus, mass: 50, inertia: [0, 0, 0], joint: {type: "
        "prismatic, axis: [1, 0, 0], origin: {xyz: [10, 0, 0]}}}\n"
        "      - {name: down, parent: bus, mass: 50, inertia: [0, 0, 0], joint: {type: "
        "prismatic, axis: [1, 0, 0], origin: {xyz: [-10, 0, 0]}}}\n"
        "  locked: [up, down]\n  initial: {base: {rpy: " +
            rpy + "}}\n",
        "[1.0e-6, 1.0e-6, 1.0e-6]");
  };
  const double pitch = libration_rate(
      dumbbell("[0, 0, 1.0e-4]"),
      [](const State& state) { return std::atan2(state.A_0(1, 0), state.A_0(0, 0)); }, 20000.0);
  EXPECT_NEAR(pitch, std::sqrt(3.0) * kRate, 1e-5 * kRate);
  const double roll = libration_rate(
      dumbbell("[0, 1.0e-4, 0]"), [](const State& state) { return state.A_0(2, 0); }, 20000.0);
  EXPECT_NEAR(roll, 2.0 * kRate, 1e-5 * kRate);
}

INSTANTIATE_TEST_SUITE_P(Tide, Libration, ::testing::Values("linear", "exact"),
                         [](const auto& tide) { return std::string(tide.param); });

TEST(Orbit, WithoutGravityGradientTurnsNoDumbbell) {
  const Scenario scenario = flight(
      "orbit: {altitude: 550 km}",
      "    links:\n      - {name: up, parent: bus, mass: 50, inertia: [0, 0, 0], joint: {type: "
      "prismatic, axis: [1, 0, 0], origin: {xyz: [10, 0, 0]}}}\n  locked: [up]\n"
      "  initial: {base: {rpy: [0, 0, 0.5], angular_velocity: [0, 0, -1.094823692886e-3]}}\n");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 5000.0);
  // at rest in inertial axes, and stays so
  EXPECT_NEAR(result.state.omega_0.z(), -kRate, 1e-12);
}

/// Inertial two-body flight of the same craft.
State inertial_flight(const Scenario& local, double duration) {
  const double n = field_of(local).rate();
  Scenario scenario = flight("bodies: {earth: {mu: 3.986004418e14}}",
                             "  initial: {base: {position: [7000000, 0, 0]}}\n");
  State start = local.initial;
  const Vector3 rate = n * Vector3::UnitZ();
  start.r_0 += Vector3(kRadius, 0, 0);
  start.v_0 += rate.cross(start.r_0);
  start.omega_0 += rate;
  State end = simulate(scenario.setup, start, duration).state;
  // back into the local frame
  const Matrix3 back = rotation_z(-n * duration);
  end.v_0 = back * (end.v_0 - rate.cross(end.r_0));
  end.r_0 = back * end.r_0 - Vector3(kRadius, 0, 0);
  end.omega_0 = back * (end.omega_0 - rate);
  end.A_0 = back * end.A_0;
  return end;
}

Scenario local_flight(const std::string& tide, double offset) {
  return flight("orbit: {altitude: 550 km}, gravity_gradient: true, tide: " + tide,
                "  initial: {base: {position: [" + std::to_string(offset) + ", " +
                    std::to_string(-2 * offset) + ", " + std::to_string(offset) +
                    "], rpy: [0.2, -0.1, 0.4], angular_velocity: [1.0e-3, -2.0e-3, 1.5e-3]}}\n");
}

TEST(Orbit, WithTheExactTideIsTwoBodyFlight) {
  const Scenario local = local_flight("exact", 20000.0);
  const State end = simulate(local.setup, local.initial, 4000.0).state;
  const State reference = inertial_flight(local, 4000.0);
  // positions of 7e6 m have roundings of 1e-9 m at each of some 1000 steps
  EXPECT_LE((end.r_0 - reference.r_0).norm(), 2e-5);
  EXPECT_LE((end.v_0 - reference.v_0).norm(), 2e-8);
  EXPECT_LE((end.A_0 - reference.A_0).norm(), 1e-8);
  EXPECT_LE((end.omega_0 - reference.omega_0).norm(), 1e-11);
}

TEST(Orbit, WithTheLinearTideDiffersInSecondOrder) {
  const auto error = [](double offset) {
    const Scenario local = local_flight("linear", offset);
    return (simulate(local.setup, local.initial, 3000.0).state.r_0 -
            inertial_flight(local, 3000.0).r_0)
        .norm();
  };
  const double small = error(500.0), large = error(1000.0);
  EXPECT_GT(small, 1e-3);
  EXPECT_NEAR(large / small, 4.0, 0.01);
}

class OrbitEnergy : public ::testing::TestWithParam<const char*> {};

TEST_P(OrbitEnergy, IsKeptByAnArm) {
  const Scenario scenario = flight(
      GetParam(),
      "    links:\n      - {name: arm, parent: bus, mass: 80, inertia: [3, 40, 41], "
      "center_of_mass: [3, 0.5, 0], joint: {type: revolute, axis: [0.2, 0.3, 1], origin: {xyz: "
      "[1, 0, 0.5]}}}\n"
      "    reaction_wheels: [{name: w, body: bus, axis: [1, 1, 0], spin_inertia: 0.5}]\n"
      "  initial: {base: {position: [7000000, 3000, -2000], velocity: [1, 7500, 2], rpy: [1, 0.5, "
      "2], angular_velocity: [0.01, -0.02, 0.03]}, joints: {arm: {position: 0.3, velocity: 0.05}, "
      "w: {velocity: 30}}}\n");
  Scenario changed = scenario;
  if (changed.setup.forces.front()->name() == "orbit") {
    changed.initial.r_0 = Vector3(4000.0, 3000.0, -2000.0);
    changed.initial.v_0 = Vector3(1.0, -6.0, 2.0);
  }
  changed.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  const SimulationResult result = simulate(changed.setup, changed.initial, 300.0);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  EXPECT_LE(result.audit.linear_drift(), 1e-11);
  // about a centroid at 7e6 m, whose roundings of 1e-9 m meet a momentum of 4e6 kg m/s
  EXPECT_LE(result.audit.angular_drift(), changed.initial.r_0.norm() > 1e6 ? 1e-4 : 1e-10);
  const double put_in = std::abs(result.sources.front().end.work);
  // neither the Coriolis force nor one with a potential does work that is not stored
  EXPECT_LE(put_in, 1e-12 * result.audit.energy_scale());
}

std::string field_name(const ::testing::TestParamInfo<const char*>& info) {
  static const std::vector<std::string> names{"Centroid", "Linear", "ExactCentroid", "Exact",
                                              "Points"};
  return names[info.index];
}

INSTANTIATE_TEST_SUITE_P(
    Field, OrbitEnergy,
    ::testing::Values("orbit: {altitude: 550 km}",
                      "orbit: {altitude: 550 km}, gravity_gradient: true",
                      "orbit: {altitude: 550 km}, tide: exact",
                      "orbit: {altitude: 550 km, tide: exact}, gravity_gradient: true",
                      "bodies: {earth: {mu: 3.986004418e14}, moon: {mu: 4.9e12, position: "
                      "[3.844e8, 0, 0]}}"),
    field_name);

TEST(CentralBodies, KeepEnergyAndAngularMomentumOfAnOrbit) {
  const Scenario scenario = flight("bodies: {earth: {mu: 3.986004418e14}}",
                                   "  initial: {base: {position: [7000000, 0, 0], velocity: [0, "
                                   "8000, 1000]}}\n",
                                   "[1, 1, 1]");
  const auto invariants = [](const State& state) {
    const double energy = 0.5 * state.v_0.squaredNorm() - 3.986004418e14 / state.r_0.norm();
    return std::pair(energy, Vector3(state.r_0.cross(state.v_0)));
  };
  const auto [energy, momentum] = invariants(scenario.initial);
  const double a = -0.5 * 3.986004418e14 / energy;
  const double period = 2.0 * kPi * std::sqrt(a / 3.986004418e14) * a;
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 5.0 * period);
  const auto [energy_end, momentum_end] = invariants(result.state);
  EXPECT_NEAR(energy_end, energy, 1e-10 * std::abs(energy));
  EXPECT_LE((momentum_end - momentum).norm(), 1e-10 * momentum.norm());
  // and comes back to where it started
  EXPECT_LE((result.state.r_0 - scenario.initial.r_0).norm(), 1.0);
}

// all bodies fall alike, as the centroid of the robot does, however near the planet is
TEST(CentralBodies, WithoutGradientTurnNothing) {
  const auto dumbbell = [](const char* gradient) {
    return flight(
        std::string("bodies: {p: {mu: 1000, position: [1, 2, 0]}}, gravity_gradient: ") + gradient,
        "    links: [{name: l, parent: bus, joint: {name: j, type: revolute, axis: [0, 0, "
        "1]}, mass: 500, center_of_mass: [30, 0, 0], inertia: [1, 1, 1]}]\n"
        "  initial: {base: {position: [100, 0, 0], rpy: [0, 0, 0.7854]}}\n"
        "  locked: [j]\n");
  };
  const double duration = 10.0;
  const Scenario scenario = dumbbell("false");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, duration);
  EXPECT_LE(result.state.omega_0.norm(), 1e-13);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  const Vector3 arm = 15.0 * scenario.initial.A_0.col(0);
  EXPECT_GT(simulate(dumbbell("true").setup, scenario.initial, duration).state.omega_0.norm(),
            1e-3);
  // the centroid as a point mass
  Scenario single = flight("bodies: {p: {mu: 1000, position: [1, 2, 0]}}", "", "[1, 1, 1]");
  single.initial.r_0 = scenario.initial.r_0 + arm;
  const State alone = simulate(single.setup, single.initial, duration).state;
  EXPECT_LE((result.state.r_0 + arm - alone.r_0).norm(), 1e-10);
}

TEST(CentralBodies, AreRefusedWithoutMu) {
  EXPECT_EQ(message_of<DomainError>([] {
              CentralBodies("gravity", {{"earth", 0.0, {0, 0, 0}}});
            }),
            "'gravity': mu of 'earth' must be positive, all its numbers finite");
}

TEST(Orbit, OfNoRadiusIsRefused) {
  const Scenario scenario = flight("orbit: {altitude: 550 km}", "");
  EXPECT_EQ(
      message_of<DomainError>([&] { HillField("hill", *scenario.setup.model, OrbitSettings{}); }),
      "'hill': the radius of the orbit must be finite and positive");
}

}  // namespace
}  // namespace spacedyn::testing::orbit_test
