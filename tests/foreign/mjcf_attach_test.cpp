// Models of MJCF in one another: what <attach> makes against the same robot spelled out by hand.
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::mjcf_attach_test {
namespace {

using testing::has_warning;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// A gripper in degrees and its own order of angles, with defaults, a loop and an actuator; beside
/// it a stand that nothing attaches.
const std::string kGripper = R"(<mujoco model="gripper">
<compiler angle="degree" eulerseq="zyx" autolimits="true" meshdir="meshes"/>
<default><geom density="2000"/><joint damping="0.5" armature="0.01"/>
  <default class="thin"><geom density="500"/><joint range="-30 30"/></default></default>
<asset><mesh file="tip.obj" inertia="exact"/></asset>
<worldbody><body name="stand"><geom name="stand" size="0.1"/>
  <frame pos="0 0 0.5" euler="90 0 0"><body name="palm" pos="0 0.1 0" childclass="thin">
    <geom name="palm" type="box" size="0.1 0.2 0.05"/><site name="grip" pos="0.1 0 0" euler="10 20 30"/>
    <body name="left" pos="0.1 0 0"><joint name="left" axis="0 1 0"/><geom size="0.03" pos="0.05 0 0"/></body>
    <body name="right" pos="-0.1 0 0"><joint name="right" axis="0 1 0" class="main"/><geom class="main" type="mesh" mesh="tip"/></body>
  </body></frame>
</body></worldbody>
<equality><joint name="mirror" joint1="right" joint2="left" polycoef="0 -1 0 0 0"/>
  <connect name="to_stand" body1="palm" body2="stand" anchor="0 0 0"/></equality>
<actuator><motor name="close" joint="left"/></actuator>
</mujoco>)";

const std::string kTip =
    "v 0 0 0\nv 0.1 0 0\nv 0 0.2 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// An arm in radians with a place for something at its end.
std::string arm(const std::string& at_the_end, const std::string& outside = "") {
  return R"(<mujoco model="arm"><compiler angle="radian"/>
<default><geom density="100"/><joint damping="7"/></default>)" +
         outside + R"(<worldbody><body name="link" childclass="main"><freejoint/>
<geom type="box" size="0.3 0.1 0.1"/><body name="end" pos="0.5 0 0" euler="0.3 0 0"><joint name="wrist" axis="1 0 0"/>
<geom size="0.1"/><frame pos="0 0.2 0.1" euler="0 0.4 0">)" +
         at_the_end + "</frame></body></body></worldbody></mujoco>";
}

/// The same gripper by hand: all attributes at their elements, angles as axes and quaternions. In
/// the order zyx the frame turns by 90° about z, which takes y to -x.
std::string spelled_out(const std::string& prefix) {
  const std::string p = prefix;
  const std::string damped = R"(damping="0.5" armature="0.01")";
  return arm(
      R"(<body name=")" + p + R"(palm" pos="-0.1 0 0.5" xyaxes="0 1 0 -1 0 0">
    <geom type="box" size="0.1 0.2 0.05" density="500"/>
    <site name=")" +
          p +
          R"(grip" pos="0.1 0 0" quat="0.9515485246437885 0.2392983377447303 0.18930785741199999 0.03813457647485015"/>
    <body name=")" +
          p + R"(left" pos="0.1 0 0"><joint name=")" + p +
          R"(left" axis="0 1 0" range="-0.52359877559829882 0.52359877559829882" )" + damped +
          R"(/><geom size="0.03" pos="0.05 0 0" density="500"/></body>
    <body name=")" +
          p + R"(right" pos="-0.1 0 0"><joint name=")" + p + R"(right" axis="0 1 0" )" + damped +
          R"(/><geom type="mesh" mesh="tip" density="2000"/></body></body>)",
      R"(<asset><mesh name="tip" file="parts/meshes/tip.obj" inertia="exact"/></asset>
<equality><joint name=")" +
          p + R"(mirror" joint1=")" + p + R"(right" joint2=")" + p +
          R"(left" polycoef="0 -1"/></equality>)");
}

class MjcfAttach : public ::testing::Test {
 protected:
  MjcfAttach() {
    folder_.write("parts/gripper.xml", kGripper);
    folder_.write("parts/meshes/tip.obj", kTip);
  }
  LoadedModel load(const std::string& content) const {
    return parse_model(content, folder_.path("arm.xml"));
  }
  /// What an arm is refused for.
  std::string refusal(const std::string& at_the_end, const std::string& assets = kModel) const {
    try {
      load(arm(at_the_end, "<asset>" + assets + "</asset>"));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  inline static const std::string kModel = R"(<model name="hand" file="parts/gripper.xml"/>)";
  TemporaryFolder folder_;
};

/// H, velocities and loops agree to rounding, names and limits exactly.
void expect_equal(const Model& a, const Model& b) {
  ASSERT_EQ(a.joint_count(), b.joint_count());
  for (int i = 1; i <= a.joint_count(); ++i) {
    EXPECT_EQ(a.joint(i).name, b.joint(i).name);
    const double upper = a.joint(i).position_upper;
    EXPECT_TRUE(upper == b.joint(i).position_upper ||
                std::abs(upper - b.joint(i).position_upper) < 1e-15);
    EXPECT_EQ(a.joint(i).damping, b.joint(i).damping);
    EXPECT_EQ(a.joint(i).armature, b.joint(i).armature);
    EXPECT_EQ(a.body(i).name, b.body(i).name);
  }
  EXPECT_EQ(a.loops().size(), b.loops().size());
  const MatrixX H_a = inertia_matrix(a, testing::bent_state(a));
  const MatrixX H_b = inertia_matrix(b, testing::bent_state(b));
  EXPECT_LT((H_a - H_b).norm(), 1e-13 * H_a.norm());
}

TEST_F(MjcfAttach, IsTheRobotSpelledOut) {
  const LoadedModel attached = load(
      arm(R"(<attach model="hand" body="palm" prefix="g_"/>)", "<asset>" + kModel + "</asset>"));
  const LoadedModel by_hand = load(spelled_out("g_"));
  expect_equal(*attached.model, *by_hand.model);
  const Frame grip = attached.model->frame("g_grip"), same = by_hand.model->frame("g_grip");
  EXPECT_LT((grip.rotation - same.rotation).norm(), 1e-14);
  EXPECT_TRUE(has_warning(attached.warnings, "ignored, of <actuator>: 'g_close'"));
  EXPECT_FALSE(has_warning(attached.warnings, "to_stand"));  // went with the stand
  const std::string same_file = std::filesystem::relative(folder_.path("arm.xml")).string();
  expect_equal(*parse_model(arm(R"(<attach model="hand" body="palm" prefix="g_"/>)",
                                "<asset>" + kModel + "</asset>"),
                            same_file)
                    .model,
               *by_hand.model);
  EXPECT_GT(attached.sources.count(folder_.path("parts/gripper.xml")), 0U);
}

TEST_F(MjcfAttach, StandsSeveralTimesUnderSeveralNames) {
  const LoadedModel twice = load(arm(R"(<attach model="hand" body="palm" prefix="a_"/>
<frame pos="1 0 0"><attach model="hand" body="palm" prefix="b_"/></frame>)",
                                     "<asset>" + kModel + "</asset>"));
  EXPECT_EQ(twice.model->joint_count(), 5);
  EXPECT_EQ(twice.model->loops().size(), 2U);
  EXPECT_TRUE(twice.model->find_joint("a_left") && twice.model->find_joint("b_left"));
}

TEST_F(MjcfAttach, TakesAFrameOrTheWholeWorld) {
  folder_.write("tools.xml", R"(<mujoco model="tools"><worldbody>
<geom type="box" size="0.1 0.1 0.1" mass="2"/><frame name="rack" pos="0 0 1"><geom size="0.1" mass="3" pos="0 0 1"/></frame>
</worldbody></mujoco>)");
  const std::string assets = R"(<asset><model file="tools.xml"/></asset>)";
  const auto end_mass = [&](const std::string& which) {
    const LoadedModel loaded = load(arm("<attach model='tools' prefix='' " + which + "/>", assets));
    return loaded.model->body(1).mass - load(arm("")).model->body(1).mass;
  };
  EXPECT_NEAR(end_mass("frame='rack'"), 3.0, 1e-14);
  EXPECT_NEAR(end_mass(""), 5.0, 1e-14);
  EXPECT_NEAR(end_mass("body='world'"), 5.0, 1e-14);
}

TEST_F(MjcfAttach, NestsModels) {
  folder_.write(
      "middle/wrist.xml",
      R"(<mujoco model="wrist"><asset><model name="g" file="../parts/gripper.xml"/></asset>
<worldbody><body name="disc"><joint name="turn" axis="0 0 1"/><geom size="0.1"/><attach model="g" body="palm" prefix="in_"/></body>
</worldbody></mujoco>)");
  const LoadedModel nested =
      load(arm(R"(<attach model="w" body="disc" prefix="out_"/>)",
               R"(<asset><model name="w" file="middle/wrist.xml"/></asset>)"));
  EXPECT_EQ(nested.model->joint_count(), 4);
  const auto left = nested.model->find_joint("out_in_left");
  ASSERT_TRUE(left);
  EXPECT_NEAR(nested.model->joint(*left).position_upper, 0.52359877559829882, 1e-15);
  EXPECT_EQ(nested.model->joint(*left).damping, 0.5);
  EXPECT_EQ(nested.model->joint(*nested.model->find_joint("out_turn")).damping, 0.0);
}

// the gripper and the arm count angles in other units and in another order
TEST_F(MjcfAttach, ReplicatesTurnInTheUnitsOfTheirOwnFile) {
  const auto fan = [&](const std::string& parts) {
    folder_.write("fan.xml", R"(<mujoco model="fan"><compiler angle="degree" eulerseq="zyx"/>
<worldbody><body name="hub"><geom size="0.1"/>)" +
                                 parts + "</body></worldbody></mujoco>");
    return load(arm(R"(<attach model="fan" body="hub" prefix="f_"/>)",
                    R"(<asset><model name="fan" file="fan.xml"/></asset>)"));
  };
  const std::string blade = R"(<geom type="box" size="0.3 0.05 0.01" pos="0.4 0 0"/>)";
  const LoadedModel fan_of_replicates =
      fan("<replicate count='2' euler='90 30 0' offset='0 0 0.1'>" + blade + "</replicate>");
  const LoadedModel by_hand =
      fan(blade + "<frame pos='0 0 0.1' euler='90 30 0'>" + blade + "</frame>");
  expect_equal(*fan_of_replicates.model, *by_hand.model);
}

TEST_F(MjcfAttach, RefusesWhatIsNotThere) {
  EXPECT_THAT(
      refusal(R"(<attach model="hnad" body="palm" prefix="g_"/>)"),
      HasSubstr("expected the name of a <model> of <asset>, got 'hnad', did you mean 'hand'?"));
  EXPECT_THAT(refusal(R"(<attach model="hand" body="pam" prefix="g_"/>)"),
              HasSubstr("expected a body of model 'hand', got 'pam', did you mean 'palm'?"));
  EXPECT_THAT(refusal(R"(<attach model="hand" frame="palm" prefix="g_"/>)"),
              HasSubstr("expected a frame of model 'hand', got 'palm'"));
  EXPECT_THAT(refusal(R"(<attach model="hand" body="palm"/>)"),
              HasSubstr("expected a prefix for the names of what is attached, got nothing"));
  EXPECT_THAT(refusal(R"(<attach body="link" prefix="g_"/>)"),
              HasSubstr("parts of the same file are not attached here"));
  EXPECT_THAT(refusal(R"(<attach model="hand" body="palm" frame="x" prefix="g_"/>)"),
              HasSubstr("expected a body or a frame, got both"));
  EXPECT_THAT(refusal(R"(<attach model="hand" body="palm" prefix="g_"/>)",
                      R"(<model name="hand" file="nowhere.xml"/>)"),
              HasSubstr("expected a model that can be read, got "));
  folder_.write("r.urdf", "<robot name='r'><link name='l'/></robot>");
  EXPECT_THAT(
      refusal(R"(<attach model="hand" prefix="g_"/>)", R"(<model name="hand" file="r.urdf"/>)"),
      HasSubstr("expected <mujoco>, got 'robot'"));
  EXPECT_THAT(refusal("", R"(<model name="hand"/>)"), HasSubstr("model 'hand'"));
}

TEST_F(MjcfAttach, RefusesModelsWithoutEnd) {
  folder_.write("snake.xml",
                R"(<mujoco model="snake"><asset><model name="s" file="snake.xml"/></asset>
<worldbody><body name="b"><geom size="0.1"/><attach model="s" body="b" prefix="x"/></body></worldbody></mujoco>)");
  EXPECT_THAT(refusal(R"(<attach model="s" body="b" prefix="g_"/>)",
                      R"(<model name="s" file="snake.xml"/>)"),
              HasSubstr("expected a model that does not attach itself, got "));
  // each of ten models has the next one ten times: ten thousand millions of balls
  for (int i = 0; i < 10; ++i) {
    std::string inside = "<geom size='0.1'/>";
    for (int k = 0; k < 10 && i < 9; ++k) {
      inside += "<attach model='m' prefix='" + std::string(1, static_cast<char>('a' + k)) + "'/>";
    }
    folder_.write("bomb" + std::to_string(i) + ".xml",
                  "<mujoco><asset><model name='m' file='bomb" + std::to_string(i + 1) +
                      ".xml'/></asset><worldbody><body name='b'>" + inside +
                      "</body></worldbody></mujoco>");
  }
  EXPECT_THAT(refusal(R"(<attach model="m" prefix=""/>)", R"(<model name="m" file="bomb0.xml"/>)"),
              HasSubstr("expected attached models of at most 200000 elements, got more"));
  for (int i = 0; i < 20; ++i) {
    folder_.write(
        "deep" + std::to_string(i) + ".xml",
        "<mujoco><asset><model name='m' file='deep" + std::to_string(i + 1) +
            ".xml'/></asset><worldbody><attach model='m' prefix='a'/></worldbody></mujoco>");
  }
  EXPECT_THAT(refusal(R"(<attach model="m" prefix=""/>)", R"(<model name="m" file="deep0.xml"/>)"),
              HasSubstr("expected at most 16 models in one another, got more"));
}

}  // namespace
}  // namespace spacedyn::mjcf_attach_test
