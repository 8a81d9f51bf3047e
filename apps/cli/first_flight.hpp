/// @file
/// The scenario in which a model flies that comes without one.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::cli {

/// Whether a file is a model of another program by its ending: .urdf, .xml, .mjcf, .def.
bool is_foreign_model(const std::string& path);

/// Text of a scenario: ten seconds without forces, in which each joint moves and, where loops tie
/// joints to one another or there are none, the base tumbles.
std::string first_flight(const Model& model, const std::string& model_path);

/// Reads a scenario, or a model of another program in its first flight.
Scenario open_scenario(const std::string& path, const std::vector<Override>& overrides);

}  // namespace spacedyn::cli
