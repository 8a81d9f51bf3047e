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
  /// Begins a step. @param h  s
  void begin(double h);
  /// Takes the derivatives of the last evaluation.
  void compute(EquationsOfMotion& equations);
  /// A; null if there is nothing to take implicitly.
  const MatrixX* added() const { return is_idle_ ? nullptr : &added_; }

  /// What the loads give by reaching the middle with the mean velocity of a change Δ in place of
  /// that of the start, N s.
  void add_reach(ConstVectorRef change, VectorRef impulse) const;
  /// What they give by z, whose mean is off by a residual, N s.
  void add_auxiliary(ConstVectorRef residual, VectorRef impulse) const;
  /// The change of the mean of z by that of the mean velocities, with the residual of z.
  void move_auxiliary(ConstVectorRef residual, ConstVectorRef velocities, VectorRef z);
  /// Solves z_m = z + h/2 ż(z_m) where the kinematics are, for states whose rates fall with
  /// themselves alone, as those of friction, lags and filters: there the solution lies between any
  /// z_m and z_m minus its residual, and is found however steep ż is. Others stay as they are.
  /// @param z  of the start  @param mean  in: a guess; out: z_m
  void settle(EquationsOfMotion& equations, ConstVectorRef z, VectorX& mean);
  /// z at the end of the step. The midpoint rule has 2 z_m − z; a state that decays faster than a
  /// step, −h ∂ż/∂z > 2, goes on from z_m to where it comes to rest and no further.
  /// @returns whether there is one
  bool finish(ConstVectorRef z, ConstVectorRef mean, VectorRef end) const;

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
  VectorX decay_;  // −h ∂ż/∂z, the most that has been seen in the step
  VectorX guess_, at_guess_, low_, high_, at_low_, at_high_,
      rate_;  // brackets of z_m and residuals there
};

}  // namespace spacedyn
