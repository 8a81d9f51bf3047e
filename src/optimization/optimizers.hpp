/// @file
/// The methods of optimization. Private.
#pragma once

#include <string>

#include "optimization/evaluator.hpp"

namespace spacedyn {

/// How a search has ended.
struct SearchEnd {
  bool converged = false;
  std::string message;
};

/// slsqp, mma and bobyqa of NLopt, from the start of the evaluator.
/// @throws SearchInterrupted; DomainError if the library was built without NLopt
SearchEnd minimize_with_nlopt(Evaluator& evaluator, const OptimizationSettings& settings);

/// Evolution strategy with covariance matrix adaptation: (μ/μ_w, λ) with the constants of [Hansen
/// 2016, The CMA evolution strategy: a tutorial]. Points are cut off at the bounds, and compared
/// by their violation first. The same file gives the same search.
/// @throws SearchInterrupted
SearchEnd minimize_with_cmaes(Evaluator& evaluator, const OptimizationSettings& settings);

}  // namespace spacedyn
