// Corners of patches against closed forms and against the theorem of separating axes.
#include "collision/contact_corners.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/math/so3.hpp"

namespace spacedyn::testing::contact_corners_test {
namespace {

ShapePose box_at(const Vector3& size, const Vector3& position,
                 const Vector3& turn = Vector3::Zero()) {
  ShapePose pose;
  pose.type = CollisionType::box;
  pose.size = size;
  pose.position = position;
  pose.rotation = exp_so3(turn);
  return pose;
}

double deepest(const ContactCorners& corners) {
  double depth = -1.0;
  for (int i = 0; i < corners.count; ++i) {
    depth = std::max(depth, corners.points[static_cast<std::size_t>(i)].depth);
  }
  return depth;
}

TEST(ContactCorners, OfTwoFacesAreThoseOfTheirOverlap) {
  const ShapePose below = box_at({0.4, 0.4, 0.2}, Vector3::Zero());
  const ShapePose above = box_at({0.2, 0.1, 0.1}, {0.15, 0, 0.149});
  const ContactCorners corners = contact_corners(above, below, 0.01);
  ASSERT_EQ(corners.count, 4);
  double area = 0.0;
  Vector3 middle = Vector3::Zero();
  for (int i = 0; i < 4; ++i) {
    const ContactPoint& point = corners.points[static_cast<std::size_t>(i)];
    EXPECT_NEAR(point.depth, 0.001, 1e-15);
    EXPECT_NEAR((point.normal - Vector3::UnitZ()).norm(), 0.0, 1e-15);
    EXPECT_NEAR(point.point.z(), 0.0995, 1e-15);  // halfway
    const Vector3& next = corners.points[static_cast<std::size_t>((i + 1) % 4)].point;
    area += 0.5 * (point.point.x() * next.y() - point.point.y() * next.x());
    middle += 0.25 * point.point;
  }
  EXPECT_NEAR(std::abs(area), 0.15 * 0.1, 1e-15);  // from 0.05 to the edge at 0.2
  EXPECT_NEAR(middle.x(), 0.125, 1e-15);
}

TEST(ContactCorners, OfASquareOnASquareTurnedByAnEighthAreEight) {
  const ShapePose below = box_at({0.2, 0.2, 0.2}, Vector3::Zero());
  const ShapePose above = box_at({0.2, 0.2, 0.2}, {0, 0, 0.2}, {0, 0, 0.25 * 3.14159265358979});
  const ContactCorners corners = contact_corners(above, below, 0.01);
  ASSERT_EQ(corners.count, 8);
  for (int i = 0; i < 8; ++i) {
    const Vector3& place = corners.points[static_cast<std::size_t>(i)].point;
    EXPECT_NEAR(place.norm(), Vector3(0.1, 0.1 * (std::sqrt(2.0) - 1.0), 0.1).norm(), 1e-12);
  }
}

TEST(ContactCorners, OfEdgesThatCrossIsWhereTheyDo) {
  const double diagonal = 0.1 * std::sqrt(2.0);
  const ShapePose below = box_at({1, 0.2, 0.2}, Vector3::Zero(), {0.785398163397448, 0, 0});
  const ShapePose above =
      box_at({0.2, 1, 0.2}, {0.1, 0.2, 2.0 * diagonal - 0.003}, {0, 0.785398163397448, 0});
  const ContactCorners corners = contact_corners(above, below, 0.01);
  ASSERT_EQ(corners.count, 1);
  EXPECT_NEAR(corners.points[0].depth, 0.003, 1e-12);
  EXPECT_NEAR((corners.points[0].point - Vector3(0.1, 0, diagonal - 0.0015)).norm(), 0.0, 1e-12);
}

TEST(ContactCorners, OfRandomBoxesAreAsDeepAsTheLeastMotionThatParts) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto vector = [&](double size) {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vector3(size * x, size * y, size * z);
  };
  int touching = 0, exact = 0;
  for (int i = 0; i < 2000; ++i) {
    const ShapePose a = box_at({0.3, 0.2, 0.1}, Vector3::Zero(), vector(2.0));
    const ShapePose b = box_at({0.2, 0.2, 0.2}, vector(0.3), vector(2.0));
    const double least = contact_point(a, b).depth;
    const ContactCorners corners = contact_corners(a, b, 1e-4);
    if (least < -1e-4) {
      EXPECT_EQ(corners.count, 0) << i;
      continue;
    }
    ++touching;
    ASSERT_GT(corners.count, 0) << i;
    // faces that serve in place of edges are nearly parallel to the patch: 0.1 rad
    EXPECT_GE(deepest(corners), least - 1e-9) << i;
    EXPECT_LE(deepest(corners), least + 0.02) << i;
    exact += std::abs(deepest(corners) - least) < 1e-9 ? 1 : 0;
  }
  EXPECT_GT(touching, 500);
  EXPECT_GT(exact, touching * 4 / 5);
}

TEST(ContactCorners, OfOtherShapesAreNoShallowerThanTheirPatch) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  ShapePose cylinder;
  cylinder.type = CollisionType::cylinder;
  cylinder.size = {0.1, 0.3, 0};
  int touching = 0;
  for (int i = 0; i < 500; ++i) {
    const double x = unit(random), y = unit(random), z = unit(random);
    cylinder.rotation = exp_so3(Vector3(2.0 * x, 2.0 * y, 2.0 * z));
    cylinder.position = {0.2 * y, 0.2 * z, 0.15 + 0.1 * x};
    const ShapePose box = box_at({0.4, 0.3, 0.1}, Vector3::Zero());
    const double least = contact_point(cylinder, box).depth;
    const ContactCorners corners = contact_corners(cylinder, box, 1e-4);
    if (least <= 0.0) continue;
    ++touching;
    ASSERT_GT(corners.count, 0) << i;
    EXPECT_NEAR(deepest(corners), least, 1e-6) << i;
  }
  EXPECT_GT(touching, 100);
}

}  // namespace
}  // namespace spacedyn::testing::contact_corners_test
