// Tanks that empty: the rocket equation, momentum and energy carried away, and the motion of what
// is left against that of a robot without tanks.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/polyhedron.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/system/propellant.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::tank_test {
namespace {

Scenario flight(const std::string& model, const std::string& rest) {
  Scenario scenario = parse_scenario("spacedyn: 1\nscenario:\n  name: burn\n  duration: 100\n" +
                                         rest + "  model:\n    name: craft\n" + model,
                                     "burn.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

const std::string kBus = "    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n";
const std::string kFour =
    "    tanks: [{name: main, body: bus, propellant: 4, radius: 0.3}]\n"
    "    thrusters: [{name: t1, at: bus, direction: [1, 0, 0], force: 200, specific_impulse: 220 "
    "s, "
    "tank: main}]\n";
const std::string kBurn = "  forces: [{type: thruster, thruster: t1}]\n";
constexpr double kExhaust = 220.0 * kStandardGravity;

TEST(Tank, SpeedIsThatOfTheRocketEquation) {
  const Scenario scenario = flight(kBus + kFour, kBurn);
  for (const double time : {1.0, 10.0, 40.0}) {
    const SimulationResult result = simulate(scenario.setup, scenario.initial, time);
    const double left = 104.0 - 200.0 / kExhaust * time;
    const double expected = kExhaust * std::log(104.0 / left);
    EXPECT_NEAR(result.state.v_0.x() / expected, 1.0, 1e-11);
    EXPECT_LE(result.audit.momentum_drift(), 1e-12);
    EXPECT_LE(result.audit.energy_residual(), 1e-12);
  }
}

TEST(Tank, SpeedIsThatOfTheRocketEquationWhileThrustRisesAndFalls) {
  std::string slow = kFour;
  slow.insert(slow.find("force: 200"), "rise_time: 0.7, fall_time: 1.3, ");
  const Scenario scenario =
      flight(kBus + slow, "  forces: [{type: thruster, thruster: t1, from: 0.2, until: 9.1}]\n");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 20.0);
  const double used = propellant_used(scenario.setup, result.state).value();
  EXPECT_NEAR(used / (200.0 / kExhaust * (8.9 + 0.5 * (1.3 - 0.7))), 1.0, 1e-11);
  EXPECT_NEAR(result.state.v_0.x() / (kExhaust * std::log(104.0 / (104.0 - used))), 1.0, 1e-10);
  EXPECT_LE(result.audit.momentum_drift(), 1e-12);
  EXPECT_LE(result.audit.energy_residual(), 1e-12);
}

TEST(Tank, AnEmptyTankStopsTheThrust) {
  const Scenario scenario = flight(kBus + kFour, kBurn);
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 60.0);
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(result.events[0].name, "main is empty");
  EXPECT_NEAR(result.events[0].time, 4.0 * kExhaust / 200.0, 1e-9);
  const double expected = kExhaust * std::log(104.0 / 100.0);
  EXPECT_NEAR(result.state.v_0.x() / expected, 1.0, 1e-10);
  EXPECT_NEAR(propellant_used(scenario.setup, result.state).value(), 4.0, 1e-9);
  // it flies on straight
  const double x = result.state.r_0.x();
  const SimulationResult later = simulate(scenario.setup, scenario.initial, 61.0);
  EXPECT_NEAR(later.state.r_0.x() - x, expected, 1e-8 * expected);
}

const std::string kLopsided =
    kBus +
    "    links:\n"
    "      - {name: arm, parent: bus, joint: {type: revolute, axis: [0, 1, 0], origin: {xyz: [0.5, "
    "0, 0]}}, mass: 8, center_of_mass: [0.4, 0, 0.1], inertia: [0.3, 0.4, 0.5]}\n"
    "    tanks:\n"
    "      - {name: main, body: bus, position: [-0.3, 0.2, 0.4], propellant: 30, radius: 0.3}\n"
    "      - {name: hand, body: arm, position: [0.7, 0, 0], propellant: 3, radius: 0.1}\n"
    "    frames:\n"
    "      - {name: nozzle, link: bus, xyz: [-0.8, 0.1, 0.2]}\n"
    "      - {name: jet, link: arm, xyz: [0.9, 0, 0]}\n"
    "    thrusters:\n"
    "      - {name: t1, at: nozzle, direction: [1, 0.1, 0], force: 40, specific_impulse: 22 s, "
    "tank: main}\n"
    "      - {name: t2, at: jet, direction: [0, 0, 1], force: 2, specific_impulse: 7 s, tank: "
    "hand}\n"
    "      - {name: t3, at: jet, direction: [0, 1, 0], force: 1, specific_impulse: 7 s, tank: "
    "hand}\n";
const std::string kThree =
    "  forces:\n    - {type: thruster, thruster: t1, until: 15}\n    - {type: thruster, thruster: "
    "t2, from: 1}\n    - {type: thruster, thruster: t3, from: 3, until: 30}\n";
const std::string kTurning =
    "  initial: {base: {velocity: [0, 1, 0], angular_velocity: [0.05, -0.1, 0.2]}, joints: {arm: "
    "{velocity: 0.1}}}\n";

TEST(Tank, WhatLeavesIsAccountedFor) {
  const Scenario scenario = flight(kLopsided, kThree + kTurning);
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 25.0);
  EXPECT_GT(propellant_used(scenario.setup, result.state).value(), 3.5);
  EXPECT_LE(result.audit.linear_drift(), 1e-11);
  EXPECT_LE(result.audit.angular_drift(), 1e-11);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  EXPECT_EQ(result.sources.back().name, "events");
  const SourceBudget& propellant = result.sources[result.sources.size() - 2];
  EXPECT_EQ(propellant.name, "propellant");
  EXPECT_LT(propellant.end.work, -1.0);  // it takes its kinetic energy away
}

TEST(Tank, FieldsAndGravityAreAccountedFor) {
  for (const char* environment :
       {"{gravity: [0.3, -0.2, -1.6]}", "{orbit: {altitude: 550 km}, gravity_gradient: true}",
        "{orbit: {altitude: 550 km}}", "{orbit: {altitude: 550 km, tide: exact}}",
        // so near that the size of the robot matters
        "{orbit: {radius: 40, mu: 60}, tide: exact, gravity_gradient: true}",
        "{bodies: {rock: {mu: 2, position: [6, 8, 3]}}}",
        "{bodies: {rock: {mu: 2, position: [6, 8, 3], planet_radius: 1, j2: 0.1}}}",
        "{bodies: {rock: {mu: 2, position: [6, 8, 3]}}, gravity_gradient: false}"}) {
    Scenario scenario =
        flight(kLopsided, kThree + kTurning + "  environment: " + environment + '\n');
    const SimulationResult result = simulate(scenario.setup, scenario.initial, 25.0);
    EXPECT_LE(result.audit.angular_drift(), 1e-10) << environment;
    EXPECT_LE(result.audit.energy_residual(), 1e-10) << environment;
  }
}

TEST(Tank, APolyhedronIsAccountedFor) {
  const auto rock = std::make_shared<PolyhedronGravity>(
      TriangleMesh{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}},
                   {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}},
      2.0);
  BodyAxes axes;
  axes.position = {6.0, 8.0, 3.0};
  for (const bool gradient : {true, false}) {
    Scenario scenario = flight(kLopsided, kThree + kTurning);
    const Model& model = *scenario.setup.model;
    scenario.setup.forces.push_back(gradient
                                        ? std::make_shared<BodyField>("rock", rock, axes)
                                        : std::make_shared<BodyField>("rock", rock, axes, model));
    const SimulationResult result = simulate(scenario.setup, scenario.initial, 25.0);
    EXPECT_LE(result.audit.energy_residual(), 1e-10) << gradient;
  }
}

TEST(Tank, ASpinningBodyKeepsItsRateWhileItLosesInertia) {
  // propellant leaves with the velocity that it has: dL = dI ω
  const Scenario scenario = flight(
      kBus +
          "    tanks:\n      - {name: a, body: bus, position: [0.6, 0, 0], propellant: 5, radius: "
          "0.2}\n      - {name: b, body: bus, position: [-0.6, 0, 0], propellant: 5, radius: 0.2}\n"
          "    thrusters:\n      - {name: ta, at: bus, direction: [1, 0, 0], force: 100, "
          "specific_impulse: 200, tank: a}\n      - {name: tb, at: bus, direction: [-1, 0, 0], "
          "force: 100, specific_impulse: 200, tank: b}\n",
      "  forces: [{type: thruster, thruster: ta}, {type: thruster, thruster: tb}]\n  initial: "
      "{base: {angular_velocity: [0, 0, 0.8]}}\n");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 50.0);
  const double used = 100.0 * 50.0 / (200.0 * kStandardGravity);
  EXPECT_NEAR(result.state.omega_0.z(), 0.8, 1e-12);
  const double inertia = 20.0 + 2.0 * (5.0 - used) * (0.36 + 0.4 * 0.04);
  EXPECT_NEAR(result.final_momentum.angular_centroid.z(), 0.8 * inertia, 1e-9);
  EXPECT_NEAR(result.state.v_0.norm(), 0.0, 1e-12);
}

TEST(Tank, WhatIsLeftMovesAsARobotWithoutTanks) {
  const std::string torque = "  forces: [{type: joint_torque, joint: arm, torque: 0.7}]\n";
  std::string small = kLopsided;
  const auto change = [&](const std::string& from, const std::string& to) {
    small.replace(small.find(from), from.size(), to);
  };
  change("propellant: 30", "propellant: 1.5");
  change("propellant: 3,", "propellant: 0.2,");
  const std::string start = kLopsided.substr(0, kLopsided.find("    tanks:"));
  const Scenario wet = flight(small,
                              "  forces:\n    - {type: thruster, thruster: t1}\n    - "
                              "{type: thruster, thruster: t2}\n    - {type: "
                              "joint_torque, joint: arm, torque: 0.7}\n" +
                                  kTurning);
  const double empty = 1.5 * 22.0 * kStandardGravity / 40.0;  // t2 is done before
  const SimulationResult burnt = simulate(wet.setup, wet.initial, empty + 0.5);
  ASSERT_EQ(burnt.events.size(), 2u);
  const Scenario dry = flight(start, torque);
  State then(*dry.setup.model);
  then.r_0 = burnt.state.r_0;
  then.A_0 = burnt.state.A_0;
  then.v_0 = burnt.state.v_0;
  then.omega_0 = burnt.state.omega_0;
  then.q = burnt.state.q;
  then.qd = burnt.state.qd;
  const State a = simulate(wet.setup, wet.initial, empty + 1.5).state;
  const State b = simulate(dry.setup, then, 1.0).state;
  // the tanks keep 1e-9 of their propellant
  EXPECT_LE((a.r_0 - b.r_0).norm(), 1e-6 * b.r_0.norm());
  EXPECT_LE((a.omega_0 - b.omega_0).norm(), 1e-7 * b.omega_0.norm());
  EXPECT_NEAR(a.qd(0), b.qd(0), 1e-7 * std::abs(b.qd(0)));
}

TEST(Tank, ContactsAndConstraintsHoldWhatIsLeft) {
  // what holds the robot answers the inertia of the instant: its forces change no energy
  const std::string ball =
      "    base: {name: bus, mass: 100, inertia: [18, 19, 20], collision: [{name: hull, shape: "
      "sphere, radius: 0.5}]}\n"
      "    tanks: [{name: main, body: bus, position: [-0.1, 0.1, 0.05], propellant: 30}]\n"
      "    thrusters: [{name: t1, at: bus, direction: [1, 0.3, 0], force: 40, specific_impulse: 22 "
      "s, tank: main}]\n";
  const std::string start =
      kBurn +
      "  initial: {base: {of: frame, position: [0, 0, 0.5], angular_velocity: [0.1, 0.2, 0.3]}}\n";
  const std::string floor =
      "  environment: {gravity: [0, 0, -1.6], terrain: {type: plane}}\n"
      "  contacts: [{name: floor, between: [hull, terrain], normal: {law: rigid, restitution: "
      "0}}]\n";
  const std::string skate =
      "    loops: [{name: skate, type: knife_edge, at: bus, normal: [0, 0, 1]}]\n";
  for (const Scenario& scenario : {flight(ball, start + floor), flight(ball + skate, start)}) {
    const SimulationResult result = simulate(scenario.setup, scenario.initial, 40.0);
    EXPECT_GT(propellant_used(scenario.setup, result.state).value(), 7.0);
    EXPECT_LE(result.audit.momentum_drift(), 1e-9);
    EXPECT_LE(result.audit.energy_residual(), 1e-9);
  }
}

TEST(Tank, TasksKnowWhatIsLeft) {
  // after the burn, of which the task knows nothing: an error e with ë + 4 ė + 4 e = 0
  const Scenario scenario =
      flight(kLopsided,
             "  forces: [{type: thruster, thruster: t1, until: 15}]\n"
             "  control: [{type: whole_body, level: torque, tasks: [{type: posture, joints: [arm], "
             "stiffness: 4, damping: 4, reference: {type: constant, position: 0.5}}]}]\n" +
                 kTurning);
  const auto error = [&](double time) {
    const State state = simulate(scenario.setup, scenario.initial, time).state;
    return Eigen::Vector2d(state.q(0) - 0.5, state.qd(0));
  };
  const Eigen::Vector2d burnt = error(15.0);
  ASSERT_GT(burnt.norm(), 1e-3);
  const double rate = burnt(1) + 2.0 * burnt(0);
  EXPECT_NEAR(error(15.5)(0), (burnt(0) + 0.5 * rate) * std::exp(-1.0), 1e-10);
}

TEST(Tank, FullTanksArePartOfTheRobotAtRest) {
  const Scenario scenario = flight(kLopsided, "");
  EXPECT_NEAR(scenario.setup.model->total_mass(), 141.0, 1e-12);
  ASSERT_EQ(scenario.setup.model->tanks().size(), 2u);
  EXPECT_EQ(scenario.setup.model->tanks()[0].name, "main");
  EXPECT_EQ(scenario.setup.model->tanks()[1].body, 1);
}

TEST(Tank, IsWrittenWithItsModel) {
  const Scenario scenario = flight(kLopsided, "");
  const Model& model = *scenario.setup.model;
  const auto again = parse_model(write_model(model), "craft.yaml").model;
  ASSERT_EQ(again->tanks().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again->tanks()[i].name, model.tanks()[i].name);
    EXPECT_EQ(again->tanks()[i].propellant, model.tanks()[i].propellant);
    EXPECT_EQ(again->tanks()[i].radius, model.tanks()[i].radius);
    EXPECT_LE((again->tanks()[i].position - model.tanks()[i].position).norm(), 1e-14);
  }
  EXPECT_EQ(again->thrusters()[1].drive.tank, "hand");
  EXPECT_NEAR(again->total_mass(), model.total_mass(), 1e-12);
}

TEST(Tank, WorksWithOtherMethods) {
  for (const IntegrationMethod method :
       {IntegrationMethod::rk4, IntegrationMethod::dopri5, IntegrationMethod::bulirsch_stoer,
        IntegrationMethod::adams_bashforth_moulton}) {
    Scenario scenario = flight(kBus + kFour, kBurn);
    scenario.setup.integrator =
        is_adaptive(method) ? adaptive(method, 1e-10) : fixed_step(method, 0.05);
    const SimulationResult result = simulate(scenario.setup, scenario.initial, 50.0);
    EXPECT_NEAR(result.state.v_0.x() / (kExhaust * std::log(1.04)), 1.0, 1e-8) << to_string(method);
  }
}

class Halfway final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint&) override {}
  bool on_step(double time, const IntegratorStatistics&) override {
    time_ = time;
    return true;
  }
  bool wants_checkpoint() override { return time_ > 10.0 && checkpoint.memory.empty(); }
  void on_checkpoint(const Checkpoint& given) override { checkpoint = given; }
  Checkpoint checkpoint;

 private:
  double time_ = 0.0;
};

TEST(Tank, ResumesBitForBit) {
  const Scenario scenario = flight(kLopsided, kThree + kTurning);
  Halfway halfway;
  SimulationObserver rest;
  const State whole = Simulator(scenario.setup).run(scenario.initial, 40.0, 1.0, halfway).state;
  ASSERT_FALSE(halfway.checkpoint.memory.empty());
  const State resumed = Simulator(scenario.setup).resume(halfway.checkpoint, rest).state;
  EXPECT_EQ(whole.r_0, resumed.r_0);
  EXPECT_EQ(whole.omega_0, resumed.omega_0);
  EXPECT_EQ(whole.z, resumed.z);
}

TEST(Tank, IsRefusedWhereItCannotEmpty) {
  Scenario scenario = flight(kBus + kFour, kBurn);
  scenario.setup.integrator = adaptive(IntegrationMethod::rodas, 1e-8);
  EXPECT_EQ(message_of<DomainError>([&] { Simulator{scenario.setup}; }),
            "rodas cannot let tanks empty; thrusters that draw from tanks need another method");
  scenario = flight(kBus + kFour, kBurn);
  scenario.setup.integrator.project_momentum = true;
  EXPECT_EQ(message_of<DomainError>([&] { Simulator{scenario.setup}; }),
            "project_momentum cannot be used where tanks empty");
  scenario = flight(kBus + kFour, kBurn);
  scenario.setup.base_mode = BaseMode::fixed;
  EXPECT_EQ(message_of<DomainError>([&] { Simulator{scenario.setup}; }),
            "tank 'main' is on a base that is held or moved, where it cannot empty");
}

}  // namespace
}  // namespace spacedyn::testing::tank_test
