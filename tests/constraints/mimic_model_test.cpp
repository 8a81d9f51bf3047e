// What a model says of joints that follow others: bad descriptions, parts cut out of it, larger
// ones.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/locking.hpp"
#include "spacedyn/model/submodel.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::mimic_model_test {
namespace {

using ::testing::HasSubstr;

/// Two links on a base; b follows a.
ModelDescription pair_description() {
  ModelDescription robot =
      ModelBuilder("pair")
          .set_base(base_body(1.0, {1, 1, 1}))
          .add_link(link_body("a", "base", 2.0, {1, 1, 1}, {0, 0.1, 0}, {0.5, 0, 0}))
          .add_link(link_body("b", "base", 1.5, {1, 1, 1}, {0.3, 0.1, 0.2}, {-0.3, 0, 0}))
          .description();
  robot.links[1].joint.mimic = MimicDescription{"a", -0.7, 0.3};
  return robot;
}

std::shared_ptr<const Model> pair() {
  return std::make_shared<const Model>(ModelBuilder(pair_description()).build());
}

TEST(MimicModel, IsRefusedByNameWhereItIsNotKnown) {
  const auto model = pair();
  const auto message = [](const auto& function) { return message_of<Error>(function); };
  EXPECT_THAT(message([&] {
                lock_joints(model->description(), {{"a", 0.0}});
              }),
              HasSubstr("cannot lock joint 'a': 'b' follows 'a'"));
  EXPECT_THAT(message([&] {
                lock_joints(model->description(), {{"b", 0.0}});
              }),
              HasSubstr("cannot lock joint 'b': 'b' follows 'a'"));
  EXPECT_THAT(message([&] { detach(model->description(), "a"); }),
              HasSubstr("cannot cut off joint 'b', which follows 'a' of the other part"));
}

TEST(MimicModel, KeepsWhatItFollowsInLargerModels) {
  const auto model = pair();
  const ModelDescription two =
      aggregate("two", {{"one", model, false, {}}, {"two", model, false, {}}});
  const Model whole = ModelBuilder(two).build();
  ASSERT_EQ(whole.followers().size(), 2u);
  for (const Follower& each : whole.followers()) {
    const std::string name = whole.joint(each.joint).name;
    EXPECT_EQ(whole.joint(each.followed).name, name.substr(0, name.size() - 1) + "a");
    EXPECT_EQ(each.ratio, -0.7);
  }
}

/// Path and message of each problem of the pair with one change.
template <typename Change>
std::string problems_after(const Change& change) {
  ModelDescription robot = pair_description();
  change(robot, robot.links[1].joint);
  std::string text;
  for (const Problem& problem : ModelBuilder(robot).validate()) {
    text += problem.path + ": " + problem.message + '\n';
  }
  return text;
}

TEST(MimicModel, WhatCannotFollowIsRefused) {
  using Robot = ModelDescription;
  using Joint = JointDescription;
  EXPECT_EQ(problems_after([](Robot&, Joint& joint) { joint.mimic->joint = "b"; }),
            "links.1.joint.mimic.joint: expected another joint, got 'b' itself\n");
  EXPECT_EQ(problems_after(
                [](Robot& robot, Joint&) { robot.links[0].joint.mimic = MimicDescription{"b"}; }),
            "links.0.joint.mimic.joint: expected a joint that follows no other, got 'b', which "
            "follows 'a'\nlinks.1.joint.mimic.joint: expected a joint that follows no other, got "
            "'a', which follows 'b'\n");
  EXPECT_THAT(problems_after([](Robot&, Joint& joint) { joint.mimic->joint = "elbow"; }),
              HasSubstr("expected a revolute, prismatic or screw joint, got 'elbow'"));
  for (const JointType type : {JointType::fixed, JointType::spherical, JointType::planar}) {
    EXPECT_THAT(problems_after([&](Robot& robot, Joint&) {
                  Joint& other = robot.links[0].joint;
                  other = JointDescription();
                  other.type = type;
                }),
                HasSubstr("links.1.joint.mimic.joint: expected a revolute, prismatic or screw "
                          "joint, got 'a'"));
  }
  EXPECT_THAT(problems_after([](Robot&, Joint& joint) { joint.mimic->ratio = 0.0; }),
              HasSubstr("links.1.joint.mimic.ratio: expected a finite number other than 0"));
  EXPECT_THAT(problems_after([](Robot&, Joint& joint) { joint.mimic->offset = NAN; }),
              HasSubstr("links.1.joint.mimic.offset: expected a finite number"));
  EXPECT_THAT(problems_after([](Robot&, Joint& joint) { joint.position_upper = 1.0; }),
              HasSubstr("links.1.joint.position_limits: expected none: limits are those of 'a'"));
  EXPECT_THAT(problems_after([](Robot&, Joint& joint) { joint.type = JointType::spherical; }),
              HasSubstr("links.1.joint.mimic: expected none: only a joint with one coordinate"));
  EXPECT_THAT(problems_after([](Robot& robot, Joint&) {
                LoopDescription gear;
                gear.name = "gear";
                gear.type = LoopType::gear;
                gear.joints = {"a", "b"};
                gear.ratio = 2.0;
                robot.loops.push_back(gear);
              }),
              HasSubstr("loops.0.ratio: expected the ratio -0.7"));
}

}  // namespace
}  // namespace spacedyn::testing::mimic_model_test
