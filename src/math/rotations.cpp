#include "spacedyn/math/rotations.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "math/extended.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

// scaled first, so that no component overflows or is lost
Vector3 unit_axis(const Vector3& axis) {
  const double largest = axis.cwiseAbs().maxCoeff();
  if (!axis.allFinite() || largest == 0.0) {
    throw DomainError(
        fmt::format("rotation axis ({}, {}, {}) has no direction; give a finite vector other than "
                    "zero",
                    axis.x(), axis.y(), axis.z()));
  }
  return (axis / largest).normalized();
}

}  // namespace

Matrix3 rotation_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 A;
  A << 1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c;
  return A;
}

Matrix3 rotation_y(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 A;
  A << c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c;
  return A;
}

Matrix3 rotation_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 A;
  A << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return A;
}

Matrix3 rotation_about(const Vector3& axis, double angle) {
  const Vector3 a = unit_axis(axis);
  // 1 − cos θ = 2 sin²(θ/2) does not cancel
  const double half = std::sin(0.5 * angle);
  return rotation_of<double>(a, std::sin(angle), 2.0 * half * half);
}

Matrix3 rotation_from_z_to(const Vector3& axis) {
  const Vector3 a = unit_axis(axis);
  const double s = std::hypot(a.x(), a.y());
  // turning about (−a_y, a_x, 0); for −e_z about e_x
  const double ux = s > 0.0 ? a.x() / s : 0.0;
  const double uy = s > 0.0 ? a.y() / s : 1.0;
  // 1 − cos θ in the form that does not cancel
  const double v = a.z() > 0.0 ? s * s / (1.0 + a.z()) : 1.0 - a.z();
  Matrix3 A;
  A << 1.0 - v * ux * ux, -v * ux * uy, a.x(),  //
      -v * ux * uy, 1.0 - v * uy * uy, a.y(),   //
      -a.x(), -a.y(), a.z();
  return A;
}

Matrix3 matrix_from_quaternion(const Quaternion& quaternion) {
  const ExtendedVector vector = quaternion.vec().cast<Extended>();
  const Extended scalar = quaternion.w();
  const Extended norm = std::sqrt(scalar * scalar + vector.squaredNorm());
  if (!std::isfinite(norm) || norm == 0) {
    throw DomainError(
        fmt::format("quaternion (w, x, y, z) = ({}, {}, {}, {}) is no attitude; give four finite "
                    "numbers that are not all zero",
                    quaternion.w(), quaternion.x(), quaternion.y(), quaternion.z()));
  }
  // E + 2 w ṽ + 2 ṽ²
  return rotation_of<Extended>(vector / norm, 2 * scalar / norm, 2);
}

Quaternion quaternion_from_matrix(const Matrix3& A) {
  return quaternion_of<Extended>(A).cast<double>().normalized();
}

Quaternion quaternion_rate(const Quaternion& quaternion, const Vector3& omega) {
  return Quaternion(0.0, 0.5 * omega.x(), 0.5 * omega.y(), 0.5 * omega.z()) * quaternion;
}

AxisAngle axis_angle_from_matrix(const Matrix3& A) {
  const auto quaternion = quaternion_of<Extended>(A);
  const Extended sine = quaternion.vec().norm();
  if (sine == 0) return {};
  const ExtendedVector axis = quaternion.vec() / sine;
  return {axis.cast<double>(), static_cast<double>(2 * std::atan2(sine, quaternion.w()))};
}

Matrix3 nearest_rotation(const Matrix3& matrix) {
  if (!matrix.allFinite()) throw DomainError("matrix has elements that are not finite numbers");
  const Eigen::JacobiSVD<Matrix3> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  // a copy: g++ 12 takes what a reference would lead to for uninitialized
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const Vector3 sigma = svd.singularValues();
  if (sigma[2] <= 4.0 * kEps * sigma[0]) {
    throw DomainError("matrix is singular, so no rotation is nearest to it");
  }
  const Matrix3 A = svd.matrixU() * svd.matrixV().transpose();
  if (A.determinant() < 0.0) {
    throw DomainError(
        "matrix mirrors space (its determinant is negative); the axes of a rotation are "
        "right-handed");
  }
  // one Newton–Schulz step removes the rounding of the singular vectors
  return 0.5 * A * (3.0 * Matrix3::Identity() - A.transpose() * A);
}

double orthogonality_error(const Matrix3& A) {
  return (A.transpose() * A - Matrix3::Identity()).cwiseAbs().maxCoeff();
}

Matrix3 rodrigues_update(const Matrix3& A, const Vector3& omega, double dt) {
  return turn_by(omega * dt, A);
}

}  // namespace spacedyn
