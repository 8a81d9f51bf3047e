/// @file
/// Spatial inertia of a rigid body.
#pragma once

#include "spacedyn/math/spatial/elementwise.hpp"
#include "spacedyn/math/spatial/plucker_transform.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Elements xx, xy, xz, yy, yz, zz; what a formula leaves symmetric is computed once.
template <typename Scalar>
struct BasicSymmetricMatrix {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Matrix = Eigen::Matrix<Scalar, 3, 3>;

  Scalar xx{0}, xy{0}, xz{0}, yy{0}, yz{0}, zz{0};

  /// The upper triangle of a matrix that is symmetric.
  static BasicSymmetricMatrix from(const Matrix& a) {
    return {a(0, 0), a(0, 1), a(0, 2), a(1, 1), a(1, 2), a(2, 2)};
  }
  static BasicSymmetricMatrix multiple_of_identity(const Scalar& s) {
    return {s, Scalar(0), Scalar(0), s, Scalar(0), s};
  }
  /// a bᵀ + b aᵀ.
  static BasicSymmetricMatrix sum_of_products(const Vector& a, const Vector& b) {
    return {2 * a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[2] * b[0],
            2 * a[1] * b[1], a[1] * b[2] + a[2] * b[1], 2 * a[2] * b[2]};
  }
  /// ã b̃ + b̃ ã = a bᵀ + b aᵀ − 2 (a·b) E.
  static BasicSymmetricMatrix sum_of_tildes(const Vector& a, const Vector& b) {
    return sum_of_products(a, b) - multiple_of_identity(2 * elementwise::dot(a, b));
  }

  Matrix matrix() const {
    Matrix full;
    full << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return full;
  }
  /// R S Rᵀ, six elements of the outer product only.
  BasicSymmetricMatrix rotated(const Matrix& R) const {
    return with_rows(R.row(0).transpose(), R.row(1).transpose(), R.row(2).transpose());
  }
  /// Rᵀ S R.
  BasicSymmetricMatrix rotated_back(const Matrix& R) const {
    return with_rows(R.col(0), R.col(1), R.col(2));
  }

  BasicSymmetricMatrix& operator+=(const BasicSymmetricMatrix& b) {
    xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
    return *this;
  }
  BasicSymmetricMatrix& operator-=(const BasicSymmetricMatrix& b) {
    xx -= b.xx, xy -= b.xy, xz -= b.xz, yy -= b.yy, yz -= b.yz, zz -= b.zz;
    return *this;
  }
  friend BasicSymmetricMatrix operator+(BasicSymmetricMatrix a, const BasicSymmetricMatrix& b) {
    return a += b;
  }
  friend BasicSymmetricMatrix operator-(BasicSymmetricMatrix a, const BasicSymmetricMatrix& b) {
    return a -= b;
  }
  friend BasicSymmetricMatrix operator*(const Scalar& s, const BasicSymmetricMatrix& a) {
    return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
  }
  friend Vector operator*(const BasicSymmetricMatrix& a, const Vector& v) {
    return {a.xx * v[0] + a.xy * v[1] + a.xz * v[2], a.xy * v[0] + a.yy * v[1] + a.yz * v[2],
            a.xz * v[0] + a.yz * v[1] + a.zz * v[2]};
  }

 private:
  // elements aᵀ S a, aᵀ S b, …
  BasicSymmetricMatrix with_rows(const Vector& a, const Vector& b, const Vector& c) const {
    const Vector Sa = *this * a, Sb = *this * b, Sc = *this * c;
    using elementwise::dot;
    return {dot(a, Sa), dot(a, Sb), dot(a, Sc), dot(b, Sb), dot(b, Sc), dot(c, Sc)};
  }
};

using SymmetricMatrix = BasicSymmetricMatrix<double>;

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
