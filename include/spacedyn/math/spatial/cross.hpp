/// @file
/// The spatial cross products × and ×*: rates of vectors that move with a body.
#pragma once

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/spatial/force_vector.hpp"

namespace spacedyn {

/// v × m: rate of a motion vector fixed in a body with velocity v, [Carius] (9).
template <typename Scalar>
BasicMotionVector<Scalar> cross(const BasicMotionVector<Scalar>& v,
                                const BasicMotionVector<Scalar>& m) {
  using elementwise::cross;
  return {cross(v.angular, m.angular),
          elementwise::sum(cross(v.angular, m.linear), cross(v.linear, m.angular))};
}

/// v ×* f: rate of a force vector fixed in a body with velocity v, [Carius] (10).
template <typename Scalar>
BasicForceVector<Scalar> cross_star(const BasicMotionVector<Scalar>& v,
                                    const BasicForceVector<Scalar>& f) {
  using elementwise::cross;
  return {elementwise::sum(cross(v.angular, f.angular), cross(v.linear, f.linear)),
          cross(v.angular, f.linear)};
}

/// The 6×6 matrix of v ×, for reading and checking, [Featherstone] (37).
inline Matrix6 cross_matrix(const MotionVector& v) {
  Matrix6 matrix;
  matrix << tilde(v.angular), Matrix3::Zero(), tilde(v.linear), tilde(v.angular);
  return matrix;
}

/// The 6×6 matrix of v ×*, which is −(v ×)ᵀ, [Featherstone] (38).
inline Matrix6 cross_star_matrix(const MotionVector& v) {
  Matrix6 matrix;
  matrix << tilde(v.angular), tilde(v.linear), Matrix3::Zero(), tilde(v.angular);
  return matrix;
}

}  // namespace spacedyn
