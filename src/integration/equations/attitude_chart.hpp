/// @file
/// The base attitude as a rotation vector about a reference that moves along.
#pragma once

#include "integration/equations/archive.hpp"
#include "math/extended.hpp"
#include "math/rotation_series.hpp"
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
  /// where the first terms left out are below 1e-17; longer vectors take the general formula.
  Matrix3 attitude(const Vector3& theta) const {
    const double x = theta.squaredNorm();
    if (!(x <= 1.0)) return exp_so3(theta) * reference_;
    const double sine = alternating(kSincSeries, x), versine = alternating(kCoscSeries, x);
    Matrix3 A;
    for (int i = 0; i < 3; ++i) {
      const Vector3 c = reference_.col(i);
      const Vector3 turned = theta.cross(c);
      A.col(i) = c + sine * turned + versine * theta.cross(turned);
    }
    return A;
  }

  /// Of A_ref.
  Eigen::Quaterniond quaternion() const { return quaternion_of<double>(reference_); }

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
  /// Σ c_k (−x)^k, k ≤ 8, even and odd powers side by side.
  static double alternating(const double (&c)[12], double x) {
    const double square = x * x;
    double even = c[8], odd = c[7];
    for (std::size_t k = 6; k > 0; k -= 2) {
      even = c[k] + square * even;
      odd = c[k - 1] + square * odd;
    }
    return c[0] + square * even - x * odd;
  }

  static constexpr double kRecentringAngle = 1.0;  // rad
  Matrix3 reference_;
};

}  // namespace spacedyn
