// Scenarios that are advanced from outside: the same bits as a run in one go.
#include "spacedyn/scenario/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/case_name.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::simulation_test {
namespace {

/// Rows of a run.
class Rows final : public RowSink {
 public:
  void write(ConstVectorRef row) override { rows.emplace_back(row); }
  void flush() override {}
  std::vector<VectorX> rows;
};

struct Recorded {
  std::vector<VectorX> rows;
  SimulationResult result;
};

Recorded run_in_one_go(const Scenario& scenario, double interval) {
  RowLayout layout(scenario.setup, scenario.initial, scenario.channels);
  Rows sink;
  Recorder recorder(layout, sink);
  const SimulationResult result =
      Simulator(scenario.setup).run(scenario.initial, scenario.duration, interval, recorder);
  return {sink.rows, result};
}

bool are_same_bits(const VectorX& a, const VectorX& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

void expect_same_events(const std::vector<EventRecord>& a, const std::vector<EventRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].time, b[i].time) << a[i].name;
  }
}

struct Shipped {
  const char* name;
  const char* duration;
  double interval;
};

std::string name_of(const ::testing::TestParamInfo<Shipped>& info) { return info.param.name; }

class SteppedScenario : public ::testing::TestWithParam<Shipped> {};

TEST_P(SteppedScenario, HasTheBitsOfARunInOneGo) {
  const auto& [name, duration, interval] = GetParam();
  const Scenario scenario = load_scenario(
      std::string(SPACEDYN_MODELS) + "/scenarios/" + name + ".yaml", {{"duration", duration}});
  const Recorded whole = run_in_one_go(scenario, interval);
  Simulation simulation(scenario);
  std::size_t row = 0;
  for (bool goes_on = true; goes_on; goes_on = simulation.step(interval), ++row) {
    ASSERT_LT(row, whole.rows.size());
    EXPECT_TRUE(are_same_bits(simulation.observe(), whole.rows[row])) << simulation.time();
  }
  EXPECT_TRUE(are_same_bits(simulation.observe(), whole.rows.back()));
  expect_same_events(simulation.events(), whole.result.events);
  EXPECT_EQ(simulation.result().audit.energy_residual(), whole.result.audit.energy_residual());
  EXPECT_EQ(simulation.result().statistics.steps, whole.result.statistics.steps);
}

// orbit and contact, pulses of thrusters, a brake with rodas, impacts, time stepping, a sampled law
INSTANTIATE_TEST_SUITE_P(
    Shipped, SteppedScenario,
    ::testing::Values(Shipped{"docking", "120", 0.7}, Shipped{"jet_limit_cycle", "10", 0.05},
                      Shipped{"emergency_brake", "12", 0.3}, Shipped{"newtons_cradle", "1", 0.01},
                      Shipped{"brick_stack", "0.1", 0.013}, Shipped{"berthing", "20", 1.0}),
    name_of);

/// An arm with noisy encoders, a sampled controller of its elbow, a stop, and a shoulder that
/// something outside drives.
Scenario arm(const std::string& more = "") {
  return parse_scenario(R"(spacedyn: 1
scenario:
  name: outside
  model: ../robots/planar_2r.yaml
  duration: 4
  seed: 7
  initial: {joints: {shoulder: {position: 0.4}, elbow: {position: 0.6, velocity: 0.3}}}
  sensors:
    - {type: encoder, name: at_shoulder, joint: shoulder, sample_period: 0.05, noise: 1.0e-3}
    - {type: encoder, name: at_elbow, joint: elbow, sample_period: 0.05, noise: 1.0e-3}
  control:
    - {type: external, name: policy, joints: [shoulder], sample_period: 0.05, effort_limit: 3}
    - {type: joint_pd, name: pd, joints: [elbow], stiffness: 20, damping: 5, sample_period: 0.05,
       sensors: [at_elbow], reference: {type: quintic, to: 1.2, duration: 3}}
  events:
    - {type: joint_limit, name: stop, joint: shoulder, limits: [-1, 0.45], restitution: 0.4}
    - {type: time, name: late, time: 2.02, actions: [{type: switch, controller: pd, enabled: false})" +
                            more + R"(]}
  integrator: {method: dopri5}
  output: {interval: 0.1, channels: [state, joint_torque, sensors]}
)",
                        std::string(SPACEDYN_MODELS) + "/scenarios/outside.yaml");
}

double law(double q, double qd) { return std::clamp(9.0 * (0.6 - q) - 6.0 * qd, -3.0, 3.0); }

Eigen::Index column(const Simulation& simulation, const std::string& name) {
  for (std::size_t i = 0; i < simulation.columns().size(); ++i) {
    if (simulation.columns()[i].name.find(name) != std::string::npos) {
      return static_cast<Eigen::Index>(i);
    }
  }
  throw std::runtime_error("no column " + name);
}

/// The same with the law inside.
Recorded run_with_the_law(double interval) {
  Scenario scenario = arm();
  auto inside = std::make_shared<FunctionController>(
      "policy", 2,
      [](const EvaluationContext& context, VectorRef tau) {
        tau << law(context.state.q(0), context.state.qd(0)), 0.0;
      },
      0.05);
  inside->take_sensors({"at_shoulder"});
  scenario.setup.controllers[0] = inside;
  return run_in_one_go(scenario, interval);
}

class CommandedSimulation : public ::testing::TestWithParam<double> {};

// commands between samples are replaced by those at samples
TEST_P(CommandedSimulation, HasTheBitsOfALawInside) {
  const double dt = GetParam();
  const Recorded whole = run_with_the_law(dt);
  Simulation simulation(arm());
  const Eigen::Index q = column(simulation, "at_shoulder_position");
  const Eigen::Index qd = column(simulation, "at_shoulder_velocity");
  std::size_t row = 0;
  double turned = 0.0;
  const auto see = [&] {
    ASSERT_LT(row, whole.rows.size());
    EXPECT_EQ(simulation.observe()(0), whole.rows[row](0));
    for (const Column& each : simulation.columns()) {
      // before the new command
      if (each.name.find("torque") != std::string::npos) continue;
      const auto at = &each - simulation.columns().data();
      EXPECT_EQ(simulation.observe()(at), whole.rows[row](at)) << simulation.time() << each.name;
    }
    turned = std::max(turned, std::abs(simulation.state().qd(0)));
    ++row;
  };
  see();
  do {
    const double torque = law(simulation.observe()(q), simulation.observe()(qd));
    simulation.command("policy", VectorX::Constant(1, torque));
    simulation.step(dt);
    see();
  } while (!simulation.is_over());
  EXPECT_EQ(row, whole.rows.size());
  EXPECT_GT(turned, 0.1);
  expect_same_events(simulation.events(), whole.result.events);
  EXPECT_GT(simulation.events().size(), 3U) << "the stop and the switch";
  EXPECT_EQ(simulation.result().statistics.steps, whole.result.statistics.steps);
}

INSTANTIATE_TEST_SUITE_P(Steps, CommandedSimulation, ::testing::Values(0.05, 0.025, 0.0125),
                         NamedByValue{});

TEST(Simulation, BeginsAgainWithItsSeedOrAnother) {
  Simulation simulation(arm());
  const auto fly = [&] {
    simulation.command("policy", VectorX::Constant(1, 0.5));
    for (int i = 0; i < 10; ++i) simulation.step(0.1);
    return simulation.observe();
  };
  const VectorX first = fly();
  simulation.reset();
  EXPECT_EQ(simulation.time(), 0.0);
  EXPECT_TRUE(are_same_bits(fly(), first));
  simulation.reset(8);
  const VectorX other = fly();
  EXPECT_NE(other(column(simulation, "at_shoulder")), first(column(simulation, "at_shoulder")));
  simulation.reset(8);
  EXPECT_TRUE(are_same_bits(fly(), other));
  State elsewhere = simulation.scenario().initial;
  elsewhere.q(1) = -0.3;
  simulation.reset(7, elsewhere);
  EXPECT_EQ(simulation.state().q(1), -0.3);
}

TEST(Simulation, HoldsCommandsAndCutsThem) {
  Simulation simulation(arm());
  const Eigen::Index torque = column(simulation, "shoulder_torque");
  simulation.command("policy", VectorX::Constant(1, -7.0));
  simulation.step(0.03);
  EXPECT_EQ(simulation.observe()(torque), -3.0) << "the effort limit";
  simulation.command("policy", VectorX::Constant(1, 0.25));
  simulation.step(0.01);
  EXPECT_EQ(simulation.observe()(torque), -3.0) << "until the next sample";
  simulation.step(0.03);
  EXPECT_EQ(simulation.observe()(torque), 0.25);
}

TEST(Simulation, EndsWithTheScenarioOrAnEvent) {
  Simulation simulation(arm());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(simulation.step(1.3));
  EXPECT_EQ(message_of<DomainError>([&] { simulation.result(); }),
            "the run has no result: it is not over, or has failed");
  EXPECT_FALSE(simulation.step(1.3));
  EXPECT_EQ(simulation.time(), 4.0);
  EXPECT_EQ(simulation.result().time, 4.0);
  EXPECT_EQ(message_of<DomainError>([&] { simulation.step(1.3); }),
            "the run is over: reset() begins another");

  Simulation stopped(arm(", {type: stop}"));
  while (stopped.step(0.3)) {
  }
  EXPECT_EQ(stopped.result().stopped_by, "late");
  EXPECT_EQ(stopped.time(), 2.02);
  EXPECT_EQ(stopped.events().back().name, "late");
}

TEST(Simulation, RefusesWhatMakesNoSense) {
  Simulation simulation(arm());
  const auto refusal = [&](const std::string& name, const VectorX& values) {
    return message_of<Error>([&] { simulation.command(name, values); });
  };
  EXPECT_EQ(refusal("polcy", VectorX::Ones(1)),
            "expected the name of a controller of type external, got 'polcy', did you mean "
            "'policy'?");
  EXPECT_EQ(refusal("pd", VectorX::Ones(1)),
            "expected the name of a controller of type external, got 'pd'");
  EXPECT_EQ(refusal("policy", VectorX::Ones(2)),
            "the command of 'policy' has 2 components, expected 1");
  EXPECT_EQ(refusal("policy", VectorX::Constant(1, std::nan(""))),
            "the command of 'policy' is not finite");
  EXPECT_EQ(message_of<Error>([&] { simulation.step(0.0); }),
            "a step must be finite and positive, got 0 s");
  EXPECT_NE(message_of<DimensionError>([&] { simulation.reset(1, State()); }), "no exception");
}

}  // namespace
}  // namespace spacedyn::testing::simulation_test
