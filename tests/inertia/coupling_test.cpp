// Coupling measures against determinants and eigenvalues, and a planar closed form.
#include "spacedyn/inertia/generalized_jacobian.hpp"

#include <Eigen/Eigenvalues>

#include "spacedyn/error.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::coupling_test {
namespace {

/// Squares of the singular values, descending, by another route.
Vector3 gram_eigenvalues(const MatrixX& rows) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(rows * rows.transpose()).eigenvalues().reverse();
}

TEST(Coupling, MeasuresAreThoseOfTheGramMatrices) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const CouplingMeasures measures = coupling_measures(robot.model, robot.state);
    const Matrix6X D = base_response(robot.model, robot.state).D;
    // eigenvalues carry eps of the largest, so squares are compared
    require_near(measures.linear.cwiseAbs2(), gram_eigenvalues(D.topRows<3>()), 1e-12, "linear");
    require_near(measures.angular.cwiseAbs2(), gram_eigenvalues(D.bottomRows<3>()), 1e-12,
                 "angular");
    require_true(measures.volume.has_value() == (robot.model.joint_count() >= 6), "has a volume");
    if (!measures.volume) return;
    const double determinant = (D * D.transpose()).determinant();
    const double scale = std::pow(std::max(1.0, D.squaredNorm() / 6.0), 6);
    require_true(std::abs(*measures.volume * *measures.volume - determinant) <= 1e-12 * scale,
                 "volume");
  });
}

TEST(Coupling, OfAPlanarLinkIsTheClosedForm) {
  // at q = 0: dθ/dq = −(A + B)/(D + 2B), and the base moves along y by −(m1/M)(aθ' + b(θ' + 1))
  const double mu = 1000.0 / 110.0;
  const double A = 2.0 + mu * 0.5625, B = mu * 0.375, D = 22.0 + mu * 0.8125;
  const double turn = -(A + B) / (D + 2.0 * B);
  const Model model = one_link();
  const CouplingMeasures measures = coupling_measures(model, State(model));
  EXPECT_NEAR(measures.angular(0), -turn, 1e-15);
  EXPECT_NEAR(measures.linear(0), (0.5 * turn + 0.75 * (turn + 1.0)) / 11.0, 1e-15);
  EXPECT_EQ(measures.linear.tail<2>(), Eigen::Vector2d::Zero());
  EXPECT_EQ(measures.angular.tail<2>(), Eigen::Vector2d::Zero());
  EXPECT_EQ(measures.volume, std::nullopt);
}

TEST(Coupling, OfAFixedBaseAndOfABaseAloneIsZero) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  for (const Model& model :
       {ModelBuilder(description).build(), single_body(1.0, Vector3::Ones())}) {
    const CouplingMeasures measures = coupling_measures(model, State(model));
    EXPECT_EQ(measures.linear, Vector3::Zero());
    EXPECT_EQ(measures.angular, Vector3::Zero());
  }
}

TEST(Coupling, RefusesABaseWithoutInertia) {
  const Model model = single_body(1.0, Vector3::Zero());
  EXPECT_THAT([&] { coupling_measures(model, State(model)); },
              ::testing::ThrowsMessage<NumericalError>(
                  "the base inertia H_b is singular: the bodies have no mass, or all of it lies on "
                  "one line"));
}

}  // namespace
}  // namespace spacedyn::testing::coupling_test
