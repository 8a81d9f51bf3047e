#include "integration/steppers/step_size.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
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

}  // namespace spacedyn
