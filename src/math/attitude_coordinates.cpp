#include "spacedyn/math/attitude_coordinates.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

// below this length of a singular row its direction is rounding noise
constexpr double kSingular = 2.0 * std::numeric_limits<double>::epsilon();

void check_size(AttitudeCoordinates kind, const ConstVectorRef& attitude) {
  if (attitude.size() == attitude_size(kind)) return;
  throw DimensionError(fmt::format("attitude has {} numbers, expected {}{}", attitude.size(),
                                   attitude_size(kind),
                                   kind == AttitudeCoordinates::quaternion ? " (w, x, y, z)" : ""));
}

// ½ (0, ω) ∘ (w, v)
AttitudeVector quaternion_rate(const ConstVectorRef& attitude, const Vector3& omega) {
  const double w = attitude[0];
  const Vector3 v = attitude.tail<3>();
  AttitudeVector rate(4);
  rate << -0.5 * omega.dot(v), 0.5 * (w * omega + omega.cross(v));
  return rate;
}

// ω = α̇ e_x + R_x (β̇ e_y + γ̇ R_y e_z)
AttitudeVector twist_rate(const ConstVectorRef& twist, const Vector3& omega) {
  const double cos_beta = std::cos(twist[1]);
  if (!(std::abs(cos_beta) > kAngleSingularity)) {
    throw DomainError(
        fmt::format("twist angles have no rate at β = {} rad, where the axes of α and γ coincide "
                    "(β = ±π/2); use a quaternion or a rotation vector",
                    twist[1]));
  }
  const Vector3 turned = rotation_x(-twist[0]) * omega;
  const double gamma_rate = turned[2] / cos_beta;
  return Vector3(turned[0] - std::sin(twist[1]) * gamma_rate, turned[1], gamma_rate);
}

// ω = φ̇ e_z + R_z (θ̇ e_x + ψ̇ R_x e_z)
AttitudeVector euler_rate(const ConstVectorRef& angles, const Vector3& omega) {
  const double sin_theta = std::sin(angles[1]);
  if (!(std::abs(sin_theta) > kAngleSingularity)) {
    throw DomainError(
        fmt::format("3-1-3 Euler angles have no rate at θ = {} rad, where the axes of φ and ψ "
                    "coincide (θ = 0 or π); use a quaternion or a rotation vector",
                    angles[1]));
  }
  const Vector3 turned = rotation_z(-angles[0]) * omega;
  const double psi_rate = -turned[1] / sin_theta;
  return Vector3(turned[2] - std::cos(angles[1]) * psi_rate, turned[0], psi_rate);
}

}  // namespace

Matrix3 matrix_from_twist(const Vector3& twist) {
  return rotation_x(twist[0]) * rotation_y(twist[1]) * rotation_z(twist[2]);
}

Vector3 twist_from_matrix(const Matrix3& A) {
  const double cos_beta = std::hypot(A(0, 0), A(0, 1));
  const double beta = std::atan2(A(0, 2), cos_beta);
  const double gamma = cos_beta <= kSingular ? 0.0 : std::atan2(-A(0, 1), A(0, 0));
  // A R_z(−γ) = R_x(α) R_y(β) has the column (0, cos α, sin α), which is never small: whatever
  // digits γ lost near the singularity, α makes up for them
  const Vector3 y = std::sin(gamma) * A.col(0) + std::cos(gamma) * A.col(1);
  return {std::atan2(y[2], y[1]), beta, gamma};
}

Matrix3 matrix_from_rpy(const Vector3& rpy) {
  return rotation_z(rpy[2]) * rotation_y(rpy[1]) * rotation_x(rpy[0]);
}

Vector3 rpy_from_matrix(const Matrix3& A) {
  // Aᵀ = R_x(−r) R_y(−p) R_z(−y)
  return Vector3::Zero() - twist_from_matrix(A.transpose());
}

Matrix3 matrix_from_euler_313(const Vector3& angles) {
  return rotation_z(angles[0]) * rotation_x(angles[1]) * rotation_z(angles[2]);
}

Vector3 euler_313_from_matrix(const Matrix3& A) {
  const double sin_theta = std::hypot(A(2, 0), A(2, 1));
  const double theta = std::atan2(sin_theta, A(2, 2));
  const double psi = sin_theta <= kSingular ? 0.0 : std::atan2(A(2, 0), A(2, 1));
  // A R_z(−ψ) = R_z(φ) R_x(θ) has the column (cos φ, sin φ, 0)
  const Vector3 x = std::cos(psi) * A.col(0) - std::sin(psi) * A.col(1);
  return {std::atan2(x[1], x[0]), theta, psi};
}

int attitude_size(AttitudeCoordinates kind) {
  return kind == AttitudeCoordinates::quaternion ? 4 : 3;
}

Matrix3 matrix_from_attitude(AttitudeCoordinates kind, ConstVectorRef attitude) {
  check_size(kind, attitude);
  switch (kind) {
    case AttitudeCoordinates::quaternion:
      return matrix_from_quaternion(Quaternion(attitude[0], attitude[1], attitude[2], attitude[3]));
    case AttitudeCoordinates::rotation_vector:
      return exp_so3(attitude.head<3>());
    case AttitudeCoordinates::twist_angles:
      return matrix_from_twist(attitude.head<3>());
    default:
      return matrix_from_euler_313(attitude.head<3>());
  }
}

AttitudeVector attitude_from_matrix(AttitudeCoordinates kind, const Matrix3& A) {
  switch (kind) {
    case AttitudeCoordinates::quaternion: {
      const Quaternion quaternion = quaternion_from_matrix(A);
      return Eigen::Vector4d(quaternion.w(), quaternion.x(), quaternion.y(), quaternion.z());
    }
    case AttitudeCoordinates::rotation_vector:
      return log_so3(A);
    case AttitudeCoordinates::twist_angles:
      return twist_from_matrix(A);
    default:
      return euler_313_from_matrix(A);
  }
}

AttitudeVector attitude_rate(AttitudeCoordinates kind, ConstVectorRef attitude,
                             const Vector3& omega) {
  check_size(kind, attitude);
  switch (kind) {
    case AttitudeCoordinates::quaternion:
      return quaternion_rate(attitude, omega);
    case AttitudeCoordinates::rotation_vector:
      return Vector3(dexp_inverse_so3(attitude.head<3>()) * omega);
    case AttitudeCoordinates::twist_angles:
      return twist_rate(attitude, omega);
    default:
      return euler_rate(attitude, omega);
  }
}

AttitudeRateMatrix attitude_rate_matrix(AttitudeCoordinates kind, ConstVectorRef attitude) {
  AttitudeRateMatrix matrix(attitude_size(kind), 3);
  for (int i = 0; i < 3; ++i) matrix.col(i) = attitude_rate(kind, attitude, Vector3::Unit(i));
  return matrix;
}

Vector3 orientation_error(const Matrix3& A_goal, const Matrix3& A_now) {
  return log_so3(A_goal * A_now.transpose());
}

}  // namespace spacedyn
