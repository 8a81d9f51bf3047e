/// @file
/// Where a system stays at rest.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// What a search for an equilibrium came to.
struct Equilibrium {
  State state;            ///< at rest, with auxiliary states as a run that begins there has them
  bool found = false;     ///< whether nothing accelerates
  double residual = 0.0;  ///< largest unbalanced generalized force, N or N m
  double weight = 0.0;    ///< what it is compared with: weight and sum of the loads, N
  int iterations = 0;
  std::string unbalanced;  ///< the coordinate with the largest residual: `the force on the base
                           ///< along z`, `joint 'elbow'`
};

/// Largest residual of an equilibrium as a part of Equilibrium::weight.
inline constexpr double kEquilibriumTolerance = 1e-9;

/// Finds the static equilibrium to which heavily damped motion leads from a configuration.
///
/// The forces of a system at rest, f(q) = −c(q, 0) + τ(q) with gravity, springs, contacts and all
/// forces and controllers as they act at t = 0, drive H q̇ = f + Kᵀ λ with the loops closed. Steps
/// of the implicit Euler method, (H/Δ + S) δ = f + Kᵀ λ with the stiffness S = −∂f/∂q, are as long
/// as a part of a radian, and short against the growth of motions that lead away; near the
/// equilibrium they become Newton's. Allocates.
/// @param start  its velocities and auxiliary states are not read
/// @param held   joints 1…n that keep their positions, beside those that are prescribed or locked
/// @throws DomainError, DimensionError if something does not fit the model, or for rigid contacts
/// and impulsive stops; NumericalError if H is not positive definite
SPACEDYN_EXPORT Equilibrium find_equilibrium(const ForcedSystem& system, const State& start,
                                             const std::vector<int>& held = {});

}  // namespace spacedyn
