// Where robots of other programs stand: the frame of their base is where their files put it, by
// whatever way the base is fixed, and starts say of which point of the base they speak.
#include <random>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/evaluation_input.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/recorders.hpp"

namespace spacedyn::base_frame_test {
namespace {

using testing::TemporaryFolder;

// sums of a few products of numbers below 2
constexpr double kRounding = 1e-14;

/// An arm on a turned mount whose centroid is off its origin, on a root of a name.
std::string arm_on(const std::string& root) {
  return "<robot name='arm'>\n<link name='" + root +
         "'/>\n<joint name='mount' type='fixed'><parent link='" + root +
         R"('/><child link='foot'/><origin xyz='0.1 0 0.3' rpy='0 0.5 0'/></joint>
<link name='foot'><inertial><origin xyz='0.3 -0.2 0.1'/><mass value='5'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<joint name='turn' type='continuous'><parent link='foot'/><child link='boom'/><origin xyz='0 0 0.2'/><axis xyz='0 1 0'/></joint>
<link name='boom'><inertial><origin xyz='0 0 0.25'/><mass value='3'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link>
<joint name='flange' type='fixed'><parent link='boom'/><child link='plate'/><origin xyz='0 0 0.5' rpy='0 0 0.7'/></joint>
<link name='plate'/>
</robot>)";
}

/// The plate by the transforms of the file alone, one after another.
Vector3 plate_by_hand(double turn) {
  const Vector3 in_boom(0.0, 0.0, 0.5);
  const Vector3 in_foot = Vector3(0.0, 0.0, 0.2) + rotation_y(turn) * in_boom;
  return Vector3(0.1, 0.0, 0.3) + rotation_y(0.5) * in_foot;
}

Vector3 place_of(const Model& model, const State& state, const std::string& frame) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  return frame_position(frames, model.frame(frame));
}

void expect_in_place(const Model& model, State state, const std::string& how) {
  const int turn = *model.find_joint("turn") - 1;
  for (const double angle : {0.0, 0.4, -1.3}) {
    state.q(turn) = angle;
    EXPECT_LT((place_of(model, state, "plate") - plate_by_hand(angle)).norm(), kRounding)
        << how << ": " << place_of(model, state, "plate").transpose();
  }
}

std::string scenario_of(const std::string& model, const std::string& rest) {
  return "spacedyn: 1\nscenario:\n  name: s\n  model: " + model + "\n  duration: 1\n" + rest;
}

TEST(BaseFrame, FixedRobotsStandWhereTheirFilesPutThem) {
  const TemporaryFolder folder;
  const std::string by_world = folder.write("world.urdf", arm_on("world"));
  const std::string by_root = folder.write("root.urdf", arm_on("base_link"));
  const LoadedModel fixed = load_model(by_world);
  ASSERT_GT(fixed.model->body(0).center_of_mass.norm(), 0.3) << "else the test says nothing";
  expect_in_place(*fixed.model, State(*fixed.model), "a root 'world'");
  expect_in_place(*fixed.model, parse_scenario(scenario_of(by_world, ""), "s.yaml").initial,
                  "a scenario");
  const Scenario held = parse_scenario(scenario_of(by_root, "  base: {mode: fixed}\n"), "s.yaml");
  expect_in_place(*held.setup.model, held.initial, "fixed by a scenario");
  ImportOptions options;
  options.fixed_base = true;
  const std::string yaml = import_model(by_root, folder.path(""), options).yaml;
  const LoadedModel imported = parse_model(yaml, folder.path("i.yaml"));
  expect_in_place(*imported.model, State(*imported.model), "imported");
  const LoadedModel written = parse_model(write_model(*imported.model), folder.path("w.yaml"));
  expect_in_place(*written.model, State(*written.model), "written and read again");
  const LoadedModel back = parse_model(export_urdf(*written.model).urdf, "back.urdf");
  expect_in_place(*back.model, State(*back.model), "exported");
  const auto inputs = parse_evaluation_inputs("{q: [0.4]}", "q.yaml", *fixed.model);
  expect_in_place(*fixed.model, inputs.states.front().state, "evaluated");
}

TEST(BaseFrame, OfSeveralFixedRobotsEachStandsInItsPlace) {
  const TemporaryFolder folder;
  folder.write("a.urdf", arm_on("world"));
  const Scenario scenario = parse_scenario(R"(spacedyn: 1
scenario:
  name: pair
  robots:
    - {name: left, model: a.urdf}
    - {name: right, model: a.urdf, initial: {base: {position: [0, 2, 0], rpy: [0, 0, 1]}}}
  duration: 1
)",
                                           folder.path("s.yaml"));
  const Model& model = *scenario.setup.model;
  EXPECT_LT((place_of(model, scenario.initial, "left.plate") - plate_by_hand(0.0)).norm(),
            kRounding);
  const Vector3 turned = Vector3(0, 2, 0) + rotation_z(1.0) * plate_by_hand(0.0);
  EXPECT_LT((place_of(model, scenario.initial, "right.plate") - turned).norm(), kRounding);
}

TEST(BaseFrame, TheWorldOfMjcfIsTheInertialFrame) {
  const LoadedModel loaded = parse_model(R"(<mujoco><worldbody>
<body name="foot" pos="0.1 0 0.3" euler="0 28.64788975654116 0"><geom type="box" size=".1 .2 .3" pos=".3 -.2 .1"/>
<body name="boom" pos="0 0 0.2"><joint name="turn" axis="0 1 0"/><geom size=".1" pos="0 0 .25"/><site name="plate" pos="0 0 .5"/></body>
</body></worldbody></mujoco>)",
                                         "arm.xml");
  expect_in_place(*loaded.model, State(*loaded.model), "MJCF");
}

// a pendulum of reach 0.8 m on a pillar of 1 m stays 0.15 m above the ground
TEST(BaseFrame, AnArmOnAPillarSwingsAboveTheGround) {
  const TemporaryFolder folder;
  folder.write("pillar.urdf", R"(<robot name="pillar"><link name="world"/>
<joint name="bolts" type="fixed"><parent link="world"/><child link="pillar"/></joint>
<link name="pillar"><inertial><origin xyz="0 0 0.5"/><mass value="50"/><inertia ixx="5" iyy="5" izz="1"/></inertial></link>
<joint name="pivot" type="continuous"><parent link="pillar"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint>
<link name="arm"><inertial><origin xyz="0.4 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.1" izz="0.1"/></inertial>
<collision><origin xyz="0.8 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link></robot>)");
  const Scenario scenario = parse_scenario(R"(spacedyn: 1
scenario:
  name: swing
  model: pillar.urdf
  environment: {gravity: [0, 0, -9.81], terrain: {type: plane}}
  contacts: [{name: ground, between: [arm, terrain], normal: {law: hunt_crossley, stiffness: 1.0e5, restitution: 0.5}}]
  duration: 1.5
)",
                                           folder.path("s.yaml"));
  const Model& model = *scenario.setup.model;
  const State end = testing::simulate(scenario.setup, scenario.initial, 1.5).state;
  // a pendulum without friction: ½ (I + m c²) q̇² = m g c sin q, far above what a contact leaves
  const double q = end.q(0), rate = end.qd(0);
  EXPECT_NEAR(0.5 * (0.1 + 2.0 * 0.16) * rate * rate, 2.0 * 9.81 * 0.4 * std::sin(q), 1e-6);
  EXPECT_EQ(place_of(model, scenario.initial, "arm").z(), 1.0);
}

TEST(BaseFrame, AStartSaysOfWhichPointItSpeaks) {
  const TemporaryFolder folder;
  folder.write("r.urdf", testing::kServicerUrdf);
  folder.write("r.yaml", import_model(folder.path("r.urdf")).yaml);
  const LoadedModel native = parse_model(
      testing::replaced(import_model(folder.path("r.urdf")).yaml, "    placed_by: frame\n", ""),
      folder.path("n.yaml"));
  folder.write("n.yaml", write_model(*native.model));
  const Vector3 c = native.model->body(0).center_of_mass;
  ASSERT_GT(c.norm(), 0.3);
  EXPECT_EQ(State(*native.model).r_0, Vector3::Zero()) << "models of this library stay";
  const auto start = [&](const std::string& model, const std::string& of) {
    return parse_scenario(
               scenario_of(model, "  initial: {base: {" + of +
                                      "position: [1, 2, 3], rpy: [0, 0, 0.5], velocity: [0.1, 0, "
                                      "0], angular_velocity: [0, 0.2, 0.3]}}\n"),
               folder.path("s.yaml"))
        .initial;
  };
  const Vector3 arm = rotation_z(0.5) * c, omega(0.0, 0.2, 0.3);
  for (const std::string model : {"r.urdf", "r.yaml", "n.yaml"}) {
    const bool is_native = model == "n.yaml";
    const State at_frame = start(model, is_native ? "of: frame, " : "");
    EXPECT_LT((at_frame.r_0 - Vector3(1, 2, 3) - arm).norm(), kRounding) << model;
    EXPECT_LT((at_frame.v_0 - Vector3(0.1, 0, 0) - omega.cross(arm)).norm(), kRounding) << model;
    const State at_centroid = start(model, is_native ? "" : "of: centroid, ");
    EXPECT_EQ(at_centroid.r_0, Vector3(1, 2, 3)) << model;
    EXPECT_EQ(at_centroid.v_0, Vector3(0.1, 0, 0)) << model;
    // without words the point is at the origin
    const State rest = parse_scenario(scenario_of(model, ""), folder.path("s.yaml")).initial;
    EXPECT_LT((rest.r_0 - (is_native ? Vector3(0, 0, 0) : c)).norm(), kRounding) << model;
  }
  // a base that is carried along starts where its path does, seen from the same point
  const Scenario carried = parse_scenario(
      scenario_of("r.urdf",
                  "  base: {mode: prescribed, motion: {rotation: {axis: [0, 0, 1], angle: "
                  "{type: quintic, to: 1.0, duration: 1.0}}}}\n"
                  "  initial: {base: {position: [1, 2, 3]}}\n"),
      folder.path("s.yaml"));
  EXPECT_LT((carried.initial.r_0 - Vector3(1, 2, 3) - c).norm(), kRounding);
}

TEST(BaseFrame, AWrongPointIsNamed) {
  try {
    parse_scenario(
        "spacedyn: 1\nscenario:\n  name: s\n  model: {name: m, base: {name: b, mass: 1, "
        "inertia: [1, 1, 1]}}\n  duration: 1\n  initial: {base: {of: origin}}\n",
        "s.yaml");
    ADD_FAILURE();
  } catch (const ParseError& error) {
    EXPECT_NE(
        std::string(error.what()).find("s.yaml:6:24: error: scenario.initial.base.of: expected"),
        std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace spacedyn::base_frame_test
