// Forces of patches as functions of where the shapes are: closed forms, continuity, invariances.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/dice.hpp"
#include "support/passes.hpp"

namespace spacedyn::testing::patch_forces_test {
namespace {

using T = CollisionType;
using Wrench = Eigen::Matrix<double, 6, 1>;

/// How the second shape moves and what damps it: c/k, s, by the linear law of patches.
struct Flow {
  double time = 0.0;
  Vector3 velocity = Vector3::Zero(), omega = Vector3::Zero();
};

/// On the second shape, about its centre, for k = 1.
Wrench wrench_on_second(const ShapePose& a, const ShapePose& b, const Flow& flow = {}) {
  const ContactManifold manifold = contact_manifold(a, b);
  Wrench sum = Wrench::Zero();
  for (int i = 0; i < manifold.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const ContactPoint& point = manifold.points[at];
    const Vector3 arm = point.point - b.position;
    const double rate = point.normal.dot(flow.velocity + flow.omega.cross(arm));
    const double linear = std::max(0.0, point.depth + flow.time * rate);
    const Vector3 force =
        -manifold.weights[at] * std::min(2.0 * point.depth, linear) * point.normal;
    sum.head<3>() += force;
    sum.tail<3>() += arm.cross(force);
  }
  return sum;
}

ShapePose box(const Vector3& size, const Vector3& position, const Vector3& turn = {0, 0, 0}) {
  return {T::box, size, position, exp_so3(turn), nullptr};
}

TEST(PatchForces, ABoxOnABoxPressesLikeFourSpringsUnderTheWholeFace) {
  const ShapePose below = box({2, 2, 1}, {0, 0, -0.5});
  const double side = 0.4, height = 0.2;
  for (const double tilt : {0.0, 1e-5, 1e-3, 4e-3}) {
    const double mean = 1e-3;
    const ShapePose above =
        box({side, side, height}, {0.1, 0.2, 0.5 * height * std::cos(tilt) - mean}, {0, tilt, 0});
    const Wrench wrench = wrench_on_second(below, above);
    // depths over the bottom, from its middle, and over the wall above its lower edge: a triangle
    const double length = side * std::cos(tilt), middle = -0.5 * height * std::sin(tilt);
    const double edge = mean + 0.5 * length * std::tan(tilt), wall = edge * std::tan(tilt);
    const double sum = mean * length + 0.5 * edge * wall;
    const double first = mean * length * middle + std::tan(tilt) * std::pow(length, 3) / 12.0 +
                         0.5 * edge * wall * (middle + 0.5 * length + wall / 3.0);
    EXPECT_NEAR(wrench(2), 4.0 * sum / (length + wall), 1e-15) << tilt;
    EXPECT_NEAR(wrench(4), -4.0 * first / (length + wall), 1e-15) << tilt;
    EXPECT_NEAR(wrench(0), 0.0, 1e-15);
    EXPECT_NEAR(wrench(3), 0.0, 1e-15);
  }
}

TEST(PatchForces, ABoxThatIsPartlyLiftedPressesWithATriangle) {
  const ShapePose below = box({2, 2, 1}, {0, 0, -0.5});
  for (const double tilt : {0.02, 0.2, 0.6}) {
    const double deepest = 1e-3;
    const double low = 0.2 * std::sin(tilt) + 0.1 * std::cos(tilt);
    const ShapePose above = box({0.4, 0.4, 0.2}, {0, 0, low - deepest}, {0, tilt, 0});
    // the bottom meets the ground over deepest/tan, or the side does over deepest tan
    const Wrench wrench = wrench_on_second(below, above);
    EXPECT_NEAR(wrench(2), 4.0 * 0.5 * deepest, 1e-13) << tilt;
    const double bottom = deepest / std::tan(tilt), wall = deepest * std::tan(tilt);
    const double edge = 0.2 * std::cos(tilt) - 0.1 * std::sin(tilt);
    // a triangle with its top over the edge
    const double center = edge + (wall - bottom) / 3.0;
    EXPECT_NEAR(wrench(4), -center * wrench(2), 1e-13) << tilt;
  }
}

TEST(PatchForces, AnOverhangIsHeldInTheMiddleOfWhatOverlaps) {
  const ShapePose below = box({1, 1, 1}, {0, 0, -0.5});
  for (const double shift : {0.3, 0.45, 0.6, 0.69}) {
    const ShapePose above = box({0.4, 0.3, 0.2}, {shift, 0, 0.099});
    const Wrench wrench = wrench_on_second(below, above);
    EXPECT_NEAR(wrench(2), 4e-3, 1e-15);
    const double from = shift - 0.2, to = std::min(0.5, shift + 0.2);
    EXPECT_NEAR(wrench(4), -wrench(2) * (0.5 * (from + to) - shift), 1e-15) << shift;
  }
}

TEST(PatchForces, TheEndOfACylinderIsADisc) {
  const ShapePose below = box({2, 2, 1}, {0, 0, -0.5});
  const double radius = 0.3, length = 0.4;
  const auto cylinder = [&](const Vector3& position, double tilt, double spin) {
    return ShapePose{T::cylinder,
                     {radius, length, 0},
                     position,
                     exp_so3({0, tilt, 0}) * exp_so3({0, 0, spin}),
                     nullptr};
  };
  // all of it: second moment of a disc, R²/4, whatever direction the axes of the cylinder have
  for (const double spin : {0.0, 0.3, 1.1}) {
    const double tilt = 2e-3, mean = 1e-3;
    const ShapePose whole = cylinder({0, 0, 0.5 * length * std::cos(tilt) - mean}, tilt, spin);
    const Wrench wrench = wrench_on_second(below, whole);
    // besides, the deepest point counts as an area of a hundredth of the depth times √(2 R depth)
    EXPECT_NEAR(wrench(2) / (4.0 * mean), 1.0, 2e-6);
    const double own = 4.0 * std::tan(tilt) * std::pow(radius * std::cos(tilt), 2) / 4.0;
    const double lever = 0.5 * length * std::sin(tilt);
    EXPECT_NEAR(wrench(4) / (-own + lever * wrench(2)), 1.0, 2e-6) << spin;
  }
  // half of it: the mean depth of a half disc is 4 R tan/(3 π)
  const double tilt = 1e-2;
  const ShapePose half = cylinder({0, 0, 0.5 * length * std::cos(tilt)}, tilt, 0.2);
  const Wrench wrench = wrench_on_second(below, half);
  const double mean = 4.0 * radius * std::sin(tilt) / (3.0 * kPi);
  EXPECT_NEAR(wrench(2) / (4.0 * mean), 1.0, 1e-3);
}

struct Pair {
  T a, b;
};

class PatchForcesOf : public ::testing::TestWithParam<Pair> {
 protected:
  Dice dice_{21};
  std::vector<std::unique_ptr<const ConvexHull>> hulls_;

  ShapePose shape(T type) {
    ShapePose pose{type,
                   {dice_.number(0.1, 0.5), dice_.number(0.2, 0.6), dice_.number(0.2, 0.6)},
                   Vector3::Zero(),
                   exp_so3(dice_.vector(3.0)),
                   nullptr};
    if (type != T::mesh) return pose;
    std::vector<Vector3> points;
    for (int i = 0; i < 12; ++i) {
      points.push_back(dice_.vector(1.0).normalized() * dice_.number(0.2, 0.4));
    }
    hulls_.push_back(std::make_unique<const ConvexHull>(points));
    pose.hull = hulls_.back().get();
    return pose;
  }
  /// Two shapes of random attitudes, each fourth time upright, that overlap by 0.01 mm to 3 cm.
  std::pair<ShapePose, ShapePose> overlapping(int number) {
    ShapePose a = shape(GetParam().a), b = shape(GetParam().b);
    Vector3 way = dice_.vector(1.0).normalized();
    if (number % 4 == 0) {
      a.rotation = exp_so3({0, 0, dice_.number(-3, 3)});
      b.rotation = exp_so3({0, 0, dice_.number(-3, 3)});
      way = (Vector3::UnitZ() + dice_.vector(0.3)).normalized();
    }
    const double depth = std::pow(10.0, dice_.number(-5.0, -1.5));
    double low = 0.0, high = 2.0;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      b.position = middle * way;
      (contact_point(a, b).depth > depth ? low : high) = middle;
    }
    return {a, b};
  }
};

/// Between two places a part of a path is halved to where the force changes most. What is left at
/// 1e-12 of the path is a jump, or roundings: 1e-16 m over a depth of 1e-5 m of the direction,
/// times the force. Forces reach 0.1; jumps where normals and points changed were up to 0.06.
TEST_P(PatchForcesOf, AreContinuous) {
  constexpr int kParts = 60;
  for (int number = 0; number < passes(16); ++number) {
    const auto [a, b] = overlapping(number);
    const double scale = number % 3 == 0 ? 0.1 : 1.0;
    const Vector3 shift = dice_.vector(0.03 * scale), turn = dice_.vector(0.3 * scale);
    // of meshes more than twelve pairs of faces may touch, of which points are merged: what is not
    // linear jumps then
    const bool is_damped = number % 2 == 1 && GetParam().a != T::mesh;
    const Flow flow{is_damped ? 0.01 : 0.0, dice_.vector(1.0), dice_.vector(2.0)};
    const auto at = [&, &a = a, &b = b](double s) {
      ShapePose moved = b;
      moved.position += s * shift;
      moved.rotation = exp_so3(s * turn) * b.rotation;
      return wrench_on_second(a, moved, flow);
    };
    std::vector<std::pair<double, int>> changes;
    for (int i = 0; i < kParts; ++i) {
      const double from = static_cast<double>(i) / kParts, to = (i + 1.0) / kParts;
      changes.emplace_back((at(to) - at(from)).norm(), i);
    }
    std::sort(changes.rbegin(), changes.rend());
    for (std::size_t k = 0; k < 6; ++k) {
      double low = static_cast<double>(changes[k].second) / kParts, high = low + 1.0 / kParts;
      Wrench before = at(low), after = at(high);
      for (int i = 0; i < 34; ++i) {
        const double middle = 0.5 * (low + high);
        const Wrench between = at(middle);
        const bool is_first = (between - before).norm() > (after - between).norm();
        (is_first ? high : low) = middle;
        (is_first ? after : before) = between;
      }
      EXPECT_LT((after - before).norm(), 1e-8) << "path " << number << " at " << low;
    }
  }
}

TEST_P(PatchForcesOf, AreOppositeAndMoveAlong) {
  for (int number = 0; number < 30; ++number) {
    const auto [a, b] = overlapping(number);
    const Flow flow{0.01, dice_.vector(1.0), dice_.vector(2.0)};
    const Wrench on_b = wrench_on_second(a, b, flow);
    // roundings of directions of lines between places that are as near as the depth
    const double tolerance = 1e-9 * on_b.norm() + 1e-13;
    const Vector3 at_a = flow.velocity + flow.omega.cross(a.position - b.position);
    const Wrench on_a = wrench_on_second(b, a, {0.01, -at_a, -flow.omega});
    EXPECT_LT((on_a + on_b).head<3>().norm(), tolerance) << number;
    const Vector3 moment = on_a.tail<3>() + (a.position - b.position).cross(on_a.head<3>());
    EXPECT_LT((moment + on_b.tail<3>()).norm(), tolerance) << number;

    const Matrix3 turn = exp_so3(dice_.vector(2.0));
    const auto turned = [&](ShapePose pose) {
      pose.position = turn * pose.position + Vector3(0.3, -0.2, 0.1);
      pose.rotation = turn * pose.rotation;
      return pose;
    };
    const Wrench rotated =
        wrench_on_second(turned(a), turned(b), {0.01, turn * flow.velocity, turn * flow.omega});
    EXPECT_LT((rotated.head<3>() - turn * on_b.head<3>()).norm(), 10.0 * tolerance) << number;
    EXPECT_LT((rotated.tail<3>() - turn * on_b.tail<3>()).norm(), 10.0 * tolerance) << number;

    if (GetParam().a == T::mesh || GetParam().b == T::mesh) continue;
    const double factor = 7.0;
    const auto grown = [&](ShapePose pose) {
      pose.position *= factor;
      pose.size *= factor;
      return pose;
    };
    const Wrench larger =
        wrench_on_second(grown(a), grown(b), {0.01, factor * flow.velocity, flow.omega});
    EXPECT_LT((larger.head<3>() - factor * on_b.head<3>()).norm(), 10.0 * factor * tolerance);

    // boxes, capsules and cylinders are their own mirror images: S A S has determinant 1
    const Vector3 signs(-1, 1, 1);
    const auto mirrored = [&](ShapePose pose) {
      pose.position = signs.cwiseProduct(pose.position);
      pose.rotation = signs.asDiagonal() * pose.rotation * signs.asDiagonal();
      return pose;
    };
    const Wrench seen = wrench_on_second(
        mirrored(a), mirrored(b),
        {0.01, signs.cwiseProduct(flow.velocity), -signs.cwiseProduct(flow.omega)});
    EXPECT_LT((seen.head<3>() - signs.cwiseProduct(on_b.head<3>())).norm(), 10.0 * tolerance)
        << number;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, PatchForcesOf,
    ::testing::Values(Pair{T::box, T::box}, Pair{T::capsule, T::box}, Pair{T::capsule, T::cylinder},
                      Pair{T::cylinder, T::box}, Pair{T::cylinder, T::cylinder},
                      Pair{T::capsule, T::mesh}, Pair{T::mesh, T::box}, Pair{T::mesh, T::mesh}),
    [](const auto& of) {
      return std::string(to_string(of.param.a)) + "_" + std::string(to_string(of.param.b));
    });

}  // namespace
}  // namespace spacedyn::testing::patch_forces_test
