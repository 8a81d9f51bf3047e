// Loops in files: what is read, written and refused, with its place.
#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::loop_file_test {
namespace {

/// A crank–rocker on a fixed base; loops follow.
const std::string kBar = R"(spacedyn: 1
model:
  name: bar
  base: {name: ground, fixed: true}
  links:
    - {name: crank, parent: ground, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1]}
    - {name: coupler, parent: crank, joint: {type: revolute, origin: {xyz: [0.35, 0, 0]}}, mass: 1, inertia: [1, 1, 1]}
    - {name: rocker, parent: ground, joint: {type: revolute, origin: {xyz: [1, 0, 0]}}, mass: 1, inertia: [1, 1, 1]}
  frames:
    - {name: coupler_end, link: coupler, xyz: [0.9, 0, 0]}
    - {name: rocker_end, link: rocker, xyz: [0.7, 0, 0]}
  loops:
)";
const std::string kPin =
    "    - {name: pin, type: revolute, from: coupler_end, to: rocker_end, axis: [0, 0, 2]}\n";

std::string problems_of(const std::string& loops) {
  return message_of<ParseError>([&] { parse_model(kBar + loops, "bar.yaml"); });
}

std::string scenario(const std::string& more) {
  std::string text = "spacedyn: 1\nscenario:\n  name: turn\n  duration: 1\n" + more + "  model:\n";
  const std::string model = (kBar + kPin).substr(kBar.find("  name: bar"));
  for (std::size_t begin = 0; begin < model.size();) {
    const std::size_t end = model.find('\n', begin) + 1;
    text += "  " + model.substr(begin, end - begin);
    begin = end;
  }
  return text;
}

std::string scenario_problems(const std::string& more) {
  return message_of<ParseError>([&] { parse_scenario(scenario(more), "turn.yaml"); });
}

TEST(LoopFile, DescribesEveryType) {
  const auto model =
      parse_model(kBar + kPin +
                      "    - {name: w, type: weld, from: crank, to: rocker}\n"
                      "    - {name: u, type: universal, from: crank, to: rocker.com, axes: [[1, 0, "
                      "0], [0, 3, 0]]}\n"
                      "    - {name: d, type: distance, from: ground, to: coupler, length: 50 cm}\n"
                      "    - {name: g, type: gear, joints: [crank, rocker], ratio: -2, offset: 90 "
                      "deg}\n"
                      "    - {name: l, type: linear, joints: [crank, coupler, rocker], "
                      "coefficients: [1, -1, 0.5], offset: 0.1, source: trust E}\n",
                  "bar.yaml")
          .model;
  ASSERT_EQ(model->loops().size(), 6u);
  const std::vector<Loop>& loops = model->loops();
  EXPECT_EQ(loops[0].axis, Vector3::UnitZ());
  EXPECT_EQ(loops[0].from.name, "coupler_end");
  EXPECT_EQ(loops[2].second_axis, Vector3::UnitY());
  EXPECT_EQ(loops[3].length, 0.5);
  EXPECT_EQ(loops[4].joints, (std::vector<int>{1, 3}));
  EXPECT_EQ(loops[4].coefficients, Vector3(2.0, 1.0, 0.0).head<2>());
  EXPECT_NEAR(loops[4].offset, 1.5707963267948966, 1e-15);
  EXPECT_EQ(loops[5].coefficients, Vector3(1.0, -1.0, 0.5));
  EXPECT_EQ(model->description().loops[5].notes.source, "trust E");
}

TEST(LoopFile, IsWrittenAsItIsRead) {
  const auto model =
      parse_model(kBar + kPin +
                      "    - {name: d, type: distance, from: ground, to: coupler, length: 0.6}\n"
                      "    - {name: u, type: universal, from: crank, to: rocker.com, axes: [[1, 0, "
                      "0], [0, 3, 0]]}\n"
                      "    - {name: g, type: gear, joints: [crank, rocker], ratio: -2, offset: 1}\n"
                      "    - {name: l, type: linear, joints: [crank, rocker], coefficients: [1, "
                      "-3]}\n",
                  "bar.yaml")
          .model;
  const auto copy = parse_model(write_model(*model), "copy.yaml").model;
  ASSERT_EQ(copy->loops().size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(copy->loops()[i].name, model->loops()[i].name);
    EXPECT_EQ(copy->loops()[i].type, model->loops()[i].type);
    EXPECT_EQ(copy->loops()[i].axis, model->loops()[i].axis);
    EXPECT_EQ(copy->loops()[i].offset, model->loops()[i].offset);
    EXPECT_EQ(copy->loops()[i].length, model->loops()[i].length);
    EXPECT_EQ(copy->loops()[i].coefficients, model->loops()[i].coefficients);
  }
}

TEST(LoopFile, NamesPlacesOfWhatIsWrong) {
  EXPECT_EQ(problems_of("    - {name: pin, type: revolute, from: coupler_end, to: coupler, axis: "
                        "[0, 0, 1]}\n"),
            "bar.yaml:13:58: error: model.loops.0.to: expected a point of another body than "
            "'coupler_end', got 'coupler', which is on 'coupler' as well");
  EXPECT_EQ(problems_of("    - {name: pin, type: hinge, from: coupler_end, to: rocker_end}\n"),
            "bar.yaml:13:25: error: model.loops.0.type: expected weld, revolute, prismatic, "
            "cylindrical, spherical, universal, planar, distance, gear or linear, got 'hinge'");
  EXPECT_NE(problems_of("    - {name: pin, type: revolute, from: coupler_end, to: rocker_end}\n")
                .find("bar.yaml:13:7: error: model.loops.0.axis: expected a list of 3 numbers"),
            std::string::npos);
  EXPECT_NE(problems_of("    - {name: p, type: spherical, from: crank, to: rocker, length: 2}\n")
                .find("length"),
            std::string::npos);
}

TEST(LoopFile, RefusesAGearBetweenJointsThatALoopHolds) {
  const std::string text =
      "    - {name: brace, type: weld, from: mount, to: crank}\n"
      "    - {name: g, type: gear, joints: [crank, rocker], ratio: 1}\n";
  const std::string bar =
      (kBar + kPin + text)
          .insert(kBar.find("  loops:"), "    - {name: mount, link: ground, xyz: [0, 0, 0]}\n");
  EXPECT_EQ(message_of<ParseError>([&] { parse_model(bar, "bar.yaml"); }),
            "bar.yaml:16:7: error: model.loops.2: expected joints that other loops let move, got "
            "'g' between joints that they hold already");
}

TEST(LoopFile, WarnsOfALoopThatDoesNothing) {
  const LoadedModel loaded = parse_model(
      kBar + kPin + "    - {name: again, type: spherical, from: rocker_end, to: coupler_end}\n",
      "bar.yaml");
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_EQ(
      to_string(loaded.warnings[0]),
      "bar.yaml:14:7: warning: model.loops.1: 'again' does nothing: it follows from the loops "
      "before it");
}

TEST(LoopScenario, IsRefusedWhereItStartsOffItsLoops) {
  EXPECT_EQ(scenario_problems("").substr(0, 85),
            "turn.yaml:3:3: error: scenario: expected a start on loop 'pin', got one that "
            "violates");
  EXPECT_EQ(scenario_problems("  initial: {joints: {crank: {position: 0.3}}}\n").substr(0, 94),
            "turn.yaml:5:12: error: scenario.initial: expected a start on loop 'pin', got one that "
            "violates");
}

TEST(LoopScenario, StartsAssembledWithHeldJoints) {
  const Scenario turn = parse_scenario(
      scenario("  initial: {assemble: true, joints: {crank: {position: 0.3, velocity: 2}}}\n"),
      "turn.yaml");
  EXPECT_EQ(turn.initial.q(0), 0.3);
  EXPECT_EQ(turn.initial.qd(0), 2.0);
  EXPECT_LT(position_residual(*turn.setup.model, turn.initial).value, 1e-12);
  EXPECT_LT(velocity_residual(*turn.setup.model, turn.initial).value, 1e-12);
  EXPECT_GT(std::abs(turn.initial.q(2)), 0.1);
  ASSERT_EQ(turn.remarks.size(), 1u);
  EXPECT_NE(turn.remarks[0].message.find("closing the loops moves 'coupler' by"),
            std::string::npos);

  const Scenario held = parse_scenario(
      scenario("  initial: {assemble: true, hold: [rocker], joints: {crank: {position: 0.3}, "
               "rocker: {position: 2.2}}}\n"),
      "turn.yaml");
  EXPECT_EQ(held.initial.q(2), 2.2);
  EXPECT_NE(held.initial.q(0), 0.3);
}

TEST(LoopScenario, SaysHowCloseAnAssemblyComes) {
  // the rocker can point away from the crank no more than the coupler reaches
  const std::string message = scenario_problems(
      "  initial: {assemble: true, joints: {rocker: {position: 0}, crank: {position: 180 deg}}}\n");
  EXPECT_EQ(message.substr(0, 130),
            "turn.yaml:5:23: error: scenario.initial.assemble: expected loops that can be closed, "
            "got loop 'pin', which still is open by 1.15 m")
      << message;
}

TEST(LoopScenario, RefusesKeysThatWouldDoNothing) {
  EXPECT_NE(scenario_problems("  initial: {hold: [crank]}\n")
                .find("scenario.initial.hold: expected no joints here, got some"),
            std::string::npos);
  const std::string tree =
      "spacedyn: 1\nscenario:\n  name: t\n  duration: 1\n  integrator: {constraints: none}\n"
      "  initial: {assemble: true}\n"
      "  model: {name: m, base: {name: b, mass: 1, inertia: [1, 1, 1]}}\n";
  const std::string message = message_of<ParseError>([&] { parse_scenario(tree, "t.yaml"); });
  EXPECT_NE(message.find("t.yaml:5:29: error: scenario.integrator.constraints: expected no such "
                         "key, got one: the model has no loops"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("t.yaml:6:23: error: scenario.initial.assemble: expected false, got true: "
                         "the model has no loops"),
            std::string::npos)
      << message;
}

TEST(LoopScenario, ReadsHowLoopsAreKeptClosed) {
  const std::string start = "  initial: {assemble: true, joints: {crank: {position: 0.3}}}\n";
  const Scenario turn =
      parse_scenario(scenario(start + "  integrator: {constraints: baumgarte}\n"), "turn.yaml");
  EXPECT_EQ(turn.setup.integrator.constraints, LoopStabilization::baumgarte);
  EXPECT_NE(scenario_problems(start + "  integrator: {method: variational, step: 0.01}\n")
                .find("scenario.integrator.method: expected a method that can keep loops closed, "
                      "got variational"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::testing::loop_file_test
