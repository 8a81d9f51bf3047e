// Planes, slopes and height fields: heights, normals, nearest points and their derivatives.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::terrain_test {
namespace {

double hills(double x, double y) { return 0.1 * std::sin(1.3 * x) * std::cos(0.9 * y) + 0.05 * x; }

HeightField hill_field(double spacing) {
  const auto nodes = static_cast<Eigen::Index>(std::lround(4.0 / spacing)) + 1;
  MatrixX heights(nodes, nodes);
  for (Eigen::Index i = 0; i < nodes; ++i) {
    for (Eigen::Index j = 0; j < nodes; ++j) {
      heights(i, j) =
          hills(-2.0 + spacing * static_cast<double>(j), -2.0 + spacing * static_cast<double>(i));
    }
  }
  return {heights, spacing, {-2.0, -2.0, 0.0}};
}

TEST(Terrain, PlaneHasItsHeightAndNormal) {
  const PlaneTerrain plane({0.0, 0.0, 2.0}, 0.3);
  EXPECT_EQ(plane.height(5.0, -7.0), 0.3);
  EXPECT_EQ(plane.normal(1.0, 2.0), Vector3::UnitZ());
  EXPECT_DOUBLE_EQ(plane.nearest({1.0, 2.0, 1.0}).distance, 0.7);
}

TEST(Terrain, SlopeRisesTowardsItsAzimuth) {
  const PlaneTerrain slope = PlaneTerrain::slope(20.0 * kDegree, 30.0 * kDegree);
  const double c = std::cos(30.0 * kDegree), s = std::sin(30.0 * kDegree);
  EXPECT_NEAR(slope.height(c, s), std::tan(20.0 * kDegree), 1e-15);
  EXPECT_NEAR(slope.height(-s, c), 0.0, 1e-15);  // level across
  EXPECT_NEAR(slope.normal(0.0, 0.0).z(), std::cos(20.0 * kDegree), 1e-15);
}

TEST(Terrain, HeightFieldPassesThroughItsHeights) {
  const HeightField field = hill_field(0.25);
  for (double x = -2.0; x <= 2.0; x += 0.25) {
    for (double y = -2.0; y <= 2.0; y += 0.25) {
      EXPECT_NEAR(field.height(x, y), hills(x, y), 1e-14);
    }
  }
}

TEST(Terrain, HeightFieldConvergesWithTheFourthPowerInside) {
  double last = 0.0;
  for (const double spacing : {0.2, 0.1, 0.05}) {
    const HeightField field = hill_field(spacing);
    double worst = 0.0;
    for (double x = -0.97; x < 1.0; x += 0.0531) {
      for (double y = -0.98; y < 1.0; y += 0.0517) {
        worst = std::max(worst, std::abs(field.height(x, y) - hills(x, y)));
      }
    }
    if (last > 0.0) {
      EXPECT_GT(last / worst, 13.0);
    }
    last = worst;
  }
}

TEST(Terrain, HeightFieldIsTwiceSmoothAcrossCellsAndEdges) {
  const HeightField field = hill_field(0.25);
  constexpr double kStep = 1e-9;
  for (const double x : {-2.0, -1.0, 0.25, 2.0}) {  // nodes and edges
    for (const double y : {-2.0, -0.6, 0.5, 2.0, 2.4}) {
      const auto left = field.jet(x - kStep, y), right = field.jet(x + kStep, y);
      EXPECT_NEAR(left.z, right.z, 1e-8);
      EXPECT_NEAR(left.x, right.x, 1e-7);
      EXPECT_NEAR(left.xx, right.xx, 1e-6);
      EXPECT_NEAR(left.xy, right.xy, 1e-6);
      EXPECT_NEAR(left.yy, right.yy, 1e-6);
    }
  }
}

TEST(Terrain, HeightFieldReproducesAPlane) {
  MatrixX heights(3, 4);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) heights(i, j) = 0.2 * (0.5 * j) - 0.1 * (0.5 * i);
  }
  const HeightField field(heights, 0.5, {1.0, 2.0, 0.3});
  const Vector3 normal = Vector3(-0.2, 0.1, 1.0).normalized();
  for (const Vector3& p : {Vector3(1.3, 2.2, 0.9), Vector3(-4.0, 9.0, -1.0)}) {
    EXPECT_NEAR(field.height(p.x(), p.y()), 0.3 + 0.2 * (p.x() - 1.0) - 0.1 * (p.y() - 2.0), 1e-13);
    const SurfacePoint nearest = field.nearest(p);
    EXPECT_NEAR((nearest.normal - normal).norm(), 0.0, 1e-13);
    EXPECT_NEAR(nearest.distance, normal.dot(p - Vector3(1.0, 2.0, 0.3)), 1e-12);
  }
}

TEST(Terrain, NearestPointIsTheFootOfTheNormal) {
  const HeightField field = hill_field(0.2);
  for (double x = -1.5; x < 1.6; x += 0.37) {
    for (double y = -1.4; y < 1.6; y += 0.41) {
      const Vector3 p(x, y, hills(x, y) + 0.2);
      const SurfacePoint foot = field.nearest(p);
      EXPECT_NEAR((foot.point + foot.distance * foot.normal - p).norm(), 0.0, 1e-13);
      EXPECT_NEAR(foot.point.z(), field.height(foot.point.x(), foot.point.y()), 1e-14);
      constexpr double kStep = 1e-6;
      for (int i = 0; i < 3; ++i) {
        const Vector3 d = kStep * Vector3::Unit(i);
        const SurfacePoint high = field.nearest(p + d), low = field.nearest(p - d);
        // differences of a spline whose third derivative jumps
        EXPECT_NEAR(
            ((high.normal - low.normal) / (2.0 * kStep) - foot.normal_gradient.col(i)).norm(), 0.0,
            1e-6);
        EXPECT_NEAR((high.distance - low.distance) / (2.0 * kStep), foot.normal(i), 1e-8);
      }
    }
  }
}

TEST(Terrain, CurvatureChangesByThirdDerivativesOfTheSurface) {
  const HeightField field = hill_field(0.2);
  for (double x = -1.5; x < 1.6; x += 0.37) {
    for (double y = -1.4; y < 1.6; y += 0.41) {
      const SurfacePoint foot = field.nearest({x, y, hills(x, y) + 0.2});
      for (const Vector3& direction : {Vector3(1, 0, 0), Vector3(0.2, -0.5, 0.7)}) {
        const Matrix3 exact = field.normal_gradient_change(foot, direction);
        // differences over ±0.1 mm inside of cells of 0.2 m
        const Matrix3 difference = field.Terrain::normal_gradient_change(foot, direction);
        EXPECT_LE((exact - difference).norm(), 1e-6);
        EXPECT_LE((exact - exact.transpose()).norm(), 1e-14);
      }
    }
  }
  const SurfacePoint beyond = field.nearest({5.0, 0.3, 1.0});  // where it goes on straight
  const Vector3 aside(0.3, 1.0, 0.2);
  EXPECT_LE((field.normal_gradient_change(beyond, aside) -
             field.Terrain::normal_gradient_change(beyond, aside))
                .norm(),
            1e-6);
}

/// Level, then an arc that rises with a radius of 0.3 m to 60°, then straight on.
double fillet(double x) {
  constexpr double kRadius = 0.3;
  const double end = kRadius * std::sin(kPi / 3.0);
  if (x <= 0.0) return 0.0;
  if (x <= end) return kRadius - std::sqrt(kRadius * kRadius - x * x);
  return 0.5 * kRadius + (x - end) * std::tan(kPi / 3.0);
}

TEST(Terrain, NearestPointInAHollowIsTheNearestOfAll) {
  constexpr double kSpacing = 0.02;
  MatrixX heights(2, 51);
  for (Eigen::Index j = 0; j < heights.cols(); ++j) {
    heights.col(j).setConstant(fillet(-0.4 + kSpacing * static_cast<double>(j)));
  }
  const HeightField field(heights, kSpacing, {-0.4, 0.0, 0.0});
  // the centre of a wheel little smaller than the hollow: the surface above or below it is far
  for (double x = -0.3; x < 0.5; x += 0.01) {
    const Vector3 p = Vector3(x, 0.01, field.height(x, 0.01)) + 0.25 * field.normal(x, 0.01);
    double least = 1.0;
    for (double s = p.x() - 0.4; s < p.x() + 0.4; s += 1e-3) {
      least = std::min(least, std::hypot(s - p.x(), field.height(s, 0.01) - p.z()));
    }
    // half a step beside the nearest point a curve is farther by (0.5 mm)²/2 (1/0.25 + curvature)
    EXPECT_NEAR(field.nearest(p).distance, least, 1e-5) << "x = " << x;
  }
}

TEST(Terrain, MisuseIsRefused) {
  EXPECT_EQ(message_of<DomainError>([] {
              PlaneTerrain({1.0, 0.0, 0.0}, 0.0);
            }),
            "the normal of a plane must be finite and point upwards (z > 0)");
  EXPECT_EQ(message_of<DomainError>([] { PlaneTerrain::slope(90.0 * kDegree, 0.0); }),
            "the angle of a slope must be between -90° and 90°");
  EXPECT_EQ(message_of<DimensionError>([] {
              HeightField(MatrixX::Zero(1, 4), 1.0, {0, 0, 0});
            }),
            "a height field needs at least 2 rows and 2 columns, got 1 and 4");
  EXPECT_EQ(message_of<DomainError>([] {
              HeightField(MatrixX::Zero(2, 2), 0.0, {0, 0, 0});
            }),
            "the spacing of a height field must be positive, its origin finite");
  MatrixX hole = MatrixX::Zero(3, 3);
  hole(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of<DomainError>([&] {
              HeightField(hole, 1.0, {0, 0, 0});
            }),
            "a height field must not have holes");
  MatrixX wall = MatrixX::Zero(3, 3);
  wall(1, 1) = 1e300;
  EXPECT_EQ(message_of<DomainError>([&] {
              HeightField(wall, 1.0, {0, 0, 0});
            }),
            "heights of a height field must not change by more than a million times their spacing "
            "from one to the next");
}

// A trial step may lead anywhere. With an odd number of columns a place that is no number was read
// from memory far away.
TEST(Terrain, TellsNothingOfPlacesThatAreNoNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const HeightField field(MatrixX::Constant(3, 5, 0.25), 1.0, {0, 0, 0});
  for (const Vector3& point : {Vector3(nan, 1, 0), Vector3(1, nan, 0), Vector3(nan, nan, nan)}) {
    EXPECT_TRUE(std::isnan(field.height(point.x(), point.y())));
    EXPECT_FALSE(field.nearest(point).point.allFinite());
  }
}

}  // namespace
}  // namespace spacedyn::testing::terrain_test
