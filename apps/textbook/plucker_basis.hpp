/// @file
/// Plücker bases D_O and E_O as maps between coordinate 6-vectors and the vectors they stand for.
#pragma once

#include "spacedyn/math/spatial/plucker_transform.hpp"

namespace spacedyn {

/// The dual bases (D_O, E_O) of a Cartesian frame Oxyz, [Featherstone] (5), (11), (21)–(32).
///
/// Abstract vectors, those without coordinates, are held in the coordinates of one common frame
/// (the inertial one); R⁶ is Vector6. Angular coordinates come first here; the order is cosmetic.
class PluckerBasis {
 public:
  /// The common frame itself.
  PluckerBasis() = default;
  /// @param axes    columns i, j, k in the common frame
  /// @param origin  O in the common frame
  PluckerBasis(const Matrix3& axes, const Vector3& origin)
      : to_frame_(PluckerTransform::into_frame(axes, origin)) {}

  const Vector3& origin() const { return to_frame_.offset; }
  Matrix3 axes() const { return to_frame_.rotation.transpose(); }

  /// @name The maps D_O, E_O, (22), and their inverses (25), (26)
  /// @{
  MotionVector motion(const Vector6& coordinates) const {
    return to_frame_.inverse_times(MotionVector::from_coordinates(coordinates));
  }
  ForceVector force(const Vector6& coordinates) const {
    return to_frame_.transpose_times(ForceVector::from_coordinates(coordinates));
  }
  Vector6 coordinates(const MotionVector& m) const { return (to_frame_ * m).coordinates(); }
  Vector6 coordinates(const ForceVector& f) const { return (to_frame_.dual() * f).coordinates(); }
  /// @}

  /// d_i: unit rotations about Ox, Oy, Oz (i = 0, 1, 2), unit translations along x, y, z.
  MotionVector d(int i) const { return motion(Vector6::Unit(i)); }
  /// e_i: unit couples about x, y, z (i = 0, 1, 2), unit forces along Ox, Oy, Oz.
  ForceVector e(int i) const { return force(Vector6::Unit(i)); }

  /// @name Another point, or other axes, alone
  /// @{
  PluckerBasis at(const Vector3& origin) const { return {axes(), origin}; }
  PluckerBasis with_axes(const Matrix3& axes) const { return {axes, origin()}; }
  /// @}

  /// @name Dyads from Euclidean to spatial vectors, (28), (29), (31), (32); no axes enter
  /// @{
  /// Rot_O^M: pure rotation about an axis through O.
  MotionVector rot_motion(const Vector3& omega) const { return {omega, origin().cross(omega)}; }
  /// Lin^M: pure translation; the same for every O.
  static MotionVector lin_motion(const Vector3& v) { return {Vector3::Zero(), v}; }
  /// Rot^F: couple; the same for every O.
  static ForceVector rot_force(const Vector3& n) { return {n, Vector3::Zero()}; }
  /// Lin_O^F: force along a line through O.
  ForceVector lin_force(const Vector3& f) const { return {origin().cross(f), f}; }
  /// @}

  /// ᴮX_A = B⁻¹ A: columns are the old basis vectors in the new coordinates.
  friend PluckerTransform transform_between(const PluckerBasis& from, const PluckerBasis& to) {
    return to.to_frame_ * from.to_frame_.inverse();
  }

 private:
  PluckerTransform to_frame_;
};

}  // namespace spacedyn
