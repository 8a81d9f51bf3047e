#include "integration/steppers/step_control.hpp"

#include <algorithm>
#include <cmath>

#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

ErrorNorm::Result ErrorNorm::operator()(const VectorX& error, const VectorX& magnitude_1,
                                        const VectorX& magnitude_2) const {
  Result largest;
  const auto take = [&](int component, double ratio) {
    if (ratio > largest.value) largest = {ratio, component};
  };
  const auto vector = [&](int first, double absolute) {
    const double magnitude =
        std::max(magnitude_1.segment<3>(first).norm(), magnitude_2.segment<3>(first).norm());
    take(first, error.segment<3>(first).norm() / (absolute + relative_ * magnitude));
  };
  const auto numbers = [&](int first, int count, double absolute) {
    for (int i = first; i < first + count; ++i) {
      const double magnitude = std::max(std::abs(magnitude_1(i)), std::abs(magnitude_2(i)));
      take(i, std::abs(error(i)) / (absolute + relative_ * magnitude));
    }
  };
  vector(StateLayout::r_0, absolute_.position);
  take(StateLayout::theta,
       error.segment<3>(StateLayout::theta).norm() / (absolute_.attitude + relative_));
  numbers(StateLayout::q, layout_.joints, absolute_.joint);
  vector(layout_.v_0(), absolute_.linear_velocity);
  vector(layout_.omega_0(), absolute_.angular_velocity);
  numbers(layout_.qd(), layout_.joints, absolute_.joint_velocity);
  numbers(layout_.z(), layout_.auxiliaries, absolute_.auxiliary);
  const int flow = layout_.integrals() + StateLayout::throughput;
  const double flowed = relative_ * std::max(magnitude_1(flow), magnitude_2(flow));
  if (all_imposed_ && flowed > 0.0) {
    for (int i = flow + 1; i < layout_.size(); ++i) take(i, std::abs(error(i)) / flowed);
  }
  return largest;
}

namespace {

constexpr double kSafety = 0.9;
constexpr double kSmallest = 0.2;  // factor per step
constexpr double kLargest = 10.0;
constexpr double kIntegral = 0.04;
constexpr double kNotFinite = 0.1;  // factor where nothing is known about the error

}  // namespace

StepSizeControl::StepSizeControl(int error_order)
    : proportional_(1.0 / error_order - 0.75 * kIntegral) {}

double StepSizeControl::next_size(double h, double error) {
  return error <= 1.0 ? after_acceptance(h, error) : after_rejection(h, error);
}

double StepSizeControl::after_acceptance(double h, double error) {
  const double wanted =
      kSafety * std::pow(error, -proportional_) * std::pow(last_error_, kIntegral);
  // no growth right after a rejection
  const double factor = std::clamp(wanted, kSmallest, rejected_ ? 1.0 : kLargest);
  last_error_ = std::max(error, 1e-4);
  rejected_ = false;
  return factor * h;
}

double StepSizeControl::after_rejection(double h, double error) {
  rejected_ = true;
  if (!std::isfinite(error)) return kNotFinite * h;
  return std::max(kSmallest, kSafety * std::pow(error, -proportional_)) * h;
}

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
    equations.failure().clear();
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
