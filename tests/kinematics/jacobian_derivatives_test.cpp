// Derivatives of Jacobians against extrapolated differences, 1e-9 relative, and against the
// acceleration recursion, which forms no Jacobian.
#include "spacedyn/kinematics/jacobian_derivatives.hpp"

#include "spacedyn/error.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::jacobian_derivatives_test {
namespace {

// sums of up to forty terms of order one, some of them products of three
constexpr double kTolerance = 1e-12;

TEST(JacobianDerivatives, OfEndpointsAreDifferences) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const FrameJacobians J = frame_jacobians(robot.model, robot.state, robot.point);
    const auto at = [&](double t) {
      return frame_jacobians(robot.model, moved(robot.state, t), robot.point);
    };
    require_derivative(
        J.J_m_dot, [&](double t) { return MatrixX(at(t).J_m); }, "J_m_dot");
    require_derivative(
        J.J_b_dot, [&](double t) { return MatrixX(at(t).J_b); }, "J_b_dot");
  });
}

TEST(JacobianDerivatives, OfLinksAreDifferences) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const int n = robot.model.joint_count();
    const int body = robot.point.body;
    Matrix3X J_T_dot(3, n), J_R_dot(3, n);
    translational_jacobian_derivative(robot.model, robot.frames, robot.velocities, body, J_T_dot);
    rotational_jacobian_derivative(robot.model, robot.frames, robot.velocities, body, J_R_dot);
    const auto at = [&](double t) {
      LinkFrames frames(robot.model);
      compute_link_frames(robot.model, moved(robot.state, t), frames);
      Matrix3X J_T(3, n), J_R(3, n);
      translational_jacobian(robot.model, frames, body, J_T);
      rotational_jacobian(robot.model, frames, body, J_R);
      MatrixX both(6, n);
      both << J_T, J_R;
      return both;
    };
    MatrixX both(6, n);
    both << J_T_dot, J_R_dot;
    require_derivative(both, at, "J_T_dot, J_R_dot");
  });
}

TEST(JacobianDerivatives, GiveTheAccelerationOfTheEndpoint) {
  for_random_robots(40, [](const RandomRobot& robot) {
    LinkAccelerations accelerations(robot.model);
    compute_link_accelerations(robot.model, robot.state, robot.frames, robot.velocities,
                               robot.acceleration, accelerations);
    const FrameJacobians J = frame_jacobians(robot.model, robot.state, robot.point);
    const VectorX u = robot.state.velocity();
    const int n = robot.model.joint_count();
    // (17)
    const Vector6 acceleration = J.J_m * robot.acceleration.tail(n) + J.J_m_dot * u.tail(n) +
                                 J.J_b * robot.acceleration.head<6>() + J.J_b_dot * u.head<6>();
    require_near(acceleration,
                 frame_acceleration(robot.frames, robot.velocities, accelerations, robot.point),
                 kTolerance, "acceleration");
  });
}

TEST(JacobianDerivatives, VanishWithoutMotion) {
  const Model model = planar_two_link();
  State state(model);
  state.q << 0.3, -0.7;
  const FrameJacobians J = frame_jacobians(model, state, model.frame("lower"));
  EXPECT_TRUE(J.J_m_dot.isZero(0.0));
  EXPECT_TRUE(J.J_b_dot.isZero(0.0));
}

TEST(JacobianDerivatives, OfAPlanarArmAreThoseOfTheClosedForm) {
  // hand at the end of the second unit link, base at rest: x = ½ + cos q1 + cos(q1 + q2)
  const Model model = planar_two_link();
  State state(model);
  state.q << 0.4, 0.9;
  state.qd << -0.3, 1.1;
  const Frame hand = material_point(model, 2, Vector3::UnitX());
  const FrameJacobians J = frame_jacobians(model, state, hand);
  const double c1 = std::cos(0.4), s1 = std::sin(0.4), c12 = std::cos(1.3), s12 = std::sin(1.3);
  const double w1 = -0.3, w12 = 0.8;
  MatrixX expected = MatrixX::Zero(6, 2);
  expected.row(0) << -c1 * w1 - c12 * w12, -c12 * w12;
  expected.row(1) << -s1 * w1 - s12 * w12, -s12 * w12;
  EXPECT_LE(relative_difference(J.J_m_dot, expected), 4e-16);
}

TEST(JacobianDerivatives, OfABaseAloneHaveNoColumns) {
  const Model model = single_body(2.0, Vector3::Ones());
  State state(model);
  state.omega_0 = Vector3(0.0, 0.0, 2.0);
  const FrameJacobians J =
      frame_jacobians(model, state, material_point(model, 0, Vector3::UnitX()));
  EXPECT_EQ(J.J_m_dot.cols(), 0);
  // the point moves with 2 e_y relative to the base centroid
  const Vector3 column = J.J_b_dot.topRightCorner<3, 3>() * Vector3::UnitZ();
  EXPECT_EQ(column, Vector3(-2.0, 0.0, 0.0));
}

TEST(JacobianDerivatives, RefuseAStateOfAnotherModel) {
  const Model model = planar_two_link();
  State state(model);
  state.q.resize(3);
  EXPECT_THAT([&] { frame_jacobians(model, state, model.frame("lower")); },
              ::testing::ThrowsMessage<DimensionError>("q has 3 elements, expected 2, one per "
                                                       "joint"));
}

}  // namespace
}  // namespace spacedyn::testing::jacobian_derivatives_test
