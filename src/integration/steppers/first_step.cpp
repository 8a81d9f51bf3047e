#include "integration/steppers/first_step.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {

double guess_first_step(EquationsOfMotion& equations, const ErrorNorm& norm, int error_order,
                        double duration, Step& step) {
  // where the state says nothing about time scales
  const double short_step = 1e-6 * std::min(1.0, duration);  // s
  const auto measure = [&](const VectorX& x) { return norm(x, step.x_old, step.x_old).value; };

  // a step of explicit Euler that changes the state by a hundredth
  const double size = measure(step.x_old);
  const double rate = measure(step.rate_old);
  const bool is_known = size >= 1e-5 && rate * duration >= 1e-5;
  const double euler = is_known ? 0.01 * size / rate : short_step;
  step.x_new = step.x_old + euler * step.rate_old;
  equations(step.x_new, step.rate_new, step.t_old + euler);
  if (equations.failure()) {
    equations.clear_failure();
    return short_step;
  }

  // a step whose error, judged by the larger derivative in units of 100 of these, is a hundredth of
  // the tolerance
  const double unit = 100.0 * euler;
  step.error = (step.rate_new - step.rate_old) / euler;
  const double largest = std::max(unit * rate, unit * unit * measure(step.error));
  step.error.setZero();
  if (largest <= 1e-15) return std::min(unit, std::max(short_step, 1e-3 * euler));
  return unit * std::min(1.0, std::pow(0.01 / largest, 1.0 / error_order));
}

}  // namespace spacedyn
