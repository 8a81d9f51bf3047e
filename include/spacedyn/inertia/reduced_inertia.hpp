/// @file
/// What the joints feel of the inertia when the base is free to move.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"

namespace spacedyn {

/// H* = H_m − H_bmᵀ H_b⁻¹ H_bm, n×n: joint-space inertia of a free-floating system without external
/// forces on its base. Allocates; O(n²).
/// @throws NumericalError if H_b is not positive definite
SPACEDYN_EXPORT MatrixX reduced_inertia(const InertiaBlocks& blocks);

}  // namespace spacedyn
