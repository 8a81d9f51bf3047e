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
    return {I.rotational * v.angular + I.first_moment.cross(v.linear),
            I.mass * v.linear - I.first_moment.cross(v.angular)};
  }
};

/// X* I X⁻¹: the inertia in the coordinates that X leads to.
template <typename Scalar>
BasicRigidInertia<Scalar> transform(const BasicPluckerTransform<Scalar>& X,
                                    const BasicRigidInertia<Scalar>& I) {
  using Symmetric = BasicSymmetricMatrix<Scalar>;
  const Scalar half(0.5);
  const Symmetric moved = I.rotational + Symmetric::sum_of_tildes(
                                             I.first_moment - (half * I.mass) * X.offset, X.offset);
  return {I.mass, X.rotation * (I.first_moment - I.mass * X.offset), moved.rotated(X.rotation)};
}

/// Xᵀ I X: the inertia in the coordinates that X comes from, [Carius] (20).
template <typename Scalar>
BasicRigidInertia<Scalar> transform_back(const BasicPluckerTransform<Scalar>& X,
                                         const BasicRigidInertia<Scalar>& I) {
  using Symmetric = BasicSymmetricMatrix<Scalar>;
  const Scalar half(0.5);
  const Eigen::Matrix<Scalar, 3, 1> h = X.rotation.transpose() * I.first_moment;
  return {I.mass, h + I.mass * X.offset,
          I.rotational.rotated(X.rotation.transpose()) -
              Symmetric::sum_of_tildes(h + (half * I.mass) * X.offset, X.offset)};
}

/// T = ½ v·I v, J.
template <typename Scalar>
Scalar kinetic_energy(const BasicRigidInertia<Scalar>& I, const BasicMotionVector<Scalar>& v) {
  return Scalar(0.5) * dot(I * v, v);
}

using RigidInertia = BasicRigidInertia<double>;

}  // namespace spacedyn
