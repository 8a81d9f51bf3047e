/// @file
/// Every quantity of a model at one state.
#pragma once

#include "json.hpp"
#include "spacedyn/loading/evaluation_input.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::cli {

/// The answer of `evaluate` for one state. @throws Error if the state has no solution
Json evaluation_json(const Model& model, const EvaluationInput& input);

}  // namespace spacedyn::cli
