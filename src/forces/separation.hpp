/// @file
/// Where a point of a body is seen from a point of another.
#pragma once

#include "spacedyn/forces/element.hpp"

namespace spacedyn {

struct Separation {
  Vector3 distance = Vector3::Zero(), velocity = Vector3::Zero();
};

/// Place and velocity of the second point from the first, inertial axes. They follow from the
/// joints between the two bodies: far from the origin the difference of two places is rounding.
/// O(joints between them), allocates nothing.
Separation separation(const EvaluationContext& context, const Frame& from, const Frame& to);

}  // namespace spacedyn
