#include "integration/steppers/first_step.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {

double guess_first_step(EquationsOfMotion& equations, const ErrorNorm& norm, int error_order,
                        Step& step) {
  constexpr double kShortStep = 1e-6;  // s, where the state says nothing about time scales
  const auto measure = [&](const VectorX& x) { return norm(x, step.x_old, step.x_old).value; };

  // a step of explicit Euler that changes the state by a hundredth
  const double size = measure(step.x_old);
  const double rate = measure(step.rate_old);
  const double euler = size < 1e-5 || rate < 1e-5 ? kShortStep : 0.01 * size / rate;
  step.x_new = step.x_old + euler * step.rate_old;
  equations(step.x_new, step.rate_new, step.t_old + euler);
  if (equations.failure()) {
    equations.clear_failure();
    return kShortStep;
  }

  // a step whose error, judged by the larger derivative, is a hundredth of the tolerance
  step.error = (step.rate_new - step.rate_old) / euler;
  const double largest = std::max(rate, measure(step.error));
  const double higher = largest <= 1e-15 ? std::max(kShortStep, 1e-3 * euler)
                                         : std::pow(0.01 / largest, 1.0 / error_order);
  step.error.setZero();
  return std::min(100.0 * euler, higher);
}

}  // namespace spacedyn
