/// @file
/// Bodies with collision shapes and contacts between them.
#pragma once

#include <memory>

#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

inline CollisionShape sphere_shape(const std::string& name, double radius,
                                   const Vector3& position = Vector3::Zero()) {
  CollisionShape shape;
  shape.name = name;
  shape.size.x() = radius;
  shape.origin.position = position;
  return shape;
}

/// The hull of the corners of a box.
inline std::shared_ptr<const ConvexHull> box_hull(const Vector3& size) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k) {
    const Vector3 signs((k & 1) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 0.5 : -0.5,
                        (k & 4) != 0 ? 0.5 : -0.5);
    corners.emplace_back(signs.cwiseProduct(size));
  }
  return std::make_shared<const ConvexHull>(corners);
}

inline CollisionShape shape_of(CollisionType type, const std::string& name, const Vector3& size) {
  CollisionShape shape;
  shape.name = name;
  shape.type = type;
  shape.size = size;
  if (type == CollisionType::mesh) shape.hull = box_hull(size);
  return shape;
}

/// A floating body with one collision shape at its centroid.
inline Model body_with(const CollisionShape& shape, double mass, const Vector3& inertia) {
  BaseDescription base = base_body(mass, inertia);
  base.collisions.push_back(shape);
  return ModelBuilder("body").set_base(base).build();
}

/// A floating solid ball.
inline Model ball(double mass, double radius) {
  return body_with(sphere_shape("ball", radius), mass,
                   Vector3::Constant(0.4 * mass * radius * radius));
}

/// Two solid balls that float apart, the second on a free joint.
inline Model two_balls(double mass_a, double radius_a, double mass_b, double radius_b) {
  BaseDescription base = base_body(mass_a, Vector3::Constant(0.4 * mass_a * radius_a * radius_a));
  base.collisions.push_back(sphere_shape("a", radius_a));
  LinkDescription other =
      link_body("other", "base", mass_b, Vector3::Constant(0.4 * mass_b * radius_b * radius_b),
                Vector3::Zero(), Vector3::Zero());
  other.joint.type = JointType::free;
  other.collisions.push_back(sphere_shape("b", radius_b));
  return ModelBuilder("two_balls").set_base(base).add_link(other).build();
}

inline std::shared_ptr<const Terrain> level_ground() {
  return std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
}

inline NormalContact::Settings linear_law(double stiffness, double damping) {
  NormalContact::Settings law;
  law.law = NormalContactLaw::linear;
  law.stiffness = stiffness;
  law.damping = damping;
  return law;
}

inline NormalContact::Settings hunt_crossley(double stiffness, double restitution,
                                             double exponent = 1.5) {
  NormalContact::Settings law;
  law.stiffness = stiffness;
  law.restitution = restitution;
  law.exponent = exponent;
  return law;
}

inline ContactFriction coulomb(double coefficient, double slip_velocity = 1e-3) {
  ContactFriction friction;
  friction.coefficient = friction.static_coefficient = coefficient;
  friction.slip_velocity = slip_velocity;
  friction.stribeck_velocity = 10.0 * slip_velocity;
  return friction;
}

inline ContactFriction bristle(double coefficient, double stiffness, double damping) {
  ContactFriction friction = coulomb(coefficient);
  friction.law = FrictionLaw::bristle;
  friction.stiffness = stiffness;
  friction.damping = damping;
  return friction;
}

/// All shapes of a model with the ground.
inline ContactForce::Settings on_ground(const Model& model, const NormalContact::Settings& normal,
                                        const ContactFriction& friction = {},
                                        std::shared_ptr<const Terrain> terrain = level_ground()) {
  ContactForce::Settings settings;
  for (const BodyShape& shape : collision_shapes(model)) {
    settings.pairs.push_back({shape, {}, true});
  }
  settings.terrain = std::move(terrain);
  settings.normal = normal;
  settings.friction = friction;
  return settings;
}

/// The first two shapes of a model with each other.
inline ContactForce::Settings between_two(const Model& model, const NormalContact::Settings& normal,
                                          const ContactFriction& friction = {}) {
  const std::vector<BodyShape> shapes = collision_shapes(model);
  ContactForce::Settings settings;
  settings.pairs.push_back({shapes.at(0), shapes.at(1), false});
  settings.normal = normal;
  settings.friction = friction;
  return settings;
}

/// A set-up with one contact, `ground`.
inline SimulationSetup contact_setup(const Model& model, const ContactForce::Settings& settings,
                                     const Vector3& gravity = Vector3::Zero()) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.gravity = gravity;
  setup.forces.push_back(std::make_shared<ContactForce>("ground", settings));
  return setup;
}

}  // namespace spacedyn::testing
