/// @file
/// Least squares, and derivatives by differences.
#pragma once

#include <functional>
#include <string>

#include "spacedyn/integration/options.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Relative error that an integration may have: its tolerance, or that of rounding.
double integration_noise(const IntegratorOptions& options);
/// Step of central differences in parts of a variable: ∛noise / 3 within bounds.
double difference_part(const IntegratorOptions& options);

struct LeastSquaresFunctions {
  /// r(x); empty where it cannot be computed.
  std::function<VectorX(const VectorX& x)> residuals;
  /// ∂r/∂x, given r(x).
  std::function<MatrixX(const VectorX& x, const VectorX& residuals)> jacobian;
};

/// The best point so far; it is kept when a function throws.
struct LeastSquaresState {
  VectorX x, residuals;
  double cost = 0.0;  ///< ½ |r|²
  int iterations = 0;
  bool converged = false;
  std::string message;
};

/// Minimizes ½ |r(x)|² with lower ≤ x ≤ upper by the method of Levenberg [1944] and Marquardt
/// [1963]: (JᵀJ + λ D²) δ = −Jᵀr in the variables that are not held at a bound, D the largest
/// column norms so far [Moré 1978], δ cut off at the bounds, λ by the ratio of actual to predicted
/// decrease [Nielsen 1999]. For few variables: its matrices are dense.
/// @param state  in: x within the bounds and its residuals
void minimize_squares(const LeastSquaresFunctions& functions, const VectorX& lower,
                      const VectorX& upper, LeastSquaresState& state);

}  // namespace spacedyn
