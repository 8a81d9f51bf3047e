/// @file
/// Many free bodies in rigid contact with each other and the ground.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing {

/// A body of a heap.
struct HeapBody {
  CollisionShape shape;
  double mass;
  Vector3 inertia;
  BaseMotion start;
};

/// A heap in a field of gravity over the level ground, z = 0.
struct Heap {
  SimulationSetup setup;
  State start;

  Heap(const std::vector<HeapBody>& bodies, const RigidContact::Settings& law, double step,
       double g = 9.81) {
    std::vector<RobotPart> parts;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto one = std::make_shared<const Model>(
          body_with(bodies[i].shape, bodies[i].mass, bodies[i].inertia));
      parts.push_back({"body_" + std::to_string(i), one, true, {}});
    }
    const auto model =
        std::make_shared<const Model>(ModelBuilder(aggregate("heap", parts)).build());
    setup.model = model;
    setup.base_mode = BaseMode::fixed;
    setup.gravity = {0, 0, -g};
    setup.integrator = fixed_step(IntegrationMethod::time_stepping, step);
    start = State(*model);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      set_base_motion(*model, model->robots()[i], bodies[i].start, start);
    }
    const std::vector<BodyShape> shapes = collision_shapes(*model);
    RigidContact::Settings bodies_law = law;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (std::size_t k = i + 1; k < shapes.size(); ++k) {
        bodies_law.pairs.push_back({shapes[i], shapes[k], false});
      }
    }
    setup.forces.push_back(std::make_shared<RigidContact>("ground", on_rigid_ground(*model, law)));
    if (bodies_law.pairs.empty()) return;
    setup.forces.push_back(std::make_shared<RigidContact>("heap", bodies_law));
  }
};

/// A box of even density.
inline HeapBody heap_box(const Vector3& size, double mass, const BaseMotion& start) {
  const Vector3 s = size.cwiseProduct(size);
  return {shape_of(CollisionType::box, "box", size), mass,
          mass / 12.0 * Vector3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()), start};
}

inline HeapBody heap_ball(double radius, double mass, const BaseMotion& start) {
  return {sphere_shape("ball", radius), mass, Vector3::Constant(0.4 * mass * radius * radius),
          start};
}

}  // namespace spacedyn::testing
