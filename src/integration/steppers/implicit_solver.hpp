/// @file
/// The linear systems of implicit methods, reduced to velocities.
#pragma once

#include <vector>

#include "integration/steppers/arrow_lu.hpp"
#include "integration/steppers/motion_jacobian.hpp"

namespace spacedyn {

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
