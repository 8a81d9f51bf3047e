// Locks and stops of a scenario, from its file to its summary.
#include <filesystem>

#include "cli/program.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::joint_limits_test {
namespace {

using nlohmann::json;
using testing::Outcome;
using testing::StarterDirectory;

/// The arm swings by its shoulder; the elbow, released on the way, falls back onto its lower stop.
const char* kSwing = R"(spacedyn: 1
scenario:
  name: swing
  model: bot/robot.yaml
  duration: 10
  initial: {joints: {elbow: {position: 0.2}}}
  locked: [elbow]
  control:
    - {type: joint_pd, joints: [shoulder], stiffness: 400, damping: 400, effort_limit: 300,
       reference: {type: quintic, to: 2, duration: 8}}
  events:
    - {type: time, name: go, time: 1, actions: [{type: release, joint: elbow}]}
    - {type: joint_limit, name: stop, joint: elbow, limits: [0.1, .inf], restitution: 0.3}
  output: {interval: 0.1, channels: [state, joint_torque]}
  checks: {momentum_drift: 1.0e-10, energy_residual: 1.0e-7}
)";

json run(const StarterDirectory& starter, const std::vector<std::string>& more, int exit_code) {
  testing::write_text(starter / "swing.yaml", kSwing);
  std::vector<std::string> arguments{"simulate", "swing.yaml", "--no-report",
                                     "--json",   "--format",   "csv"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = starter.run(arguments);
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  return outcome.out.empty() ? json() : json::parse(outcome.out);
}

TEST(JointLimitsOfAScenario, LockReleaseRestAndLeave) {
  const StarterDirectory starter;
  const json summary = run(starter, {"-o", "out"}, 0);
  std::vector<std::string> names;
  const std::string passed = "elbow passes its upper limit";  // long after it has left the stop
  for (const json& event : summary.at("events")) {
    if (event.at("name") != passed) names.push_back(event.at("name"));
  }
  ASSERT_GE(names.size(), 4U);
  EXPECT_EQ(names.front(), "go");
  EXPECT_EQ(names[1], "stop lower");
  EXPECT_EQ(names[names.size() - 2], "stop lower rests");
  EXPECT_EQ(names.back(), "stop lower leaves");
  const double rests = summary.at("events").at(names.size() - 2).at("time");
  const double leaves = summary.at("events").at(names.size() - 1).at("time");

  const ResultTable table = read_result(starter / "out/swing.csv");
  const auto column = [&](const std::string& name) {
    const int at = table.find(name);
    EXPECT_GE(at, 0) << name;
    return table.values.col(at);
  };
  for (Eigen::Index row = 0; row < table.values.rows(); ++row) {
    const double time = table.values(row, 0), q = column("joints_elbow_rad")(row);
    const double torque = column("joints_elbow_torque_N_m")(row);
    if (time < 1.0) {
      EXPECT_EQ(q, 0.2);
    } else if (time < rests) {
      EXPECT_GE(q, 0.1 - 1e-12);
    } else if (time < leaves) {
      EXPECT_NEAR(q, 0.1, 1e-15);
      EXPECT_GE(torque, 0.0);  // it pushes
    } else {
      EXPECT_GE(q, 0.1 - 1e-12);
      EXPECT_EQ(torque, 0.0);
    }
  }
}

TEST(JointLimitsOfAScenario, AreTheSameAfterABreak) {
  const StarterDirectory starter;
  run(starter, {"-o", "whole"}, 0);
  const json metadata = json::parse(testing::read_text(starter / "whole/swing.meta.json"));
  const int steps = metadata.at("integrator").at("steps");
  for (const int limit : {3, steps / 2, 2 * steps / 3}) {
    const std::string directory = "broken-" + std::to_string(limit);
    run(starter, {"-o", directory, "--set", "integrator.max_steps=" + std::to_string(limit)}, 4);
    run(starter, {"-o", directory, "--resume", "--set", "integrator.max_steps=1000000"}, 0);
    EXPECT_EQ(testing::read_text(starter / (directory + "/swing.csv")),
              testing::read_text(starter / "whole/swing.csv"));
  }
}

}  // namespace
}  // namespace spacedyn::joint_limits_test
