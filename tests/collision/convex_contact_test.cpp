// Pairs of convex shapes that touch along a patch: depths against a search over all directions.

#include <functional>

#include <gtest/gtest.h>

#include "collision/widest_gap.hpp"
#include "support/contact_models.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::convex_contact_test {
namespace {

using T = CollisionType;

struct Pair {
  CollisionType a, b;
};

class ConvexContact : public ::testing::TestWithParam<Pair> {};

TEST_P(ConvexContact, DepthIsTheLeastMotion) {
  ShapeDice dice(7);
  int touching = 0;
  for (int i = 0; i < 120; ++i) {
    const ShapePose a = dice.pose(GetParam().a, 0.3), b = dice.pose(GetParam().b, 0.3);
    const ContactPoint found = contact_point(a, b);
    ASSERT_NEAR(found.normal.norm(), 1.0, 1e-14);
    // what it says is true: the support functions along its normal
    EXPECT_NEAR(found.depth, -gap(a, b, found.normal), 1e-12) << i;
    if (found.depth < 0.0 || found.depth > 0.15) continue;
    ++touching;
    // and nothing is better, from 300 directions
    const double near = climb(a, b, found.normal, 1e-3, 1e-9);
    const double best = std::max(near, widest_gap(a, b, dice, 300, -found.depth - 0.05));
    EXPECT_LE(best, -found.depth + 1e-9) << i;
  }
  EXPECT_GT(touching, 20);
}

TEST_P(ConvexContact, IsTheSameFromTheOtherSide) {
  ShapeDice dice(8);
  for (int i = 0; i < 200; ++i) {
    const ShapePose a = dice.pose(GetParam().a, 0.3), b = dice.pose(GetParam().b, 0.3);
    const ContactManifold one = contact_manifold(a, b), other = contact_manifold(b, a);
    EXPECT_NEAR(one.deepest.depth, other.deepest.depth, 1e-13);
    if (!(one.deepest.depth > 0.0)) continue;
    EXPECT_NEAR((one.deepest.normal + other.deepest.normal).norm(), 0.0, 1e-7) << i;
    const auto mean = [](const ContactManifold& manifold) {
      Vector3 sum = Vector3::Zero();
      for (int k = 0; k < manifold.count; ++k) {
        const auto at = static_cast<std::size_t>(k);
        sum += manifold.weights[at] * manifold.points[at].depth * manifold.points[at].point;
      }
      return sum;
    };
    EXPECT_NEAR((mean(one) - mean(other)).norm(), 0.0, 1e-7) << i;
  }
}

TEST_P(ConvexContact, DepthRateIsTheVelocity) {
  ShapeDice dice(9);
  constexpr double kStep = 1e-6;
  int count = 0;
  for (int i = 0; i < 200; ++i) {
    const ShapePose a = dice.pose(GetParam().a, 0.35), b = dice.pose(GetParam().b, 0.35);
    const Vector3 v = dice.vector(1.0);
    const auto moved = [&](double t) {
      ShapePose pose = a;
      pose.position += t * v;
      return contact_point(pose, b);
    };
    const ContactPoint now = moved(0.0), later = moved(kStep), before = moved(-kStep);
    // where the best direction changes the depth has a kink
    if (now.depth < 0.0 || now.depth > 0.1 || (later.normal - before.normal).norm() > 1e-4) {
      continue;
    }
    ++count;
    EXPECT_NEAR((later.depth - before.depth) / (2.0 * kStep), -now.normal.dot(v), 1e-6) << i;
  }
  EXPECT_GT(count, 10);
}

INSTANTIATE_TEST_SUITE_P(Pairs, ConvexContact,
                         ::testing::Values(Pair{T::box, T::box}, Pair{T::box, T::mesh},
                                           Pair{T::mesh, T::mesh}, Pair{T::capsule, T::box},
                                           Pair{T::capsule, T::mesh}, Pair{T::capsule, T::cylinder},
                                           Pair{T::cylinder, T::box}, Pair{T::cylinder, T::mesh},
                                           Pair{T::cylinder, T::cylinder}),
                         [](const auto& of) {
                           return std::string(to_string(of.param.a)) + "_" +
                                  std::string(to_string(of.param.b));
                         });

/// Springs of the greatest depth that a patch presses like.
double springs_of(const ContactManifold& manifold) {
  double sum = 0.0;
  for (int k = 0; k < manifold.count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    sum += manifold.weights[at] * manifold.points[at].depth;
  }
  return sum / manifold.deepest.depth;
}

/// Where its force acts.
Vector3 center_of(const ContactManifold& manifold) {
  Vector3 sum = Vector3::Zero();
  double weight = 0.0;
  for (int k = 0; k < manifold.count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double own = manifold.weights[at] * manifold.points[at].depth;
    sum += own * manifold.points[at].point;
    weight += own;
  }
  return sum / weight;
}

TEST(ConvexContact, FacesOnFacesCountAsFourSprings) {
  const ShapePose below{T::box, {1, 1, 1}, {0, 0, -0.5}, Matrix3::Identity(), nullptr};
  for (const double turn : {0.0, 0.3, 0.785398163397448}) {
    for (const double shift : {0.0, 0.2, 0.45}) {
      ShapePose above{
          T::box, {1, 1, 1}, {shift, 0.5 * shift, 0.499}, exp_so3({0, 0, turn}), nullptr};
      const ContactManifold manifold = contact_manifold(above, below);
      EXPECT_NEAR(springs_of(manifold), 4.0, 1e-12);
      EXPECT_NEAR((manifold.deepest.normal - Vector3::UnitZ()).norm(), 0.0, 1e-12);
      for (int k = 0; k < manifold.count; ++k) {
        EXPECT_NEAR(manifold.points[static_cast<std::size_t>(k)].depth, 0.001, 1e-15);
      }
      if (turn > 0.0) continue;
      EXPECT_NEAR((center_of(manifold) - Vector3(0.5 * shift, 0.25 * shift, -0.0005)).norm(), 0.0,
                  1e-14);
    }
  }
  const ShapePose upright{T::cylinder, {0.3, 0.4, 0}, {0, 0, 0.199}, Matrix3::Identity(), nullptr};
  EXPECT_NEAR(springs_of(contact_manifold(upright, below)), 4.0, 1e-12);
  ShapePose lying{
      T::cylinder, {0.3, 0.4, 0}, {0, 0, 0.299}, exp_so3({1.5707963267948966, 0, 0}), nullptr};
  EXPECT_NEAR(springs_of(contact_manifold(lying, below)), 2.0, 1e-12);
  lying.type = T::capsule;
  EXPECT_NEAR(springs_of(contact_manifold(lying, below)), 2.0, 1e-12);
  // longer than the box: it is held from edge to edge, with the second moment of that line but for
  // the deepest point, which counts as a hundredth of the depth
  lying.size.y() = 3.0;
  const ContactManifold across = contact_manifold(lying, below);
  EXPECT_NEAR(springs_of(across), 2.0, 1e-12);
  double second = 0.0;
  for (int k = 0; k < across.count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    second += 0.5 * across.weights[at] * std::pow(across.points[at].point.y(), 2);
  }
  EXPECT_NEAR(second, 1.0 / 12.0, 1e-5);
}

TEST(ConvexContact, AnEdgeCountsAsTwoAndACornerAsFourThirds) {
  const ShapePose below{T::box, {2, 2, 1}, {0, 0, -0.5}, Matrix3::Identity(), nullptr};
  ShapePose above{T::box, {1, 1, 1}, {0, 0, 0}, exp_so3({0.5, 0, 0}), nullptr};
  above.position.z() = 0.5 * (std::cos(0.5) + std::sin(0.5)) - 1e-4;
  EXPECT_NEAR(springs_of(contact_manifold(above, below)), 2.0, 1e-9);
  // parallel to the normal only edges of one box cross those of the other: a pyramid
  const ShapePose ridge{T::box, {1, 1, 1}, {0, 0, 0}, exp_so3({0.785398163397448, 0, 0}), nullptr};
  ShapePose other{T::box, {1, 1, 1}, {0.1, 0.05, 0}, exp_so3({0, 0.785398163397448, 0}), nullptr};
  other.position.z() = std::sqrt(2.0) - 1e-3;
  const ContactManifold crossing = contact_manifold(other, ridge);
  EXPECT_NEAR(springs_of(crossing), 4.0 / 3.0, 1e-9);
  EXPECT_NEAR(crossing.deepest.depth, 1e-3, 1e-12);
  EXPECT_NEAR((crossing.deepest.normal - Vector3::UnitZ()).norm(), 0.0, 1e-12);
  const Vector3 place(0.1, 0, std::sqrt(0.5) - 5e-4);
  EXPECT_NEAR((crossing.deepest.point - place).norm(), 0.0, 1e-12);
  EXPECT_NEAR((center_of(crossing) - place).norm(), 0.0, 1e-9);
}

/// A capsule that turns over an edge, a cylinder that rises from its side to its end, and over
/// another cylinder: small motions change force and moment little, also where the deepest point
/// goes from one end of a line to the other.
TEST(ConvexContact, ForceAndMomentAreContinuous) {
  const ShapePose ridge{T::box, {1, 1, 1}, {0, 0, 0}, exp_so3({0.785398163397448, 0, 0}), nullptr};
  const ShapePose flat{T::box, {2, 2, 1}, {0, 0, -0.5}, Matrix3::Identity(), nullptr};
  const ShapePose tube{
      T::cylinder, {0.2, 1.5, 0}, {0, 0, -0.2}, exp_so3({1.5707963267948966, 0, 0}), nullptr};
  constexpr double kStep = 1e-6;
  const auto expect_continuous = [&](const ShapePose& fixed,
                                     const std::function<ShapePose(double)>& at, double from,
                                     double to) {
    Vector3 before = Vector3::Zero();
    double springs = 0.0;
    for (double angle = from; angle < to; angle += kStep) {
      const ContactManifold manifold = contact_manifold(at(angle), fixed);
      ASSERT_GT(manifold.deepest.depth, 0.0);
      const Vector3 center = center_of(manifold);
      if (springs > 0.0) {
        // of 1e-6 rad: the depth is 1e-3 m, so that a line leaves within about 1e-2 rad
        ASSERT_NEAR(springs_of(manifold), springs, 2e-3) << angle;
        ASSERT_NEAR((center - before).norm(), 0.0, 2e-3) << angle;
      }
      springs = springs_of(manifold);
      before = center;
    }
  };
  const auto capsule = [](double angle) {
    return ShapePose{T::capsule,
                     {0.1, 0.6, 0},
                     {0, 0, std::sqrt(0.5) + 0.099},
                     exp_so3({0, 0, angle}) * exp_so3({0, 1.5707963267948966, 0}),
                     nullptr};
  };
  expect_continuous(ridge, capsule, -5e-4, 5e-4);
  const auto cylinder = [](double angle) {
    const double height = 0.1 * std::cos(angle) + 0.3 * std::sin(angle) - 1e-3;
    return ShapePose{T::cylinder,
                     {0.1, 0.6, 0},
                     {0, 0, height},
                     exp_so3({0, 1.5707963267948966 + angle, 0}),
                     nullptr};
  };
  expect_continuous(flat, cylinder, 0.0, 5e-4);
  expect_continuous(flat, cylinder, 0.785, 0.786);
  const auto over = [](double angle) {
    return ShapePose{T::cylinder,
                     {0.1, 0.6, 0},
                     {0, 0, 0.099},
                     exp_so3({0, 0, angle}) * exp_so3({1.5707963267948966, 0, 0}),
                     nullptr};
  };
  expect_continuous(tube, over, -5e-4, 5e-4);
}

TEST(ConvexContact, BoxesWithACommonAxisAreNotTakenForApart) {
  // directions of edges that are nearly parallel, or in a plane with faces
  const ShapePose below{T::box, {0.4, 0.4, 0.4}, {0, 0, 0.2}, Matrix3::Identity(), nullptr};
  ShapeDice dice(11);
  for (int i = 0; i < 500; ++i) {
    const double tilt = std::pow(10.0, dice.number(-17, -3));
    ShapePose above = below;
    above.position = {0.03, 0.02, 0.599};
    above.rotation = exp_so3({tilt, 0, 0}) * exp_so3({0, 0, dice.number(-3, 3)});
    EXPECT_NEAR(contact_point(above, below).depth, 0.001, 0.6 * tilt + 1e-14);
    EXPECT_GE(contact_manifold(above, below).count, 1);
  }
}

TEST(ConvexHull, JoinsTrianglesOfOnePlane) {
  ShapeDice dice(3);
  std::vector<Vector3> points;
  for (int i = 0; i < 8; ++i) {
    points.emplace_back((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 2 : -2, (i & 4) != 0 ? 3 : -3);
  }
  for (int i = 0; i < 200; ++i) points.push_back(dice.vector(0.99));
  for (int i = 0; i < 50; ++i) points.emplace_back(1.0, dice.number(-2, 2), dice.number(-3, 3));
  const ConvexHull hull(points);
  EXPECT_EQ(hull.corners().size(), 8U);
  EXPECT_EQ(hull.faces().size(), 6U);
  EXPECT_EQ(hull.edges().size(), 12U);
  Vector3 normal;
  EXPECT_NEAR(hull.distance({0.4, 0, 0}, normal), -0.6, 1e-14);
  EXPECT_EQ(normal, Vector3::UnitX());
  EXPECT_NEAR(hull.distance({4, 6, 3}, normal), 5.0, 1e-14);
}

TEST(ConvexHull, HoldsAllPointsAndKeepsEulersFormula) {
  ShapeDice dice(4);
  for (int i = 0; i < 20; ++i) {
    std::vector<Vector3> points;
    for (int k = 0; k < 100; ++k) points.push_back(dice.vector(1.0).normalized());
    const ConvexHull hull(points);
    EXPECT_EQ(hull.corners().size(), points.size());
    EXPECT_EQ(static_cast<int>(hull.corners().size() + hull.faces().size()) -
                  static_cast<int>(hull.edges().size()),
              2);
    Vector3 normal;
    for (const Vector3& point : points) EXPECT_LE(hull.distance(point, normal), 1e-9);
  }
}

TEST(ConvexHull, RefusesPointsInAPlane) {
  EXPECT_EQ(message_of<DomainError>([] {
              ConvexHull({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
            }),
            "the points of a convex hull lie in a plane");
}

}  // namespace
}  // namespace spacedyn::testing::convex_contact_test
