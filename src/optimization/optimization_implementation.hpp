/// @file
/// What an optimization consists of. Private.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/optimization/optimize.hpp"
#include "study/collector.hpp"

namespace spacedyn {

class Optimization::Implementation {
 public:
  OptimizationSettings settings;
  std::map<std::string, std::string> sources;
  std::vector<Override> overrides;
  std::vector<Diagnostic> warnings;
  std::unique_ptr<const loading::ScenarioFamily> family;
  CollectPlan plan;  ///< goals, then constraints
};

}  // namespace spacedyn
