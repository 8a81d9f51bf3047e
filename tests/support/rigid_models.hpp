/// @file
/// Bodies in rigid contact.
#pragma once

#include <string>

#include "spacedyn/forces/rigid_contact.hpp"
#include "support/contact_models.hpp"

namespace spacedyn::testing {

inline RigidContact::Settings rigid_law(double restitution, double friction = 0.0,
                                        ImpactLaw impact = ImpactLaw::newton) {
  RigidContact::Settings settings;
  settings.restitution = restitution;
  settings.friction = settings.static_friction = friction;
  settings.impact = impact;
  return settings;
}

/// All shapes of a model with the level ground.
inline RigidContact::Settings on_rigid_ground(const Model& model, RigidContact::Settings settings) {
  settings.pairs = on_ground(model, linear_law(1.0, 0.0)).pairs;
  settings.terrain = level_ground();
  return settings;
}

/// A set-up with one rigid contact, `ground`.
inline SimulationSetup rigid_setup(const Model& model, const RigidContact::Settings& settings,
                                   const Vector3& gravity = Vector3::Zero()) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.gravity = gravity;
  setup.forces.push_back(std::make_shared<RigidContact>("ground", settings));
  return setup;
}

/// Balls of 0.1 m that slide along x on a fixed base, each 0.2 m from the last: they touch.
inline Model balls_on_a_rail(const std::vector<double>& masses) {
  ModelBuilder builder("rail");
  builder.set_base(base_body(1.0, Vector3::Ones()));
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const std::string name = "ball_" + std::to_string(i + 1);
    LinkDescription link = link_body(name, "base", masses[i], Vector3::Constant(0.01),
                                     {0.2 * static_cast<double>(i), 0, 0}, Vector3::Zero());
    link.joint.type = JointType::prismatic;
    link.joint.axis = Vector3::UnitX();
    link.collisions.push_back(sphere_shape(name, 0.1));
    builder.add_link(link);
  }
  return builder.build();
}

/// Each ball of a rail with the next.
inline RigidContact::Settings along_a_rail(const Model& model, RigidContact::Settings settings) {
  const std::vector<BodyShape> shapes = collision_shapes(model);
  for (std::size_t i = 0; i + 1 < shapes.size(); ++i) {
    settings.pairs.push_back({shapes[i], shapes[i + 1], false});
  }
  return settings;
}

/// A rod of 1 kg and 1 m along its x with a ball of 1 mm at one end.
inline Model rod_with_tip() {
  BaseDescription base = base_body(1.0, {0.01, 1.0 / 12.0, 1.0 / 12.0});
  base.collisions.push_back(sphere_shape("tip", 1e-3, {0.5, 0, 0}));
  return ModelBuilder("rod").set_base(base).build();
}

}  // namespace spacedyn::testing
