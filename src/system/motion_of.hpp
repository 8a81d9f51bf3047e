/// @file
/// The motion constraint that a connection turns on and off. Private.
#pragma once

#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// Null where the connection is a loop or a bushing.
inline const MotionConstraint* motion_of(const ForcedSystem& system, const Connection& connection) {
  if (connection.is_rigid()) return nullptr;
  const auto force = static_cast<std::size_t>(connection.force);
  return declarations_of(*system.forces[force]).motion;
}

}  // namespace spacedyn
