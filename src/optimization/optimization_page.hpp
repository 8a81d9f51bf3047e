/// @file
/// The page of an optimization. Private.
#pragma once

#include <string>

#include "spacedyn/optimization/optimize.hpp"

namespace spacedyn {

/// One page that needs no other file and no network: variables, constraints, convergence, and
/// flights from the start and with the best variables.
std::string optimization_page(const Optimization& optimization, const OptimizationResult& result);

}  // namespace spacedyn
