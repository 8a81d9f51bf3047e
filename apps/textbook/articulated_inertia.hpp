/// @file
/// Articulated inertia: what a body seems to weigh with others hanging on it by joints.
#pragma once

#include "spacedyn/math/spatial/rigid_inertia.hpp"

namespace spacedyn {

/// A symmetric map from M⁶ to F⁶ by its blocks [J, H; Hᵀ, M]: 21 numbers.
template <typename Scalar>
struct BasicArticulatedInertia {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Matrix = Eigen::Matrix<Scalar, 3, 3>;
  using Symmetric = BasicSymmetricMatrix<Scalar>;

  Symmetric rotational = Symmetric{};  ///< J: moment per angular acceleration
  Matrix coupling = Matrix::Zero();    ///< H: moment per linear acceleration
  Symmetric linear = Symmetric{};      ///< M: force per linear acceleration

  BasicArticulatedInertia() = default;
  BasicArticulatedInertia(const Symmetric& J, const Matrix& H, const Symmetric& M)
      : rotational(J), coupling(H), linear(M) {}
  /// A rigid body alone. Implicit: each rigid inertia is an articulated one.
  BasicArticulatedInertia(
      const BasicRigidInertia<Scalar>& I)  // NOLINT(google-explicit-constructor)
      : rotational(I.rotational),
        coupling(tilde(I.first_moment)),
        linear(Symmetric::multiple_of_identity(I.mass)) {}

  /// 6×6 view.
  Eigen::Matrix<Scalar, 6, 6> matrix() const {
    Eigen::Matrix<Scalar, 6, 6> view;
    view << rotational.matrix(), coupling, coupling.transpose(), linear.matrix();
    return view;
  }

  BasicArticulatedInertia& operator+=(const BasicArticulatedInertia& other) {
    rotational += other.rotational;
    coupling += other.coupling;
    linear += other.linear;
    return *this;
  }
  friend BasicArticulatedInertia operator+(BasicArticulatedInertia a,
                                           const BasicArticulatedInertia& b) {
    return a += b;
  }
  friend BasicForceVector<Scalar> operator*(const BasicArticulatedInertia& I,
                                            const BasicMotionVector<Scalar>& a) {
    using elementwise::sum, elementwise::times, elementwise::transposed_times;
    return {sum(I.rotational * a.angular, times(I.coupling, a.linear)),
            sum(transposed_times(I.coupling, a.angular), I.linear * a.linear)};
  }

  /// I − factor U Uᵀ: what remains when a joint yields along the direction that U answers to.
  BasicArticulatedInertia without(const BasicForceVector<Scalar>& U, const Scalar& factor) const {
    const Vector n = elementwise::scaled(U.angular, factor);
    const Vector f = elementwise::scaled(U.linear, factor);
    const auto& u = U.angular;
    const auto& w = U.linear;
    Matrix H;
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) H(i, j) = coupling(i, j) - n[i] * w[j];
    }
    return {rotational - Symmetric{n[0] * u[0], n[0] * u[1], n[0] * u[2], n[1] * u[1], n[1] * u[2],
                                   n[2] * u[2]},
            H,
            linear - Symmetric{f[0] * w[0], f[0] * w[1], f[0] * w[2], f[1] * w[1], f[1] * w[2],
                               f[2] * w[2]}};
  }
};

/// Xᵀ I X: the inertia in the coordinates that X comes from, with all symmetry used.
template <typename Scalar>
BasicArticulatedInertia<Scalar> transform_back(const BasicPluckerTransform<Scalar>& X,
                                               const BasicArticulatedInertia<Scalar>& I) {
  using Inertia = BasicArticulatedInertia<Scalar>;
  using Matrix = typename Inertia::Matrix;
  const Matrix axes = X.rotation.transpose();
  const auto M = I.linear.rotated_back(X.rotation);
  const Matrix turned = axes * I.coupling * X.rotation;
  const Matrix r = tilde(X.offset);
  const Matrix H = turned + r * M.matrix();
  // r̃ Hᵀ − H′ r̃ is symmetric: its upper triangle is enough
  const Matrix moved = r * turned.transpose() - H * r;
  return {I.rotational.rotated_back(X.rotation) + BasicSymmetricMatrix<Scalar>::from(moved), H, M};
}

/// X* I X⁻¹: the inertia in the coordinates that X leads to.
template <typename Scalar>
BasicArticulatedInertia<Scalar> transform(const BasicPluckerTransform<Scalar>& X,
                                          const BasicArticulatedInertia<Scalar>& I) {
  return transform_back(X.inverse(), I);
}

using ArticulatedInertia = BasicArticulatedInertia<double>;

}  // namespace spacedyn
