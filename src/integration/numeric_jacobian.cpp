#include "integration/numeric_jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

constexpr double kReach = 6e-6;  // ∛eps: truncation and rounding of a central difference alike
constexpr double kShareOfStep = 1e-3;  // truncation far below the method's, rounding as well

}  // namespace

void NumericJacobian::compute(EquationsOfMotion& equations, const Step& step) {
  const Eigen::Index size = step.x_old.size();
  const int columns = equations.layout().books();
  by_state.resize(size, columns);
  rate_.resize(size);
  behind_.resize(size);
  for (int column = 0; column < columns; ++column) {
    const double x = step.x_old(column);
    const double reach = kReach * std::max(1.0, std::abs(x));
    probe_ = step.x_old;
    probe_(column) = x - reach;
    equations(probe_, behind_, step.t_old);
    const double before = probe_(column);
    probe_(column) = x + reach;
    equations(probe_, rate_, step.t_old);
    by_state.col(column) = (rate_ - behind_) / (probe_(column) - before);
  }
  // to one side and not beyond the step: elsewhere elements need not be smooth
  const double delay = kShareOfStep * (step.t_new - step.t_old);
  equations(step.x_old, rate_, step.t_old + delay);
  equations(step.x_old, behind_, step.t_old + 2.0 * delay);
  by_time = (4.0 * (rate_ - step.rate_old) - (behind_ - step.rate_old)) / (2.0 * delay);
}

}  // namespace spacedyn
