/// @file
/// Momentum and energy as the O(n) algorithms compute them.
#pragma once

#include "inertia/system_sums.hpp"
#include "spacedyn/dynamics/tree_workspace.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// What system_sums() of the exported motion would give. O(n), allocates nothing.
/// @pre the last update was update_motion() for this state
SystemSums system_sums(const Model& model, const State& state, TreeWorkspace& workspace) noexcept;

}  // namespace spacedyn
