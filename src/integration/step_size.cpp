#include "integration/step_size.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

constexpr double kSafety = 0.9;
constexpr double kSmallest = 0.2;  // factor per step
constexpr double kLargest = 10.0;
constexpr double kIntegral = 0.04;
constexpr double kProportional = 0.2 - 0.75 * kIntegral;
constexpr double kNotFinite = 0.1;  // factor where nothing is known about the error

}  // namespace

double StepSizeControl::after_acceptance(double h, double error) {
  const double wanted =
      kSafety * std::pow(error, -kProportional) * std::pow(last_error_, kIntegral);
  // no growth right after a rejection
  const double factor = std::clamp(wanted, kSmallest, rejected_ ? 1.0 : kLargest);
  last_error_ = std::max(error, 1e-4);
  rejected_ = false;
  return factor * h;
}

double StepSizeControl::after_rejection(double h, double error) {
  rejected_ = true;
  if (!std::isfinite(error)) return kNotFinite * h;
  return std::max(kSmallest, kSafety * std::pow(error, -kProportional)) * h;
}

}  // namespace spacedyn
