// Pages on which one moves the joints of a robot: where it stands at first, and what moves along.
#include "spacedyn/reporting/report.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/model/model_builder.hpp"
#include "support/small_models.hpp"

namespace spacedyn::model_report_test {
namespace {

TEST(ModelReport, StartsInsideLimitsAndKeepsGears) {
  ModelDescription description = testing::planar_two_link().description();
  JointDescription& first = description.links[0].joint;
  first.position_lower = 0.3;
  first.position_upper = 1.0;
  LoopDescription gear;
  gear.name = "belt";
  gear.type = LoopType::gear;
  gear.joints = {"upper", "lower"};
  gear.ratio = -2.0;
  gear.offset = 0.1;
  description.loops = {gear};
  const ReportData report = model_report(ModelBuilder(description).build());
  ASSERT_EQ(report.joint_positions.size(), 2);
  EXPECT_EQ(report.joint_positions(0), 0.3);
  EXPECT_NEAR(report.joint_positions(1), -2.0 * 0.3 + 0.1, 1e-15);
  ASSERT_EQ(report.gears.size(), 1U);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(report.bodies[1].position_lower, 0.3);
  EXPECT_EQ(report.bodies[1].position_upper, 1.0);
  // the second joint has turned by 0.3 rad about the first one
  const VectorX poses = report.motion.poses.col(0);
  const Vector3 arm = poses.segment<3>(14) - poses.segment<3>(7);
  const Vector3 at_zero = report.bodies[2].joint_pose.position;
  EXPECT_NEAR(arm.dot(at_zero), at_zero.squaredNorm() * std::cos(0.3), 1e-12);
}

TEST(ModelReport, SaysThatLoopsOpen) {
  ModelDescription description = testing::planar_two_link().description();
  LoopDescription loop;
  loop.name = "pin";
  loop.type = LoopType::distance;
  loop.from = "base";
  loop.to = description.links[1].name;
  loop.length = 1.0;
  description.loops = {loop};
  const ReportData report = model_report(ModelBuilder(description).build());
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0], "loops are not kept closed: their joints move one by one");
}

}  // namespace
}  // namespace spacedyn::model_report_test
