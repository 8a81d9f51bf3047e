/// @file
/// Derivatives of functions of a state by extrapolated differences, column by column.
#pragma once

#include <functional>

#include "spacedyn/math/so3.hpp"
#include "support/finite_differences.hpp"

namespace spacedyn::testing {

/// The state with its configuration changed along coordinate @p column of [r_0; θ; q].
inline State displaced(State state, int column, double t) {
  if (column < 3) {
    state.r_0(column) += t;
  } else if (column < 6) {
    state.A_0 = exp_so3(t * Vector3::Unit(column - 3)) * state.A_0;
  } else {
    state.q(column - 6) += t;
  }
  return state;
}

/// The state with its velocity changed along coordinate @p column of [v_0; ω_0; q̇].
inline State hastened(State state, int column, double t) {
  if (column < 3) {
    state.v_0(column) += t;
  } else if (column < 6) {
    state.omega_0(column - 3) += t;
  } else {
    state.qd(column - 6) += t;
  }
  return state;
}

using StateFunction = std::function<VectorX(const State&)>;
using StateChange = State (*)(State, int, double);

/// ∂f/∂x or ∂f/∂u, and the largest estimated error of its columns.
inline NumericalDerivative differences(const State& state, StateChange change,
                                       const StateFunction& f) {
  const int columns = 6 + static_cast<int>(state.q.size());
  NumericalDerivative result;
  result.value.resize(f(state).size(), columns);
  for (int column = 0; column < columns; ++column) {
    const NumericalDerivative one =
        derivative([&](double t) -> MatrixX { return f(change(state, column, t)); });
    result.value.col(column) = one.value;
    result.error = std::max(result.error, one.error);
  }
  return result;
}

}  // namespace spacedyn::testing
