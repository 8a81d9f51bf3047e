/// @file
/// Steps of differences of flights. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/integration/options.hpp"
#include "spacedyn/optimization/fit.hpp"

namespace spacedyn {

/// Relative error that an integration may have: its tolerance, or that of rounding.
double integration_noise(const IntegratorOptions& options);
/// Step of central differences in parts of a variable: ∛noise / 3 within bounds.
double difference_part(const IntegratorOptions& options);
std::vector<std::string> keys_of(const std::vector<ScenarioVariable>& variables);

}  // namespace spacedyn
