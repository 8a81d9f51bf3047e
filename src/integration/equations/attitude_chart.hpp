/// @file
/// The base attitude as a rotation vector about a reference that moves along.
#pragma once

#include "integration/equations/archive.hpp"
#include "math/extended.hpp"
#include "math/rodrigues.hpp"

namespace spacedyn {

/// A_0 = Exp(θ) A_ref with θ̇ = dexp⁻¹(θ) ω_0, so that every stepper keeps its order on SO(3).
///
/// The reference moves only when θ has grown, and θ̇ at θ = 0 is ω_0 itself: a derivative kept for
/// the next step stays valid, and dense output of a finished step is read before.
class AttitudeChart {
 public:
  explicit AttitudeChart(const Matrix3& A) : reference_(A) {}

  /// Exp(θ) A_ref, by (4).
  Matrix3 attitude(const Vector3& theta) const { return turn_by(theta, reference_); }

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
  static constexpr double kRecentringAngle = 1.0;  // rad
  Matrix3 reference_;
};

}  // namespace spacedyn
