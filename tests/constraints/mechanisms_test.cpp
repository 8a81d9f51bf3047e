// Mechanisms whose motion is known: a flat parallelogram, and Andrews' squeezer.
#include <gtest/gtest.h>

#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/loop_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::mechanisms_test {
namespace {

/// Columns on the ground with a beam from each to the next, upright at the start.
ModelDescription row_of_four_bars(int bars) {
  ModelDescription robot;
  robot.name = "row";
  robot.base = base_body(5.0, {1.0, 2.0, 3.0});
  robot.base.fixed = true;
  for (int i = 0; i <= bars; ++i) {
    const std::string n = std::to_string(i);
    robot.links.push_back(rod("column" + n, "base", 1.0, 1.0, {static_cast<double>(i), 0.0, 0.0}));
  }
  for (int i = 1; i <= bars; ++i) {
    const std::string n = std::to_string(i), column = "column" + std::to_string(i - 1);
    robot.links.push_back(rod("beam" + n, column, 1.0, 1.0, {1.0, 0.0, 0.0}));
    robot.frames.push_back(point_on("end" + n, "beam" + n, {1.0, 0.0, 0.0}));
    robot.frames.push_back(point_on("top" + n, "column" + n, {1.0, 0.0, 0.0}));
    robot.loops.push_back(loop_between("pin" + n, LoopType::revolute, "end" + n, "top" + n));
  }
  return robot;
}

/// Without gravity a row of parallelograms turns evenly, through places where it lies flat and
/// could go on crosswise.
TEST(FlatFourBars, AreTurnedThroughByDop853) {
  const int bars = 3;
  const Model model = ModelBuilder(row_of_four_bars(bars)).build();
  State start(model);
  const double theta = 1.0, rate = 2.0;
  for (int i = 0; i < model.joint_count(); ++i) {
    const double sign = i <= bars ? 1.0 : -1.0;
    start.q(i) = sign * theta;
    start.qd(i) = sign * rate;
  }
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.base_mode = BaseMode::fixed;
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  setup.integrator.max_steps = 20000;
  Trajectory motion;
  const SimulationResult result = Simulator(setup).run(start, 6.0, 0.25, motion);
  for (const TrajectoryPoint& sample : motion.points) {
    for (int i = 0; i < model.joint_count(); ++i) {
      const double sign = i <= bars ? 1.0 : -1.0;
      EXPECT_NEAR(sample.state.q(i), sign * (theta + rate * sample.time), 1e-7);
    }
  }
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
}

/// Reference solution of the Test Set for IVP Solvers (PSIDE, tolerance 1e-14, Cray C90), of
/// β, Θ, γ, Φ, δ, Ω, ε at 0.03 s.
TEST(AndrewsSqueezer, EndsWhereItsReferenceSolutionDoes) {
  const Scenario scenario =
      load_scenario(std::string(SPACEDYN_MODELS) + "/scenarios/andrews_squeezer.yaml");
  const Model& model = *scenario.setup.model;
  Trajectory motion;
  Simulator(scenario.setup).run(scenario.initial, 0.03, 0.03, motion);
  const State& end = motion.points.back().state;
  const std::vector<std::pair<std::string, double>> reference{
      {"beta", 15.81077119629904},   {"theta", -15.75637105984298}, {"gamma", 0.04082224013073101},
      {"phi", -0.5347301163226948},  {"delta", 0.5244099658805304}, {"omega", 0.5347301163226948},
      {"epsilon", 1.048080741042263}};
  for (const auto& [name, angle] : reference) {
    EXPECT_NEAR(end.q(*model.find_joint(name) - 1), angle, 1e-8) << name;
  }
}

}  // namespace
}  // namespace spacedyn::testing::mechanisms_test
