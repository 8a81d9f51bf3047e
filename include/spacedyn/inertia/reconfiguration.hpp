/// @file
/// Robots that change while they move: joints lock, bodies are caught and let go, another link
/// becomes the base. Each function gives the new Model together with the State in which the new
/// system goes on. They build a model and size everything themselves: O(n) unless said otherwise.
///
/// Bodies keep their places, joints are found again by name, and z, which belongs to force elements
/// and controllers, is copied as it is. All of them throw DimensionError or DomainError for a state
/// that does not fit its model, and what their namesakes on descriptions throw.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/locking.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A robot and a state of it.
struct ModelState {
  Model model;
  State state;
};

/// What velocities two systems have after they became one.
enum class JoinVelocity {
  plastic,  ///< a perfectly plastic impact: u⁺ of the joined system by conservation of momentum
  matching  ///< demands that the parts move alike already, so that nothing jumps
};

/// Holds joints where they are. A joint that still moves is stopped by a brake inside it: its
/// impulse is internal, so P and L are preserved and no other joint feels a torque impulse,
/// H⁺ u⁺ = Σ J_iᵀ [m_i v_i; I_i ω_i] + armature_j q̇_j over the bodies and the rotors of all other
/// joints before; the rotor of a locked joint stops on the body that carries it. Kinetic energy
/// never grows; it stays if the joints were at rest. A base fixed to the inertial frame stays at
/// rest and takes its share of the impulse. O(n³).
/// @throws NumericalError if the locked robot's inertia matrix is not positive definite.
SPACEDYN_EXPORT ModelState lock_joints(const Model& model, const State& state,
                                       const std::vector<std::string>& joints);

/// Sets locked joints free, as they are in the original; they start at rest.
/// @param positions  where they are held, as given to lock_joints()
/// @throws DomainError if one is not held there (to 1e-6 m and rad).
SPACEDYN_EXPORT ModelState unlock_joints(const Model& locked, const State& state,
                                         const Model& original, const JointPositions& positions);

/// The same motion with another link as base: all bodies keep pose, velocity and, under the same
/// forces, acceleration; P, L and energy are those of before.
SPACEDYN_EXPORT ModelState rerooted(const Model& model, const State& state,
                                    const std::string& new_base);

/// A link and all that it carries, moving as it does in the whole.
SPACEDYN_EXPORT ModelState submodel(const Model& model, const State& state,
                                    const std::string& link);

/// The two systems that result from a cut.
struct DetachedModels {
  ModelState remaining;
  ModelState detached;
};

/// Lets a link go, with all that it carries. Nothing jumps: masses, P, L and kinetic energy of the
/// two add up to those of the whole. A rotor of the joint that is cut turns on, idle, as a link of
/// what remains: see detach() of descriptions. Spring, damper and position limits of that joint end
/// with it, and what its spring holds, ½ k (q − q_0)², with them; all other joints keep theirs.
/// attach() does not bring them back, for it joins rigidly.
SPACEDYN_EXPORT DetachedModels detach(const Model& model, const State& state,
                                      const std::string& link);

/// How one robot takes hold of another.
struct Grasp {
  std::string link;    ///< body of the robot that holds: the base or a link
  std::string prefix;  ///< put before every name of the attached model
  JoinVelocity velocity = JoinVelocity::plastic;
};

/// Joins the base of another system rigidly to a body, where both are now; rerooted() makes any of
/// its links the base first.
///
/// Mass and centre of mass are those of the two. With JoinVelocity::plastic the hold is an impact
/// of no restitution: the impulse pair between the two is internal, joints are free to give way, H⁺
/// u⁺ = Σ J_iᵀ [m_i v_i; I_i ω_i] + armature_j q̇_j over the bodies and rotors before, so P and L
/// are preserved and the kinetic energy lost is ½ Σ (m_i |Δv_i|² + Δω_iᵀ I_i Δω_i) + ½ Σ armature_j
/// Δq̇_j² ≥ 0. As the attached mass goes to zero, so does the jump. A base fixed to the inertial
/// frame takes an impulse. O(n³).
/// @throws DomainError with JoinVelocity::matching if the parts would jump by more than 1e-9 of the
/// largest velocity (or of 1 m/s, 1 rad/s); NumericalError if the inertia matrix of the joined
/// system is not positive definite.
SPACEDYN_EXPORT ModelState attach(const Model& robot, const State& robot_state,
                                  const Model& attached, const State& attached_state,
                                  const Grasp& grasp);

}  // namespace spacedyn
