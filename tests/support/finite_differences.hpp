/// @file
/// Derivatives by extrapolated central differences, with an estimate of their own error.
#pragma once

#include <functional>

#include "spacedyn/state/state.hpp"

namespace spacedyn::testing {

/// A derivative and how wrong it may be.
struct NumericalDerivative {
  MatrixX value;
  double error = 0.0;  ///< estimated, of the largest element
};

/// f′(0) by Ridders' method: central differences at shrinking steps, extrapolated to step 0 in a
/// triangle of which the entry with the smallest change is taken. Truncation falls with each column
/// while rounding stays near eps/step, so that smooth functions give some 12 digits.
NumericalDerivative derivative(const std::function<MatrixX(double)>& f, double step = 0.08);

/// A state on the curve through @p state whose velocity at t = 0 is u and whose u̇ is given:
/// smooth in t, with the right first derivatives of configuration and velocity.
State moved(const State& state, const VectorX& acceleration, double t);

/// The same at constant u.
State moved(const State& state, double t);

}  // namespace spacedyn::testing
