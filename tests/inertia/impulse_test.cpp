// Responses to impulses against the full inertia matrix, conservation laws and closed forms.
#include "spacedyn/inertia/impulse.hpp"

#include <Eigen/Cholesky>

#include "spacedyn/error.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::impulse_test {
namespace {

using ::testing::ThrowsMessage;

MatrixX full_jacobian(const RandomRobot& robot) {
  const FrameJacobians J = frame_jacobians(robot.model, robot.state, robot.point);
  MatrixX full(6, robot.model.velocity_size());
  full << J.J_b, J.J_m;
  return full;
}

TEST(Impulse, ResponseSolvesTheFullEquationOfMotion) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const ImpulseResponse response = impulse_response(robot.model, robot.state, robot.point);
    const MatrixX H = inertia_matrix(robot.model, robot.state);
    const MatrixX J = full_jacobian(robot);
    const MatrixX expected = Eigen::LLT<MatrixX>(H).solve(J.transpose());
    // the condition of H, up to 1e5 for long chains, enters once
    require_near(response.velocity_per_impulse, expected, 1e-9, "velocities");
    require_near(response.inverse_inertia, J * expected, 1e-9, "hand inverse inertia");
    require_near(H * response.velocity_per_impulse, J.transpose(), 1e-11, "impulses");
  });
}

TEST(Impulse, AddsItselfToTheMomentum) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const ImpulseResponse response = impulse_response(robot.model, robot.state, robot.point);
    const MatrixX H = inertia_matrix(robot.model, robot.state);
    // of the impulse p, moved to the base centroid
    const MatrixX expected = full_jacobian(robot).leftCols<6>().transpose();
    require_near(H.topRows<6>() * response.velocity_per_impulse, expected, 1e-11, "momentum");
  });
}

TEST(Impulse, OnThePlanarLinkGivesItsPublishedNumbers) {
  // Full H at q = 90°, struck at the tip with p = (1, 0)
  const Model model = one_link();
  State state(model);
  state.q << 1.5707963267948966;
  const Frame tip = material_point(model, 1, Vector3(1.5, 0.0, 0.0));
  const VectorX change = impulse_response(model, state, tip).velocity_per_impulse.col(0);
  VectorX expected = VectorX::Zero(7);
  expected(0) = -1.45 / 313.0;
  expected(6) = -63.0 / 313.0;
  EXPECT_LE(relative_difference(change, expected), 1e-15);
}

TEST(Impulse, OnTheEndOfARodThrowsTheOtherEndBackwards) {
  // v = P/m, ω = 6P/(mL), far end −2P/m; at the centre of percussion 2L/3 from the far end the far
  // end stays
  const double m = 3.0, L = 2.0, P = 1.5;
  const double I = m * L * L / 12.0;
  const Model model = single_body(m, {I, I, I});
  const State state(model);
  Vector6 p = Vector6::Zero();
  p(1) = P;
  const auto velocity_at = [&](double struck, double seen) {
    const VectorX u =
        impulse_response(model, state, material_point(model, 0, Vector3(struck, 0.0, 0.0)))
            .velocity_per_impulse *
        p;
    return u(1) + u(5) * seen;
  };
  EXPECT_DOUBLE_EQ(velocity_at(L / 2.0, 0.0), P / m);
  EXPECT_DOUBLE_EQ(velocity_at(L / 2.0, L / 2.0), 4.0 * P / m);
  EXPECT_DOUBLE_EQ(velocity_at(L / 2.0, -L / 2.0), -2.0 * P / m);
  EXPECT_NEAR(velocity_at(2.0 * L / 3.0 - L / 2.0, -L / 2.0), 0.0, 1e-15);
}

TEST(Impulse, LeavesAFixedBaseAndReportsItsSingularInverseInertia) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  const Frame tip = material_point(model, 1, Vector3(1.5, 0.0, 0.0));
  const ImpulseResponse response = impulse_response(model, State(model), tip);
  EXPECT_EQ(response.velocity_per_impulse.topRows<6>(), (Eigen::Matrix<double, 6, 6>::Zero()));
  // a pendulum of I + m b² = 7.625 struck at 1.5 m
  EXPECT_DOUBLE_EQ(response.velocity_per_impulse(6, 1), 1.5 / 7.625);
  EXPECT_DOUBLE_EQ(response.inverse_inertia(1, 1), 2.25 / 7.625);
  EXPECT_EQ(Eigen::FullPivLU<Matrix6>(response.inverse_inertia).rank(), 1);
}

TEST(Impulse, OfJointsWithoutInertiaIsReportedAndZero) {
  ModelDescription description = one_link_description();
  description.links.push_back(
      link_body("tip", "arm", 0.0, Vector3::Zero(), {1.0, 0.0, 0.0}, Vector3::Zero()));
  const Model model = ModelBuilder(description).build();
  const State state(model);
  const Frame tip = model.frame("tip");
  EXPECT_THAT([&] { impulse_response(model, state, tip); },
              ThrowsMessage<NumericalError>(
                  "the joint inertia H* is singular: some joint motion moves no mass"));

  LinkFrames frames(model);
  JacobianWorkspace workspace(model);
  InertiaBlocks blocks(model);
  BaseResponse base(model);
  ImpulseResponse response(model);
  compute_link_frames(model, state, frames);
  compute_inertia_blocks(model, frames, workspace, blocks);
  ASSERT_EQ(compute_base_response(model, blocks, base), InertiaStatus::ok);
  const FrameJacobians J = frame_jacobians(model, state, tip);
  response.inverse_inertia.setOnes();
  EXPECT_EQ(compute_impulse_response(blocks, base, J.J_m, J.J_b, response),
            InertiaStatus::singular_joint_inertia);
  EXPECT_TRUE(response.velocity_per_impulse.isZero(0.0));
  EXPECT_TRUE(response.inverse_inertia.isZero(0.0));
}

TEST(Impulse, RefusesWhatDoesNotFitTheModel) {
  const Model model = one_link();
  EXPECT_THAT([&] { impulse_response(model, State(), model.frame("arm")); },
              ThrowsMessage<DimensionError>("q has 0 elements, expected 1, one per joint"));
  EXPECT_THAT(
      [&] {
        impulse_response(model, State(model), Frame{"", 5, Vector3::Zero(), Matrix3::Identity()});
      },
      ThrowsMessage<DomainError>("a point is on body 5, expected 0 to 1"));
  EXPECT_THAT(
      [&] {
        const Model dot = single_body(1.0, Vector3::Zero());
        impulse_response(dot, State(dot), dot.frame("base"));
      },
      ThrowsMessage<NumericalError>("the base inertia H_b is singular: the bodies have no "
                                    "mass, or all of it lies on one line"));
}

}  // namespace
}  // namespace spacedyn::testing::impulse_test
