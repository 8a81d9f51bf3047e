/// @file
/// A symmetric 3×3 matrix by its six elements.
#pragma once

#include "spacedyn/math/spatial/elementwise.hpp"
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

}  // namespace spacedyn
