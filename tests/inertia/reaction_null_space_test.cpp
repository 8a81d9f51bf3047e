// Reaction null space: what it promises about the base, and its behaviour where ranks change.
#include "spacedyn/inertia/reaction_null_space.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::reaction_null_space_test {
namespace {

using ::testing::ThrowsMessage;

// a projector built from singular vectors, then a solution with H_b of condition up to a thousand
constexpr double kTolerance = 1e-11;

TEST(ReactionNullSpace, AngularKernelKeepsTheAttitude) {
  for_random_robots(40, [](RandomRobot& robot) {
    const ReactionNullSpace null_space =
        reaction_null_space(robot.model, robot.state, Reaction::angular);
    const VectorX qd = null_space.projector * robot.state.qd;
    InertiaBlocks blocks(robot.model);
    JacobianWorkspace workspace(robot.model);
    compute_inertia_blocks(robot.model, robot.frames, workspace, blocks);
    Vector6 momentum;
    momentum << robot.random.vector(3, 5.0), Vector3::Zero();
    const Vector6 h =
        momentum_about_base(momentum, MomentumPoint::system_centroid, robot.state.r_0, blocks);
    const Vector6 twist = base_twist(base_response(robot.model, robot.state), qd, h);
    require_near(twist.tail<3>(), Vector3::Zero(), kTolerance, "omega_0");
  });
}

TEST(ReactionNullSpace, FullKernelKeepsTheBaseAtRest) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const ReactionNullSpace null_space =
        reaction_null_space(robot.model, robot.state, Reaction::full);
    const VectorX qd = null_space.projector * robot.state.qd;
    require_near(base_twist(base_response(robot.model, robot.state), qd), Vector6::Zero(),
                 kTolerance, "base twist");
  });
}

TEST(ReactionNullSpace, RankDimensionAndProjectorAgree) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const int n = robot.model.joint_count();
    for (const Reaction reaction : {Reaction::angular, Reaction::full}) {
      const ReactionNullSpace null_space = reaction_null_space(robot.model, robot.state, reaction);
      const MatrixX& N = null_space.projector;
      require_true(null_space.coupling.rank() + null_space.dimension() == n, "rank and dimension");
      require_true(null_space.dimension() >= n - (reaction == Reaction::full ? 6 : 3), "dimension");
      require_near(N * N, N, kTolerance, "idempotence");
      const MatrixX basis = null_space.coupling.kernel_basis();
      require_near(basis * basis.transpose(), N, kTolerance, "basis");
      if (null_space.dimension() == 0) require_true(N.isZero(0.0), "exact zero without a kernel");
    }
  });
}

/// N = (N0, N1, N2) of the planar two-link robot: L = N0 θ̇ + N1 q̇1 + N2 q̇2 about its centroid.
Vector3 planar_momentum_row(double q1, double q2) {
  // pairs of bodies: L = Σ I_i ω_i + Σ m_i m_j/M x_ij × ẋ_ij, x_01 = ½e0 + ½e1 and so on; the
  // coefficient of e_a × ė_b is the product of lengths, and e_a · e_b the cosine between them
  const double c01 = std::cos(q1), c12 = std::cos(q2), c02 = std::cos(q1 + q2);
  const auto pair = [&](double mass, double a0, double a1, double a2) {
    const double p0 = a0 * a0 + a0 * a1 * c01 + a0 * a2 * c02;
    const double p1 = a1 * a1 + a0 * a1 * c01 + a1 * a2 * c12;
    const double p2 = a2 * a2 + a0 * a2 * c02 + a1 * a2 * c12;
    return Vector3(mass * (p0 + p1 + p2), mass * (p1 + p2), mass * p2);
  };
  const double M = 120.0;
  return Vector3(22.0, 2.0, 1.0) + pair(1000.0 / M, 0.5, 0.5, 0.0) +
         pair(1000.0 / M, 0.5, 1.0, 0.5) + pair(100.0 / M, 0.0, 0.5, 0.5);
}

TEST(ReactionNullSpace, OfAPlanarArmIsTheClosedForm) {
  const Model model = planar_two_link();
  EXPECT_LE(relative_difference(planar_momentum_row(0.0, 0.0), Vector3(64.5, 32.0, 9.75)), 1e-15);
  const double right = 1.5707963267948966;
  EXPECT_LE(
      relative_difference(planar_momentum_row(right, right),
                          Vector3(34.9166666666666667, 12.8333333333333333, 1.20833333333333)),
      1e-13);
  for (const auto& [q1, q2] : {std::pair{0.0, 0.0}, {right, right}, {0.3, -1.2}, {-2.0, 0.8}}) {
    State state(model);
    state.q << q1, q2;
    const ReactionNullSpace null_space = reaction_null_space(model, state, Reaction::angular);
    ASSERT_EQ(null_space.dimension(), 1);
    const Vector3 N = planar_momentum_row(q1, q2);
    Eigen::Vector2d direction(N.z(), -N.y());
    direction.normalize();
    EXPECT_LE(relative_difference(null_space.projector, direction * direction.transpose()), 1e-15);
    // the row of H̄ about z is (N1, N2); the others vanish
    EXPECT_LE(relative_difference(null_space.coupling.matrix().row(2), N.tail<2>().transpose()),
              1e-15);
  }
}

TEST(ReactionNullSpace, OneJointThatTurnsTheBaseHasNoKernel) {
  const Model model = one_link();
  const ReactionNullSpace null_space = reaction_null_space(model, State(model), Reaction::angular);
  EXPECT_EQ(null_space.dimension(), 0);
  EXPECT_EQ(null_space.coupling.rank(), 1);
  EXPECT_EQ(null_space.projector, MatrixX::Zero(1, 1));
}

TEST(ReactionNullSpace, OfABaseAloneIsEmpty) {
  const Model model = single_body(1.0, Vector3::Ones());
  const ReactionNullSpace null_space = reaction_null_space(model, State(model), Reaction::full);
  EXPECT_EQ(null_space.dimension(), 0);
  EXPECT_EQ(null_space.projector.size(), 0);
}

/// A robot whose joint turns the base one way or the other: its coupling A + B cos q vanishes.
class ChangingRank : public ::testing::Test {
 protected:
  ChangingRank()
      : model_(ModelBuilder("swing")
                   .set_base(base_body(100.0, {20.0, 20.0, 20.0}))
                   .add_link(link_body("arm", "base", 10.0, {0.1, 0.1, 0.1}, {2.0, 0.0, 0.0},
                                       {0.5, 0.0, 0.0}))
                   .build()),
        state_(model_) {}

  ReactionNullSpace at(double offset, const ReactionNullSpaceOptions& options = {}) {
    const double mu = 1000.0 / 110.0;
    const double A = 0.1 + mu * 0.25, B = mu * 2.0 * 0.5;
    state_.q << std::acos(-A / B) + offset;
    return reaction_null_space(model_, state_, Reaction::angular, options);
  }

  Model model_;
  State state_;
};

TEST_F(ChangingRank, IsDecidedByTheToleranceThatIsReported) {
  EXPECT_EQ(at(0.0).dimension(), 1);
  EXPECT_EQ(at(0.0).projector, MatrixX::Identity(1, 1));
  EXPECT_EQ(at(1e-6).dimension(), 0);
  EXPECT_EQ(at(1e-6).projector, MatrixX::Zero(1, 1));
  ReactionNullSpaceOptions loose;
  loose.tolerance = 1e-3;
  EXPECT_EQ(at(1e-6, loose).dimension(), 1);
  const MatrixX H = inertia_matrix(model_, state_);
  EXPECT_NEAR(at(1e-6, loose).coupling.threshold(),
              1e-3 * std::sqrt(H.block<3, 3>(3, 3).trace() * H(6, 6)), 1e-14);
  EXPECT_LT(at(1e-6, loose).coupling.sigma()(0), at(1e-6, loose).coupling.threshold());
}

TEST_F(ChangingRank, DampingMakesTheProjectorContinuous) {
  ReactionNullSpaceOptions damped;
  damped.damping = 0.01;
  double previous = at(-0.01, damped).projector(0, 0);
  for (double offset = -0.01; offset <= 0.01; offset += 1e-5) {
    const double value = at(offset, damped).projector(0, 0);
    // λ²/(σ² + λ²) has slope below 0.65/λ in σ, and σ a slope of about 9 in q
    EXPECT_LE(std::abs(value - previous), 1e-5 * 9.0 * 0.65 / 0.01 * 1.01);
    previous = value;
  }
  EXPECT_NEAR(at(0.0, damped).projector(0, 0), 1.0, 1e-12);
  EXPECT_EQ(at(0.0, damped).dimension(), 1);
}

TEST(ReactionNullSpace, LengthScalesSingularValuesButNotTheKernel) {
  RandomModels random(7);
  const Model model = random.model(TreeShape{9, 4, 0.3, true});
  const State state = random.state(model);
  ReactionNullSpaceOptions longer;
  longer.length = 10.0;
  const ReactionNullSpace one = reaction_null_space(model, state, Reaction::full);
  const ReactionNullSpace ten = reaction_null_space(model, state, Reaction::full, longer);
  EXPECT_EQ(one.dimension(), 3);
  EXPECT_LE(relative_difference(one.projector, ten.projector), kTolerance);
  EXPECT_GT(ten.coupling.sigma()(0), 2.0 * one.coupling.sigma()(0));
}

TEST(ReactionNullSpace, RefusesOptionsWithoutMeaning) {
  const Model model = one_link();
  const State state(model);
  const auto with = [&](double tolerance, double damping, double length) {
    return [=, &model] {
      reaction_null_space(model, State(model), Reaction::full,
                          ReactionNullSpaceOptions{tolerance, damping, length});
    };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(
      with(-1.0, 0.0, 1.0),
      ThrowsMessage<DomainError>("tolerance is -1, expected a finite number that is not negative"));
  EXPECT_THAT(
      with(0.0, nan, 1.0),
      ThrowsMessage<DomainError>("damping is nan, expected a finite number that is not negative"));
  EXPECT_THAT(with(0.0, 0.0, 0.0),
              ThrowsMessage<DomainError>("length is 0, expected a finite positive number"));
}

}  // namespace
}  // namespace spacedyn::testing::reaction_null_space_test
