#include "spacedyn/math/so3_derivatives.hpp"

#include <cmath>
#include <limits>

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

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
