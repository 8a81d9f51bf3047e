// The ETS-VII models: corrected tensors, paddles taken out of the base, accuracy of a long coast.
#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::ets7_test {
namespace {

/// Nearest tensor of a body with a root-mean-square thickness of 2 cm; physical ones stay.
Matrix3 nearest_physical(const Matrix3& inertia, double mass) {
  const Matrix3 second_moments = 0.5 * inertia.trace() * Matrix3::Identity() - inertia;
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(second_moments);
  Vector3 moments = solver.eigenvalues();
  for (double& moment : moments) {
    if (moment < 0.0) moment = mass * 0.02 * 0.02;
  }
  const Matrix3 P =
      solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
  return P.trace() * Matrix3::Identity() - P;
}

TEST(Ets7, CorrectedTensorsAreTheNearestPhysicalOnes) {
  const auto identified = shipped_robot("ets7_identified");
  const auto corrected = shipped_robot("ets7");
  ASSERT_EQ(corrected->joint_count(), 6);
  int changed = 0;
  for (int i = 0; i <= 6; ++i) {
    const Body& original = identified->body(i);
    const Body& body = corrected->body(i);
    EXPECT_EQ(body.mass, original.mass);
    const Matrix3 expected = nearest_physical(original.inertia_L, original.mass);
    // the file gives four decimals of moments and five of products
    EXPECT_LT((body.inertia_L - expected).cwiseAbs().maxCoeff(), 5.1e-5) << body.name;
    if ((body.inertia_L - original.inertia_L).norm() > 1e-3) ++changed;
  }
  EXPECT_EQ(changed, 3);
  EXPECT_EQ(identified->warnings().size(), 3u);
  EXPECT_TRUE(corrected->warnings().empty());
}

TEST(Ets7, IdentifiedAndCorrectedModelsHaveTheSameGeometry) {
  const auto identified = shipped_robot("ets7_identified");
  const auto corrected = shipped_robot("ets7");
  EXPECT_NEAR(corrected->total_mass(), 2692.38, 1e-10);
  State state(*corrected);
  state.q << 0.3, -0.8, 1.1, 0.4, -0.6, 0.9;
  LinkFrames frames(*corrected), original(*identified);
  compute_link_frames(*corrected, state, frames);
  compute_link_frames(*identified, state, original);
  EXPECT_LT((frame_position(frames, corrected->frame("hand")) -
             frame_position(original, identified->frame("hand")))
                .norm(),
            1e-14);
}

TEST(Ets7, StraightPaddlesGiveBackTheIdentifiedChaser) {
  const auto rigid = shipped_robot("ets7");
  const auto flexible = shipped_robot("ets7_paddles");
  ASSERT_EQ(flexible->joint_count(), 14);
  const MatrixX H = inertia_matrix(*rigid, State(*rigid));
  const MatrixX H_flexible = inertia_matrix(*flexible, State(*flexible));
  EXPECT_LT(relative_difference(H_flexible.topLeftCorner(6, 6), H.topLeftCorner(6, 6)), 1e-13);
}

TEST(Ets7, CoastKeepsMomentumAndEnergyToTheStatedAccuracy) {
  const Scenario scenario = shipped_scenario("ets7_coast");
  const SimulationResult result = fly(scenario.setup, scenario.initial, scenario.duration);
  EXPECT_EQ(result.time, 60.0);
  EXPECT_LE(result.audit.momentum_drift(), 1e-12);
  EXPECT_LE(result.audit.energy_residual(), 1e-10);
  // and it is no trivial motion
  EXPECT_GT((result.state.q - scenario.initial.q).cwiseAbs().minCoeff(), 0.1);
  EXPECT_GT((result.state.A_0 - scenario.initial.A_0).norm(), 0.1);
}

}  // namespace
}  // namespace spacedyn::testing::ets7_test
