/// @file
/// The linear systems of implicit methods, reduced to velocities.
#pragma once

#include <vector>

#include <Eigen/LU>

#include "control/load_differentiator.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/stepper.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/math/types.hpp"

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
  /// The same at any instant, without by_time.
  void compute(EquationsOfMotion& equations, const VectorX& x, double time) {
    differentiate(equations, x, time, 0.0);
  }
  /// Fills ∂ẋ/∂x · changes, of changes and rates of all that determines the motion, a column each.
  /// @param in_charts  the same without turns of the charts' references, which θ̇ does not see
  void apply(const StateLayout& layout, const MatrixX& changes,
             const Eigen::Ref<const MatrixX>& in_charts, Eigen::Ref<MatrixX> rates);

  /// Its transpose, (∂ẋ/∂x)ᵀ · covectors.
  /// @param in_charts  out: the part that is of changes without turns of the references
  void apply_transposed(const StateLayout& layout, const MatrixX& covectors, MatrixX& changes,
                        MatrixX& in_charts);
  /// ∂u̇/∂[F_b; τ] of all coordinates, where contacts do not hold.
  const MatrixX& response() const { return forward_.force; }

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
  /// @returns false after a failure
  bool differentiate(EquationsOfMotion& equations, const VectorX& x, double time, double delay);
  void resize(const EquationsOfMotion& equations);
  void add_loads();
  /// Closes what loads leave with the rows of motion constraints. @returns false after a failure
  bool close_motions(EquationsOfMotion& equations);
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
  MatrixX positions_, velocities_, accelerations_;  // of apply()
};

/// Solves M x = b, having eliminated unknowns whose columns in a part of M are diagonal.
///
/// With those, l, and the others, k: S = M_kk − M_kl D_l⁻¹ M_lk is factorized with pivots, so that
/// n unknowns of which few are left cost n times their square. Cells of ruts are such unknowns.
class ArrowLu {
 public:
  /// @param first  unknowns from there on are looked at
  /// @param least  pivot below which an unknown is not eliminated, positive
  void compute(const MatrixX& matrix, Eigen::Index first, double least);
  /// In place.
  void solve(VectorX& b);

  /// Number of unknowns that compute() has eliminated.
  Eigen::Index eliminated() const { return static_cast<Eigen::Index>(lone_.size()); }

 private:
  std::vector<Eigen::Index> lone_, kept_;
  MatrixX rest_, to_kept_, of_kept_;  // S; M_kl D_l⁻¹; M_lk
  VectorX pivots_;                    // D_l
  Eigen::PartialPivLU<MatrixX> factorization_;
  VectorX kept_side_, lone_side_, solved_;
};

/// Solves (s E − J) g = b for the J of a MotionJacobian.
///
/// Rows of positions, s g_p − P_p g_p − P_u g_u = b_p, give g_p = G b_p + W g_u with
/// G = (s E − P_p)⁻¹ and W = G P_u: 1/s, but for 3×3 blocks of attitudes. What is left to
/// factorize has the size of the free velocities and auxiliary states; of the latter those that act
/// on themselves alone are eliminated first.
class ImplicitSolver {
 public:
  /// @param jacobian  as it is now; solve() refers to it
  /// @param shift     s > 0
  void factorize(const MotionJacobian& jacobian, double shift);
  /// In place, all that determines the motion: b becomes g, zero for what is not free.
  void solve(const StateLayout& layout, VectorX& g);

 private:
  const MotionJacobian* jacobian_ = nullptr;
  double position_ = 0.0;  // 1/s
  struct Turn {
    Matrix3 by_turn;   // block of G
    Matrix3 by_omega;  // block of W
  };
  std::vector<Turn> turns_;  // as those of the Jacobian
  MatrixX matrix_;
  ArrowLu factorization_;
  VectorX positions_, right_side_, solution_;
};

}  // namespace spacedyn
