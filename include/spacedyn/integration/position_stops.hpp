/// @file
/// Stops at the position limits of all joints at once.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// The joints that add_compliant_stops() and add_impulsive_stops() serve: those with a position
/// limit that are not prescribed and have no JointStop and no bounce of their own in the set-up.
SPACEDYN_EXPORT std::vector<int> joints_without_stops(const SimulationSetup& setup);

/// The same of spherical joints with a limit of their total angle.
SPACEDYN_EXPORT std::vector<CompoundJoint> spherical_joints_without_stops(
    const SimulationSetup& setup);

/// Adds a JointStop `<joint> limit` at the position limits of each of joints_without_stops(), and
/// events `<joint> limit lower` and `<joint> limit upper` on which steps end; likewise a
/// SphericalStop at the limit of each of spherical_joints_without_stops().
/// @param stiffness, damping  of each stop, N m/rad and N m s/rad, prismatic N/m and N s/m
/// @throws DomainError unless the stiffness is positive, the damping not negative, both finite
SPACEDYN_EXPORT void add_compliant_stops(SimulationSetup& setup, double stiffness,
                                         double damping = 0.0);

/// Adds an impulsive stop at each position limit of each of joints_without_stops(): an event
/// `<joint> limit lower` or `<joint> limit upper` with a BounceAction, on which the joint may rest.
/// @param restitution  share of the velocity that it bounces back with
/// @throws DomainError unless it is from 0 to 1, or if a spherical joint would need a stop
SPACEDYN_EXPORT void add_impulsive_stops(SimulationSetup& setup, double restitution);

}  // namespace spacedyn
