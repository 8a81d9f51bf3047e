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

}  // namespace spacedyn
