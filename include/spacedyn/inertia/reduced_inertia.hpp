/// @file
/// What the joints feel of the inertia when the base is free to move.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/base_response.hpp"

namespace spacedyn {

/// H* = H_m − H_bmᵀ H_b⁻¹ H_bm, n×n: the inertia that the joints feel while the base floats, so
/// that ½ q̇ᵀ H* q̇ is the kinetic energy at zero momentum. Exactly symmetric. Fixed base: H* = H_m.
/// O(n²), allocates nothing if H* has its size.
SPACEDYN_EXPORT void reduced_inertia(const InertiaBlocks& blocks, const BaseResponse& response,
                                     Eigen::Ref<MatrixX> H_star);

/// The same at a state: the convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big;
/// NumericalError if H_b is singular.
SPACEDYN_EXPORT MatrixX reduced_inertia(const Model& model, const State& state);

}  // namespace spacedyn
