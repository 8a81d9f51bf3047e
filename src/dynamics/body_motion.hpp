/// @file
/// Where all bodies are and how they move, about one common origin: the base centroid.
#pragma once

#include <vector>

#include "dynamics/rate_maps.hpp"
#include "dynamics/tree_walk.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// One body, inertial axes; positions from the base centroid, velocities less v_0: dynamics is the
/// same in all uniformly moving frames, and orbital speeds would cost digits.
struct BodyMotion {
  Matrix3 A;           ///< ᴵA_i
  Vector3 o;           ///< origin of the link frame
  Vector3 c;           ///< centroid
  MotionVector S;      ///< joint axis
  MotionVector v;      ///< velocity
  MotionVector S_dot;  ///< v_λ × S, also v × S
  RigidInertia I;      ///< about the common origin
  ForceVector momentum;
  ForceVector f;   ///< v ×* I v less the external wrench; after add_inertial_forces() plus I a
  MotionVector a;  ///< acceleration less gravity
};

/// All bodies in the order of a walk.
using BodyMotions = std::vector<BodyMotion>;

/// Sines and cosines of all joint positions, in model order.
struct JointAngles {
  explicit JointAngles(int joint_count) : sine(joint_count), cosine(joint_count) {}
  VectorX sine, cosine;
};

/// Fills everything but the accelerations. O(n), allocates nothing.
void compute_body_motions(const TreeWalk& walk, const State& state, const JointAngles& angles,
                          const Loads& loads, BodyMotions& bodies);

/// The spatial acceleration of the base, gravity subtracted.
/// @param acceleration  u̇, of which the first six are read
inline MotionVector base_acceleration(ConstVectorRef acceleration, const Vector3& gravity) {
  return {acceleration.segment<3>(3), acceleration.head<3>() - gravity};
}

/// Accelerations of all bodies from u̇, joints in model order.
void compute_accelerations(const TreeWalk& walk, const State& state, ConstVectorRef acceleration,
                           const Vector3& gravity, BodyMotions& bodies);

/// f += I a of all bodies.
void add_inertial_forces(BodyMotions& bodies);

}  // namespace spacedyn
