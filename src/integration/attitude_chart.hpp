/// @file
/// The base attitude as a rotation vector about a reference that moves along.
#pragma once

#include <array>

#include "integration/archive.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {

/// A_0 = Exp(θ) A_ref with θ̇ = dexp⁻¹(θ) ω_0, so that every stepper keeps its order on SO(3).
///
/// The reference moves only when θ has grown, and θ̇ at θ = 0 is ω_0 itself: a derivative kept for
/// the next step stays valid, and dense output of a finished step is read before.
class AttitudeChart {
 public:
  explicit AttitudeChart(const Matrix3& A) : reference_(A) {}

  /// Exp(θ) A_ref to a few roundings, which do not add up from step to step.
  ///
  /// c + (sin θ/θ) θ × c + ((1 − cos θ)/θ²) θ × (θ × c) for each column, by series while θ ≤ 1,
  /// where the first terms left out are below 1e-17; longer vectors go the general way.
  Matrix3 attitude(const Vector3& theta) const {
    const double x = theta.squaredNorm();
    if (!(x <= 1.0)) return exp_so3(theta) * reference_;
    const double sine = alternating(kSine, x), versine = alternating(kVersine, x);
    Matrix3 A;
    for (int i = 0; i < 3; ++i) {
      const Vector3 c = reference_.col(i);
      const Vector3 turned = theta.cross(c);
      A.col(i) = c + sine * turned + versine * theta.cross(turned);
    }
    return A;
  }

  void transfer(Archive& archive) { archive(reference_); }

  static bool is_inside(const Vector3& theta) {
    return theta.squaredNorm() <= kDexpInverseLimit * kDexpInverseLimit;
  }
  static bool needs_recentring(const Vector3& theta) { return theta.norm() > kRecentringAngle; }

  /// A_ref ← Exp(θ) A_ref, the caller sets θ to zero. Orthonormality is restored to second order
  /// in its error by A (3 E − Aᵀ A) / 2, or 10⁴ revolutions would let it drift.
  void recentre(const Vector3& theta) {
    const Matrix3 A = attitude(theta);
    reference_ = 0.5 * A * (3.0 * Matrix3::Identity() - A.transpose() * A);
  }

 private:
  /// Σ c_k (−x)^k, even and odd powers side by side.
  static double alternating(const std::array<double, 9>& c, double x) {
    const double square = x * x;
    double even = c[8], odd = c[7];
    for (std::size_t k = 6; k > 0; k -= 2) {
      even = c[k] + square * even;
      odd = c[k - 1] + square * odd;
    }
    return c[0] + square * even - x * odd;
  }

  static constexpr std::array<double, 9> kSine{1.0,
                                               1.0 / 6.0,
                                               1.0 / 120.0,
                                               1.0 / 5040.0,
                                               1.0 / 362880.0,
                                               1.0 / 39916800.0,
                                               1.0 / 6227020800.0,
                                               1.0 / 1307674368000.0,
                                               1.0 / 355687428096000.0};
  static constexpr std::array<double, 9> kVersine{1.0 / 2.0,
                                                  1.0 / 24.0,
                                                  1.0 / 720.0,
                                                  1.0 / 40320.0,
                                                  1.0 / 3628800.0,
                                                  1.0 / 479001600.0,
                                                  1.0 / 87178291200.0,
                                                  1.0 / 20922789888000.0,
                                                  1.0 / 6402373705728000.0};
  static constexpr double kRecentringAngle = 1.0;  // rad
  Matrix3 reference_;
};

}  // namespace spacedyn
