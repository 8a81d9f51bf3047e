// Joints of URDF that follow others, in all the ways that files have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::mimic_test {
namespace {

using testing::has_warning;
using testing::message_of;

std::string link(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><origin xyz='0.5 0 0'/><mass value='1'/><inertia ixx='0.1' iyy='0.1' "
         "izz='0.1'/></inertial></link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& rest = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/><origin xyz='1 0 0' rpy='0.3 0 0'/><axis xyz='0 0 2'/>" +
         rest + "</joint>\n";
}

const std::string kLimit = "<limit lower='-1' upper='1' effort='1' velocity='1'/>";

std::string mimic(const std::string& joint, const std::string& rest) {
  return kLimit + "<mimic joint='" + joint + "' " + rest + "/>";
}

/// A driver, a screw and a hinge on one base; what follows what is told by the last two.
std::string robot(const std::string& screw, const std::string& hinge,
                  const std::string& type = "continuous") {
  return "<robot name='r'>\n" + link("base") + link("a") + link("b") + link("c") +
         joint("drive", type, "base", "a") + joint("screw", "prismatic", "base", "b", screw) +
         joint("hinge", "revolute", "b", "c", hinge) + "</robot>";
}

TEST(Mimic, WhatFollowsNothingThatMovesIsHeldAtItsOffset) {
  struct Case {
    std::string screw, hinge, type;
    double slide, turn;
  };
  for (const Case& c :
       {Case{mimic("drive", "multiplier='0' offset='0.2'"), kLimit, "continuous", 0.2, 0},
        Case{mimic("drive", "offset='-0.3'"), kLimit, "fixed", -0.3, 0},
        Case{mimic("hinge", "multiplier='3' offset='0.1'"),
             mimic("drive", "multiplier='0' offset='0.4'"), "continuous", 1.3, 0.4}}) {
    const LoadedModel loaded = parse_model(robot(c.screw, c.hinge, c.type), "r.urdf");
    const Model& model = *loaded.model;
    EXPECT_FALSE(model.find_joint("screw"));
    EXPECT_TRUE(model.loops().empty());
    EXPECT_TRUE(has_warning(loaded.warnings, "held at "));
    LinkFrames frames(model);
    compute_link_frames(model, State(model), frames);
    const Matrix3 mount = rotation_x(0.3);
    const Vector3 at_b = Vector3(1, 0, 0) + mount * Vector3(0, 0, c.slide);
    const Vector3 base = frame_position(frames, model.frame("base"));
    EXPECT_LT((frame_position(frames, model.frame("b")) - base - at_b).norm(), 1e-15);
    const Matrix3 at_c = mount * mount * rotation_z(c.turn);
    EXPECT_LT((frame_orientation(frames, model.frame("c")) - at_c).norm(), 1e-15);
  }
}

TEST(Mimic, WhatCannotFollowMovesByItself) {
  const LoadedModel self = parse_model(robot(mimic("screw", ""), kLimit), "r.urdf");
  EXPECT_TRUE(self.model->loops().empty());
  EXPECT_TRUE(self.model->find_joint("screw"));
  EXPECT_TRUE(has_warning(self.warnings,
                          "joint 'screw': a joint that follows itself moves by itself: <mimic> is "
                          "ignored"));
  const LoadedModel planar = parse_model(robot(mimic("drive", ""), kLimit, "planar"), "r.urdf");
  EXPECT_TRUE(planar.model->loops().empty());
  EXPECT_TRUE(
      has_warning(planar.warnings, "joint 'screw': it moves by itself: 'drive' has several"));
  for (const std::string type : {"planar", "fixed"}) {
    std::string text = robot(kLimit, kLimit, type);
    text.insert(text.find("</joint>"), "<mimic joint='hinge'/>");
    EXPECT_TRUE(has_warning(parse_model(text, "r.urdf").warnings,
                            "joint 'drive': <mimic> of a " + type + " joint is ignored"));
  }
}

TEST(Mimic, IsKeptByExport) {
  const std::string text =
      robot(mimic("drive", "multiplier='-0.5' offset='0.1'"), mimic("screw", "multiplier='2'"));
  const LoadedModel loaded = parse_model(text, "r.urdf");
  const Model& model = *loaded.model;
  EXPECT_FALSE(model.has_loops());
  ASSERT_EQ(model.followers().size(), 2u);
  // the hinge follows the drive through the screw: 2 (−0.5 q + 0.1)
  const Follower& screw = *model.follower(*model.find_joint("screw"));
  const Follower& hinge = *model.follower(*model.find_joint("hinge"));
  EXPECT_EQ(screw.ratio, -0.5);
  EXPECT_EQ(screw.offset, 0.1);
  EXPECT_EQ(hinge.followed, *model.find_joint("drive"));
  EXPECT_EQ(hinge.ratio, -1.0);
  EXPECT_EQ(hinge.offset, 0.2);
  // both end at ±1: q within [−1.8, 2.2] and [−0.8, 1.2]
  EXPECT_NEAR(model.joint(hinge.followed).position_lower, -0.8, 1e-15);
  EXPECT_NEAR(model.joint(hinge.followed).position_upper, 1.2, 1e-15);
  EXPECT_EQ(model.joint(hinge.followed).velocity_limit, 1.0);
  EXPECT_TRUE(has_warning(loaded.warnings, "joint 'hinge': its limits are those of 'drive'"));
  const UrdfExport written = export_urdf(model);
  EXPECT_TRUE(written.losses.empty()) << written.losses.front();
  const LoadedModel back = parse_model(written.urdf, "back.urdf");
  ASSERT_EQ(back.model->followers().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const Follower &a = model.followers()[i], &b = back.model->followers()[i];
    EXPECT_EQ(a.joint, b.joint);
    EXPECT_EQ(a.followed, b.followed);
    EXPECT_EQ(a.ratio, b.ratio);
    EXPECT_EQ(a.offset, b.offset);
  }
  const Joint &drive = model.joint(hinge.followed), &again = back.model->joint(hinge.followed);
  EXPECT_NEAR(drive.position_lower, again.position_lower, 1e-15);
  EXPECT_NEAR(drive.position_upper, again.position_upper, 1e-15);
}

TEST(Mimic, InACircleIsAnError) {
  const std::string text = robot(mimic("hinge", ""), mimic("screw", "multiplier='2'"));
  const std::string message = message_of<ParseError>([&] { parse_model(text, "r.urdf"); });
  EXPECT_THAT(message,
              ::testing::HasSubstr("joint 'screw': expected joints that do not follow one another "
                                   "in a circle, got 'screw', which leads back to 'screw'"));
  // once, not for each joint in it
  EXPECT_EQ(message.find("in a circle"), message.rfind("in a circle"));
}

// limits that leave out zero need no spring there, with or without an offset
TEST(Mimic, NoSpringIsSpokenOfWhereThereIsNone) {
  std::string text = robot(kLimit, kLimit);
  text = testing::replaced(text, kLimit, "<limit lower='0.5' upper='1' effort='1' velocity='1'/>");
  const LoadedModel loaded = parse_model(text, "r.urdf");
  EXPECT_FALSE(has_warning(loaded.warnings, "spring"));
}

// a gripper on a fixed arm: everything moves, and the fingers keep to one another
TEST(Mimic, TheFirstFlightOfAFixedArmMovesWhatFollowsAlong) {
  const testing::TemporaryFolder folder;
  folder.write("gripper.urdf",
               "<robot name='g'><link name='world'/>\n" + link("b") + link("arm") + link("left") +
                   link("right") + joint("bolts", "fixed", "world", "b") +
                   joint("turn", "revolute", "b", "arm",
                         "<limit lower='0.5' upper='2' effort='9' velocity='1'/>") +
                   joint("grip", "prismatic", "arm", "left",
                         "<limit lower='0' upper='0.04' effort='9' velocity='1'/>") +
                   joint("follow", "prismatic", "arm", "right",
                         "<limit lower='0' upper='0.05' effort='9' velocity='1'/><mimic "
                         "joint='grip' multiplier='1' offset='0.005'/>") +
                   "</robot>");
  const Scenario flight = open_scenario(folder.path("gripper.urdf"), {});
  const State end = testing::simulate(flight.setup, flight.initial, 5.0).state;
  const VectorX moved = end.q - flight.initial.q;
  EXPECT_GT(std::abs(moved(0)), 0.05);
  EXPECT_GT(std::abs(moved(1)), 1e-3);
  EXPECT_EQ(end.q(2), end.q(1) + 0.005);
}

}  // namespace
}  // namespace spacedyn::mimic_test
