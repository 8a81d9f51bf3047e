/// @file
/// Heaps of rigid bodies that several libraries move by the same steps.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/collision/body_shape.hpp"

namespace spacedyn::bench {

/// A body of a scene, or a part of what does not move.
struct SceneBody {
  CollisionType type = CollisionType::box;  ///< box or sphere
  Vector3 size = Vector3::Zero();           ///< edges of a box; radius of a sphere first
  double mass = 0.0;                        ///< kg
  Vector3 position = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  Vector3 velocity = Vector3::Zero(), omega = Vector3::Zero();  ///< at the start

  Vector3 inertia() const;  ///< of even density, about its axes
};

/// Bodies that fall onto others that do not move.
struct Scene {
  std::string name;
  std::vector<SceneBody> bodies, walls;
  double friction = 0.3;
  double gravity = 9.81;  ///< m/s², downwards
  double step = 1e-3;     ///< s
  int steps = 2000;
};

Scene spheres_in_a_box();
Scene boxes_in_a_heap();
/// A spacecraft comes down on an asteroid, tumbling slowly.
Scene touchdown();
/// Bricks, each beyond the one below by a share of what statics allows.
Scene brick_tower(int count, double share);

/// Where all bodies are, in the order of the scene.
using Places = std::vector<ShapePose>;

/// What a library made of a scene.
struct SceneFlight {
  double seconds = 0.0;         ///< of all steps
  std::vector<Places> samples;  ///< at every kSampleSteps steps, the last one included
};
constexpr int kSampleSteps = 20;

SceneFlight fly_in_spacedyn(const Scene& scene, double tolerance, int sweeps);
SceneFlight fly_in_bullet(const Scene& scene, int iterations);
SceneFlight fly_in_mujoco(const Scene& scene, int iterations);

/// How deep bodies are inside each other and the walls, m, by one geometry for all libraries.
struct Depths {
  double worst = 0.0, mean = 0.0;  ///< over the samples, the mean of the worst of each
  double speed = 0.0;              ///< root mean square of the last two samples, m/s
};
Depths depths(const Scene& scene, const SceneFlight& flight);

}  // namespace spacedyn::bench
