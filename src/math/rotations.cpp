#include "spacedyn/math/rotations.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "math/extended.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"

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

namespace {

// up to here θ² and its powers are safe, and the series below reach full precision
constexpr double kSeries = 0.5;
constexpr double kCotangentSeries = 1.0;  // as far as attitudes go from their references

// up to here a last digit of an angle is so small that its square does not matter
constexpr double kManyTurns = 1e6;

double length(const Vector3& a) { return std::hypot(a.x(), a.y(), a.z()); }

// tilde(a)² = a aᵀ − |a|² E, without the product of two matrices
Matrix3 tilde_squared(const Vector3& a) {
  const double xx = a.x() * a.x(), yy = a.y() * a.y(), zz = a.z() * a.z();
  Matrix3 square = a * a.transpose();
  square.diagonal() << -(yy + zz), -(xx + zz), -(xx + yy);
  return square;
}

// (θ − sin θ)/θ³ = Σ (−x)^k/(2k+3)!, x = θ² ≤ 1/4; the first term left out is below 2e-19
double cubic_coefficient(double x) {
  return 1.0 / 6.0 *
         (1.0 -
          x / 20.0 *
              (1.0 -
               x / 42.0 *
                   (1.0 - x / 72.0 * (1.0 - x / 110.0 * (1.0 - x / 156.0 * (1.0 - x / 210.0))))));
}

// (1 − (θ/2) cot(θ/2))/θ² = Σ |B_2k| x^(k−1)/(2k)!, x = θ² ≤ 1; each term is below x/39 times the
// one before it, so the first one left out is below 6e-18
double cotangent_coefficient(double x) {
  constexpr std::array<double, 10> kTerms{1.0 / 12.0,
                                          1.0 / 720.0,
                                          1.0 / 30240.0,
                                          1.0 / 1209600.0,
                                          1.0 / 47900160.0,
                                          691.0 / 1307674368000.0,
                                          1.0 / 74724249600.0,
                                          3617.0 / 10670622842880000.0,
                                          43867.0 / 5109094217170944000.0,
                                          174611.0 / 802857662698291200000.0};
  double sum = kTerms.back();
  for (std::size_t k = kTerms.size() - 1; k-- > 0;) sum = kTerms[k] + x * sum;
  return sum;
}

// (1 − (θ/2) cot(θ/2))/θ², θ ≥ 0
double inverse_coefficient(double angle) {
  if (angle <= kCotangentSeries) return cotangent_coefficient(angle * angle);
  return (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle);
}

// a rounding of |θ| must not refuse the limit itself
bool is_in_range(double angle) {
  return angle <= kDexpInverseLimit * (1.0 + 4.0 * std::numeric_limits<double>::epsilon());
}

/// c and dc/dθ² of (1 − (θ/2) cot(θ/2))/θ².
struct Coefficient {
  double value, slope;
};

constexpr double kSeriesReach = 0.25;  // of θ²; beyond, the quotients lose little that matters

Coefficient coefficient(double x) {
  if (x <= kSeriesReach) {
    // Σ |B_2k| x^(k−1)/(2k)! and its derivative, the first terms left out below 1e-16
    return {
        1.0 / 12.0 +
            x * (1.0 / 720.0 +
                 x * (1.0 / 30240.0 +
                      x * (1.0 / 1209600.0 + x * (1.0 / 47900160.0 + x * (691.0 / 1307674368000.0 +
                                                                          x / 74724249600.0))))),
        1.0 / 720.0 +
            x * (1.0 / 15120.0 +
                 x * (1.0 / 403200.0 +
                      x * (1.0 / 11975040.0 + x * (691.0 / 261534873600.0 + x / 12454041600.0))))};
  }
  // g = (θ/2) cot(θ/2): c = (1 − g)/θ², dc/dθ² = −(dg/dθ² + c)/θ²
  const double angle = std::sqrt(x);
  const double cotangent = 1.0 / std::tan(0.5 * angle);
  const double value = (1.0 - 0.5 * angle * cotangent) / x;
  const double g_by_angle = 0.5 * cotangent - 0.25 * angle * (1.0 + cotangent * cotangent);
  return {value, -(g_by_angle / (2.0 * angle) + value) / x};
}

}  // namespace

Matrix3 exp_so3(const Vector3& theta) {
  const ExtendedVector wide = theta.cast<Extended>();
  const Extended exact = wide.norm();
  if (exact == 0) return Matrix3::Identity();
  if (exact > kManyTurns) {
    return rotation_of<Extended>(wide / exact, std::sin(exact), 1 - std::cos(exact));
  }
  // sine and cosine in double, corrected for the digits of |θ| that double does not hold
  const auto angle = static_cast<double>(exact);
  const Extended rest = exact - angle;
  const Extended sine = std::sin(angle), cosine = std::cos(angle);
  const Extended half = std::sin(0.5 * angle);
  const Extended versine = angle < 1.0 ? 2 * half * half : 1 - cosine;
  return rotation_of<Extended>(wide / exact, sine + rest * cosine, versine + rest * sine);
}

Vector3 log_so3(const Matrix3& A) {
  const auto quaternion = quaternion_of<Extended>(A);
  const Extended sine = quaternion.vec().norm();
  if (sine == 0) return Vector3::Zero();
  const Extended angle = 2 * std::atan2(sine, quaternion.w());
  return (quaternion.vec() * (angle / sine)).cast<double>();
}

Matrix3 dexp_so3(const Vector3& theta) {
  const double half = length(0.5 * theta);
  if (half == 0.0) return Matrix3::Identity() + 0.5 * tilde(theta);
  const double sinc = std::sin(half) / half;
  if (half <= 0.5 * kSeries) {
    return Matrix3::Identity() + 0.5 * sinc * sinc * tilde(theta) +
           cubic_coefficient(4.0 * half * half) * tilde_squared(theta);
  }
  // E + (1 − cos θ)/θ ã + (1 − sin θ/θ) ã² with the unit axis a
  const Vector3 a = 0.5 * theta / half;
  return Matrix3::Identity() + std::sin(half) * sinc * tilde(a) +
         (1.0 - sinc * std::cos(half)) * tilde_squared(a);
}

Matrix3 dexp_inverse_so3(const Vector3& theta) {
  const double angle = length(theta);
  if (!is_in_range(angle)) {
    throw DomainError(
        fmt::format("rotation vector of length {} rad lies beyond 3π/2, too close to the "
                    "singularity of dexp⁻¹ at 2π; measure the rotation from a nearer reference",
                    angle));
  }
  return Matrix3::Identity() - 0.5 * tilde(theta) +
         inverse_coefficient(angle) * tilde_squared(theta);
}

Vector3 apply_dexp_inverse_so3(const Vector3& theta, const Vector3& omega) noexcept {
  const Vector3 turned = theta.cross(omega);
  const double x = theta.squaredNorm();
  double coefficient = 0.0;
  if (x <= kCotangentSeries * kCotangentSeries) {
    coefficient = cotangent_coefficient(x);
  } else {
    const double angle = length(theta);
    if (!is_in_range(angle)) return Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
    coefficient = inverse_coefficient(angle);
  }
  return omega - 0.5 * turned + coefficient * theta.cross(turned);
}

Matrix3 dexp_inverse_derivative(const Vector3& theta, const Vector3& omega) noexcept {
  const double x = theta.squaredNorm();
  constexpr double kLimit = kDexpInverseLimit * kDexpInverseLimit * (1.0 + 1e-15);
  if (!(x <= kLimit)) return Matrix3::Constant(std::numeric_limits<double>::quiet_NaN());
  const Coefficient c = coefficient(x);
  const Vector3 twice = theta.cross(theta.cross(omega));
  Matrix3 turned = theta * omega.transpose() - 2.0 * omega * theta.transpose();
  turned.diagonal().array() += theta.dot(omega);
  return 0.5 * tilde(omega) + c.value * turned + 2.0 * c.slope * twice * theta.transpose();
}

}  // namespace spacedyn
