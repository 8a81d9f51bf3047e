/// @file
/// Momentum and energy as the O(n) algorithms compute them, and masses that change.
#pragma once

#include "inertia/system_sums.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// What system_sums() of the exported motion would give. O(n), allocates nothing.
/// @pre the last update was update_motion() for this state
SystemSums system_sums(const Model& model, const State& state, TreeWorkspace& workspace) noexcept;

/// Gives the bodies with tanks the mass, centroid and inertia that they have in a model; the rest
/// of the model is that of the workspace. A workspace that lives while tanks empty has the masses
/// of its last call. Allocates nothing.
void update_tank_masses(TreeWorkspace& workspace, const Model& model) noexcept;

}  // namespace spacedyn
