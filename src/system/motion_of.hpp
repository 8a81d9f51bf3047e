/// @file
/// Motion constraints, and the connections that turn them on and off. Private.
#pragma once

#include <vector>

#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "spacedyn/system/discrete_state.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// Null where the connection is a loop or a bushing.
inline const MotionConstraint* motion_of(const ForcedSystem& system, const Connection& connection) {
  if (connection.is_rigid()) return nullptr;
  const auto force = static_cast<std::size_t>(connection.force);
  return declarations_of(*system.forces[force]).motion;
}

/// Those that hold.
inline std::vector<const MotionConstraint*> holding_motions(const ForcedSystem& system,
                                                            const DiscreteState& discrete) {
  std::vector<bool> holds(system.forces.size(), true);
  for (std::size_t i = 0; i < system.connections.size(); ++i) {
    const Connection& connection = system.connections[i];
    if (connection.is_rigid()) continue;
    holds[static_cast<std::size_t>(connection.force)] = discrete.connections[i].active;
  }
  std::vector<const MotionConstraint*> motions;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    const MotionConstraint* motion = declarations_of(*system.forces[i]).motion;
    if (motion != nullptr && holds[i]) motions.push_back(motion);
  }
  return motions;
}

}  // namespace spacedyn
