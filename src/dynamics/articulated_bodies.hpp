/// @file
/// Articulated-body forward dynamics about the common origin, keeping what inverses need.
#pragma once

#include <array>
#include <vector>

#include "dynamics/body_motion.hpp"
#include "dynamics/derivative_terms.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/math/spatial/articulated_inertia.hpp"

namespace spacedyn {

/// One body with all that it carries on moving joints.
struct ArticulatedBody {
  ArticulatedInertia I;
  ForceVector p;            ///< force on it at zero acceleration
  std::array<double, 6> U;  ///< I S
  double inverse_D = 0.0;   ///< 1/(S·U); 0 for a prescribed joint, which does not yield
  double u = 0.0;           ///< what is left to accelerate the joint
};

struct ArticulatedBodies {
  explicit ArticulatedBodies(const TreeWalk& walk) : bodies(walk.bodies.size()) {}

  std::vector<ArticulatedBody> bodies;  ///< in the order of a walk
  Matrix6 base_inverse =
      Matrix6::Zero();  ///< I_0⁻¹, angular part first; zero if the base is not free
};

/// u̇ of the free coordinates and the accelerations of all bodies. O(n), allocates nothing.
/// @param motions       in: without accelerations; out: with
/// @param composites    of rigid inertia, the measure of what is lost by rounding
/// @param acceleration  in: entries of prescribed coordinates; out: all
/// @returns false if the inertia of a free coordinate is not positive
bool solve_articulated_bodies(const TreeWalk& walk, const State& state, BodyMotions& motions,
                              const std::vector<Composite>& composites, const Loads& loads,
                              const Mobility& mobility, ArticulatedBodies& articulated,
                              VectorRef acceleration);

}  // namespace spacedyn
