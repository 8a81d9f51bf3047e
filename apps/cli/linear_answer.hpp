/// @file
/// What `linearize` answers, and the forms in which it is given.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "json.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/reporting/convert.hpp"

namespace spacedyn::cli {

/// One point and the linear model there.
struct LinearPoint {
  State state;
  Linearization linear;
};

/// A robot or scenario with all its points.
struct LinearAnswer {
  std::string name;
  std::shared_ptr<const Model> model;
  std::vector<LinearPoint> points;
};

/// @name Where linear models are wanted: a model at a state, a scenario at times of its run
/// @throws Failure
/// @{
LinearAnswer linearize_model(const LinearizeOptions& options, Console& console);
LinearAnswer linearize_scenario(const LinearizeOptions& options, Console& console);
/// @}

/// A state in the names of `evaluate`.
Json state_json(const Model& model, const State& state);
Json linear_json(const LinearAnswer& answer);
std::string linear_text(const LinearAnswer& answer);
/// Matrices of all points behind one another, for MATLAB.
MatrixFile linear_matrices(const LinearAnswer& answer);

}  // namespace spacedyn::cli
