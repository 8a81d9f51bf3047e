/// @file
/// The bristle that carries dry friction, shared by joints and brakes.
#pragma once

namespace spacedyn {

/// What a bristle is made of.
struct BristleSettings {
  double coulomb;            ///< F_c, N m or N, positive
  double breakaway;          ///< F_s ≥ F_c
  double stribeck_velocity;  ///< v_s
  double presliding;         ///< z_c
};

/// A bristle at an instant, with its derivatives.
///
/// g(v) = F_c + (F_s − F_c) exp(−(v/v_s)²), σ_0 = F_c/z_c, u = σ_0 |z|/g(v):
///   ż = v − |v| sign(z) φ(u) where v pushes on z, else ż = v,
///   τ = σ_0 z + σ_1(v) ż,   σ_1(v) = ⅕ F_s/v_s / (1 + (v/v_s)²).
/// φ is 0 below kElastic, so that the bristle is a spring there and slips nothing; it rises to
/// φ(1) = 1, where the bristle slides as a whole, twice continuously differentiable, and is u
/// beyond. What slips, v − ż, has the sign of z: the loss σ_0 z (v − ż) + σ_1 v ż is never negative
/// where F_s ≤ 40 F_c.
struct Bristle {
  double v, z;
  double stiffness;  ///< σ_0
  double zd;
  double force;             ///< τ, which acts against v
  double zd_by_v, zd_by_z;  ///< where the friction turns round, the mean of both sides
  double force_by_v, force_by_z;

  /// Fraction of g up to which nothing slips.
  static constexpr double kElastic = 0.9;

  double stored_energy() const { return 0.5 * stiffness * z * z; }
  double stored_power() const { return stiffness * z * zd; }
  double dissipated_power() const { return force * v - stored_power(); }
};

/// O(1), allocates nothing.
Bristle bristle_at(const BristleSettings& settings, double v, double z);

}  // namespace spacedyn
