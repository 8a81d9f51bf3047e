/// @file
/// How control-moment gyros share a torque.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/allocation.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"

namespace spacedyn {

/// Gimbal rates for a torque N on the body, with A and the singularity measure m of GyroCluster:
///   δ̇ = Aᵀ (A Aᵀ + λ h² E)⁻¹ (−N − ω × h) + ν (E − Aᵀ (A Aᵀ + λ h² E)⁻¹ A) ∂m/∂δ,
/// the singularity-robust inverse [Nakamura & Hanafusa 1986]: λ = λ_0 (1 − m/m_0)² where m < m_0
/// and zero elsewhere, h² = tr(A Aᵀ)/n. Null motion ν turns gimbals away from singularities without
/// a torque. Commands beyond a limit of a gimbal or rotor make all smaller by the same factor.
///
/// Gyros of variable speed, w_0 > 0, need no damping: with the torques u of the rotors' motors
/// about S = [s_i] the body receives −A δ̇ − S u, and of all that give N the weighted pseudo-inverse
///   δ̇ = Aᵀ y + null motion,  u = w h² Sᵀ y,  (A Aᵀ + w h² S Sᵀ) y = −N − ω × h − A ν ∂m/∂δ
/// takes those of least |δ̇|² + |u|²/(w h²), w = w_0 (1 − m/m_0)² where m < m_0 and zero elsewhere
/// [Schaub, Vadali & Junkins 1998].
///
/// Gimbals follow by the torque K_δ (δ̇ − q̇) + g·(ω × h_i) of their motors, the last being what the
/// rotor of a body that turns asks of its gimbal.
class SPACEDYN_EXPORT GyroSteering final : public Allocation {
 public:
  struct Settings {
    std::vector<int> gimbals;   ///< joints, all on one body
    double rate_gain = 0.0;     ///< K_δ, N m s/rad
    double threshold = 0.1;     ///< m_0
    double damping = 0.01;      ///< λ_0
    double null_motion = 0.0;   ///< ν, rad/s
    double rotor_weight = 0.0;  ///< w_0, 0 for rotors of constant speed
  };
  /// @throws DomainError, its text beginning with @p owner, if there is no gimbal, a joint is none
  /// of a gyro, they are named twice or on several bodies, or a number is out of its range
  GyroSteering(const std::string& owner, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  int size() const { return static_cast<int>(settings_.gimbals.size()); }
  /// Rates of the gimbals, and torques of the rotors if their speeds vary.
  int command_size() const override { return static_cast<int>(limits_.size()); }
  void check(const std::string& owner, const Model& model) const override;
  std::vector<int> idle_axes(const Model& model) const override;
  void allocate(const EvaluationContext& context, const WrenchDemand& demand,
                VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  /// The singularity measure m.
  void append_outputs(const std::string& controller,
                      std::vector<ActuatorOutput>& outputs) const override;

 private:
  Settings settings_;
  std::vector<int> rotors_;  // those that are commanded
  VectorX limits_;           // of the gimbal rates, then of the torques of rotors
};

}  // namespace spacedyn
