/// @file
/// Loads that a step takes at velocities and positions it has yet to find. Private.
#pragma once

#include <Eigen/LU>

#include "control/load_differentiator.hpp"
#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

/// Newton's method for the loads f(q, v, z) at the middle of a step, v = u + Δ/2 the mean velocity,
/// q reached with it and z the mean of the auxiliary states:
///
///     H Δ = h f(q ⊕ h v/2, v, z_m) + …,   z_m = z + h/2 ż(q, v, z_m)
///
/// linearized, (H + A) δΔ = …, with A = −h/2 ∂f/∂v − h²/4 ∂f/∂q, and ∂f/∂z where z follows v.
/// Derivatives are those that elements say; loads of others are taken where they are evaluated.
class ImplicitLoads {
 public:
  explicit ImplicitLoads(const EquationsOfMotion& equations);

  /// Whether there is no element but rigid contacts.
  bool is_idle() const { return is_idle_; }
  /// Takes the derivatives of the last evaluation. @param h  s, size of the step
  void compute(EquationsOfMotion& equations, double h);
  /// A; null if there is nothing to take implicitly.
  const MatrixX* added() const { return is_idle_ ? nullptr : &added_; }

  /// What the loads give by reaching the middle with the mean velocity of a change Δ in place of
  /// that of the start, N s.
  void add_reach(ConstVectorRef change, VectorRef impulse) const;
  /// What they give by z, whose mean is off by a residual, N s.
  void add_auxiliary(ConstVectorRef residual, VectorRef impulse) const;
  /// The change of the mean of z by that of the mean velocities, with the residual of z.
  void move_auxiliary(ConstVectorRef residual, ConstVectorRef velocities, VectorRef z);

 private:
  bool is_idle_;
  LoadDifferentiator differentiator_;
  LoadDerivatives derivatives_;
  double h_ = 0.0;
  MatrixX added_;
  MatrixX by_auxiliary_;  // h ∂f/∂z (1 − h/2 ∂ż/∂z)⁻¹
  MatrixX coupling_;      // h/2 (∂ż/∂v + h/2 ∂ż/∂q)
  MatrixX matrix_;        // 1 − h/2 ∂ż/∂z
  Eigen::PartialPivLU<MatrixX> factor_;
  VectorX moved_;
};

}  // namespace spacedyn
