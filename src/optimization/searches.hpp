/// @file
/// What fits and optimizations consist of. Private.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/optimization/optimize.hpp"
#include "study/collector.hpp"

namespace spacedyn {

struct ScenarioSearch::Parts {
  std::map<std::string, std::string> sources;
  std::vector<Override> overrides;
  std::vector<Diagnostic> warnings;
  std::unique_ptr<const loading::ScenarioFamily> family;
  CollectPlan plan;  ///< of a fit an item for each column, else goals, then constraints
};

struct Fit::Implementation : ScenarioSearch::Parts {
  FitSettings settings;
  std::vector<double> times;  ///< s, of all columns, ascending
  /// Where the times of each column are among these.
  std::vector<std::vector<std::size_t>> places;
  std::vector<bool> is_angle;             ///< columns that whole turns do not matter to
  std::vector<Diagnostic> no_influences;  ///< what to say of parameters that have none
};

struct Optimization::Implementation : ScenarioSearch::Parts {
  OptimizationSettings settings;
};

/// Whether a point is the better one: least violation beyond the tolerance first, then the least
/// objective. One whose flight has failed is not.
bool is_better(const OptimizationPoint& one, const OptimizationPoint& other, double tolerance);

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

/// The interior-point method of Ipopt, with Hessians from gradients, from the start of the problem.
/// @throws what the problem throws; DomainError where the library is not on this machine
SearchEnd minimize_with_ipopt(SmoothProblem& problem, const OptimizationSettings& settings);
/// Whether it is. It is loaded when this is asked first.
bool has_ipopt();
constexpr char kNoIpopt[] =
    "the library of Ipopt is not on this machine (Debian: coinor-libipopt1v5)";

}  // namespace spacedyn
