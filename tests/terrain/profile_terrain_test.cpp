// Steps and ditches of straight lines: closed forms, a mesh of triangles, convex parts, misuse.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terrain/mesh_terrain.hpp"
#include "spacedyn/terrain/profile_terrain.hpp"
#include "support/dice.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::profile_terrain_test {
namespace {

using Points = std::vector<Eigen::Vector2d>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Points kStep = {{2.0, 0.0}, {2.0, 0.5}};
const Points kDitch = {{1.0, 0.0}, {1.0, -0.4}, {3.0, -0.4}, {3.0, 0.0}};

class ProfileDice : public Dice {
 public:
  using Dice::Dice;
  /// A polyline from −1 to 1 or so, with some vertical faces.
  Points profile(bool with_faces) {
    Points points{{number(-1.0, -0.5), number(-0.4, 0.4)}};
    const int count = static_cast<int>(number(2.0, 9.0));
    for (int i = 1; i < count; ++i) {
      const bool face = with_faces && number(0.0, 1.0) < 0.4 &&
                        (i < 2 || points[points.size() - 2].x() < points.back().x());
      points.emplace_back(points.back().x() + (face ? 0.0 : number(0.05, 0.5)), number(-0.4, 0.4));
    }
    return points;
  }
};

TEST(ProfileTerrain, HeightsOfAStepAndADitch) {
  const ProfileTerrain step(kStep), ditch(kDitch, 90.0 * kDegree);
  EXPECT_EQ(step.height(-100.0, 7.0), 0.0);
  EXPECT_EQ(step.height(1.999, 0.0), 0.0);
  EXPECT_EQ(step.height(2.0, 0.0), 0.5);  // the top of the face
  EXPECT_EQ(step.height(100.0, -7.0), 0.5);
  EXPECT_EQ(step.normal(2.0, 0.0), Vector3::UnitZ());
  EXPECT_EQ(ditch.height(50.0, 2.0), -0.4);  // along y
  EXPECT_EQ(ditch.height(2.0, 0.5), 0.0);
  const ProfileTerrain ramp({{0.0, 0.0}, {2.0, 1.0}});
  EXPECT_DOUBLE_EQ(ramp.height(0.5, 3.0), 0.25);
  EXPECT_NEAR((ramp.normal(0.5, 3.0) - Vector3(-1, 0, 2).normalized()).norm(), 0.0, 1e-15);
  EXPECT_EQ(ramp.height(5.0, 0.0), 1.0);  // level behind the last point
}

TEST(ProfileTerrain, NearestPointsOfAStepAreThoseOfFacesEdgeAndCorner) {
  const ProfileTerrain step(kStep);
  const double root = std::sqrt(0.5);
  struct Case {
    Vector3 from, to, normal;
    double distance;
  };
  const Case cases[] = {
      {{1.0, 3.0, 0.3}, {1.0, 3.0, 0.0}, {0, 0, 1}, 0.3},                     // floor
      {{1.9, 3.0, 0.2}, {2.0, 3.0, 0.2}, {-1, 0, 0}, 0.1},                    // face
      {{2.4, 0.0, 0.9}, {2.4, 0.0, 0.5}, {0, 0, 1}, 0.4},                     // top
      {{1.9, 1.0, 0.6}, {2.0, 1.0, 0.5}, {-root, 0, root}, std::sqrt(0.02)},  // edge
      {{2.05, 0.0, 0.2}, {2.0, 0.0, 0.2}, {-1, 0, 0}, -0.05},                 // inside, at the face
      {{1.5, 0.0, -0.2}, {1.5, 0.0, 0.0}, {0, 0, 1}, -0.2},                   // below the floor
      {{2.3, 0.0, -0.4}, {2.0, 0.0, 0.0}, {-0.6, 0, 0.8}, -0.5},              // below the corner
  };
  for (const Case& now : cases) {
    const SurfacePoint at = step.nearest(now.from);
    EXPECT_NEAR((at.point - now.to).norm(), 0.0, 1e-15) << now.from.transpose();
    EXPECT_NEAR((at.normal - now.normal).norm(), 0.0, 1e-15) << now.from.transpose();
    EXPECT_NEAR(at.distance, now.distance, 1e-15) << now.from.transpose();
  }
}

TEST(ProfileTerrain, AWidthMakesSidesAndCorners) {
  const ProfileTerrain kerb(kStep, 0.0, 2.0);
  const SurfacePoint side = kerb.nearest({3.0, 1.3, 0.2});
  EXPECT_NEAR((side.normal - Vector3::UnitY()).norm(), 0.0, 1e-15);
  EXPECT_NEAR(side.distance, 0.3, 1e-15);
  const SurfacePoint corner = kerb.nearest({1.9, -1.2, 0.7});
  EXPECT_NEAR((corner.point - Vector3(2.0, -1.0, 0.5)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(corner.distance, 0.3, 1e-15);
  EXPECT_NEAR((corner.normal - Vector3(-1, -2, 2) / 3.0).norm(), 0.0, 1e-15);
  EXPECT_NEAR(kerb.nearest({3.0, 0.9, 0.2}).distance, -0.1, 1e-15);
  EXPECT_TRUE(std::isnan(kerb.height(3.0, 1.1)));
  EXPECT_EQ(kerb.height(3.0, 0.9), 0.5);
}

/// The prism of a profile without vertical faces, level ends 30 m long and a floor 30 m below.
MeshTerrain prism(Points points, double azimuth, double width) {
  points.insert(points.begin(), points.front() - Eigen::Vector2d(30.0, 0.0));
  points.push_back(points.back() + Eigen::Vector2d(30.0, 0.0));
  const Eigen::AngleAxisd turn(azimuth, Vector3::UnitZ());
  std::vector<Vector3> corners;
  const auto add = [&](const Eigen::Vector2d& p, double side) {
    corners.push_back(turn * Vector3(p.x(), 0.5 * width * side, p.y()));
  };
  const auto low = [](const Eigen::Vector2d& p) { return Eigen::Vector2d(p.x(), -30.0); };
  const auto strip = [&](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {  // a to b on top
    for (const auto& [p, side] : {std::pair{a, -1.0}, {b, -1.0}, {b, 1.0}}) add(p, side);
    for (const auto& [p, side] : {std::pair{a, -1.0}, {b, 1.0}, {a, 1.0}}) add(p, side);
  };
  strip(low(points.front()), points.front());
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Eigen::Vector2d &a = points[i], &b = points[i + 1];
    strip(a, b);
    strip(low(b), low(a));
    for (const double side : {-1.0, 1.0}) {
      const Eigen::Vector2d &p = side < 0.0 ? a : b, &q = side < 0.0 ? b : a;
      for (const Eigen::Vector2d& c : {low(p), low(q), q, low(p), q, p}) add(c, side);
    }
  }
  strip(points.back(), low(points.back()));
  return {join_corners(corners), Vector3::Zero()};
}

TEST(ProfileTerrain, AgreesWithAMeshOfTriangles) {
  ProfileDice dice(1);
  int compared = 0;
  for (int run = 0; run < 20; ++run) {
    const Points points = dice.profile(false);
    const double azimuth = dice.number(-3.0, 3.0), width = dice.number(0.5, 2.0);
    const ProfileTerrain exact(points, azimuth, width);
    const MeshTerrain mesh = prism(points, azimuth, width);
    for (int i = 0; i < 50; ++i) {
      const Vector3 point = dice.vector(1.5);
      const SurfacePoint a = exact.nearest(point), b = mesh.nearest(point);
      // 30 m of the mesh cost two digits
      ASSERT_NEAR(a.distance, b.distance, 1e-13) << run << ' ' << i;
      if ((a.point - b.point).norm() > 1e-6) continue;  // as far from two places
      EXPECT_NEAR((a.normal - b.normal).norm(), 0.0, 1e-9);
      EXPECT_NEAR((point - a.point - a.distance * a.normal).norm(), 0.0, 1e-14);
      const double x = point.x(), y = point.y();
      const double height = exact.height(x, y);
      EXPECT_EQ(std::isnan(height), std::isnan(mesh.height(x, y)));
      if (!std::isnan(height)) {
        EXPECT_NEAR(height, mesh.height(x, y), 1e-12);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 900);
}

TEST(ProfileTerrain, PartsAreConvexAndTheirUnionIsTheGround) {
  ProfileDice dice(2);
  int parts = 0;
  for (int run = 0; run < 60; ++run) {
    const ProfileTerrain ground(dice.profile(true), dice.number(-3.0, 3.0),
                                run % 2 == 0 ? kInfinity : dice.number(0.5, 2.0));
    parts += ground.part_count();
    for (int i = 0; i < 40; ++i) {
      const Vector3 p = dice.vector(1.5), q = dice.vector(1.5);
      const double whole = ground.nearest(p).distance;
      double nearest = kInfinity;
      for (int k = 0; k < ground.part_count(); ++k) {
        const Terrain& part = ground.part(k);
        const double one = part.nearest(p).distance;
        nearest = std::min(nearest, one);
        // the distance from a convex body is convex
        EXPECT_LE(part.nearest(0.5 * (p + q)).distance,
                  0.5 * (one + part.nearest(q).distance) + 1e-14);
      }
      if (whole > 0.0) {
        EXPECT_NEAR(nearest, whole, 1e-14);
      } else {
        EXPECT_LE(nearest, 1e-14);
      }
    }
  }
  EXPECT_GT(parts, 150);
}

TEST(ProfileTerrain, HasAPartForEachConvexPiece) {
  EXPECT_EQ(ProfileTerrain(kStep).part_count(), 2);
  EXPECT_EQ(ProfileTerrain(kDitch).part_count(), 3);
  EXPECT_EQ(ProfileTerrain({{0.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}}).part_count(), 1);
  // level ground on either side of a kerb: no part of one side acts on the other one
  const ProfileTerrain kerb({{0.0, 0.1 + 0.2}, {0.0, 0.5}, {1.0, 0.5}, {1.0, 0.3}});
  ASSERT_EQ(kerb.part_count(), 3);
  int near = 0;
  for (int k = 0; k < 3; ++k) {
    near += kerb.part(k).nearest({2.0, 0.0, 0.35}).distance < 0.1 ? 1 : 0;
  }
  EXPECT_EQ(near, 1);
  // below the block the floor goes on as a plane
  const ProfileTerrain step(kStep);
  EXPECT_NEAR(step.part(0).nearest({2.01, 0.0, -0.02}).distance, -0.02, 1e-15);
  EXPECT_NEAR(step.part(1).nearest({2.01, 0.0, -0.02}).distance, -0.01, 1e-15);
}

TEST(ProfileTerrain, TheGradientOfTheNormalIsThatOfDifferences) {
  ProfileDice dice(3);
  int compared = 0;
  for (int run = 0; run < 300; ++run) {
    const ProfileTerrain ground(dice.profile(true), dice.number(-3.0, 3.0), dice.number(0.5, 1.5));
    const Vector3 point = dice.vector(1.2), step = 1e-6 * dice.vector(1.0);
    const SurfacePoint at = ground.nearest(point);
    if (at.distance < 0.02) continue;
    const SurfacePoint later = ground.nearest(point + step), earlier = ground.nearest(point - step);
    if ((later.point - earlier.point).norm() > 4e-6) continue;  // as far from two places
    const Vector3 change = 0.5 * (later.normal - earlier.normal);
    if ((change - at.normal_gradient * step).norm() > 1e-9) {
      // at most where the nearest point passes from a face to an edge in between
      EXPECT_NE(later.normal_gradient.isZero(0.0), earlier.normal_gradient.isZero(0.0));
      continue;
    }
    ++compared;
    EXPECT_NEAR((later.distance - earlier.distance) / 2.0, at.normal.dot(step), 1e-11);
    const Vector3 direction = step.normalized();
    const Matrix3 bend = ground.normal_gradient_change(at, direction);
    // differences over 0.1 mm: terms of third order, at most (0.1 mm/20 mm)² of 1/d²
    if (later.normal_gradient.isZero(0.0) == at.normal_gradient.isZero(0.0) && at.distance > 0.1) {
      EXPECT_NEAR((bend - ground.Terrain::normal_gradient_change(at, direction)).norm(), 0.0, 1e-2);
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(ProfileTerrain, RefusesWhatIsNoProfile) {
  const auto message = [](const Points& points, double azimuth = 0.0, double width = 1.0) {
    return message_of<DomainError>([&] { ProfileTerrain(points, azimuth, width); });
  };
  EXPECT_EQ(message({{0, 0}}), "a profile needs at least 2 points, got 1");
  EXPECT_EQ(message({{0, 0}, {1, std::nan("")}}), "point 2 of a profile is not finite");
  EXPECT_EQ(message({{0, 0}, {1, 0}, {0.5, 0}}),
            "point 3 of a profile goes back: its first coordinate is less than the one before");
  EXPECT_EQ(message({{0, 0}, {0, 0}}), "point 2 of a profile lies where the one before lies");
  EXPECT_EQ(message({{0, 0}, {0, 1}, {0, 0.5}}),
            "point 3 of a profile goes back along the vertical face before it");
  EXPECT_EQ(message(kStep, kInfinity), "the azimuth of a profile must be finite");
  EXPECT_EQ(message(kStep, 0.0, 0.0), "the width of a profile must be positive");
  EXPECT_EQ(message(kStep, 0.0, std::nan("")), "the width of a profile must be positive");
}

}  // namespace
}  // namespace spacedyn::testing::profile_terrain_test
