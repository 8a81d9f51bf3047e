/// @file
/// How far solutions with an inertia matrix may differ.
#pragma once

#include <algorithm>
#include <limits>

#include <Eigen/Eigenvalues>

#include "spacedyn/math/types.hpp"

namespace spacedyn::testing {

/// 20 eps cond(H), the error that any method may make which sees H. The rounding of right sides
/// does not depend on H: @p least is the condition that stands for it.
inline double solution_tolerance(const MatrixX& H, double least = 1.0) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  if (H.size() == 0) return 20.0 * kEps * least;
  const VectorX eigenvalues =
      Eigen::SelfAdjointEigenSolver<MatrixX>(H, Eigen::EigenvaluesOnly).eigenvalues();
  return 20.0 * kEps * std::max(least, eigenvalues.maxCoeff() / eigenvalues.minCoeff());
}

}  // namespace spacedyn::testing
