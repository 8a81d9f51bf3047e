// Centroid and centroidal momentum from matrices against sums over the bodies, and their
// derivatives against extrapolated differences.

#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::centroidal_test {
namespace {

constexpr double kTolerance = 1e-12;

TEST(Centroidal, MatricesGiveVelocityAndMomentumOfTheSystem) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const CentroidalQuantities now = centroidal_quantities(robot.model, robot.state);
    const VectorX u = robot.state.velocity();
    const Momentum sums = momentum(robot.model, robot.frames, robot.velocities);
    Vector6 expected;
    expected << sums.linear, sums.angular_centroid;
    require_near(now.J_g * u, center_of_mass_velocity(robot.model, robot.velocities), kTolerance,
                 "v_g");
    require_near(now.A_g * u, expected, kTolerance, "centroidal momentum");
  });
}

TEST(Centroidal, DerivativesAreTheDifferencesOfTheMatrices) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const CentroidalQuantities now = centroidal_quantities(robot.model, robot.state);
    const auto at = [&](double t) {
      return centroidal_quantities(robot.model, moved(robot.state, t));
    };
    require_derivative(
        now.J_g_dot, [&](double t) { return MatrixX(at(t).J_g); }, "J_g_dot");
    require_derivative(
        now.A_g_dot, [&](double t) { return MatrixX(at(t).A_g); }, "A_g_dot");
  });
}

TEST(Centroidal, MomentumRateIsTheResultantForce) {
  // the base wrench that inverse dynamics asks for, moved from the base to the system centroid,
  // is all that acts from outside
  for_random_robots(40, [](const RandomRobot& robot) {
    const CentroidalQuantities now = centroidal_quantities(robot.model, robot.state);
    const VectorX forces =
        inverse_dynamics(robot.model, robot.state, robot.acceleration, Loads(robot.model));
    const Vector3 arm = robot.state.r_0 - center_of_mass(robot.model, robot.frames);
    Vector6 wrench = forces.head<6>();
    wrench.tail<3>() += arm.cross(Vector3(wrench.head<3>()));
    require_near(now.A_g * robot.acceleration + now.A_g_dot * robot.state.velocity(), wrench,
                 kTolerance, "momentum rate");
  });
}

TEST(Centroidal, BaseStandsInForTheCentroidOfASystemWithoutMass) {
  ModelDescription description;
  description.name = "stand";
  description.base.name = "base";
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  const CentroidalQuantities now = centroidal_quantities(model, State(model));
  MatrixX expected = MatrixX::Zero(3, 6);
  expected.leftCols<3>().setIdentity();
  EXPECT_EQ(now.J_g, expected);
  EXPECT_EQ(now.J_g_dot, MatrixX::Zero(3, 6));
  EXPECT_EQ(now.A_g, MatrixX::Zero(6, 6));
}

TEST(Centroidal, RefusesAStateOfAnotherModel) {
  const Model model = planar_two_link();
  State state(model);
  state.q.resize(0);
  EXPECT_THAT(
      [&] { centroidal_quantities(model, state); },
      ::testing::ThrowsMessage<DimensionError>("q has 0 elements, expected 2, one per joint"));
}

}  // namespace
}  // namespace spacedyn::testing::centroidal_test
