// Bodies of one MJCF file that each become a robot of a scenario.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/recorders.hpp"

namespace spacedyn::mjcf_robots_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;

const std::string kYard =
    R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/><site name="corner"/>
<body name="ball" pos="1 2 3"><freejoint name="loose"/><geom size=".1" mass="2"/><site name="mark" pos="0 0 .1"/></body>
<body name="brick" pos="0 0 5" euler="90 0 30"><joint type="free"/><geom type="box" size=".1 .2 .3" pos="0 .1 0" mass="3"/>
  <body name="lid" pos="0 0 1"><joint name="hinge" axis="1 0 0"/><geom size=".1" pos="0 0 .2" mass="1"/></body></body>
<body name="arm" pos="-1 0 0"><joint name="turn" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/></body>
<body name="post" pos="0 0 1"><geom size=".1" mass="9"/></body></worldbody>
<equality>)";
const std::string kEnd = "</equality></mujoco>";

/// A scenario of these robots, or of the whole file.
std::string flight(const std::string& robots) {
  return "spacedyn: 1\nscenario:\n  name: fall\n  duration: 1\n  environment: {gravity: [0, 0, "
         "-9.81]}\n  integrator: {relative_tolerance: 1.0e-11, absolute_tolerance: 1.0e-12}\n" +
         robots;
}

Vector3 place_of(const Model& model, const State& state, const std::string& name) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  return frame_position(frames, model.frame(name));
}

// the same bodies twice: as joints of one tree, and as robots that each are read alone
TEST(MjcfRobots, FlyAsTheyDoInOneTree) {
  const TemporaryFolder folder;
  folder.write("yard.xml", kYard + kEnd);
  const Scenario tree = parse_scenario(
      flight("  model: yard.xml\n  initial: {joints: {hinge: {velocity: 1}, turn: {position: 0.3}, "
             "loose: {velocity: [0.5, 0, 0]}}}\n"),
      folder.path("tree.yaml"));
  const Scenario robots = parse_scenario(flight(R"(  robots:
    - {name: b, model: {file: yard.xml, body: ball}, initial: {base: {of: frame, position: [1, 2, 3], velocity: [0.5, 0, 0]}}}
    - name: box
      model: {file: yard.xml, body: brick}
      initial:
        base: {of: frame, position: [0, 0, 5], matrix: [[0.8660254037844387, -0.5, 0], [0, 0, -1], [0.5, 0.8660254037844387, 0]]}
        joints: {hinge: {velocity: 1}}
    - {name: a, model: {file: yard.xml, body: arm}, initial: {joints: {turn: {position: 0.3}}}}
)"),
                                         folder.path("robots.yaml"));
  EXPECT_EQ(robots.setup.model->robots().size(), 3U);
  EXPECT_EQ(robots.setup.model->joint_count(), tree.setup.model->joint_count());
  const State one = testing::simulate(tree.setup, tree.initial, 1.0).state;
  const State other = testing::simulate(robots.setup, robots.initial, 1.0).state;
  const auto expect_same = [&](const std::string& whole, const std::string& own) {
    const Vector3 from = place_of(*tree.setup.model, one, whole);
    EXPECT_LT((from - place_of(*robots.setup.model, other, own)).norm(), 1e-9) << own;
  };
  expect_same("ball", "b.ball");
  expect_same("mark", "b.mark");
  expect_same("brick", "box.brick");
  expect_same("lid.com", "box.lid.com");
  expect_same("arm.com", "a.arm.com");
}

TEST(MjcfRobots, AreWhatAFirstFlightMakesOfThem) {
  const TemporaryFolder folder;
  const std::string path = folder.write("yard.xml", kYard + kEnd);
  const Scenario scenario = open_scenario(path, {});
  const Model& model = *scenario.setup.model;
  std::vector<std::string> names;
  for (const Robot& robot : model.robots()) names.push_back(robot.name);
  EXPECT_THAT(names, ElementsAre("ball", "brick", "arm"));
  const LoadedModel loaded = load_model(path);
  const Model& tree = *loaded.model;
  for (const std::string body : {"ball", "brick", "lid", "arm"}) {
    const std::string robot = body == "lid" ? "brick" : body;
    const Vector3 there = place_of(tree, State(tree), body);
    EXPECT_LT((place_of(model, scenario.initial, robot + '.' + body) - there).norm(), 1e-14);
  }
  // what ties two of them keeps them one robot
  folder.write("tied.xml", kYard + "<connect body1='ball' body2='brick' anchor='0 0 0'/>" + kEnd);
  EXPECT_THAT(first_flight(*load_model(folder.path("tied.xml")).model, "tied.xml"),
              Not(HasSubstr("robots:")));
}

TEST(MjcfRobots, LeaveOutWhatNeedsOthers) {
  const TemporaryFolder folder;
  folder.write("tied.xml",
               kYard + "<connect name='rope' body1='ball' body2='brick' anchor='0 0 0'/>" + kEnd);
  const Scenario scenario =
      parse_scenario(flight("  model: {file: tied.xml, body: brick}\n"), folder.path("s.yaml"));
  EXPECT_TRUE(scenario.setup.model->loops().empty());
  EXPECT_EQ(scenario.setup.model->joint_count(), 1);
  EXPECT_FALSE(scenario.setup.model->has_fixed_base());
  EXPECT_FALSE(scenario.setup.model->find_frame("mark"));
  bool is_told = false;
  for (const Diagnostic& note : scenario.remarks) {
    is_told = is_told || note.message.find("left out with the bodies that it needs: 'rope'") !=
                             std::string::npos;
  }
  EXPECT_TRUE(is_told);
}

TEST(MjcfRobots, NameABodyOfTheFile) {
  const TemporaryFolder folder;
  folder.write("yard.xml", kYard + kEnd);
  const auto refusal = [&](const std::string& body) -> std::string {
    try {
      parse_scenario(flight("  model: {file: yard.xml, body: " + body + "}\n"),
                     folder.path("s.yaml"));
    } catch (const ParseError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("bal"),
              HasSubstr("s.yaml:7:33: error: scenario.model.body: expected the name "
                        "of a link of the file, got 'bal', did you mean 'ball'?"));
  EXPECT_THAT(refusal("lid"), HasSubstr("expected a link that floats on a joint of type free or "
                                        "stands on the base, got 'lid'"));
  EXPECT_THAT(refusal("[ball]"), HasSubstr("s.yaml:7:33"));
}

}  // namespace
}  // namespace spacedyn::mjcf_robots_test
