/// @file
/// Motion imposed on joints or on the base.
#pragma once

#include <memory>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A joint that follows a reference exactly; the force it takes is computed.
struct PrescribedJoint {
  int joint = 0;                               ///< 1…n
  std::shared_ptr<const Reference> reference;  ///< one component
};

/// A base that moves as told: its centroid along a path, its attitude about a fixed inertial axis.
struct SPACEDYN_EXPORT PrescribedBase {
  std::shared_ptr<const Reference> position;  ///< 3 components, m, inertial; none: stays
  Vector3 axis = Vector3::UnitZ();            ///< unit vector, inertial
  std::shared_ptr<const Reference> angle;     ///< 1 component, rad from initial_attitude; none: 0
  Vector3 initial_position = Vector3::Zero();
  Matrix3 initial_attitude = Matrix3::Identity();

  /// Writes pose and velocity at an instant into the state and [v̇_0; ω̇_0] into the acceleration.
  /// Allocates nothing.
  void evaluate(const Instant& now, State& state, Vector6& acceleration) const;
};

}  // namespace spacedyn
