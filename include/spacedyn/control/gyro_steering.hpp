/// @file
/// How control-moment gyros share a torque.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"

namespace spacedyn {

/// Gimbal rates for a torque N on the body, with A and the singularity measure m of GyroCluster:
///   δ̇ = Aᵀ (A Aᵀ + λ h² E)⁻¹ (−N − ω × h) + ν (E − Aᵀ (A Aᵀ + λ h² E)⁻¹ A) ∂m/∂δ,
/// the singularity-robust inverse [Nakamura & Hanafusa 1986]: λ = λ_0 (1 − m/m_0)² where m < m_0
/// and zero elsewhere, h² = tr(A Aᵀ)/n. Null motion ν turns gimbals away from singularities without
/// a torque. Rates beyond the limit of a gimbal make all smaller by the same factor.
///
/// Gimbals follow by the torque K_δ (δ̇ − q̇) + g·(ω × h_i) of their motors, the last being what the
/// rotor of a body that turns asks of its gimbal.
class SPACEDYN_EXPORT GyroSteering {
 public:
  struct Settings {
    std::vector<int> gimbals;  ///< joints, all on one body
    double rate_gain = 0.0;    ///< K_δ, N m s/rad
    double threshold = 0.1;    ///< m_0
    double damping = 0.01;     ///< λ_0
    double null_motion = 0.0;  ///< ν, rad/s
  };
  /// @throws DomainError, its text beginning with @p owner, if there is no gimbal, a joint is none
  /// of a gyro, they are named twice or on several bodies, or a number is out of its range
  GyroSteering(const std::string& owner, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  int size() const { return static_cast<int>(settings_.gimbals.size()); }
  /// The body that carries the gyros.
  int body() const { return body_; }
  /// @throws DomainError if the joints are no gimbals of this model
  void check(const std::string& owner, const Model& model) const;
  /// @param torque  N, inertial  @param rates  out: δ̇, rad/s. Allocates nothing after its first use
  /// in a thread.
  void steer(const EvaluationContext& context, const Vector3& torque, VectorRef rates) const;
  /// Adds the torques of the gimbals' motors.
  void apply(const EvaluationContext& context, ConstVectorRef rates, Loads& loads) const;
  /// Axes, 0…2 of @p axes (columns, in the body's link frame), about which the gyros have no torque
  /// at any gimbal angles.
  std::vector<int> axes_without_torque(const Model& model, const Matrix3& axes) const;

 private:
  Settings settings_;
  int body_ = 0;
  VectorX limits_;  // of the gimbal rates
};

}  // namespace spacedyn
