/// @file
/// Pages of optimizations and fits. Private.
#pragma once

#include <string>

#include "spacedyn/optimization/fit.hpp"
#include "spacedyn/optimization/optimize.hpp"

namespace spacedyn {

/// One page that needs no other file and no network: variables, constraints, convergence, and
/// flights from the start and with the best variables.
std::string optimization_page(const Optimization& optimization, const OptimizationResult& result);

/// One page that needs no other file and no network: parameters, correlation, data with the model
/// and residuals over time.
std::string fit_page(const Fit& fit, const FitResult& result);

}  // namespace spacedyn
