/// @file
/// Evaluations of an optimization as a file. Private.
#pragma once

#include <string>

#include "spacedyn/optimization/optimize.hpp"

namespace spacedyn {

/// Writes `NAME.trials.json`, from which read_trials() reads. @returns its path. @throws IoError
std::string write_trials(const std::string& folder, const Optimization& optimization,
                         const OptimizationResult& result);

}  // namespace spacedyn
