/// @file
/// Keeping motion constraints from step to step. Private.
#pragma once

#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

/// Puts a state onto the motion constraints that hold: gaps become zero by the shortest
/// displacement in the metric of the inertia along which no other row moves, then rates by an
/// impulse. Each robot keeps the momentum that it had before the displacement. Loops stay closed to
/// second order.
/// @returns false after a failure of the equations
bool close_motions(EquationsOfMotion& equations, VectorX& x, double time);

/// Kᵀ of the motion constraints where the kinematics are; without columns where none holds.
MatrixX motion_rows(EquationsOfMotion& equations);

/// Lets a constraint begin to hold that an event connects: rates become zero by an impulse.
/// @throws NumericalError where its points are not where it could hold them
ConnectionRecord begin_motion(std::size_t connection, const MotionConstraint& constraint,
                              EquationsOfMotion& equations, VectorX& x, double time);

}  // namespace spacedyn
