#include "support/finite_differences.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "spacedyn/math/so3.hpp"

namespace spacedyn::testing {

NumericalDerivative derivative(const std::function<MatrixX(double)>& f, double step) {
  constexpr int kRows = 7;
  constexpr double kRatio = 1.6;
  NumericalDerivative best;
  best.error = std::numeric_limits<double>::infinity();
  std::vector<MatrixX> previous;
  for (int row = 0; row < kRows; ++row, step /= kRatio) {
    std::vector<MatrixX> current{(f(step) - f(-step)) / (2.0 * step)};
    if (current[0].size() == 0) return {current[0], 0.0};
    double factor = kRatio * kRatio;
    for (std::size_t column = 0; column < previous.size(); ++column, factor *= kRatio * kRatio) {
      current.push_back((factor * current[column] - previous[column]) / (factor - 1.0));
      const double error = std::max((current.back() - current[column]).cwiseAbs().maxCoeff(),
                                    (current.back() - previous[column]).cwiseAbs().maxCoeff());
      if (error <= best.error) best = {current.back(), error};
    }
    previous = std::move(current);
  }
  return best;
}

State moved(const State& state, const VectorX& acceleration, double t) {
  State result = state;
  result.r_0 += t * state.v_0;
  result.A_0 = exp_so3(t * state.omega_0) * state.A_0;
  result.q += t * state.qd;
  result.v_0 += t * acceleration.head<3>();
  result.omega_0 += t * acceleration.segment<3>(3);
  result.qd += t * acceleration.tail(state.qd.size());
  return result;
}

State moved(const State& state, double t) {
  return moved(state, VectorX::Zero(6 + state.qd.size()), t);
}

}  // namespace spacedyn::testing
