#include "integration/numeric_jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

constexpr double kReach = 1.5e-8;  // √eps: truncation and rounding alike

}  // namespace

void NumericJacobian::compute(EquationsOfMotion& equations, const Step& step) {
  const Eigen::Index size = step.x_old.size();
  const int columns = equations.layout().books();
  by_state.resize(size, columns);
  rate_.resize(size);
  for (int column = 0; column < columns; ++column) {
    probe_ = step.x_old;
    probe_(column) += kReach * std::max(1.0, std::abs(probe_(column)));
    equations(probe_, rate_, step.t_old);
    by_state.col(column) = (rate_ - step.rate_old) / (probe_(column) - step.x_old(column));
  }
  // not beyond the step, behind which elements need not be smooth
  const double h = step.t_new - step.t_old;
  const double later = step.t_old + std::min(h, kReach * std::max(h, std::abs(step.t_old)));
  equations(step.x_old, rate_, later);
  by_time = (rate_ - step.rate_old) / (later - step.t_old);
}

}  // namespace spacedyn
