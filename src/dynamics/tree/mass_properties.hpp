/// @file
/// Bodies whose mass changes. Private.
#pragma once

#include "spacedyn/dynamics/tree_workspace.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Gives some bodies of a workspace the mass, centroid and inertia that they have in a model; the
/// rest of the model is that of the workspace. Counts until its next call. Allocates nothing.
/// @param bodies  0…n
void set_mass_properties(TreeWorkspace& workspace, const Model& model,
                         const std::vector<int>& bodies) noexcept;

}  // namespace spacedyn
