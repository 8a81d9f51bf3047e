// <equality> of MJCF as loops: closed where MuJoCo's reference configuration closes them.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/model.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::mjcf_equality_test {
namespace {

/// A parallelogram with a turned coupler, hung on a fixed world.
std::string four_bar(const std::string& equality) {
  return R"(<mujoco model="four bar"><compiler angle="radian"/><worldbody>
  <body name="crank" pos="0 0 1"><joint name="a" axis="0 1 0" ref="0.3"/>
    <inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.1 0.1"/>
    <body name="coupler" pos="0 0 -1" euler="0 0.4 0"><joint name="b" axis="0 1 0"/>
      <inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
      <site name="tip" pos="0.2 0 0.1"/></body></body>
  <body name="rocker" pos="1.5 0 1"><joint name="c" axis="0 1 0"/>
    <inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.1 0.1"/>
    <site name="end" pos="-0.1 0 -1"/></body>
  </worldbody><equality>)" +
         equality + "</equality></mujoco>";
}

std::shared_ptr<const Model> model_of(const std::string& equality) {
  return parse_model(four_bar(equality), "four_bar.xml").model;
}

/// Place of a point of a loop, inertial.
Pose place(const Model& model, const Frame& point) {
  LinkFrames frames(model);
  compute_link_frames(model, State(model), frames);
  const Matrix3& A = frames.A[static_cast<std::size_t>(point.body)];
  return {frame_position(frames, point), A * point.rotation};
}

TEST(MjcfEquality, ConnectJoinsThePointsThatMeetAtTheReference) {
  const auto model =
      model_of("<connect name='pin' body1='coupler' body2='rocker' anchor='1.2 0 0.3'/>");
  ASSERT_EQ(model->loops().size(), 1u);
  const Loop& loop = model->loops()[0];
  EXPECT_EQ(loop.type, LoopType::spherical);
  // exact but for the rounding of two changes of frame
  EXPECT_LT((place(*model, loop.from).position - place(*model, loop.to).position).norm(), 1e-15);
  EXPECT_EQ(model->body(loop.from.body).name, "coupler");
  EXPECT_EQ(model->body(loop.to.body).name, "rocker");
}

TEST(MjcfEquality, WeldKeepsTheReferencePoseOrTheOneGiven) {
  const auto model = model_of("<weld body1='coupler' body2='rocker'/>");
  const Loop& loop = model->loops().at(0);
  EXPECT_EQ(loop.type, LoopType::weld);
  const Pose from = place(*model, loop.from), to = place(*model, loop.to);
  EXPECT_LT((from.position - to.position).norm(), 1e-15);
  EXPECT_LT((from.rotation - to.rotation).norm(), 1e-15);
  const auto given =
      model_of("<weld body1='coupler' body2='rocker' relpose='0.1 0.2 0.3 0.5 0.5 0.5 0.5'/>");
  const Pose link = place(*given, *given->find_frame("coupler"));
  const Pose point = place(*given, given->loops().at(0).from);
  const Vector3 offset = link.rotation.transpose() * (point.position - link.position);
  const Matrix3 turn = link.rotation.transpose() * point.rotation;
  EXPECT_LT((offset - Vector3(0.1, 0.2, 0.3)).norm(), 1e-15);
  EXPECT_LT((turn.col(0) - Vector3::UnitY()).norm(), 1e-15);
}

TEST(MjcfEquality, SitesAreThePointsThemselves) {
  const auto model = model_of("<connect site1='tip' site2='end'/>");
  EXPECT_EQ(model->loops().at(0).from.name, "tip");
  EXPECT_EQ(model->loops().at(0).to.name, "end");
}

TEST(MjcfEquality, TheWorldCountsWhereItIsTheBase) {
  const auto model = model_of("<connect body1='coupler' anchor='1 0 0'/>");
  EXPECT_EQ(model->loops().at(0).to.body, 0);
  const auto named = model_of("<connect body1='coupler' body2='world' anchor='1 0 0'/>");
  const Pose at_default = place(*model, model->loops().at(0).to);
  EXPECT_EQ(place(*named, named->loops().at(0).to).position, at_default.position);
  // the anchor is one of body1
  const auto reversed = model_of("<connect body1='world' body2='coupler' anchor='1 2 3'/>");
  EXPECT_EQ(reversed->loops().at(0).from.body, 0);
  EXPECT_LT((place(*reversed, reversed->loops().at(0).to).position - Vector3(1, 2, 3)).norm(),
            2e-15);
}

TEST(MjcfEquality, AFloatingRobotIsNotHeldInTheWorld) {
  for (const char* end : {"body2='world'", ""}) {
    const LoadedModel loaded = parse_model(
        "<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body>"
        "</worldbody><equality><weld name='e' body1='a' " +
            std::string(end) + "/></equality></mujoco>",
        "a.xml");
    EXPECT_TRUE(has_warning(loaded.warnings, "ignored, of <equality>: 'e'"));
  }
}

TEST(MjcfEquality, JointsFollowEachOtherByALine) {
  const auto model = model_of("<joint joint1='a' joint2='c' polycoef='0.1 -2 0 0 0'/>");
  const Loop& gear = model->loops().at(0);
  EXPECT_EQ(gear.type, LoopType::gear);
  // q_a = 0.1 − 2 q_c
  EXPECT_EQ(gear.joints, (std::vector<int>{*model->find_joint("c"), *model->find_joint("a")}));
  EXPECT_EQ(gear.coefficients, Eigen::Vector2d(2.0, 1.0));
  EXPECT_EQ(gear.offset, 0.1);
}

TEST(MjcfEquality, WhatHasNoLoopIsNamed) {
  for (const char* text :
       {"<joint name='e' joint1='a' joint2='c' polycoef='0 1 2 0 0'/>",
        "<connect name='e' body1='coupler' body2='rocker' anchor='1 0 0' active='false'/>"}) {
    const LoadedModel loaded = parse_model(four_bar(text), "four_bar.xml");
    EXPECT_TRUE(loaded.model->loops().empty());
    EXPECT_TRUE(has_warning(loaded.warnings, "ignored, of <equality>: 'e'"));
  }
}

TEST(MjcfEquality, NamesThatAreNotThereAreErrors) {
  const std::string message = message_of<ParseError>(
      [] { model_of("<connect body1='copler' body2='rocker' anchor='1 0 0'/>"); });
  EXPECT_NE(message.find("expected the name of a body, got 'copler'"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace spacedyn::testing::mjcf_equality_test
