/// @file
/// Whether a scenario can start at all.
#pragma once

#include "loading/node.hpp"
#include "loading/problem_list.hpp"
#include "spacedyn/loading/scenario.hpp"

namespace spacedyn::loading {

/// Reports, at the model's place, an H of the free coordinates that is not positive definite at the
/// initial configuration.
void check_start_regularity(const Scenario& scenario, const Value& model, ProblemList& problems);

}  // namespace spacedyn::loading
