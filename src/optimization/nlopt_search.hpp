/// @file
/// Searches by methods of NLopt. Private.
#pragma once

#include <string>

#include "spacedyn/optimization/optimize.hpp"

namespace spacedyn {

/// What is minimized, within bounds and constraints.
class SmoothProblem {
 public:
  virtual ~SmoothProblem() = default;

  virtual Eigen::Index count() const = 0;
  virtual VectorX start() const = 0;
  virtual VectorX lower() const = 0;
  virtual VectorX upper() const = 0;
  /// Values of a point, in memory of the latest one.
  virtual const OptimizationPoint& at(const VectorX& z) = 0;
  /// Derivatives with respect to z, a row each: the objective, then the constraints. May be asked
  /// for before values.
  virtual const MatrixX& gradients(const VectorX& z) = 0;
  virtual const OptimizationPoint& best() const = 0;
};

/// How a search has ended.
struct SearchEnd {
  bool converged = false;
  std::string message;
};

/// slsqp, mma and bobyqa of NLopt, from the start of the problem.
/// @param settings  constraints, method and when it ends
/// @throws what the problem throws; DomainError if the library was built without NLopt
SearchEnd minimize_with_nlopt(SmoothProblem& problem, const OptimizationSettings& settings);

}  // namespace spacedyn
