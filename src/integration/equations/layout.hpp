/// @file
/// Where everything sits in the vector that the steppers integrate.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "integration/equations/archive.hpp"
#include "math/extended.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// x = [r_0, θ, q, v_0, ω_0, q̇, z, audit integrals, integrals of elements], with θ the base
/// attitude in its chart.
struct StateLayout {
  StateLayout(int joint_count, std::vector<std::string> names_of_auxiliaries, int energy_sources,
              int integrals_of_elements = 0)
      : joints(joint_count),
        sources(energy_sources),
        element_integrals(integrals_of_elements),
        auxiliaries(static_cast<int>(names_of_auxiliaries.size())),
        auxiliary_names(std::move(names_of_auxiliaries)) {}

  int joints;                                ///< n
  int sources;                               ///< number of energy sources
  int element_integrals;                     ///< number of integrals that elements ask for
  int auxiliaries;                           ///< number of states z
  std::vector<std::string> auxiliary_names;  ///< for instance `state 1 of 'motor'`

  static constexpr int r_0 = 0;
  static constexpr int theta = 3;
  static constexpr int q = 6;
  int v_0() const { return 6 + joints; }
  int omega_0() const { return 9 + joints; }
  int qd() const { return 12 + joints; }
  int z() const { return 12 + 2 * joints; }
  /// First audit integral; everything before it determines the motion.
  int integrals() const { return z() + auxiliaries; }
  int audit_count() const { return 7 + 2 * sources; }
  /// Of the audit and of elements.
  int integral_count() const { return audit_count() + element_integrals; }
  int size() const { return integrals() + integral_count(); }

  /// @name Inside the audit integrals: impulse, angular impulse, throughput, then work and
  /// dissipation of each source
  /// @{
  static constexpr int impulse = 0;
  static constexpr int angular_impulse = 3;
  static constexpr int throughput = 6;
  static constexpr int work(int source) { return 7 + 2 * source; }
  static constexpr int dissipated(int source) { return 8 + 2 * source; }
  /// @}
};

/// A_0 = Exp(θ) A_ref with θ̇ = dexp⁻¹(θ) ω_0, so that every stepper keeps its order on SO(3).
///
/// The reference moves only when θ has grown, and θ̇ at θ = 0 is ω_0 itself: a derivative kept for
/// the next step stays valid, and dense output of a finished step is read before.
class AttitudeChart {
 public:
  explicit AttitudeChart(const Matrix3& A) : reference_(A) {}

  /// Exp(θ) A_ref, by (4).
  Matrix3 attitude(const Vector3& theta) const { return turn_by(theta, reference_); }

  /// θ of an attitude less than half a turn from A_ref.
  Vector3 coordinates(const Matrix3& A) const { return log_so3(A * reference_.transpose()); }
  bool operator==(const AttitudeChart& other) const { return reference_ == other.reference_; }

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
