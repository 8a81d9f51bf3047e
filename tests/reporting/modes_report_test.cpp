// Pages of natural modes: what swings, how far, and how it is told.
#include "spacedyn/reporting/report.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/small_models.hpp"

namespace spacedyn::modes_report_test {
namespace {

/// A base and a sprung link on it, both free to move.
Model sprung_link() {
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.stiffness = 50.0;
  description.links[0].joint.damping = 0.4;
  return ModelBuilder(description).build();
}

ModeToShow last_mode(const Model& model) {
  const Modes modes = compute_modes(model, State(model), Mobility(model));
  const Mode& mode = modes.modes.back();
  return {static_cast<int>(modes.modes.size()),
          mode.frequency(),
          mode.damping_ratio,
          mode.growth_rate,
          "arm 100 %",
          mode.shape};
}

ReportData report_of(const Model& model) {
  return modes_report(model, State(model), {last_mode(model)});
}

TEST(ModesReport, ShowsModesAsTheyAreGiven) {
  const Model model = sprung_link();
  const ReportData report = report_of(model);
  ASSERT_EQ(report.modes.size(), 1u);
  EXPECT_EQ(report.title, "Modes of one_link");
  EXPECT_EQ(report.modes[0].number, 7);  // after six of the free base
  // the closed form of two bodies and a hinge, A − (A + B)²/(D + 2B) at q = 0
  EXPECT_NEAR(report.modes[0].frequency, std::sqrt(50.0 / 4.055241682360) / (2.0 * M_PI), 1e-10);
  EXPECT_EQ(report.modes[0].strain, "arm 100 %");
  EXPECT_EQ(report.motion.times, report.modes[0].motion.times);
}

TEST(ModesReport, SwingsOnceAlongTheShapeAndEndsWhereItBegan) {
  const Model model = sprung_link();
  const ReportMotion motion = report_of(model).modes.at(0).motion;
  const Eigen::Index last = motion.poses.cols() - 1;
  EXPECT_EQ(motion.times.front(), 0.0);
  EXPECT_EQ(motion.times.back(), kShownCycle);
  EXPECT_LT((motion.poses.col(last) - motion.poses.col(0)).norm(), 1e-14);
  EXPECT_LT((motion.poses.col(last / 2) - motion.poses.col(0)).norm(), 1e-14);
  EXPECT_GT((motion.poses.col(last / 4) - motion.poses.col(0)).norm(), 0.01);
  // no momentum: the system's centroid stays, to the second order of the shown amplitude
  const Vector3 moved = motion.center_of_mass.col(last / 4) - motion.center_of_mass.col(0);
  EXPECT_LT(moved.norm(), 0.01);
}

TEST(ModesReport, MovesNothingFartherThanATenthOfTheRobot) {
  const Model model = sprung_link();
  const ReportMotion motion = report_of(model).modes.at(0).motion;
  double farthest = 0.0;
  for (Eigen::Index k = 0; k < motion.poses.cols(); ++k) {
    for (const int body : {0, 1}) {
      farthest = std::max(
          farthest,
          (motion.poses.block<3, 1>(7 * body, k) - motion.poses.block<3, 1>(7 * body, 0)).norm());
    }
  }
  EXPECT_GT(farthest, 0.01);
  EXPECT_LT(farthest, 0.1 * 1.25);  // the link's centroid is 1.25 m from that of the base
}

TEST(ModesReport, RefusesModesOfAnotherModel) {
  const Model model = sprung_link();
  ModeToShow mode = last_mode(model);
  mode.shape.conservativeResize(3);
  try {
    modes_report(model, State(model), {mode});
    FAIL() << "was accepted";
  } catch (const DimensionError& error) {
    EXPECT_STREQ(error.what(), "the shape of mode 7 has 3 elements, expected 7");
  }
}

}  // namespace
}  // namespace spacedyn::modes_report_test
