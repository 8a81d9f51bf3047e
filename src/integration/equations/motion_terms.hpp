/// @file
/// The terms of Lagrange's equations in coordinates that leave the system centroid apart.
#pragma once

#include <vector>

#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

/// Momenta, their generalized forces and the gradient of the kinetic energy, for the coordinates
/// (r_g, A_0, q) of a floating base, with T = ½ w v_g² + T_rel(A_0, q, ω_0, q̇), or q of a fixed
/// one.
///
/// With P and L_p of the bodies beyond joint j, L_p about the joint and both relative to v_g, and
/// v_p, ω_B of its lower link there: ∂T/∂q̇_j = k·L_p and ∂T/∂q_j = k·(P × v_p + L_p × ω_B) for a
/// revolute joint, k·P and P·(ω_B × k) for a prismatic one, both, the latter times the slide per
/// angle, for a screw. O(n), allocates only on construction.
class MotionTerms {
 public:
  MotionTerms(const Model& model, bool floating);

  /// @param loads  external wrenches, joint forces and gravity
  void compute(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
               const Loads& loads);

  Vector3 r_g = Vector3::Zero();      ///< system centroid; of a fixed base the inertial origin
  Vector3 v_g = Vector3::Zero();      ///< its velocity; of a fixed base 0
  Vector3 angular = Vector3::Zero();  ///< ∂T/∂ω_0, angular momentum about r_g
  Vector3 force = Vector3::Zero();    ///< external, with gravity
  Vector3 moment = Vector3::Zero();   ///< external, about r_g
  VectorX momentum;                   ///< ∂T/∂q̇, size n
  VectorX gradient;                   ///< ∂T/∂q, size n
  VectorX load;                       ///< generalized force of q at fixed r_g, size n

 private:
  /// Sums over a body and all beyond it, moments about r_g.
  struct Composite {
    double mass = 0.0;
    Vector3 first_moment, linear, angular, force, moment;
  };
  void start_bodies(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
                    const Loads& loads);
  void visit_joint(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
                   const Loads& loads, int joint);

  bool floating_;
  std::vector<Composite> composites_;
  Matrix3X shift_;  // column j: ∂(r_g − r_0)/∂q_j
};

}  // namespace spacedyn
