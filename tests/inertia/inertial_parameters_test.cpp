// Inertial parameters against the description, physical consistency against bodies of point masses
// and inequalities of moments, projections against their optimality.
#include "spacedyn/inertia/inertial_parameters.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "spacedyn/error.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/dice.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::inertial_parameters_test {
namespace {

struct PointMass {
  double mass;
  Vector3 x;
};

/// Sums over points, no tensor algebra.
InertialParameters of_points(const std::vector<PointMass>& points) {
  InertialParameters sum = InertialParameters::Zero();
  for (const auto& [m, x] : points) {
    InertialParameters one;
    one << m, m * x, m * (x.y() * x.y() + x.z() * x.z()), -m * x.x() * x.y(), -m * x.x() * x.z(),
        m * (x.x() * x.x() + x.z() * x.z()), -m * x.y() * x.z(),
        m * (x.x() * x.x() + x.y() * x.y());
    sum += one;
  }
  return sum;
}

std::vector<PointMass> random_points(Dice& dice, int count) {
  std::vector<PointMass> points;
  for (int i = 0; i < count; ++i) points.push_back({dice.number(0.1, 3.0), dice.vector(0.8)});
  return points;
}

Eigen::Vector4d homogeneous(const Vector3& x) { return {x.x(), x.y(), x.z(), 1.0}; }

Eigen::Vector4d eigenvalues(const Eigen::Matrix4d& P) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(P).eigenvalues();
}

TEST(InertialParameters, AreThoseOfTheFileInItsAxes) {
  RandomModels random(3);
  const ModelDescription robot = random.description(TreeShape{6, 3, 0.3, true});
  const VectorX parameters = inertial_parameters(ModelBuilder(robot).build());
  ASSERT_EQ(parameters.size(), 70);
  for (std::size_t link = 0; link < 6; ++link) {
    const BodyDescription& body = robot.links[link];
    const Vector3& c = body.center_of_mass;
    const Matrix3 about_origin =
        body.inertia + body.mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
    InertialParameters expected;
    expected << body.mass, body.mass * c, about_origin.row(0).transpose(), about_origin(1, 1),
        about_origin(1, 2), about_origin(2, 2);
    const auto first = static_cast<Eigen::Index>(kInertialParameters * (link + 1));
    EXPECT_LE(relative_difference(parameters.segment<kInertialParameters>(first), expected), 1e-14);
  }
}

TEST(InertialParameters, HaveNames) {
  RandomModels random(3);
  const auto names = inertial_parameter_names(random.model(TreeShape{1, 1, 0.0, true}));
  const std::vector<std::string> expected = {
      "base.mass",   "base.mx",   "base.my",   "base.mz",   "base.xx",  //
      "base.xy",     "base.xz",   "base.yy",   "base.yz",   "base.zz",  //
      "link_1.mass", "link_1.mx", "link_1.my", "link_1.mz", "link_1.xx",
      "link_1.xy",   "link_1.xz", "link_1.yy", "link_1.yz", "link_1.zz"};
  EXPECT_EQ(names, expected);
}

TEST(PseudoInertia, IsTheSecondMomentOfTheMass) {
  Dice dice(4);
  const auto points = random_points(dice, 7);
  Eigen::Matrix4d expected = Eigen::Matrix4d::Zero();
  for (const auto& [m, x] : points) expected += m * homogeneous(x) * homogeneous(x).transpose();
  const InertialParameters parameters = of_points(points);
  EXPECT_LE(relative_difference(pseudo_inertia(parameters), expected), 1e-14);
  EXPECT_LE(relative_difference(inertial_parameters_of(expected), parameters), 1e-14);
}

TEST(PhysicalConsistency, HoldsForMassThatFillsAVolume) {
  Dice dice(5);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(is_physically_consistent(of_points(random_points(dice, 4 + i % 5)))) << i;
    EXPECT_FALSE(is_physically_consistent(of_points(random_points(dice, 3)))) << "flat " << i;
  }
  // a micrometre of a satellite and a kilometre of a station, far from the origin of the frame
  EXPECT_TRUE(is_physically_consistent(of_points({{1e-9, {1e-6, 0.0, 0.0}},
                                                  {1e-9, {0.0, 1e-6, 0.0}},
                                                  {1e-9, {0.0, 0.0, 1e-6}},
                                                  {1e-9, {0.0, 0.0, 0.0}}})));
  EXPECT_TRUE(is_physically_consistent(of_points({{1e6, {1000.0, 0.0, 0.0}},
                                                  {1e6, {1001.0, 1.0, 0.0}},
                                                  {1e6, {1000.0, 1.0, 1.0}},
                                                  {1e6, {1001.0, 0.0, 1.0}}})));
}

TEST(PhysicalConsistency, FailsWithTheTriangleInequalityAndWithoutMass) {
  InertialParameters box;
  box << 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.2, 0.0, 2.1;
  EXPECT_TRUE(is_physically_consistent(box));
  InertialParameters impossible = box;
  impossible(9) = 2.3;  // more than 1 + 1.2 although the tensor is positive definite
  EXPECT_FALSE(is_physically_consistent(impossible));
  InertialParameters shifted = box;
  shifted(1) = 3.0;  // a centroid at 1.5 m needs a moment of 4.5 about the others
  EXPECT_FALSE(is_physically_consistent(shifted));
  EXPECT_FALSE(is_physically_consistent(-box));
  EXPECT_FALSE(is_physically_consistent(InertialParameters::Zero()));
  EXPECT_FALSE(is_physically_consistent(InertialParameters::Constant(NAN)));
}

TEST(NearestConsistentParameters, AreTheirOwnWhereTheyAreConsistent) {
  Dice dice(6);
  for (int i = 0; i < 20; ++i) {
    const InertialParameters parameters = of_points(random_points(dice, 6));
    EXPECT_LE(relative_difference(nearest_consistent_parameters(parameters, 0.7), parameters),
              1e-13);
  }
}

TEST(NearestConsistentParameters, AreNearerThanAllOthers) {
  constexpr double kLength = 0.4, kMargin = 1e-3;
  const Eigen::Vector4d scale(1.0 / kLength, 1.0 / kLength, 1.0 / kLength, 1.0);
  const auto scaled = [&](const InertialParameters& parameters) -> Eigen::Matrix4d {
    return scale.asDiagonal() * pseudo_inertia(parameters) * scale.asDiagonal();
  };
  Dice dice(7);
  for (int i = 0; i < 20; ++i) {
    InertialParameters given = of_points(random_points(dice, 5));
    given(9) += given(4) + given(7);  // zz is more than the two others together
    ASSERT_FALSE(is_physically_consistent(given));
    const InertialParameters nearest = nearest_consistent_parameters(given, kLength, kMargin);
    EXPECT_TRUE(is_physically_consistent(nearest));
    const Eigen::Vector4d sizes = eigenvalues(scaled(nearest));
    EXPECT_NEAR(sizes(0), kMargin * sizes(3), 1e-12 * sizes(3));
    // a projection on a convex set: ⟨given − nearest, other − nearest⟩ ≤ 0 for all others in it
    const Eigen::Matrix4d normal = scaled(given) - scaled(nearest);
    for (int k = 0; k < 50; ++k) {
      Eigen::Matrix4d other = Eigen::Matrix4d::Identity() * kMargin * sizes(3);
      for (int rank = 0; rank < 1 + k % 4; ++rank) {
        const Eigen::Vector4d direction = dice.number(-1.0, 1.0) * homogeneous(dice.vector(2.0));
        other += direction * direction.transpose();
      }
      const double product = normal.cwiseProduct(other - scaled(nearest)).sum();
      EXPECT_LE(product, 1e-10 * normal.norm() * (1.0 + other.norm()));
    }
  }
}

TEST(NearestConsistentParameters, RefuseWhatHasNoMeaning) {
  InertialParameters box;
  box << 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.2, 0.0, 2.1;
  EXPECT_EQ(message_of<DomainError>([&] { nearest_consistent_parameters(box, 0.0); }),
            "length is 0, expected a finite positive number");
  EXPECT_THROW(nearest_consistent_parameters(box, 1.0, -0.1), DomainError);
  EXPECT_EQ(message_of<DomainError>([&] { nearest_consistent_parameters(box, 1.0, 1.5); }),
            "margin is 1.5, expected a number below 1");
  EXPECT_THROW(nearest_consistent_parameters(InertialParameters::Constant(NAN), 1.0), DomainError);
  EXPECT_EQ(message_of<DomainError>(
                [&] { nearest_consistent_parameters(InertialParameters::Zero(), 1.0); }),
            "parameters have a pseudo-inertia without a positive eigenvalue; expected those of a "
            "body, if "
            "inexact ones");
}

}  // namespace
}  // namespace spacedyn::testing::inertial_parameters_test
