#include <cmath>
#include <limits>

#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

// below this length of a singular row its direction is rounding noise
constexpr double kSingular = 2.0 * std::numeric_limits<double>::epsilon();

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

}  // namespace spacedyn
