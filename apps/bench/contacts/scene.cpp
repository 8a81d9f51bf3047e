#include "bench/contacts/scene.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn::bench {
namespace {

constexpr double kHalf = 0.25;  // of the box, m

/// A floor with its top at z = 0 and four walls.
std::vector<SceneBody> open_box(double height) {
  const auto wall = [](const Vector3& size, const Vector3& position) {
    SceneBody body;
    body.size = size;
    body.position = position;
    return body;
  };
  const double thick = 0.2, out = kHalf + 0.5 * thick, wide = 2.0 * kHalf + 2.0 * thick;
  return {wall({wide, wide, thick}, {0, 0, -0.5 * thick}),
          wall({thick, wide, height}, {out, 0, 0.5 * height}),
          wall({thick, wide, height}, {-out, 0, 0.5 * height}),
          wall({2.0 * kHalf, thick, height}, {0, out, 0.5 * height}),
          wall({2.0 * kHalf, thick, height}, {0, -out, 0.5 * height})};
}

ShapePose pose_of(const SceneBody& body) {
  ShapePose pose;
  pose.type = body.type;
  pose.size = body.size;
  pose.position = body.position;
  pose.rotation = body.rotation;
  return pose;
}

double depth_of(const ShapePose& a, const ShapePose& b) {
  const double reach = bounding_radius(a.type, a.size) + bounding_radius(b.type, b.size);
  if ((a.position - b.position).norm() > reach) return 0.0;
  return std::max(0.0, contact_point(a, b).depth);
}

}  // namespace

Vector3 SceneBody::inertia() const {
  if (type == CollisionType::sphere) return Vector3::Constant(0.4 * mass * size.x() * size.x());
  const Vector3 s = size.cwiseProduct(size);
  return mass / 12.0 * Vector3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y());
}

Scene spheres_in_a_box() {
  Scene scene;
  scene.name = "100 spheres in a box";
  scene.walls = open_box(1.0);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-0.004, 0.004);
  for (int i = 0; i < 100; ++i) {
    SceneBody ball;
    ball.type = CollisionType::sphere;
    ball.size.x() = 0.04;
    ball.mass = 0.3;
    const int layer = i / 20, x = i % 5, y = (i / 5) % 4;
    ball.position = {-0.18 + 0.09 * x + shift(random), -0.15 + 0.1 * y + shift(random),
                     0.06 + 0.1 * layer};
    scene.bodies.push_back(ball);
  }
  return scene;
}

Scene boxes_in_a_heap() {
  Scene scene;
  scene.name = "50 boxes in a heap";
  scene.walls = open_box(1.5);
  scene.friction = 0.5;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> turn(-1.0, 1.0);
  for (int i = 0; i < 50; ++i) {
    SceneBody box;
    box.size = {0.12, 0.09, 0.06};
    box.mass = 0.5;
    const int layer = i / 6, x = i % 3, y = (i / 3) % 2;
    box.position = {-0.16 + 0.16 * x, -0.1 + 0.2 * y, 0.1 + 0.17 * layer};
    const double a = turn(random), b = turn(random), c = turn(random);
    box.rotation = exp_so3(Vector3(a, b, c));
    scene.bodies.push_back(box);
  }
  return scene;
}

Scene touchdown() {
  Scene scene;
  scene.name = "touchdown of 60 s";
  scene.friction = 0.5;
  scene.gravity = 1e-4;
  scene.steps = 60000;
  SceneBody ground;
  ground.size = {40, 40, 4};
  ground.position = {0, 0, -2};
  scene.walls = {ground};
  SceneBody craft;
  craft.size = {1.0, 1.6, 1.1};
  craft.mass = 500.0;
  craft.position = {0, 0, 1.6};
  craft.rotation = exp_so3(Vector3(0.2, 0.1, 0.0));
  craft.velocity = {0.05, 0.0, -0.1};
  craft.omega = {0.01, 0.02, 0.005};
  scene.bodies = {craft};
  return scene;
}

Scene brick_tower(int count, double share) {
  Scene scene;
  scene.name = "bricks";
  scene.friction = 0.5;
  SceneBody ground;
  ground.size = {4, 4, 1};
  ground.position = {0, 0, -0.5};
  scene.walls = {ground};
  double x = 0.0;
  for (int i = 0; i < count; ++i) {
    SceneBody brick;
    brick.size = {0.24, 0.115, 0.071};
    brick.mass = 3.5;
    // the centroid of all above may lie over the edge
    if (i > 0) x += share * brick.size.x() / (2.0 * (count - i));
    brick.position = {x, 0, brick.size.z() * (i + 0.5)};
    scene.bodies.push_back(brick);
  }
  return scene;
}

Depths depths(const Scene& scene, const SceneFlight& flight) {
  Depths found;
  for (const Places& places : flight.samples) {
    double worst = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) worst = std::max(worst, depth_of(places[i], places[k]));
      for (const SceneBody& wall : scene.walls) {
        worst = std::max(worst, depth_of(places[i], pose_of(wall)));
      }
    }
    found.worst = std::max(found.worst, worst);
    found.mean += worst / static_cast<double>(flight.samples.size());
  }
  const Places &last = flight.samples.back(), &before = flight.samples[flight.samples.size() - 2];
  double sum = 0.0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    sum += (last[i].position - before[i].position).squaredNorm();
  }
  found.speed = std::sqrt(sum / static_cast<double>(last.size())) / (kSampleSteps * scene.step);
  return found;
}

}  // namespace spacedyn::bench
