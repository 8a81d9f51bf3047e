// Ground of triangles: nearest points, sides, convergence to a sphere, what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/terrain/mesh_terrain.hpp"
#include "support/contact_models.hpp"
#include "support/dice.hpp"
#include "support/mesh_models.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::mesh_terrain_test {
namespace {

using ::testing::HasSubstr;

class DirectionDice : public Dice {
 public:
  using Dice::Dice;
  Vector3 direction() { return Vector3(number(-1, 1), number(-1, 1), number(-1, 1)).normalized(); }
};

TEST(MeshTerrain, ConvergesToASphereWithTheSquareOfTheMeshSize) {
  double before = 0.0;
  for (int levels = 2; levels <= 5; ++levels) {
    const MeshTerrain ground(ball_mesh(2.0, levels), {1, 2, 3});
    DirectionDice dice(1);
    double worst = 0.0;
    for (int i = 0; i < 300; ++i) {
      const double height = dice.number(-0.3, 0.5);
      const SurfacePoint at = ground.nearest(Vector3(1, 2, 3) + (2.0 + height) * dice.direction());
      worst = std::max(worst, std::abs(at.distance - height));
    }
    // four times less with half the size; the largest of 300 samples varies a little
    if (levels > 2) {
      EXPECT_NEAR(before / worst, 4.0, 0.5) << levels;
    }
    before = worst;
  }
}

TEST(MeshTerrain, AgreesWithASearchOverAllTriangles) {
  TriangleMesh mesh = ball_mesh(1.0, 3);
  DirectionDice dice(2);
  // bumpy, so that nearest points lie on faces, ridges and in valleys
  for (Vector3& point : mesh.points) point *= dice.number(0.8, 1.2);
  const MeshTerrain ground(mesh, Vector3::Zero());
  for (int i = 0; i < 300; ++i) {
    const Vector3 point = dice.number(0.5, 2.0) * dice.direction();
    double least = 1e9, angle = 0.0;
    for (const auto& triangle : mesh.triangles) {
      std::array<Vector3, 3> c;
      for (std::size_t k = 0; k < 3; ++k) c[k] = mesh.points[static_cast<std::size_t>(triangle[k])];
      // the solid angle tells the side (van Oosterom and Strackee 1983)
      const Vector3 a = c[0] - point, b = c[1] - point, d = c[2] - point;
      angle +=
          2.0 * std::atan2(a.dot(b.cross(d)), a.norm() * b.norm() * d.norm() + a.dot(b) * d.norm() +
                                                  b.dot(d) * a.norm() + d.dot(a) * b.norm());
      const Vector3 n = (c[1] - c[0]).cross(c[2] - c[0]).normalized();
      bool over = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3 edge = c[(k + 1) % 3] - c[k];
        const double s = std::clamp(edge.dot(point - c[k]) / edge.squaredNorm(), 0.0, 1.0);
        least = std::min(least, (point - c[k] - s * edge).norm());
        over = over && n.dot(edge.cross(point - c[k])) >= 0.0;
      }
      if (over) least = std::min(least, std::abs(n.dot(point - c[0])));
    }
    const SurfacePoint at = ground.nearest(point);
    const double side = angle > 6.0 ? -1.0 : 1.0;
    ASSERT_NEAR(at.distance, side * least, 1e-14) << i;
    EXPECT_NEAR((point - at.point - at.distance * at.normal).norm(), 0.0, 1e-12);
    // the distance has the normal as its gradient
    const Vector3 step = 1e-7 * dice.direction();
    const SurfacePoint later = ground.nearest(point + step), earlier = ground.nearest(point - step);
    if ((later.normal - earlier.normal).norm() > 1e-4) continue;  // as far from two places
    EXPECT_NEAR((later.distance - earlier.distance) / 2e-7, at.normal.dot(step) / 1e-7, 1e-5);
    EXPECT_NEAR(((later.normal - earlier.normal) / 2e-7 - at.normal_gradient * step / 1e-7).norm(),
                0.0, 1e-5);
  }
}

TEST(MeshTerrain, ASheetIsGroundBelowIt) {
  TriangleMesh sheet;
  sheet.points = {{0, 0, 0}, {2, 0, 0.5}, {2, 2, 1}, {0, 2, 0.5}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  const MeshTerrain ground(sheet, {0, 0, 1});
  const PlaneTerrain plane({-0.25, -0.25, 1}, 1.0 / std::sqrt(1.125));
  EXPECT_NEAR(ground.height(0.7, 1.3), plane.height(0.7, 1.3), 1e-15);
  EXPECT_NEAR((ground.normal(0.7, 1.3) - plane.normal(0, 0)).norm(), 0.0, 1e-15);
  for (const double z : {1.2, 1.9}) {
    const SurfacePoint at = ground.nearest({1.1, 0.9, z}), exact = plane.nearest({1.1, 0.9, z});
    EXPECT_NEAR(at.distance, exact.distance, 1e-15);
    EXPECT_NEAR((at.normal - exact.normal).norm(), 0.0, 1e-15);
  }
  EXPECT_TRUE(std::isnan(ground.height(3, 1)));
}

TEST(MeshTerrain, TrianglesThatPointInwardsAreTurnedRound) {
  TriangleMesh mesh = ball_mesh(1.0, 1);
  for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_LT(enclosed_volume(mesh), 0.0);
  const MeshTerrain ground(mesh, Vector3::Zero());
  EXPECT_GT(ground.nearest({2, 0, 0}).distance, 0.9);
  EXPECT_GT(enclosed_volume(ground.mesh()), 0.0);
}

TEST(MeshTerrain, RefusesWhatEnclosesNoVolume) {
  const auto message = [](TriangleMesh mesh) {
    return message_of<DomainError>([&] { MeshTerrain(std::move(mesh), Vector3::Zero()); });
  };
  TriangleMesh mesh = ball_mesh(1.0, 1);
  mesh.triangles.pop_back();
  EXPECT_THAT(message(mesh), HasSubstr("3 of 120 edges do not belong to two triangles"));
  EXPECT_THAT(message(mesh), HasSubstr("the surface has holes and encloses no volume"));
  mesh = ball_mesh(1.0, 1);
  std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
  EXPECT_THAT(message(mesh),
              HasSubstr("3 of 120 edges are between triangles of which one is turned"));
  mesh.points.push_back({5, 0, 0});
  mesh.triangles.push_back({0, 1, 1});
  EXPECT_THAT(message(mesh), HasSubstr("1 of 81 triangles have no area, the first is number 81"));
  EXPECT_EQ(message({}), "a mesh needs triangles");
  // closed, but the normals at its edges cancel: neither side is outside
  const TriangleMesh folded{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(message(folded),
            "a mesh needs an outside everywhere, but triangles lie back to back at (0, 0, 0)");
}

TEST(MeshTerrain, ABallRestsOnABallOfTriangles) {
  // an asteroid of 5120 triangles: the depth of a ball on it is that on a sphere, to (size/radius)²
  const auto ground = std::make_shared<MeshTerrain>(ball_mesh(5.0, 4), Vector3(0, 0, -5));
  const ShapePose ball{
      CollisionType::sphere, {0.5, 0, 0}, {0, 0, 0.499}, Matrix3::Identity(), nullptr};
  const ContactPoint at = contact_point(ball, *ground, 0);
  EXPECT_NEAR(at.depth, 0.001, 5.0 * 0.0025);
  EXPECT_LE(at.depth, 0.001 + 1e-12);  // triangles lie inside the sphere
}

TEST(MeshTerrain, AHullOfABoxTouchesAsTheBox) {
  const PlaneTerrain plane({0.2, 0.1, 1}, 0.1);
  const auto hull = box_hull({0.4, 0.6, 0.8});
  const Matrix3 turned = exp_so3({0.3, -0.2, 0.5});
  const ShapePose mesh{CollisionType::mesh, Vector3::Ones(), {0.1, 0, 0.3}, turned, hull.get()};
  const ShapePose box{CollisionType::box, {0.4, 0.6, 0.8}, {0.1, 0, 0.3}, turned, nullptr};
  ASSERT_EQ(contact_point_count(mesh), 8);
  for (int k = 0; k < 8; ++k) {
    EXPECT_NEAR(contact_point(mesh, plane, k).depth, contact_point(box, plane, k).depth, 1e-15);
  }
}

TEST(MeshTerrain, FilesAreReadAndWhatIsWrongIsToldAtItsPlace) {
  const std::string folder = ::testing::TempDir();
  const auto read = [&](const std::string& file) {
    return parse_scenario(R"(spacedyn: 1
scenario:
  name: a
  duration: 1
  model: {name: m, base: {name: ball, mass: 1, inertia: [1, 1, 1], collision: [{name: hull, shape: mesh, file: )" +
                              folder + R"(spacedyn_ball.obj, scale: [1, 2, 1]}]}}
  initial: {base: {position: [0, 0, 3]}}
  environment: {terrain: {type: mesh, file: )" +
                              file + R"(, origin: [0, 0, -1]}}
  contacts: [{name: c, between: [hull, terrain], normal: {law: linear, stiffness: 1000}}]
)",
                          "scenario.yaml");
  };
  TriangleMesh mesh = ball_mesh(1.0, 1);
  write_obj(mesh, folder + "spacedyn_ball.obj");
  const Scenario scenario = read(folder + "spacedyn_ball.obj");
  const auto& contact = dynamic_cast<const ContactForce&>(*scenario.setup.forces.at(0));
  EXPECT_EQ(contact.point_count(), 42);
  EXPECT_NEAR(contact.settings().terrain->height(0, 0), 0.0, 0.1);
  EXPECT_NEAR(contact.settings().pairs.at(0).a.hull->radius(), 2.0, 0.1);
  mesh.triangles.pop_back();
  write_obj(mesh, folder + "spacedyn_hole.obj");
  EXPECT_THAT(message_of<Error>([&] { read(folder + "spacedyn_hole.obj"); }),
              HasSubstr("scenario.yaml:7:45: error: scenario.environment.terrain.file: 3 of 120 "
                        "edges do not belong to two triangles"));
  EXPECT_THAT(message_of<Error>([&] { read_triangle_mesh(folder + "spacedyn_ball.obj", 79); }),
              HasSubstr("has more than 79 triangles"));
}

}  // namespace
}  // namespace spacedyn::testing::mesh_terrain_test
