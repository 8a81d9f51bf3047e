// Every method against every key that acts: it agrees with dop853 or is refused by name.
#include <gmock/gmock.h>

#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/recorders.hpp"

namespace spacedyn::method_product_test {
namespace {

/// What is added to a flight, and where; some things change the robot as well.
struct Case {
  std::string name;
  std::string joint;     // keys of the first joint
  std::string model;     // keys of the model
  std::string scenario;  // keys of the scenario
  std::string refusal;   // what variational says, if it cannot do it
  bool fixed = false;    // base
  std::string hand = "velocity: -1.0";
  std::string arm = "velocity: 1.5";
  bool base_moves = true;
};

std::ostream& operator<<(std::ostream& stream, const Case& with) { return stream << with.name; }

/// A tumbling bus with two links, flown for a tenth of a second.
Scenario flight(const Case& with) {
  const std::string text =
      R"(
spacedyn: 1
scenario:
  name: product
  duration: 0.1
  model:
    name: m
    base: {name: bus, mass: 20, inertia: [4, 5, 6], fixed: )" +
      std::string(with.fixed ? "true" : "false") + R"(}
    links:
      - name: arm
        parent: bus
        joint: {name: j1, type: revolute, origin: {xyz: [0.5, 0, 0]}, axis: [0, 1, 1])" +
      with.joint + R"(}
        mass: 3
        center_of_mass: [0.3, 0.1, 0]
        inertia: [0.05, 0.1, 0.12]
      - name: hand
        parent: arm
        joint: {name: j2, type: revolute, origin: {xyz: [0.6, 0, 0], twist: [1.2, 0.3, 0]}}
        mass: 2
        center_of_mass: [0.2, 0, 0.1]
        inertia: [0.03, 0.05, 0.06]
    frames: [{name: tip, link: hand, xyz: [0.4, 0, 0]}]
)" + with.model +
      R"(
  initial:
    )" +
      (with.fixed || !with.base_moves
           ? ""
           : "base: {velocity: [0.1, 0, -0.2], angular_velocity: [0.6, -0.8, 1.0]}") +
      R"(
    joints: {j1: {)" +
      with.arm + R"(}, j2: {position: 0.4, )" + with.hand + R"(}}
)" + with.scenario;
  return parse_scenario(text, "product.yaml");
}

std::vector<Case> cases() {
  const std::string impose = "variational cannot impose motion";
  const std::string lock = "variational cannot lock joints";
  return {
      {"stiffness", ", stiffness: 60, rest_position: 0.5", "", "", ""},
      {"damping", ", damping: 4", "", "", ""},
      {"friction", ", friction: {coulomb: 4, static: 6, stribeck_velocity: 0.5, presliding: 0.03}",
       "", "", ""},
      {"rotor_reflected", ", rotor_inertia: 0.01, gear_ratio: 10", "", "", ""},
      {"rotor_full", ", rotor_inertia: 0.01, gear_ratio: 20, rotor_coupling: full", "", "", ""},
      {"rotor_full_counter", ", rotor_inertia: 0.02, gear_ratio: -8, rotor_coupling: full", "", "",
       ""},
      {"transmission",
       ", rotor_inertia: 0.01, gear_ratio: 5, transmission: {stiffness: 200, damping: 1}", "", "",
       ""},
      {"couplings", "",
       "    couplings: [{name: c, joints: [j1, j2], stiffness: [[60, -40], [-40, 50]], "
       "damping: [[4, -1], [-1, 3]]}]",
       "", ""},
      {"flexible_links", "",
       "    flexible_links: [{name: boom, parent: bus, origin: {xyz: [0, 1, 0]}, length: 2, "
       "mass: 4, bending_stiffness: {y: 30, z: 40}, segments: 2, damping_ratio: 0.02}]",
       "", ""},
      {"modal_appendages", "",
       "    modal_appendages: [{name: paddle, parent: bus, origin: {xyz: [0, 1, 0], "
       "rpy: [0, 0, 90 deg]}, mass: 4, center_of_mass: [1, 0, 0], inertia: [0.4, 2, 2.3], "
       "modes: [{frequency: 2 Hz, damping_ratio: 0.01, translation: [0, 0, 1.2], "
       "rotation: [0, -2.0, 0]}]}]",
       "", ""},
      {"gravity", "", "", "  environment: {gravity: [1, -9, 2]}", ""},
      {"gravity_fixed_base", "", "", "  environment: {gravity: [1, -9, 2]}", "", true},
      {"base_prescribed", "", "",
       "  base: {mode: prescribed, motion: {rotation: {axis: [0, 0, 1], angle: "
       "{type: quintic, to: 0.3, duration: 0.2}}}}",
       impose, false, "velocity: -1.0", "velocity: 1.5", false},
      {"base_flying", "", "",
       "  base: {mode: flying, attitude: {stiffness: 300, damping: 60, torque_limit: 1000}}", ""},
      {"wrench", "", "",
       "  forces: [{type: wrench, at: tip, frame: body, force: [20, -10, 15], torque: [1, 2, -1], "
       "from: 0.02, until: 0.0713}]",
       ""},
      {"joint_torque", "", "",
       "  forces: [{type: joint_torque, joint: j2, table: {time: [0, 0.03, 0.09], "
       "torque: [2, 8, -3]}}]",
       ""},
      {"joint_stop", "", "",
       "  forces: [{type: joint_stop, joint: j1, limits: [-1, 0.05], stiffness: 900, damping: 9}]",
       ""},
      {"brake", "", "",
       "  forces: [{type: brake, joint: j1, torque: 6, from: 0.011, presliding: 0.03}]", ""},
      {"joint_pd", "", "",
       "  control: [{type: joint_pd, name: c, joints: [j1, j2], stiffness: 60, damping: 6, "
       "reference: {type: trapezoid, to: [0.4, 0.1], velocity: 6, acceleration: 100}}]",
       ""},
      {"joint_pd_sampled", "", "",
       "  control: [{type: joint_pd, name: c, joints: [j1, j2], stiffness: 60, damping: 6, "
       "sample_period: 0.0073, delay: 0.01, quantization: {effort: 0.5}, "
       "reference: {type: constant, position: [0.4, 0.1]}}]",
       ""},
      {"prescribed", "", "",
       "  prescribed: [{joint: j1, reference: {type: trapezoid, from: 0, to: 0.2, velocity: 7, "
       "acceleration: 90, from_time: 0.0123}}]",
       impose, false, "velocity: -1.0", "velocity: 0"},
      {"locked", "", "", "  locked: [j2]", lock, false, "velocity: 0"},
      {"bounce", "", "",
       "  events: [{type: joint_limit, name: stop, joint: j1, limits: [-1, 0.05], "
       "restitution: 0.6}]",
       ""},
      {"lock_action", "", "",
       "  events: [{type: time, name: hold, time: 0.031, actions: [{type: lock, joint: j1}]}]",
       "event 'hold' locks a joint, which the variational method cannot do"},
      {"impulse", "", "",
       "  events: [{type: time, name: hit, time: 0.0234, actions: [{type: impulse, at: tip, "
       "linear: [0.5, -1, 1], angular: [0.1, 0, 0.2]}]}]",
       ""},
      {"switch", "", "",
       "  control: [{type: joint_pd, name: c, joints: [j1], stiffness: 60, damping: 6, "
       "reference: {type: constant, position: 0.4}}]\n"
       "  events: [{type: time, name: cut, time: 0.0537, actions: [{type: switch, controller: c, "
       "enabled: false}]}]",
       ""},
      {"project_momentum", "", "", "  integrator: {method: dop853, project_momentum: true}", ""},
  };
}

/// Errors of steps of 1 ms: the first figure is that of order 1, the others fall with the order.
double tolerance(IntegrationMethod method) {
  switch (method) {
    case IntegrationMethod::euler:
    case IntegrationMethod::euler_rodrigues:
      return 5e-2;
    case IntegrationMethod::midpoint:
    case IntegrationMethod::newmark:
    case IntegrationMethod::variational:
    case IntegrationMethod::time_stepping:
      return 2e-3;
    case IntegrationMethod::simpson:
      return 1e-4;
    default:
      return 2e-6;
  }
}

/// Kinks inside fixed steps cost high orders their digits; stiffness costs low ones theirs.
double tolerance(IntegrationMethod method, const std::string& name) {
  const double smooth = tolerance(method);
  if (name == "friction" || name == "brake") return std::max(smooth, std::min(1e-3, 200 * smooth));
  if (name == "transmission") return 5.0 * smooth;
  return name == "joint_stop" ? 2.0 * smooth : smooth;
}

/// The steps of these pass over the onset of slip, as docs/integration.md says.
bool misses_friction(IntegrationMethod method, const std::string& name) {
  return (name == "friction" || name == "brake") &&
         (method == IntegrationMethod::bulirsch_stoer || method == IntegrationMethod::fehlberg78);
}

IntegratorOptions options(IntegrationMethod method, const SimulationSetup& setup) {
  IntegratorOptions options =
      is_adaptive(method) ? testing::adaptive(method, 1e-8) : testing::fixed_step(method, 1e-3);
  options.project_momentum = setup.integrator.project_momentum;
  return options;
}

double difference(const State& a, const State& b) {
  const auto joints = std::min(a.q.size(), b.q.size());
  return std::max({(a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(),
                   (a.q.head(joints) - b.q.head(joints)).norm(), (a.v_0 - b.v_0).norm(),
                   (a.omega_0 - b.omega_0).norm(), (a.qd.head(joints) - b.qd.head(joints)).norm()});
}

State fly(Scenario scenario, const IntegratorOptions& integrator) {
  scenario.setup.integrator = integrator;
  return testing::simulate(scenario.setup, scenario.initial, scenario.duration).state;
}

class EveryMethod : public ::testing::TestWithParam<Case> {};

TEST_P(EveryMethod, AccountsForItOrRefuses) {
  const Case& with = GetParam();
  Case without;
  without.fixed = with.fixed;
  without.base_moves = with.base_moves;
  const Scenario scenario = flight(with);
  IntegratorOptions exact = testing::adaptive(IntegrationMethod::dop853, 1e-12);
  exact.project_momentum = scenario.setup.integrator.project_momentum;
  const State expected = fly(scenario, exact);
  // it matters: no method passes that ignores it
  const double effect = difference(expected, fly(flight(without), exact));
  if (with.name != "project_momentum") {
    EXPECT_GT(effect, 0.04);
  }
  for (const IntegrationMethod method : all_integration_methods()) {
    if (misses_friction(method, with.name)) continue;
    SCOPED_TRACE(std::string(to_string(method)));
    const IntegratorOptions integrator = options(method, scenario.setup);
    if (method == IntegrationMethod::variational && !with.refusal.empty()) {
      EXPECT_THAT([&] { fly(scenario, integrator); },
                  ::testing::ThrowsMessage<DomainError>(::testing::HasSubstr(with.refusal)));
      continue;
    }
    EXPECT_LT(difference(fly(scenario, integrator), expected), tolerance(method, with.name));
  }
}

INSTANTIATE_TEST_SUITE_P(Keys, EveryMethod, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace spacedyn::method_product_test
