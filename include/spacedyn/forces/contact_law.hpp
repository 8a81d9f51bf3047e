/// @file
/// What a point of a contact answers to depth and sliding.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

enum class NormalContactLaw {
  linear,        ///< spring and damper, without adhesion
  hunt_crossley  ///< damping in proportion to the elastic force
};

enum class FrictionLaw {
  coulomb,  ///< regularized: creeps while it holds
  bristle   ///< a spring and a damper in series with a slider: holds without creep
};

/// The damping factor β with which F = k δⁿ (1 + β δ̇/v) gives an impact at the speed v the
/// restitution e, for any mass, stiffness and exponent.
///
/// m δ̈ = −F has the integral m v² (w − ln(1 + w))/β² + k δⁿ⁺¹/(n + 1) with w = β δ̇/v, which is the
/// same at both ends of the impact, w = β and w = −e β: (1 + e) β = ln((1 + β)/(1 − e β)). Solved
/// numerically; 0 for e = 1. Below e = 10⁻³ the factor of 10⁻³ is returned, for no finite one gives
/// less than a thousandth.
/// @throws DomainError unless 0 ≤ e ≤ 1
SPACEDYN_EXPORT double hunt_crossley_damping(double restitution);

/// Normal force of one point, F ≥ 0, as a function of depth δ and its rate.
///
/// linear: F = max(0, k δ + c δ̇). hunt_crossley: F = max(0, k δⁿ (1 + β δ̇/v)), where v is the speed
/// at which the point began to touch, but at least least_impact_speed and at least |δ̇|.
class SPACEDYN_EXPORT NormalContact {
 public:
  struct Settings {
    NormalContactLaw law = NormalContactLaw::hunt_crossley;
    double stiffness = 0.0;            ///< k, N/mⁿ
    double damping = 0.0;              ///< c, N s/m, of the linear law
    double restitution = 1.0;          ///< e, of hunt_crossley
    double exponent = 1.5;             ///< n ≥ 1, of hunt_crossley
    double least_impact_speed = 1e-3;  ///< m/s, of hunt_crossley; slower impacts give more back
  };

  /// @throws DomainError if a number has no meaning
  explicit NormalContact(const Settings& settings);

  const Settings& settings() const { return settings_; }
  double damping_factor() const { return beta_; }  ///< β

  /// @name Of a depth ≥ 0
  /// @{
  double elastic(double depth) const;                                  ///< k δⁿ, N
  double energy(double depth) const;                                   ///< ∫ elastic dδ, J
  double slope(double depth) const;                                    ///< d(elastic)/dδ, N/m
  double force(double depth, double rate, double impact_speed) const;  ///< F, N
  /// First derivatives of force(), of the branch that holds.
  struct Slopes {
    double depth = 0.0, rate = 0.0, impact_speed = 0.0;
  };
  Slopes slopes(double depth, double rate, double impact_speed) const;
  /// The depth at which the elastic force is that.
  double depth_of(double force) const;
  /// @}

 private:
  Settings settings_;
  double beta_ = 0.0;
};

/// Friction of one point in the tangent plane, at most μ(v) F_n, and against rolling and spinning.
///
/// μ(v) = μ + (μ_s − μ) exp(−(v/v_s)²). coulomb: μ F_n h(v/v_ε) against the sliding velocity, h
/// twice continuously differentiable, 1 from v_ε on. bristle: with the deflection z and w = k z +
/// c v the force is w, shortened to μ F_n, and ż = (force − k z)/c: a spring with a damper that
/// hold exactly, in series with a slider; what it loses is never negative. Rolling and spinning
/// friction are moments of at most ρ F_n and σ F_n against the components of the relative angular
/// velocity in the tangent plane and along the normal, regularized like coulomb at ω_ε.
struct SPACEDYN_EXPORT ContactFriction {
  FrictionLaw law = FrictionLaw::coulomb;
  double coefficient = 0.0;         ///< μ
  double static_coefficient = 0.0;  ///< μ_s ≥ μ
  double slip_velocity = 1e-3;      ///< v_ε, m/s
  double stribeck_velocity = 1e-2;  ///< v_s, m/s
  double stiffness = 0.0;           ///< k, N/m, of bristle
  double damping = 0.0;             ///< c, N s/m, of bristle
  double rolling = 0.0;             ///< ρ, m
  double spinning = 0.0;            ///< σ, m
  double slip_rate = 1e-2;          ///< ω_ε, rad/s

  /// @throws DomainError if a number has no meaning
  void check() const;
  bool has_bristle() const { return law == FrictionLaw::bristle && static_coefficient > 0.0; }
  bool is_present() const { return static_coefficient > 0.0 || rolling > 0.0 || spinning > 0.0; }
  /// μ(v).
  double coefficient_at(double speed) const;
  /// Force of coulomb on the first body that slides with a velocity against the second.
  Vector3 coulomb(double normal_force, const Vector3& velocity) const;
  /// Moment on the first body that turns with an angular velocity against the second.
  Vector3 moment(double normal_force, const Vector3& normal, const Vector3& omega) const;

  /// @name First-order changes with those of all arguments
  /// @{
  double coefficient_change(const Vector3& velocity, const Vector3& velocity_change) const;
  Vector3 coulomb_change(double normal_force, const Vector3& velocity, double force_change,
                         const Vector3& velocity_change) const;
  /// What moment() depends on.
  struct Turning {
    double normal_force = 0.0;
    Vector3 normal = Vector3::Zero(), omega = Vector3::Zero();
  };
  Vector3 moment_change(const Turning& now, const Turning& change) const;
  /// @}
};

}  // namespace spacedyn
