// Rates that are asked for a twist: reached where possible, bounded and reported where not.

#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::resolved_rates_test {
namespace {

TEST(ResolvedRates, ReachATwistThatTheArmCanReach) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Matrix6X J = generalized_jacobian(robot.model, robot.state, robot.point);
    const Vector6 twist = J * robot.state.qd;
    SingularValues jacobian(6, robot.model.joint_count());
    jacobian.matrix() = J;
    VectorX rates(robot.model.joint_count());
    const ResolvedRates result = resolve_rates({}, jacobian, twist, rates);
    require_near(J * rates, twist, 1e-11, "twist");
    require_true(result.residual < 1e-11 * (1.0 + twist.norm()), "residual");
    // of all rates with this twist the shortest
    require_true(rates.norm() <= robot.state.qd.norm() * (1.0 + 1e-9) + 1e-12, "shortest rates");
  });
}

TEST(ResolvedRates, DampingBoundsThemForEveryTwist) {
  for_random_robots(20, [](RandomRobot& robot) {
    const double damping = 0.05;
    const Vector6 twist = robot.random.vector(6);
    SingularValues jacobian(6, robot.model.joint_count());
    jacobian.matrix() = generalized_jacobian(robot.model, robot.state, robot.point);
    VectorX rates(robot.model.joint_count());
    const ResolvedRates result = resolve_rates({0.0, damping}, jacobian, twist, rates);
    // σ/(σ² + λ²) ≤ 1/(2λ)
    require_true(rates.norm() <= twist.norm() / (2.0 * damping) * (1.0 + 1e-12),
                 "bound of the rates");
    require_true(result.residual <= twist.norm() * (1.0 + 1e-12), "residual");
  });
}

TEST(ResolvedRates, OfAStretchedArmGiveUpTheLostDirectionAndSaySo) {
  // both links along x: the hand cannot move along x
  const Model model = planar_two_link();
  const Frame hand = material_point(model, 2, Vector3::UnitX());
  SingularValues jacobian(2, 2);
  jacobian.matrix() = frame_jacobians(model, State(model), hand).J_m.topRows<2>();
  Eigen::VectorXd rates(2);
  const ResolvedRates result = resolve_rates({}, jacobian, Eigen::Vector2d(3.0, 5.0), rates);
  EXPECT_EQ(result.rank, 1);
  EXPECT_NEAR(result.residual, 3.0, 1e-15);
  EXPECT_LE(relative_difference(rates, Eigen::Vector2d(2.0, 1.0)), 1e-15);
}

}  // namespace
}  // namespace spacedyn::testing::resolved_rates_test
