/// @file
/// The scenario in which a model flies that comes without one.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {

/// Text of a scenario: ten seconds without forces, in which each joint moves and, where loops tie
/// joints to one another or there are none, the base tumbles.
/// @param model_path  the file of the model; the scenario has its name and stands beside it
SPACEDYN_EXPORT std::string first_flight(const Model& model, const std::string& model_path);

/// Reads a scenario, or a model of another program in its first flight.
/// @throws ParseError with every problem found; IoError if a file cannot be read
SPACEDYN_EXPORT Scenario open_scenario(const std::string& path,
                                       const std::vector<Override>& overrides);

}  // namespace spacedyn
