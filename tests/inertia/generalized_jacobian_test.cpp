// The generalized Jacobian against the original toolbox, differences, real motions and the closed
// form of a planar robot.
#include "spacedyn/inertia/generalized_jacobian.hpp"

#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::generalized_jacobian_test {
namespace {

using ::testing::ThrowsMessage;

// sums over forty bodies and a solution with H_b, whose condition is below a thousand here
constexpr double kTolerance = 1e-11;

Vector6 momentum_of(const RandomRobot& robot, MomentumPoint point) {
  const Momentum sums = momentum(robot.model, robot.frames, robot.velocities);
  Vector6 result;
  result.head<3>() = sums.linear;
  result.tail<3>() = point == MomentumPoint::base_centroid     ? sums.angular_base
                     : point == MomentumPoint::inertial_origin ? sums.angular_origin
                                                               : sums.angular_centroid;
  return result;
}

class GeneralizedJacobianReference : public ::testing::TestWithParam<std::string> {};

TEST_P(GeneralizedJacobianReference, Agrees) {
  const nlohmann::json& data = reference(GetParam());
  const Model model = reference_model(data.at("model"));
  for (const nlohmann::json& entry : data.at("states")) {
    const State state = reference_inputs(model, entry.at("inputs")).state;
    for (const nlohmann::json& endpoint : entry.at("endpoints")) {
      const Frame frame = model.frame("endpoint_" + endpoint.at("link").dump());
      const FrameJacobians J = frame_jacobians(model, state, frame);
      EXPECT_LE(relative_difference(J.J_m, matrix_of(endpoint.at("JJ_e"))), 1e-12);
      EXPECT_LE(relative_difference(J.J_b, matrix_of(endpoint.at("J_base"))), 1e-12);
      EXPECT_LE(relative_difference(generalized_jacobian(model, state, frame),
                                    matrix_of(endpoint.at("GJ"))),
                1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllModels, GeneralizedJacobianReference,
                         ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

TEST(GeneralizedJacobian, WithTheOffsetGivesTheTwistAtAnyMomentum) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Vector6 twist = frame_velocity(robot.frames, robot.velocities, robot.point);
    const Matrix6X J_star = generalized_jacobian(robot.model, robot.state, robot.point);
    for (const MomentumPoint point : {MomentumPoint::base_centroid, MomentumPoint::inertial_origin,
                                      MomentumPoint::system_centroid}) {
      const Vector6 offset =
          twist_offset(robot.model, robot.state, robot.point, momentum_of(robot, point), point);
      require_near(J_star * robot.state.qd + offset, twist, kTolerance, "twist");
    }
  });
}

TEST(GeneralizedJacobian, BaseTwistFollowsFromRatesAndMomentum) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Vector6 twist = base_twist(base_response(robot.model, robot.state), robot.state.qd,
                                     momentum_of(robot, MomentumPoint::base_centroid));
    require_near(twist, robot.state.velocity().head<6>(), kTolerance, "base twist");
  });
}

TEST(GeneralizedJacobian, DerivativeIsTheDifferenceOfIt) {
  for_random_robots(40, [](const RandomRobot& robot) {
    require_derivative(
        generalized_jacobian_derivative(robot.model, robot.state, robot.point),
        [&](double t) {
          return MatrixX(generalized_jacobian(robot.model, moved(robot.state, t), robot.point));
        },
        "J_star_dot");
  });
}

TEST(GeneralizedJacobian, DerivativesGiveTheAcceleration) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const int n = robot.model.joint_count();
    InertiaBlocks blocks(robot.model);
    InertiaRates rates(robot.model);
    BaseResponse response(robot.model);
    JacobianWorkspace jacobians(robot.model);
    InertiaRatesWorkspace workspace(robot.model);
    compute_inertia_blocks(robot.model, robot.frames, jacobians, blocks);
    compute_inertia_rates(robot.model, robot.frames, robot.velocities, workspace, rates);
    require_true(compute_base_response(robot.model, blocks, response) == InertiaStatus::ok, "H_b");

    // no force on the base: the upper rows of (18) give its acceleration
    VectorX acceleration = robot.acceleration;
    const VectorX bias = bias_forces(robot.model, robot.state, Vector3::Zero());
    acceleration.head<6>() =
        -response.H_b_inverse * (blocks.H_bm * acceleration.tail(n) + bias.head<6>());
    LinkAccelerations accelerations(robot.model);
    compute_link_accelerations(robot.model, robot.state, robot.frames, robot.velocities,
                               acceleration, accelerations);

    const FrameJacobians J = frame_jacobians(robot.model, robot.state, robot.point);
    const Vector6 offset_rate =
        twist_offset_rate(J.J_b, J.J_b_dot, response, rates, robot.state.v_0,
                          momentum_of(robot, MomentumPoint::base_centroid));
    const Vector6 expected =
        frame_acceleration(robot.frames, robot.velocities, accelerations, robot.point);
    const Vector6 actual =
        generalized_jacobian(robot.model, robot.state, robot.point) * acceleration.tail(n) +
        generalized_jacobian_derivative(robot.model, robot.state, robot.point) * robot.state.qd +
        offset_rate;
    require_near(actual, expected, 1e-10, "acceleration");
  });
}

// planar base and one link, scenario closed form: μ = m0 m1/M, A = I1 + μb², B = μab,
// D = I0 + I1 + μ(a² + b²)
struct OneLink {
  static constexpr double M = 110.0, mu = 1000.0 / M, a = 0.5, b = 0.75, l = 1.5;
  static constexpr double A = 2.0 + mu * b * b, B = mu * a * b, D = 22.0 + mu * (a * a + b * b);
  explicit OneLink(double angle) : q(angle), c(std::cos(angle)) {}
  /// dθ/dq at zero momentum.
  double turn() const { return -(A + B * c) / (D + 2.0 * B * c); }
  double h() const { return A - (A + B * c) * (A + B * c) / (D + 2.0 * B * c); }
  double q, c;
};

TEST(GeneralizedJacobian, OfAPlanarLinkIsTheClosedForm) {
  const Model model = one_link();
  const Frame tip = material_point(model, 1, Vector3(OneLink::l, 0.0, 0.0));
  for (const double q : {-2.0, 0.0, 0.6, 1.5707963267948966, 3.0}) {
    State state(model);
    state.q << q;
    const OneLink form(q);
    const double turn = form.turn();
    const double s = std::sin(q), c = form.c;
    // the system centroid stands still: base = −(m1/M)(a e_0 + b e_1), tip = base + a e_0 + l e_1
    const double fraction = 10.0 / OneLink::M;
    const double along_0 = (1.0 - fraction) * OneLink::a * turn;
    const double along_1 = (OneLink::l - fraction * OneLink::b) * (turn + 1.0);
    Vector6 expected;
    expected << -s * along_1, along_0 + c * along_1, 0.0, 0.0, 0.0, turn + 1.0;
    EXPECT_LE(relative_difference(generalized_jacobian(model, state, tip), expected), 4e-16);
    EXPECT_NEAR(base_response(model, state).D(5, 0), turn, 1e-16);
    EXPECT_NEAR(reduced_inertia(model, state)(0, 0), form.h(), 4e-15);
  }
}

TEST(GeneralizedJacobian, OfAFixedBaseIsTheOrdinaryOne) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  description.base.mass = 0.0;
  description.base.inertia.setZero();
  const Model model = ModelBuilder(description).build();
  State state(model);
  state.q << 0.4;
  state.qd << 1.0;
  const Frame arm = model.frame("arm.com");
  const FrameJacobians J = frame_jacobians(model, state, arm);
  EXPECT_EQ(generalized_jacobian(model, state, arm), J.J_m);
  EXPECT_EQ(generalized_jacobian_derivative(model, state, arm), J.J_m_dot);
  EXPECT_EQ(reduced_inertia(model, state), inertia_matrix(model, state).bottomRightCorner(1, 1));
  EXPECT_EQ(twist_offset(model, state, arm, Vector6::Ones()), Vector6::Zero());
  EXPECT_EQ(base_response(model, state).D, (Matrix6X::Zero(6, 1)));
}

TEST(GeneralizedJacobian, OfABaseAloneIsEmptyAndTheOffsetIsItsMotion) {
  const Model model = single_body(2.0, Vector3(1.0, 2.0, 4.0));
  const State state(model);
  const Frame point = material_point(model, 0, Vector3(0.0, 1.0, 0.0));
  EXPECT_EQ(generalized_jacobian(model, state, point).cols(), 0);
  EXPECT_EQ(generalized_jacobian_derivative(model, state, point).cols(), 0);
  EXPECT_EQ(reduced_inertia(model, state).size(), 0);
  Vector6 momentum, expected;
  momentum << 2.0, 0.0, 0.0, 0.0, 0.0, 4.0;
  expected << 1.0 - 1.0, 0.0, 0.0, 0.0, 0.0, 1.0;
  EXPECT_LE(relative_difference(twist_offset(model, state, point, momentum), expected), 1e-15);
}

TEST(BaseResponse, ReportsABaseWithoutInertiaAndStaysFinite) {
  // two point masses: nothing resists a turn about the line through them
  ModelDescription description;
  description.name = "dumbbell";
  description.base = base_body(1.0, Vector3::Zero());
  LinkDescription mass =
      link_body("mass", "base", 1.0, Vector3::Zero(), {0.3, 0.4, 0.5}, Vector3::Zero());
  mass.joint.type = JointType::prismatic;
  mass.joint.axis = Vector3(0.3, 0.4, 0.5);
  description.links.push_back(mass);
  const Model model = ModelBuilder(description).build();
  const State state(model);
  const char* const message =
      "the base inertia H_b is singular: the bodies have no mass, or all of it lies on one line";
  const Frame frame = model.frame("mass");
  EXPECT_THAT([&] { base_response(model, state); }, ThrowsMessage<NumericalError>(message));
  EXPECT_THAT([&] { generalized_jacobian(model, state, frame); },
              ThrowsMessage<NumericalError>(message));
  EXPECT_THAT([&] { generalized_jacobian_derivative(model, state, frame); },
              ThrowsMessage<NumericalError>(message));
  EXPECT_THAT([&] { reduced_inertia(model, state); }, ThrowsMessage<NumericalError>(message));
  EXPECT_THAT([&] { twist_offset(model, state, frame, Vector6::Zero()); },
              ThrowsMessage<NumericalError>(message));

  LinkFrames frames(model);
  JacobianWorkspace workspace(model);
  InertiaBlocks blocks(model);
  BaseResponse response(model);
  compute_link_frames(model, state, frames);
  compute_inertia_blocks(model, frames, workspace, blocks);
  EXPECT_EQ(compute_base_response(model, blocks, response), InertiaStatus::singular_base_inertia);
  EXPECT_EQ(response.D, (Matrix6X::Zero(6, 1)));
  EXPECT_EQ(response.H_b_inverse, Matrix6::Zero());
}

TEST(GeneralizedJacobian, RefusesAFrameOfAnotherModel) {
  const Model model = one_link();
  const State state(model);
  const Frame frame{"hand", 2, Vector3::Zero(), Matrix3::Identity()};
  const char* const message = "frame 'hand' is on body 2, expected 0 to 1";
  EXPECT_THAT([&] { generalized_jacobian(model, state, frame); },
              ThrowsMessage<DomainError>(message));
  EXPECT_THAT([&] { generalized_jacobian_derivative(model, state, frame); },
              ThrowsMessage<DomainError>(message));
  EXPECT_THAT([&] { twist_offset(model, state, frame, Vector6::Zero()); },
              ThrowsMessage<DomainError>(message));
}

}  // namespace
}  // namespace spacedyn::testing::generalized_jacobian_test
