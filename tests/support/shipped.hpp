/// @file
/// The shipped models and scenarios, and short flights of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::testing {

/// Names of all files below models/<folder>, relative to it and without `.yaml`, sorted.
std::vector<std::string> shipped_names(const std::string& folder);

/// models/robots/<name>.yaml
std::shared_ptr<const Model> shipped_robot(const std::string& name);
/// models/scenarios/<name>.yaml
Scenario shipped_scenario(const std::string& name);

/// A free-floating flight (fixed where the model says so) without loads, at tight tolerances.
SimulationSetup tight_setup(std::shared_ptr<const Model> model);

/// Runs without recording anything.
SimulationResult fly(const SimulationSetup& setup, const State& initial, double duration);

}  // namespace spacedyn::testing
