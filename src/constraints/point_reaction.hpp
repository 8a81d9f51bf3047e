/// @file
/// One unilateral point with Coulomb friction, solved exactly. Private.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// The nearest point of a disc about zero.
inline Eigen::Vector2d clip(const Eigen::Vector2d& value, double radius) {
  const double norm = value.norm();
  return norm > radius ? Eigen::Vector2d(radius / norm * value) : value;
}

/// The reaction λ = (n, t_1, t_2) of a point with the rates w = free + G λ: it parts, sticks, or
/// slides against its friction; a direction of sliding is found by bisection.
/// @param least  of λ_n
Vector3 point_reaction(const Matrix3& G, const Vector3& free, double friction, double least);

}  // namespace spacedyn
