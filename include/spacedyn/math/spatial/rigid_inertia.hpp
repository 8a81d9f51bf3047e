/// @file
/// Spatial inertia of a rigid body.
#pragma once

#include "spacedyn/math/spatial/plucker_transform.hpp"
#include "spacedyn/math/spatial/symmetric_matrix.hpp"

namespace spacedyn {

/// Map from spatial velocity to spatial momentum, [Carius] (17), by its ten parameters.
template <typename Scalar>
struct BasicRigidInertia {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Matrix = Eigen::Matrix<Scalar, 3, 3>;
  using Symmetric = BasicSymmetricMatrix<Scalar>;

  Scalar mass{0};                        ///< m, kg
  Vector first_moment = Vector::Zero();  ///< h = m c, kg m; c from the frame origin O
  Symmetric rotational = Symmetric{};    ///< I_O about the frame origin, kg m²

  /// From mass, centroid and the tensor about the centroid, all in one frame, [Carius] (18).
  static BasicRigidInertia from_centroidal(const Scalar& mass, const Vector& centroid,
                                           const Matrix& inertia) {
    const Vector h = mass * centroid;
    const Scalar half(0.5);
    return {mass, h, Symmetric::from(inertia) - Symmetric::sum_of_tildes(half * h, centroid)};
  }

  /// c = h/m. @pre the mass is not zero
  Vector centroid() const { return first_moment / mass; }
  /// I_c, the tensor about the centroid. @pre the mass is not zero
  Symmetric centroidal_inertia() const {
    const Scalar half(0.5);
    return rotational + Symmetric::sum_of_tildes(half * first_moment, centroid());
  }
  /// 6×6 view, [Carius] (17).
  Eigen::Matrix<Scalar, 6, 6> matrix() const {
    Eigen::Matrix<Scalar, 6, 6> view;
    view << rotational.matrix(), tilde(first_moment), tilde(first_moment).transpose(),
        mass * Matrix::Identity();
    return view;
  }

  BasicRigidInertia& operator+=(const BasicRigidInertia& other) {
    mass += other.mass;
    first_moment += other.first_moment;
    rotational += other.rotational;
    return *this;
  }
  /// Two bodies joined rigidly; no new centroid is needed, [Carius] (19).
  friend BasicRigidInertia operator+(BasicRigidInertia a, const BasicRigidInertia& b) {
    return a += b;
  }
  /// Momentum ĥ = Î v̂.
  friend BasicForceVector<Scalar> operator*(const BasicRigidInertia& I,
                                            const BasicMotionVector<Scalar>& v) {
    using elementwise::cross, elementwise::difference, elementwise::scaled, elementwise::sum;
    return {sum(I.rotational * v.angular, cross(I.first_moment, v.linear)),
            difference(scaled(v.linear, I.mass), cross(I.first_moment, v.angular))};
  }
};

/// X* I X⁻¹: the inertia in the coordinates that X leads to.
template <typename Scalar>
BasicRigidInertia<Scalar> transform(const BasicPluckerTransform<Scalar>& X,
                                    const BasicRigidInertia<Scalar>& I) {
  using Symmetric = BasicSymmetricMatrix<Scalar>;
  const Scalar half(0.5);
  using elementwise::difference, elementwise::scaled, elementwise::times;
  const auto middle = difference(I.first_moment, scaled(X.offset, half * I.mass));
  const auto moved = I.rotational + Symmetric::sum_of_tildes(middle, X.offset);
  const auto h = difference(I.first_moment, scaled(X.offset, I.mass));
  return {I.mass, times(X.rotation, h), moved.rotated(X.rotation)};
}

/// Xᵀ I X: the inertia in the coordinates that X comes from, [Carius] (20).
template <typename Scalar>
BasicRigidInertia<Scalar> transform_back(const BasicPluckerTransform<Scalar>& X,
                                         const BasicRigidInertia<Scalar>& I) {
  using Symmetric = BasicSymmetricMatrix<Scalar>;
  const Scalar half(0.5);
  using elementwise::scaled, elementwise::sum, elementwise::transposed_times;
  const auto h = transposed_times(X.rotation, I.first_moment);
  const auto middle = sum(h, scaled(X.offset, half * I.mass));
  return {I.mass, sum(h, scaled(X.offset, I.mass)),
          I.rotational.rotated_back(X.rotation) - Symmetric::sum_of_tildes(middle, X.offset)};
}

/// T = ½ v·I v, J.
template <typename Scalar>
Scalar kinetic_energy(const BasicRigidInertia<Scalar>& I, const BasicMotionVector<Scalar>& v) {
  return Scalar(0.5) * dot(I * v, v);
}

using RigidInertia = BasicRigidInertia<double>;

}  // namespace spacedyn
