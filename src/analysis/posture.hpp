/// @file
/// The choice among the solutions of a redundant arm.
#pragma once

#include "analysis/damped_descent.hpp"

namespace spacedyn {

/// Moves a solution along the set of solutions towards a posture, as long as that gets nearer:
/// projected descent on ½|q − posture|², each step led back to the goals. Returns the number of
/// iterations.
/// @param state  in: a configuration that reaches the goals; out: a nearer one that does, too
int approach_posture(const Model& model, const FrameTask& task, Mover& mover, const JointBox& box,
                     const InverseKinematicsSettings& settings, const VectorX& posture,
                     State& state);

}  // namespace spacedyn
