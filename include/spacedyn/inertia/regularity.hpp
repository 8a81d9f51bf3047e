/// @file
/// Whether forces determine accelerations at all.
#pragma once

#include <optional>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Looks for a motion that needs no force: H is positive definite exactly if there is none.
///
/// Eliminates joint after joint from the tips to the base with articulated inertias, O(n), so it
/// also serves models too large for a dense H.
/// @param base_free  whether the base moves freely; otherwise only H_m is examined
/// @returns nothing if H is positive definite, else what can move without resistance, for instance
///          `joint 'gimbal'` or `the base`
SPACEDYN_EXPORT std::optional<std::string> find_singularity(const Model& model, const State& state,
                                                            bool base_free);

}  // namespace spacedyn
