/// @file
/// The damped step of inverse kinematics inside bounds.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Minimizes ½|e − J d|² + ½ μ|d|² subject to lower ≤ d ≤ upper by a primal active-set method.
///
/// Without active bounds d = V diag(σ/(σ² + μ)) Uᵀ e, the step of least norm as μ → 0.
/// @pre lower ≤ 0 ≤ upper, μ > 0
VectorX box_step(const MatrixX& J, const VectorX& e, double mu, const VectorX& lower,
                 const VectorX& upper);

}  // namespace spacedyn
