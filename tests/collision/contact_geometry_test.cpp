// Points of contact: closed forms, brute force over points of the surfaces, continuity, rates.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/math/so3.hpp"

#include "support/dice.hpp"

namespace spacedyn::testing::contact_geometry_test {
namespace {

class ShapeDice : public Dice {
 public:
  using Dice::Dice;
  ShapePose pose(CollisionType type) {
    return {type,
            {number(0.1, 0.5), number(0.1, 0.5), number(0.1, 0.5)},
            vector(1.0),
            exp_so3(vector(3.0))};
  }
};

double deepest(const ShapePose& shape, const Terrain& ground) {
  double depth = -1e9;
  for (int k = 0; k < contact_point_count(shape); ++k) {
    depth = std::max(depth, contact_point(shape, ground, k).depth);
  }
  return depth;
}

/// How far a shape reaches along a direction from its centre.
double support(const ShapePose& shape, const Vector3& direction) {
  const Vector3 d = shape.rotation.transpose() * direction, &size = shape.size;
  switch (shape.type) {
    case CollisionType::sphere:
      return size.x();
    case CollisionType::box:
      return 0.5 * size.dot(d.cwiseAbs());
    case CollisionType::capsule:
      return size.x() + 0.5 * size.y() * std::abs(d.z());
    case CollisionType::cylinder:
      return size.x() * std::hypot(d.x(), d.y()) + 0.5 * size.y() * std::abs(d.z());
    case CollisionType::ellipsoid:
      return size.cwiseProduct(d).norm();
    case CollisionType::mesh:
      break;
  }
  return 0.0;
}

TEST(ContactGeometry, DepthInAPlaneIsThatOfTheSupport) {
  ShapeDice dice(1);
  for (int i = 0; i < 2000; ++i) {
    const auto type = all_collision_types()[static_cast<std::size_t>(i) % 4];
    const ShapePose shape = dice.pose(type);
    Vector3 normal = dice.vector(1.0);
    normal.z() = std::abs(normal.z()) + 0.1;
    const PlaneTerrain ground(normal, dice.number(-1.0, 1.0));
    const double exact =
        support(shape, ground.normal(0, 0)) - ground.nearest(shape.position).distance;
    EXPECT_NEAR(deepest(shape, ground), exact, 1e-14) << to_string(type);
    for (int k = 0; k < contact_point_count(shape); ++k) {
      const ContactPoint point = contact_point(shape, ground, k);
      EXPECT_EQ(point.normal, ground.normal(0, 0));
      EXPECT_NEAR(point.depth, -ground.nearest(point.point).distance, 1e-14);
    }
  }
}

TEST(ContactGeometry, AFlatBoxAndAnUprightCylinderStandOnFourPoints) {
  const PlaneTerrain ground(Vector3::UnitZ(), 0.0);
  for (const CollisionType type : {CollisionType::box, CollisionType::cylinder}) {
    ShapePose shape{type, {0.2, 0.4, 0.6}, {0, 0, 0}, Matrix3::Identity()};
    shape.position.z() = (type == CollisionType::box ? 0.3 : 0.2) - 0.01;
    int touching = 0;
    Vector3 mean = Vector3::Zero();
    for (int k = 0; k < contact_point_count(shape); ++k) {
      const ContactPoint point = contact_point(shape, ground, k);
      if (point.depth <= 0.0) continue;
      ++touching;
      mean += point.point;
      EXPECT_NEAR(point.depth, 0.01, 1e-15);
    }
    EXPECT_EQ(touching, 4);
    EXPECT_NEAR(mean.head<2>().norm(), 0.0, 1e-15);
  }
  // on its side a cylinder stands on the lowest points of both rims
  const ShapePose lying{
      CollisionType::cylinder, {0.2, 0.4, 0}, {0, 0, 0.19}, exp_so3({1.5707963267948966, 0, 0})};
  int touching = 0;
  for (int k = 0; k < 8; ++k) touching += contact_point(lying, ground, k).depth > 0.0 ? 1 : 0;
  EXPECT_EQ(touching, 2);
}

/// Distance from a point to a shape by its surface's nearest point, found by projection.
Vector3 nearest_inside(const ShapePose& shape, const Vector3& point) {
  Vector3 local = shape.rotation.transpose() * (point - shape.position);
  const Vector3& size = shape.size;
  if (shape.type == CollisionType::box) {
    local = local.cwiseMax(-0.5 * size).cwiseMin(0.5 * size);
  } else {
    const double off = std::hypot(local.x(), local.y());
    if (shape.type == CollisionType::cylinder && off > size.x()) local.head<2>() *= size.x() / off;
    if (shape.type == CollisionType::capsule) local.head<2>().setZero();
    local.z() = std::clamp(local.z(), -0.5 * size.y(), 0.5 * size.y());
  }
  return shape.position + shape.rotation * local;
}

TEST(ContactGeometry, ASphereTouchesTheNearestPointOfAShape) {
  ShapeDice dice(2);
  int outside = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto type = all_collision_types()[1 + static_cast<std::size_t>(i) % 3];
    const ShapePose shape = dice.pose(type), sphere = dice.pose(CollisionType::sphere);
    const Vector3 to = sphere.position - nearest_inside(shape, sphere.position);
    if (to.norm() < 1e-6) continue;  // inside
    ++outside;
    const double margin = type == CollisionType::capsule ? shape.size.x() : 0.0;
    const ContactPoint point = contact_point(sphere, shape);
    EXPECT_NEAR(point.depth, sphere.size.x() + margin - to.norm(), 1e-14);
    EXPECT_NEAR((point.normal - to.normalized()).norm(), 0.0, 1e-12);
    // in the middle of the overlap: as far inside the one as inside the other
    const Vector3 of_sphere = sphere.position - sphere.size.x() * point.normal;
    EXPECT_NEAR((point.point - of_sphere - 0.5 * point.depth * point.normal).norm(), 0.0, 1e-14);
    // the other one sees the same from the other side
    const ContactPoint turned = contact_point(shape, sphere);
    EXPECT_EQ(turned.depth, point.depth);
    EXPECT_EQ(turned.normal, Vector3(-point.normal));
    EXPECT_EQ(turned.point, point.point);
  }
  EXPECT_GT(outside, 2000);
}

TEST(ContactGeometry, SpheresInsideShapesArePushedOutOfTheNearestFace) {
  const ShapePose box{CollisionType::box, {2, 2, 1}, {0, 0, 0}, Matrix3::Identity()};
  const ShapePose cylinder{CollisionType::cylinder, {1, 1, 0}, {0, 0, 0}, Matrix3::Identity()};
  ShapePose sphere{CollisionType::sphere, {0.1, 0, 0}, {0.2, 0.1, -0.4}, Matrix3::Identity()};
  for (const ShapePose& shape : {box, cylinder}) {
    const ContactPoint point = contact_point(sphere, shape);
    EXPECT_NEAR(point.depth, 0.2, 1e-15);
    EXPECT_EQ(point.normal, Vector3(0, 0, -1));
  }
  sphere.position = {0, 0.95, 0.1};
  EXPECT_EQ(contact_point(sphere, cylinder).normal, Vector3(0, 1, 0));
}

/// Least distance of two segments by a search over one of them, in closed form along the other.
double segment_distance(const ShapePose& a, const ShapePose& b) {
  const auto from = [&](double s) {
    const Vector3 p = a.position + s * a.rotation.col(2);
    const double half = 0.5 * b.size.y();
    const double t = std::clamp(b.rotation.col(2).dot(p - b.position), -half, half);
    return (p - b.position - t * b.rotation.col(2)).norm();
  };
  double left = -0.5 * a.size.y(), right = 0.5 * a.size.y();
  for (int i = 0; i < 200; ++i) {  // convex
    const double l = left + (right - left) / 3.0, r = right - (right - left) / 3.0;
    (from(l) < from(r) ? right : left) = from(l) < from(r) ? r : l;
  }
  return from(0.5 * (left + right));
}

TEST(ContactGeometry, CapsulesTouchAtTheNearestPointsOfTheirAxes) {
  ShapeDice dice(3);
  for (int i = 0; i < 2000; ++i) {
    const ShapePose a = dice.pose(CollisionType::capsule), b = dice.pose(CollisionType::capsule);
    const ContactPoint point = contact_point(a, b);
    // the distance counts as larger by some 1e-9 s²/distance
    EXPECT_NEAR(point.depth, a.size.x() + b.size.x() - segment_distance(a, b), 1e-8);
  }
}

TEST(ContactGeometry, ParallelCapsulesTouchBetweenTheirCentres) {
  ShapePose a{CollisionType::capsule, {0.1, 1.0, 0}, {0, 0, 0}, Matrix3::Identity()}, b = a;
  b.position = {0.15, 0, 0.4};
  const ContactPoint point = contact_point(a, b);
  EXPECT_NEAR(point.depth, 0.05, 1e-8);
  EXPECT_NEAR((point.point - Vector3(0.075, 0, 0.2)).norm(), 0.0, 1e-6);
  EXPECT_NEAR((point.normal + Vector3::UnitX()).norm(), 0.0, 1e-6);
  // and the point does not jump where they become parallel
  b.rotation = exp_so3({0, 1e-12, 0});
  EXPECT_NEAR((contact_point(a, b).point - point.point).norm(), 0.0, 2e-3);
}

TEST(ContactGeometry, DepthsChangeWithTheNormalVelocityOfThePoint) {
  // central differences over 2e-6 of a rigid motion against −n·v
  ShapeDice dice(4);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 600; ++i) {
    const bool is_capsules = i % 4 == 3;
    const ShapePose a = dice.pose(is_capsules ? CollisionType::capsule : CollisionType::sphere);
    const ShapePose b =
        dice.pose(all_collision_types()[is_capsules ? 3 : static_cast<std::size_t>(i) % 4]);
    const Vector3 v = dice.vector(1.0), omega = dice.vector(1.0);
    const auto moved = [&](double t) {
      ShapePose pose = a;
      pose.position += t * v;
      pose.rotation = exp_so3(t * omega) * a.rotation;
      return contact_point(pose, b);
    };
    const ContactPoint now = moved(0.0);
    if (now.depth > 0.05) continue;
    const double slope = (moved(kStep).depth - moved(-kStep).depth) / (2.0 * kStep);
    const double rate = -now.normal.dot(v + omega.cross(now.point - a.position));
    EXPECT_NEAR(slope, rate, 1e-6) << to_string(b.type);
  }
}

TEST(ContactGeometry, DepthsOfARimChangeWithTheNormalVelocities) {
  // the elastic energy of all points, whatever its law, changes with the power at the points
  ShapeDice dice(5);
  const PlaneTerrain ground({0.2, -0.1, 1.0}, 0.0);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 300; ++i) {
    ShapePose a = dice.pose(CollisionType::cylinder);
    const Vector3 v = dice.vector(1.0), omega = dice.vector(1.0);
    const auto energy = [&](double t) {
      ShapePose pose = a;
      pose.position += t * v;
      pose.rotation = exp_so3(t * omega) * a.rotation;
      double sum = 0.0;
      for (int k = 0; k < 8; ++k) {
        sum += std::pow(std::max(0.0, contact_point(pose, ground, k).depth), 2.5);
      }
      return sum;
    };
    double power = 0.0;
    for (int k = 0; k < 8; ++k) {
      const ContactPoint at = contact_point(a, ground, k);
      const double rate = -at.normal.dot(v + omega.cross(at.point - a.position));
      power += 2.5 * std::pow(std::max(0.0, at.depth), 1.5) * rate;
    }
    EXPECT_NEAR((energy(kStep) - energy(-kStep)) / (2.0 * kStep), power, 1e-8);
  }
}

TEST(ContactGeometry, FollowsAHeightField) {
  MatrixX heights(40, 40);
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 40; ++j) heights(i, j) = 0.1 * std::sin(0.3 * i) * std::cos(0.2 * j);
  }
  const HeightField ground(heights, 0.25, {-5, -5, 0});
  const ShapePose sphere{CollisionType::sphere, {0.2, 0, 0}, {0.3, -0.4, 0.2}, Matrix3::Identity()};
  const ContactPoint point = contact_point(sphere, ground, 0);
  const SurfacePoint nearest = ground.nearest(sphere.position);
  EXPECT_EQ(point.depth, 0.2 - nearest.distance);
  EXPECT_EQ(point.normal, nearest.normal);
}

TEST(ContactGeometry, ShapesFitIntoTheirBoundingSpheres) {
  ShapeDice dice(6);
  for (int i = 0; i < 400; ++i) {
    const ShapePose shape = dice.pose(all_collision_types()[static_cast<std::size_t>(i) % 4]);
    const double reach = support(shape, dice.vector(1.0).normalized());
    EXPECT_LE(reach, bounding_radius(shape.type, shape.size) + 1e-15);
  }
}

TEST(ContactGeometry, SaysWhichPairsTouchInAPoint) {
  using T = CollisionType;
  EXPECT_TRUE(touches_in_point(T::sphere, T::box));
  EXPECT_TRUE(touches_in_point(T::mesh, T::sphere));
  EXPECT_TRUE(touches_in_point(T::capsule, T::capsule));
  EXPECT_FALSE(touches_in_point(T::box, T::box));
  EXPECT_FALSE(touches_in_point(T::capsule, T::cylinder));
}

}  // namespace
}  // namespace spacedyn::testing::contact_geometry_test
