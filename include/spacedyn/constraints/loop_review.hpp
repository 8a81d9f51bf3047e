/// @file
/// Loops that do nothing, or that hold what others hold already.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// What is remarkable about one loop.
struct LoopFinding {
  enum class Kind {
    does_nothing,    ///< its rows follow from those of earlier loops
    joints_are_held  ///< it couples joints that other loops do not let move at all
  };
  int loop = 0;  ///< from 0
  Kind kind = Kind::does_nothing;
};

/// Findings at one configuration, in the order of the loops. O(rows² n), for each coupling once
/// more; of more than 200 loops only those that do nothing, as IncrementalAssembly sees it.
/// Allocates.
/// @param state  on the loops
SPACEDYN_EXPORT std::vector<LoopFinding> review_loops(const Model& model, const State& state);

}  // namespace spacedyn
