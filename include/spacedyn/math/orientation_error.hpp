/// @file
/// How far an orientation is from another one.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Rotation vector that turns A_now into A_goal: log(A_goal A_nowᵀ), rad, in the frame in which
/// both are given, |·| ≤ π; A_goal = exp_so3(error) A_now.
///
/// Differs from [SpaceDyn]: `tr2diff` returns sin(angle)·axis, which is zero again at 180° and
/// pulls back beyond 90°. At 180°, where both directions are equally far, one is returned.
/// @pre both are rotations
SPACEDYN_EXPORT Vector3 orientation_error(const Matrix3& A_goal, const Matrix3& A_now);

}  // namespace spacedyn
