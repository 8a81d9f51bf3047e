/// @file
/// Rotations of spherical joints.
#pragma once

#include <string>

#include "math/rotation_vectors.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Rotation of the spherical joint whose coordinates begin with @p first: axes of the carried link
/// in those of the joint frame.
template <typename Positions>
Matrix3 spherical_rotation(const Positions& q, int first) {
  return exp_so3(q.template segment<3>(first - 1));
}

/// Rotation vector after a turn of the carried link in its own axes.
template <typename Positions>
Vector3 turn_spherical(const Positions& q, int first, const Vector3& turn) {
  return rotated(q.template segment<3>(first - 1), turn);
}

/// Link frame of the first coordinate of a spherical joint in the frame of the lower link, all
/// three coordinates together at a rotation R: it takes the place of Joint::rotation, and those of
/// the two others stay, so that the three axes are those of the carried link.
inline Matrix3 turned_by(const Joint& first, const Matrix3& R) {
  static const Matrix3 kLink = rotation_from_z_to(Vector3::UnitX());  // link axes in user axes
  return first.rotation * (kLink.transpose() * (R * kLink));
}

/// @throws DomainError if a model has spherical joints, with what cannot deal with them
inline void refuse_spherical_joints(const Model& model, const std::string& what) {
  if (model.spherical_joints().empty()) return;
  throw DomainError(what + ", but '" + model.joint(model.spherical_joints().front()).name +
                    "' belongs to a spherical joint");
}

}  // namespace spacedyn
