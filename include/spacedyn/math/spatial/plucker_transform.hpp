/// @file
/// Plücker transforms: the same vector in the coordinates of another frame.
#pragma once

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/spatial/force_vector.hpp"

namespace spacedyn {

/// ᴮX_A for motion vectors, kept as rotation and offset and never multiplied as 6×6,
/// [Carius] (11): m_B = ᴮX_A m_A.
template <typename Scalar>
struct BasicPluckerTransform;

/// ᴮX_A* for force vectors, [Carius] (14): f_B = ᴮX_A* f_A, X* = X⁻ᵀ.
template <typename Scalar>
struct BasicForceTransform {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Rotation = Eigen::Matrix<Scalar, 3, 3>;

  Rotation rotation = Rotation::Identity();  ///< R_BA, takes A coordinates to B coordinates
  Vector offset = Vector::Zero();            ///< r_AB, origin of B in A coordinates

  /// The transform of motion vectors between the same frames.
  BasicPluckerTransform<Scalar> dual() const { return {rotation, offset}; }
  BasicForceTransform inverse() const { return {rotation.transpose(), -(rotation * offset)}; }
  /// 6×6 view.
  Eigen::Matrix<Scalar, 6, 6> matrix() const {
    Eigen::Matrix<Scalar, 6, 6> view;
    view << rotation, -rotation * tilde(offset), Rotation::Zero(), rotation;
    return view;
  }

  friend BasicForceVector<Scalar> operator*(const BasicForceTransform& X,
                                            const BasicForceVector<Scalar>& f) {
    using elementwise::cross, elementwise::difference, elementwise::times;
    const Vector moment = difference(f.angular, cross(X.offset, f.linear));
    return {times(X.rotation, moment), times(X.rotation, f.linear)};
  }
  /// ᶜX_B* ᴮX_A* = ᶜX_A*.
  friend BasicForceTransform operator*(const BasicForceTransform& outer,
                                       const BasicForceTransform& inner) {
    return {outer.rotation * inner.rotation,
            inner.offset + inner.rotation.transpose() * outer.offset};
  }
};

template <typename Scalar>
struct BasicPluckerTransform {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Rotation = Eigen::Matrix<Scalar, 3, 3>;
  using Motion = BasicMotionVector<Scalar>;
  using Force = BasicForceVector<Scalar>;

  Rotation rotation = Rotation::Identity();  ///< R_BA, takes A coordinates to B coordinates
  Vector offset = Vector::Zero();            ///< r_AB, origin of B in A coordinates

  /// Into a frame whose axes, in the coordinates left, are the columns of @p axes.
  static BasicPluckerTransform into_frame(const Rotation& axes, const Vector& origin) {
    return {axes.transpose(), origin};
  }
  /// Change of axes alone.
  static BasicPluckerTransform change_of_axes(const Rotation& rotation) {
    return {rotation, Vector::Zero()};
  }
  /// Change of point alone, called xlt by [RBDL].
  static BasicPluckerTransform change_of_point(const Vector& offset) {
    return {Rotation::Identity(), offset};
  }

  /// The transform of force vectors between the same frames, X* = X⁻ᵀ.
  BasicForceTransform<Scalar> dual() const { return {rotation, offset}; }
  /// ᴬX_B, [Carius] (13).
  BasicPluckerTransform inverse() const { return {rotation.transpose(), -(rotation * offset)}; }
  /// Xᵀ, which takes force vectors back: (ᴮX_A)ᵀ = ᴬX_B*.
  BasicForceTransform<Scalar> transpose() const { return inverse().dual(); }
  /// 6×6 view, [Carius] (11).
  Eigen::Matrix<Scalar, 6, 6> matrix() const {
    Eigen::Matrix<Scalar, 6, 6> view;
    view << rotation, Rotation::Zero(), -rotation * tilde(offset), rotation;
    return view;
  }

  /// X⁻¹ m without forming the inverse.
  Motion inverse_times(const Motion& m) const {
    using elementwise::copy, elementwise::cross, elementwise::sum, elementwise::transposed_times;
    const Vector turned = transposed_times(rotation, m.angular);
    return {copy(turned), sum(transposed_times(rotation, m.linear), cross(offset, turned))};
  }
  /// Xᵀ f without forming the transposed: the force vector in the coordinates of A.
  Force transpose_times(const Force& f) const {
    using elementwise::copy, elementwise::cross, elementwise::sum, elementwise::transposed_times;
    const Vector turned = transposed_times(rotation, f.linear);
    const Vector moment = transposed_times(rotation, f.angular);
    return {sum(moment, cross(offset, turned)), copy(turned)};
  }

  friend Motion operator*(const BasicPluckerTransform& X, const Motion& m) {
    using elementwise::cross, elementwise::difference, elementwise::times;
    const Vector velocity = difference(m.linear, cross(X.offset, m.angular));
    return {times(X.rotation, m.angular), times(X.rotation, velocity)};
  }
  /// ᶜX_B ᴮX_A = ᶜX_A.
  friend BasicPluckerTransform operator*(const BasicPluckerTransform& outer,
                                         const BasicPluckerTransform& inner) {
    return {outer.rotation * inner.rotation,
            inner.offset + inner.rotation.transpose() * outer.offset};
  }
};

using PluckerTransform = BasicPluckerTransform<double>;
using ForceTransform = BasicForceTransform<double>;

}  // namespace spacedyn
