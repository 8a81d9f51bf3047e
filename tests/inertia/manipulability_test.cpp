// Manipulability against determinants, and at kinematic and dynamic singularities.
#include "spacedyn/inertia/manipulability.hpp"

#include "spacedyn/error.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::manipulability_test {
namespace {

using ::testing::ThrowsMessage;

TEST(Manipulability, MeasureIsTheRootOfTheDeterminant) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const ManipulabilityOptions options{0.5, 1e-12};
    Matrix6X J = generalized_jacobian(robot.model, robot.state, robot.point);
    const Manipulability actual =
        free_floating_manipulability(robot.model, robot.state, robot.point, options);
    J.topRows<3>() /= 0.5;
    const double determinant = (J * J.transpose()).determinant();
    const double scale = std::pow(std::max(1.0, actual.sigma_max), 12);
    require_true(std::abs(actual.measure * actual.measure - determinant) <= 1e-14 * scale,
                 "measure");
    const int most = std::min(6, robot.model.joint_count());
    require_true(0.0 <= actual.sigma_min && actual.sigma_min <= actual.sigma_max, "order");
    require_true(actual.rank <= most && actual.is_singular == (actual.rank < most), "rank");
  });
}

Frame planar_hand(const Model& model) { return material_point(model, 2, Vector3::UnitX()); }

MatrixX planar_rows(const Matrix6X& J) { return J.topRows<2>(); }

TEST(Manipulability, OfAPlanarArmIsTheSineOfItsElbow) {
  const Model model = planar_two_link();
  for (const double elbow : {-1.0, 0.2, 1.5}) {
    State state(model);
    state.q << 0.7, elbow;
    const MatrixX J = planar_rows(frame_jacobians(model, state, planar_hand(model)).J_m);
    EXPECT_NEAR(manipulability(J).measure, std::abs(std::sin(elbow)), 1e-15);
    EXPECT_FALSE(manipulability(J).is_singular);
  }
}

TEST(Manipulability, ReportsAStretchedArm) {
  const Model model = planar_two_link();
  const MatrixX J = planar_rows(frame_jacobians(model, State(model), planar_hand(model)).J_m);
  const Manipulability stretched = manipulability(J);
  EXPECT_TRUE(stretched.is_singular);
  EXPECT_EQ(stretched.rank, 1);
  EXPECT_NEAR(stretched.sigma_max, std::sqrt(5.0), 1e-15);
  EXPECT_LE(stretched.sigma_min, stretched.threshold);
  EXPECT_DOUBLE_EQ(stretched.threshold, 1e-12 * stretched.sigma_max);
}

TEST(Manipulability, FindsADynamicSingularityWhereTheFixedArmIsRegular) {
  // a base light enough to give way: det J* changes its sign away from q2 = 0 and π
  const Model model = ModelBuilder("light")
                          .set_base(base_body(40.0, {6.7, 6.7, 6.7}))
                          .add_link(link_body("upper", "base", 4.0, {0.3, 0.3, 0.3},
                                              {0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}))
                          .add_link(link_body("lower", "upper", 3.0, {0.25, 0.25, 0.25},
                                              {1.0, 0.0, 0.0}, {0.5, 0.0, 0.0}))
                          .build();
  State state(model);
  const auto J_star = [&](double shoulder) {
    state.q << shoulder, 0.1;
    return planar_rows(generalized_jacobian(model, state, planar_hand(model)));
  };
  double lower = -3.1, upper = lower;
  const double sign = J_star(lower).determinant();
  while (upper < 3.1 && J_star(upper).determinant() * sign > 0.0) upper += 0.1;
  ASSERT_LT(upper, 3.1);
  for (lower = upper - 0.1; upper - lower > 1e-15 * std::abs(upper);) {
    const double middle = 0.5 * (lower + upper);
    if (middle == lower || middle == upper) break;
    (J_star(middle).determinant() * sign > 0.0 ? lower : upper) = middle;
  }
  const Manipulability floating = manipulability(J_star(lower), {1.0, 1e-10});
  EXPECT_TRUE(floating.is_singular);
  EXPECT_LE(floating.sigma_min, 1e-14);
  const MatrixX J_m = planar_rows(frame_jacobians(model, state, planar_hand(model)).J_m);
  EXPECT_FALSE(manipulability(J_m).is_singular);
  EXPECT_NEAR(manipulability(J_m).measure, std::sin(0.1), 1e-15);
}

TEST(Manipulability, OfAFixedBaseIsTheSameEitherWay) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  const State state(model);
  const Frame arm = model.frame("arm.com");
  const Manipulability fixed = fixed_base_manipulability(model, state, arm);
  const Manipulability floating = free_floating_manipulability(model, state, arm);
  EXPECT_EQ(fixed.sigma_max, floating.sigma_max);
  // one joint: its only singular value is √(0.75² + 1), and six rows cannot be filled
  EXPECT_DOUBLE_EQ(fixed.sigma_min, 1.25);
  EXPECT_EQ(fixed.measure, 0.0);
  EXPECT_EQ(fixed.rank, 1);
}

TEST(Manipulability, OfABaseAloneIsZero) {
  const Model model = single_body(1.0, Vector3::Ones());
  const Manipulability none =
      free_floating_manipulability(model, State(model), model.frame("base"));
  EXPECT_EQ(none.measure, 0.0);
  EXPECT_EQ(none.rank, 0);
  EXPECT_FALSE(none.is_singular);
}

TEST(Manipulability, RefusesWhatHasNoMeasure) {
  EXPECT_THAT([] { manipulability(MatrixX(0, 3)); },
              ThrowsMessage<DomainError>("the Jacobian has no rows, expected at least one"));
  EXPECT_THAT(
      [] { manipulability(MatrixX::Constant(2, 2, std::numeric_limits<double>::infinity())); },
      ThrowsMessage<DomainError>("the Jacobian is not finite"));
  EXPECT_THAT(
      [] {
        manipulability(MatrixX::Identity(3, 3), {-2.0, 0.0});
      },
      ThrowsMessage<DomainError>("length is -2, expected a finite positive number"));
  EXPECT_THAT(
      [] {
        manipulability(MatrixX::Identity(3, 3), {1.0, -1e-3});
      },
      ThrowsMessage<DomainError>(
          "tolerance is -0.001, expected a finite number that is not negative"));
}

}  // namespace
}  // namespace spacedyn::testing::manipulability_test
