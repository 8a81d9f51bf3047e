// What a model says of its loops: bad descriptions, and parts cut out of it.
#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/constraints/loop_review.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/model/locking.hpp"
#include "spacedyn/model/submodel.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::loop_model_test {
namespace {

/// Path and message of each problem of a four-bar with one change.
template <typename Change>
std::string problems_after(const Change& change) {
  ModelDescription robot = FourBar().description();
  change(robot);
  std::string text;
  for (const Problem& problem : ModelBuilder(robot).validate()) {
    text += problem.path + ": " + problem.message + '\n';
  }
  return text;
}

LoopDescription gear(const std::string& name, const std::string& a, const std::string& b,
                     double ratio, double offset = 0.0) {
  LoopDescription loop;
  loop.name = name;
  loop.type = LoopType::gear;
  loop.joints = {a, b};
  loop.ratio = ratio;
  loop.offset = offset;
  return loop;
}

TEST(LoopDescription, IsRefusedBetweenPointsOfOneBody) {
  EXPECT_EQ(problems_after([](ModelDescription& robot) { robot.loops[0].to = "coupler.com"; }),
            "loops.0.to: expected a point of another body than 'coupler_end', got 'coupler.com', "
            "which is on 'coupler' as well\n");
}

TEST(LoopDescription, IsRefusedOnAnUnknownPoint) {
  EXPECT_EQ(problems_after([](ModelDescription& robot) { robot.loops[0].to = "rocker_ende"; }),
            "loops.0.to: expected the name of a frame, a link or '<link>.com', got 'rocker_ende', "
            "did you mean 'rocker_end'?\n");
}

TEST(LoopDescription, IsRefusedWithAnAxisOfLengthZero) {
  EXPECT_EQ(problems_after([](ModelDescription& robot) { robot.loops[0].axis.setZero(); }),
            "loops.0.axis: expected an axis of finite, positive length, got [0, 0, 0]\n");
  EXPECT_EQ(problems_after([](ModelDescription& robot) {
              robot.loops[0].type = LoopType::universal;
              robot.loops[0].second_axis.setZero();
            }),
            "loops.0.axes.1: expected an axis of finite, positive length, got [0, 0, 0]\n");
}

TEST(LoopDescription, IsRefusedAtADistanceOfZero) {
  EXPECT_EQ(
      problems_after([](ModelDescription& robot) { robot.loops[0].type = LoopType::distance; }),
      "loops.0.length: expected a positive, finite distance, got 0\n");
}

TEST(LoopDescription, IsRefusedIfAnotherContradictsIt) {
  EXPECT_EQ(problems_after([](ModelDescription& robot) {
              LoopDescription rope =
                  loop_between("rope", LoopType::distance, "rocker_end", "coupler_end");
              rope.length = 0.5;
              robot.loops.push_back(rope);
            }),
            "loops.1: expected a loop that can be closed together with 'pin', got 'rope': the same "
            "points would be 0 m and 0.5 m apart\n");
}

TEST(Gears, AreRefusedBetweenUnknownOrEqualJoints) {
  EXPECT_EQ(problems_after([](ModelDescription& robot) {
              robot.loops.push_back(gear("g", "crank", "crank", 2.0));
            }),
            "loops.1.joints.1: expected each joint once, got 'crank' again\n");
  EXPECT_EQ(problems_after([](ModelDescription& robot) {
              robot.loops.push_back(gear("g", "crank", "roker", 2.0));
            }),
            "loops.1.joints.1: expected the name of a moving joint, got 'roker', did you mean "
            "'rocker'?\n");
}

TEST(Gears, AreRefusedInARingOfUnequalRatios) {
  const auto ring = [](double last, double offset) {
    return problems_after([&](ModelDescription& robot) {
      robot.loops = {gear("a", "crank", "coupler", 2.0, 0.1), gear("b", "coupler", "rocker", -3.0),
                     gear("c", "rocker", "crank", last, offset)};
    });
  };
  // q_rocker = −6 q_crank − 0.3
  EXPECT_EQ(ring(1.0, 0.0),
            "loops.2.ratio: expected the ratio -0.166667 that the other gears between 'rocker' and "
            "'crank' give, got 1: together they hold all their joints\n");
  EXPECT_EQ(ring(-1.0 / 6.0, 0.0),
            "loops.2.offset: expected the offset -0.05 that the other gears between 'rocker' and "
            "'crank' give, got 0\n");
  EXPECT_EQ(ring(-1.0 / 6.0, -0.05),
            "loops.2: 'c' does nothing: other gears couple 'rocker' and 'crank' in the same "
            "ratio\n");
}

TEST(LinearCouplings, NeedACoefficientForEachJoint) {
  const auto with = [](std::vector<double> coefficients) {
    return problems_after([&](ModelDescription& robot) {
      LoopDescription sum;
      sum.name = "sum";
      sum.type = LoopType::linear;
      sum.joints = {"crank", "rocker"};
      sum.coefficients = coefficients;
      robot.loops.push_back(sum);
    });
  };
  EXPECT_EQ(with({1.0}), "loops.1.coefficients: expected 2 numbers, one for each joint, got 1\n");
  EXPECT_EQ(with({0.0, 0.0}),
            "loops.1.coefficients: expected a coefficient other than 0, got none\n");
}

TEST(ReviewOfLoops, FindsCouplingsOfHeldJointsAndLoopsThatDoNothing) {
  FourBar bar;
  bar.crank = 0.4;
  ModelDescription robot = bar.description();
  LoopDescription brace = loop_between("brace", LoopType::weld, "base", "crank");
  robot.loops.push_back(brace);
  robot.loops.push_back(gear("g", "crank", "rocker", 1.0));
  robot.loops[1].from = "mount";
  robot.frames.push_back(point_on("mount", "base", Vector3::Zero()));
  const Model model = ModelBuilder(robot).build();
  const State state = bar.state(model, 0.0);
  const auto findings = review_loops(model, state);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].loop, 2);
  EXPECT_EQ(findings[0].kind, LoopFinding::Kind::joints_are_held);

  robot.loops.pop_back();
  robot.loops[1] = loop_between("again", LoopType::spherical, "rocker_end", "coupler_end");
  const Model twice = ModelBuilder(robot).build();
  const auto idle = review_loops(twice, bar.state(twice, 0.8));
  ASSERT_EQ(idle.size(), 1u);
  EXPECT_EQ(idle[0].loop, 1);
  EXPECT_EQ(idle[0].kind, LoopFinding::Kind::does_nothing);
}

TEST(LoopsOfParts, GoWithThePartThatHasBothPoints) {
  const ModelDescription bar = [] {
    FourBar floating;
    floating.fixed = false;
    return floating.description();
  }();
  Attachment attachment;
  attachment.parent = "rocker";
  attachment.prefix = "second_";
  const ModelDescription both = attach(bar, bar, attachment);
  ASSERT_EQ(both.loops.size(), 2u);
  EXPECT_EQ(both.loops[1].name, "second_pin");
  EXPECT_EQ(both.loops[1].from, "second_coupler_end");
  EXPECT_TRUE(ModelBuilder(both).validate().empty());
  const ModelDescription part = submodel(both, "second_base");
  ASSERT_EQ(part.loops.size(), 1u);
  EXPECT_EQ(part.loops[0].name, "second_pin");
  EXPECT_EQ(message_of<DomainError>([&] { submodel(both, "crank"); }),
            "cannot cut 'pin', which closes a loop over both parts");
}

TEST(LoopsOfParts, KeepTheJointsOfCouplingsFromBeingLocked) {
  ModelDescription robot = FourBar().description();
  robot.loops = {gear("g", "crank", "rocker", 2.0)};
  EXPECT_EQ(message_of<DomainError>([&] {
              lock_joints(robot, {{"rocker", 0.0}});
            }),
            "cannot lock joint 'rocker': 'g' acts between it and others; remove that first");
}

}  // namespace
}  // namespace spacedyn::testing::loop_model_test
