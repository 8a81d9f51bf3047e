/// @file
/// Derivatives of functions of a state by extrapolated differences, column by column.
#pragma once

#include <functional>

#include "support/finite_differences.hpp"
#include "support/state_changes.hpp"

namespace spacedyn::testing {

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
