/// @file
/// Natural frequencies by plain linear algebra on H and K.
#pragma once

#include "spacedyn/model/model.hpp"

namespace spacedyn::testing {

/// Frequencies and shapes of small vibrations about zero joint positions, lowest first.
struct Vibrations {
  VectorX frequencies;  ///< rad/s
  MatrixX shapes;       ///< of the joints, one per column
};

/// Undamped eigenpairs of K and H*; H* = H_m − H_bmᵀ H_b⁻¹ H_bm if the base is free.
Vibrations small_vibrations(const Model& model);

/// K of the joints, n×n.
MatrixX joint_stiffness(const Model& model);

}  // namespace spacedyn::testing
