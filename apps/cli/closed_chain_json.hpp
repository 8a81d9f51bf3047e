/// @file
/// A model with loops in the rates of its independent joints, for `evaluate`.
#pragma once

#include "json.hpp"
#include "spacedyn/loading/evaluation_input.hpp"

namespace spacedyn::cli {

/// G, H*, J* of all frames, reaction null spaces, and what moves the chain as the state says.
Json closed_chain_json(const Model& model, const EvaluationInput& input);

}  // namespace spacedyn::cli
