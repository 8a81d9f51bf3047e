/// @file
/// From the keys of numbers that change to their values. Private.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "loading/scenario/scenario_family.hpp"
#include "optimization/fit_keys.hpp"

namespace spacedyn::optimization {

/// Finds keys in a scenario; what is wrong is reported.
class VariableResolver {
 public:
  VariableResolver(const loading::ScenarioFamily& family, loading::ProblemList& problems)
      : family_(family), problems_(problems) {}

  /// @return nothing where something is wrong
  std::optional<ScenarioVariable> resolve(const VariableKeys& keys);
  /// A number in the unit of the variable that was resolved last.
  double number(const loading::Value& value, loading::Range range = loading::Range::any) const;

 private:
  bool read_start(const VariableKeys& keys, ScenarioVariable& variable) const;
  bool check_bounds(const VariableKeys& keys, const ScenarioVariable& variable) const;

  const loading::ScenarioFamily& family_;
  loading::ProblemList& problems_;
  std::set<std::string> taken_;
  loading::Quantity quantity_;
};

/// A problem at the place of a value, for later.
Diagnostic problem_at(const loading::Value& place, const std::string& message,
                      const std::string& hint);

}  // namespace spacedyn::optimization
