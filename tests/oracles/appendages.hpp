/// @file
/// The hub of Basilisk's examples and its appendages that do not move in a plane.
#pragma once

#include "spacedyn/math/constants.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

constexpr double kAppendageStart = 5.0 * kPi / 180.0;

inline BaseDescription appendage_hub() {
  BaseDescription base = base_body(750.0, {900, 800, 600});
  base.center_of_mass = {0, 0, 1};
  return base;
}

inline LinkDescription hinged(const std::string& name, const std::string& parent, double mass,
                              const Vector3& inertia, const Vector3& hinge, const Vector3& center,
                              const Vector3& axis, double stiffness, double damping) {
  LinkDescription link = link_body(name, parent, mass, inertia, hinge, center);
  link.joint.axis = axis;
  link.joint.stiffness = stiffness;
  link.joint.damping = damping;
  return link;
}

inline ModelDescription spinning_body() {
  ModelDescription description;
  description.name = "spinning_body";
  description.base = appendage_hub();
  description.links = {hinged("body", "base", 50, {50, 30, 40}, {0.5, -1.5, -0.5}, {1, 0, -1},
                              -Vector3::UnitY(), 100, 0)};
  return description;
}

inline ModelDescription sliding_masses() {
  ModelDescription description;
  description.name = "sliding_masses";
  description.base = appendage_hub();
  const double masses[] = {10, 20, 15};
  for (int i = 0; i < 3; ++i) {
    LinkDescription link = hinged("mass_" + std::to_string(i), "base", masses[i], Vector3::Zero(),
                                  {0.1, 0.0, -0.1}, Vector3::Zero(), Vector3::Unit(i), 100, 0);
    link.joint.type = JointType::prismatic;
    description.links.push_back(link);
  }
  return description;
}

}  // namespace spacedyn::testing
