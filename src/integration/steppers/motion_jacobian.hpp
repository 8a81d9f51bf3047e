/// @file
/// Derivatives of the right-hand side, for implicit methods.
#pragma once

#include <vector>

#include "control/load_differentiator.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/stepper.hpp"
#include "spacedyn/dynamics/derivatives.hpp"

namespace spacedyn {

/// ∂ẋ/∂x of all that moves freely, and ∂ẋ/∂t, at the start of a step.
///
/// Of the f free coordinates alone, with positions p out of [r_0; θ; q], θ in its chart, and
/// velocities u: u̇ depends on everything by ForwardDynamicsDerivatives and LoadDerivatives, where
/// δθ on the left is dexp(θ) δθ of the chart; ṗ = u but for θ̇ = dexp⁻¹(θ) ω_0, and for spherical
/// joints, whose turns are on the right, with −θ in place of θ. Counts as one evaluation, and as
/// one more for each of two later instants if a motion is prescribed.
class MotionJacobian {
 public:
  /// Sized for the equations. Allocates again only when joints have been locked or let go.
  explicit MotionJacobian(const EquationsOfMotion& equations);

  /// Fills everything below; nothing is valid after a failure of the equations.
  void compute(EquationsOfMotion& equations, const Step& step);

  std::vector<int> free;  ///< rows of [r_0; θ; q], which are their places in x
  MatrixX by_position;    ///< ∂[u̇; ż]/∂p, (f + z)×f
  MatrixX by_velocity;    ///< ∂[u̇; ż]/∂u, (f + z)×f
  MatrixX by_auxiliary;   ///< ∂[u̇; ż]/∂z, (f + z)×z
  /// θ̇ of the base, if it is free, and of each spherical joint that is.
  struct Turn {
    Eigen::Index column;  ///< of the first of its three coordinates among the free ones
    Matrix3 by_turn;      ///< ∂θ̇/∂θ
    Matrix3 by_omega;     ///< ∂θ̇/∂ω
  };
  std::vector<Turn> turns;
  VectorX by_time;  ///< ∂ẋ/∂t of all that determines the motion

 private:
  void resize(const EquationsOfMotion& equations);
  void add_loads();
  void gather();
  void differentiate_turns(const EquationsOfMotion& equations, const VectorX& x);
  void fill_time(const StateLayout& layout);
  void fill_time_by_differences(EquationsOfMotion& equations, const Step& step, double delay);

  LoadDifferentiator differentiator_;
  LoadDerivatives loads_;
  DerivativesWorkspace workspace_;
  ForwardDynamicsDerivatives forward_;
  MatrixX auxiliary_;  // ∂u̇/∂z of all coordinates
  VectorX time_;       // ∂u̇/∂t of all coordinates
  VectorX ahead_, farther_;
};

}  // namespace spacedyn
