/// @file
/// Robots of a few bodies for which closed forms are known.
#pragma once

#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::testing {

/// A body named `base` with diagonal inertia.
inline BaseDescription base_body(double mass, const Vector3& inertia) {
  BaseDescription base;
  base.name = "base";
  base.mass = mass;
  base.inertia = inertia.asDiagonal();
  return base;
}

/// A link whose centroid sits at @p center in its frame, on a joint of the same name at @p origin.
inline LinkDescription link_body(const std::string& name, const std::string& parent, double mass,
                                 const Vector3& inertia, const Vector3& origin,
                                 const Vector3& center) {
  LinkDescription link;
  link.name = name;
  link.parent = parent;
  link.mass = mass;
  link.inertia = inertia.asDiagonal();
  link.center_of_mass = center;
  link.joint.origin.position = origin;
  return link;
}

/// A rigid body that floats alone.
inline Model single_body(double mass, const Vector3& inertia) {
  return ModelBuilder("single").set_base(base_body(mass, inertia)).build();
}

/// A base that carries a link without mass or inertia: H is singular in every state.
inline Model massless_tip() {
  return ModelBuilder("massless")
      .set_base(base_body(1.0, {1.0, 1.0, 1.0}))
      .add_link(link_body("tip", "base", 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}))
      .build();
}

/// Planar base and one link about z: m0 = 100, I0 = 20, a = 0.5, m1 = 10, I1 = 2, b = 0.75.
inline ModelDescription one_link_description() {
  return ModelBuilder("one_link")
      .set_base(base_body(100.0, {20.0, 20.0, 20.0}))
      .add_link(link_body("arm", "base", 10.0, {2.0, 2.0, 2.0}, {0.5, 0.0, 0.0}, {0.75, 0.0, 0.0}))
      .description();
}

inline Model one_link() { return ModelBuilder(one_link_description()).build(); }

/// Planar base and two links about z: m = (100, 10, 10), I = (20, 1, 1), joint 1 at 0.5, unit
/// links.
inline Model planar_two_link() {
  return ModelBuilder("two_link")
      .set_base(base_body(100.0, {20.0, 20.0, 20.0}))
      .add_link(link_body("upper", "base", 10.0, {1.0, 1.0, 1.0}, {0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}))
      .add_link(
          link_body("lower", "upper", 10.0, {1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, {0.5, 0.0, 0.0}))
      .build();
}

}  // namespace spacedyn::testing
