/// @file
/// The page of a fit. Private.
#pragma once

#include <string>

#include "spacedyn/optimization/fit.hpp"

namespace spacedyn {

/// One page that needs no other file and no network: parameters, correlation, data with the model
/// and residuals over time.
std::string fit_page(const Fit& fit, const FitResult& result);

}  // namespace spacedyn
