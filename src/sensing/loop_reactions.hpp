/// @file
/// What loops exert on the bodies of a tree, for sensors of force. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

/// Loops at an instant, with the multipliers of their rows.
struct LoopReactions {
  const LoopEquations& loops;
  const LinkFrames& frames;
  const VectorX& multipliers;
};

/// Adds the forces and moments of loops that join points to those on bodies. Couplings of joints
/// act between neighbours: nothing of theirs flows through another joint. Allocates nothing.
void add_to_loads(const LoopReactions& reactions, Loads& loads) noexcept;

/// Force and moment about its centroid that a body receives from those it is joined to: what its
/// motion needs, less gravity and the loads on it. Inertial axes.
Vector6 wrench_of_neighbours(const EvaluationContext& motion,
                             const LinkAccelerations& accelerations, const Loads& loads, int body);

/// Adds up what acts on a body and all beyond it: force, then moment about a point.
Vector6 wrench_beyond(const Model& model, const LinkFrames& frames, const Loads& loads, int body,
                      const Vector3& point);

/// What holds bodies at an instant, for reactions of joints.
struct HeldSystem {
  const LoopEquations& loops;
  std::vector<const MotionConstraint*> motions;
  const Mobility& mobility;
  const State& state;
  double time = 0.0;  ///< s
};

/// What has rows that follow from others, so that what flows through the joint that carries a body
/// is not unique: `loop 'bar'` or `constraint 'blade'`; empty if it is. Motions of the free
/// coordinates leave such rows undecided, where Kᵀ λ = 0 has solutions λ that load the body and all
/// beyond it.
std::string holder_of_ambiguous_reaction(const HeldSystem& system, int body);

/// In words, after the name of a sensor. @param holder  as above
std::string ambiguous_reaction_text(const std::string& holder);

}  // namespace spacedyn
