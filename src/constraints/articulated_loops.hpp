/// @file
/// Articulated bodies that carry rows of loops, about points of their own. Private.
///
/// Each body has its own reference point, the origin of its link frame, and inertial axes: moments
/// of a long chain are never taken about a distant origin. Spatial vectors are (angular, linear).
#pragma once

#include <algorithm>
#include <cmath>

#include "math/squared_arm.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Matrix [A B; Bᵀ M] of an articulated inertia.
struct ArticulatedInertia {
  Matrix3 A, B, M;

  Matrix6 matrix() const {
    Matrix6 all;
    all << A, B, B.transpose(), M;
    return all;
  }
  /// Adds another one that is about a point at `arm` from that of this one.
  void add_shifted(const ArticulatedInertia& other, const Vector3& arm) {
    const Matrix3 d = tilde(arm), dM = d * other.M;
    A += other.A - other.B * d + d * other.B.transpose() - dM * d;
    B += other.B + dM;
    M += other.M;
  }
  /// Adds Y Cᵀ of two 6×m matrices.
  void add_product(const double* Y, const double* C, int m) {
    for (int r = 0; r < m; ++r, Y += 6, C += 6) {
      const Eigen::Map<const Vector3> y_a(Y), y_l(Y + 3), c_a(C), c_l(C + 3);
      A += y_a * c_a.transpose();
      B += y_a * c_l.transpose();
      M += y_l * c_l.transpose();
    }
  }
};

/// How large the numbers are that make up the diagonal element of a row.
struct BlockRow {
  double size = 0.0;   ///< what joints have added
  double terms = 0.0;  ///< what they would add if they moved the row as far as they can
  bool is_pivot = false;
  bool is_rounding = false;  ///< no free joint moves it at all
};

/// A joint with the body that it carries, in the sweeps of the incremental assembly.
struct ArticulatedJoint {
  ArticulatedInertia I;
  Vector6 U, p, a;
  Vector3 x, k;  ///< reference point, axis
  double armature = 0.0, inverse_D = 0.0, given = 0.0, turn = 1.0, slide = 0.0;
  bool is_free = true;

  void set(const Joint& joint, bool free) {
    armature = joint.armature;
    is_free = free;
    turn = joint.turn;
    slide = joint.slide;
  }
  void place(const Vector3& origin, const Vector3& centroid, const Vector3& axis,
             const Matrix3& orientation, const Body& body) {
    x = origin;
    k = axis;
    const Vector3 c = centroid - origin;
    I.A.noalias() = orientation * body.inertia_L * orientation.transpose();
    I.A += body.mass * squared_arm(c);
    I.B = tilde(body.mass * c);
    I.M = body.mass * Matrix3::Identity();
  }

  Vector3 angular() const { return turn * k; }
  Vector3 velocity_at(const Vector3& point) const { return turn * k.cross(point - x) + slide * k; }
  double along(const Vector6& wrench) const {
    return k.dot(turn * wrench.head<3>() + slide * wrench.tail<3>());
  }
  /// A wrench about the reference point of the lower body, `arm` behind.
  Vector6 shifted(const Vector3& arm, const Vector6& wrench) const {
    Vector6 result = wrench;
    result.head<3>() += arm.cross(wrench.tail<3>());
    return result;
  }

  /// I_A → I_a of the joint. @returns false where it moves no inertia
  bool reduce() {
    U.head<3>() = turn * (I.A * k) + slide * (I.B * k);
    U.tail<3>() = turn * (I.B.transpose() * k) + slide * (I.M * k);
    inverse_D = 0.0;
    if (!is_free) return true;
    const double D = along(U) + armature;
    if (!(D > 0.0)) return false;
    inverse_D = 1.0 / D;
    const Vector3 u_a = U.head<3>() * inverse_D, u_l = U.tail<3>() * inverse_D;
    I.A -= u_a * U.head<3>().transpose();
    I.B -= u_a * U.tail<3>().transpose();
    I.M -= u_l * U.tail<3>().transpose();
    return true;
  }
  /// Hands the wrench of a row to the lower body. @returns e of the row
  /// @param reach  distance of the point where the row acts
  double pass(const Vector3& arm, double reach, const double* C, double* up, BlockRow& row) const {
    const Eigen::Map<const Vector6> wrench(C);
    Vector6 handed = wrench;
    double e = 0.0;
    if (is_free) {
      e = -along(wrench);
      handed += U * (e * inverse_D);
      const double force = wrench.tail<3>().norm();
      const double terms =
          turn * std::max(wrench.head<3>().norm(), reach * force) + std::abs(slide) * force;
      row.size += e * e * inverse_D;
      row.terms += terms * terms * inverse_D;
    }
    Eigen::Map<Vector6> lower(up);
    lower += shifted(arm, handed);
    return e;
  }
  /// Notes what is missing to the given force. @returns it, divided by D
  double fall(double force) {
    given = is_free ? force - along(p) : 0.0;
    return given * inverse_D;
  }
  /// Acceleration of the joint and of the body. @param with_loops  e λ of open rows
  double rise(const ArticulatedJoint& lower, double with_loops) {
    a = lower.a;
    a.tail<3>() += Vector3(a.head<3>()).cross(x - lower.x);
    if (!is_free) return 0.0;
    const double qdd = (given + with_loops - U.dot(a)) * inverse_D;
    a.head<3>() += turn * k * qdd;
    a.tail<3>() += slide * k * qdd;
    return qdd;
  }
};

/// @name Small matrices, column after column
/// @{
/// N += s a bᵀ.
inline void add_outer(const double* a, int rows, const double* b, int columns, double s,
                      double* N) {
  for (int j = 0; j < columns; ++j) {
    const double factor = s * b[j];
    for (int i = 0; i < rows; ++i) N[i + j * rows] += a[i] * factor;
  }
}
/// C = A B of (rows×inner) and (inner×columns).
inline void multiply(int rows, int inner, const double* A, int columns, const double* B,
                     double* C) {
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      double sum = 0.0;
      for (int k = 0; k < inner; ++k) sum += A[i + k * rows] * B[k + j * inner];
      C[i + j * rows] = sum;
    }
  }
}
/// C −= A B.
inline void subtract_product(int rows, int inner, const double* A, int columns, const double* B,
                             double* C) {
  for (int j = 0; j < columns; ++j) {
    for (int k = 0; k < inner; ++k) {
      const double factor = B[k + j * inner];
      for (int i = 0; i < rows; ++i) C[i + j * rows] -= A[i + k * rows] * factor;
    }
  }
}
/// C −= Aᵀ B of (inner×rows) and (inner×columns).
inline void subtract_transposed_product(int rows, int inner, const double* A, int columns,
                                        const double* B, double* C) {
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      double sum = 0.0;
      for (int k = 0; k < inner; ++k) sum += A[k + i * inner] * B[k + j * inner];
      C[i + j * rows] -= sum;
    }
  }
}
/// @}

/// Part of the terms of a diagonal element that is rounding: directions in
/// which joints do not move at all.
inline constexpr double kLeastBlockTerms = 1e-26;

/// N ← P: the inverse of N in the rows that do not follow from others, zero in the rest.
/// @param least_pivot  part of the size of a row that counts as rounding
/// @param most_pivots  at most m
/// @returns their number
inline int invert_block(int m, double* N, BlockRow* rows, double least_pivot, int most_pivots) {
  const auto element = [&](int i, int j) -> double& { return N[i + j * m]; };
  int count = 0;
  for (; count < most_pivots; ++count) {
    int best = -1;
    double largest = 0.0;
    for (int i = 0; i < m; ++i) {
      const BlockRow& row = rows[i];
      const double least =
          std::max({least_pivot * row.size, least_pivot * std::sqrt(row.size * row.terms),
                    kLeastBlockTerms * row.terms});
      // written so that NaN fails
      if (row.is_pivot || !(element(i, i) > least)) continue;
      // by the terms: of rows that one joint moves, one that it hardly moves is all rounding
      if (element(i, i) > largest * row.terms) {
        largest = element(i, i) / row.terms;
        best = i;
      }
    }
    if (best < 0) break;
    rows[best].is_pivot = true;
    // Gauss and Jordan's step in place
    const double inverse = 1.0 / element(best, best);
    for (int j = 0; j < m; ++j) element(best, j) *= inverse;
    for (int i = 0; i < m; ++i) {
      if (i == best) continue;
      const double factor = element(i, best);
      for (int j = 0; j < m; ++j) element(i, j) -= factor * element(best, j);
      element(i, best) = -factor * inverse;
    }
    element(best, best) = inverse;
  }
  for (int i = 0; i < m; ++i) {
    rows[i].is_rounding = !(rows[i].size > kLeastBlockTerms * rows[i].terms);
    if (rows[i].is_pivot) continue;
    for (int j = 0; j < m; ++j) element(i, j) = element(j, i) = 0.0;
  }
  return count;
}

}  // namespace spacedyn
