/// @file
/// How the vectors of which all derivatives are made follow from the motion of the bodies.
#pragma once

#include <array>
#include <vector>

#include "dynamics/body_motion.hpp"
#include "dynamics/joint_terms.hpp"

namespace spacedyn {

/// What is known of a subtree as if its joints were locked.
struct Composite {
  RigidInertia I;
  GyroscopicMap D;
  HeldWrenchMap K;
  ForceVector f;
};

/// All terms, and the scratch memory to compute them.
struct DerivativeTerms {
  explicit DerivativeTerms(const TreeWalk& walk);

  std::vector<Composite> composites;  ///< in the order of a walk
  std::vector<JointTerms> joints;     ///< likewise; 0 is unused
  std::array<JointTerms, 3> base;     ///< turns of the base about the inertial axes
  bool has_wrenches = false;          ///< whether any external wrench acts
};

/// Composites except their forces, from motions without accelerations. O(n), allocates nothing.
void compute_composites(const TreeWalk& walk, const BodyMotions& bodies, const Loads& loads,
                        DerivativeTerms& terms);

/// Forces of composites and all terms, from motions with accelerations. O(n), allocates nothing.
///
/// Ψ̇ = v_λ × S and Ψ̈ = a_λ × S + v_λ × Ψ̇ are how the lower link seems to move when everything above
/// it has turned by the joint: then δf = I Ψ̈ + D Ψ̇ of each body above, besides turning itself.
void compute_derivative_terms(const TreeWalk& walk, const BodyMotions& bodies,
                              DerivativeTerms& terms);

}  // namespace spacedyn
