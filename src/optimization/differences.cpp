#include "optimization/differences.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

/// Of methods whose step is fixed: rounding alone makes neighbouring flights differ.
constexpr double kRoundingNoise = 1e-13;
constexpr double kLeastPart = 1e-5, kMostPart = 1e-2;

}  // namespace

double integration_noise(const IntegratorOptions& options) {
  return is_adaptive(options) ? std::max(options.relative_tolerance, kRoundingNoise)
                              : kRoundingNoise;
}

double difference_part(const IntegratorOptions& options) {
  return std::clamp(std::cbrt(integration_noise(options)) / 3.0, kLeastPart, kMostPart);
}

std::vector<std::string> keys_of(const std::vector<ScenarioVariable>& variables) {
  std::vector<std::string> keys;
  for (const ScenarioVariable& each : variables) keys.push_back(each.key);
  return keys;
}

}  // namespace spacedyn
