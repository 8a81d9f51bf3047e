/// @file
/// Loops over pairs of joints of one branch: matrices whose columns are joints in depth-first
/// order.
#pragma once

#include "dynamics/joint_terms.hpp"

namespace spacedyn {

/// One branch and the memory of its results. All columns have `stride` rows, a multiple of the
/// widest vector register, of which `size` are in use.
struct BranchArrays {
  int size, stride;
  const BranchJoint* tree;
  const JointTerms* terms;
  const JointTerms* base_turns;  ///< three
  double* inverse;               ///< H⁻¹ of the branch with its base held, size columns
  double* configuration;         ///< −H⁻¹ ∂τ/∂q, size columns
  double* velocity;              ///< −H⁻¹ ∂τ/∂q̇, size columns
  double* base_configuration;    ///< −H⁻¹ ∂τ/∂θ, 3 columns
  double* base_velocity;         ///< −H⁻¹ ∂τ/∂ω_0, 3 columns
  double* coupling;  ///< T = −H⁻¹ ∂τ/∂a_0: accelerations per that of the base, 6 columns
  double* scratch;   ///< branch_scratch() numbers
};

/// Numbers of scratch memory for a branch.
constexpr long branch_scratch(long stride, long deepest_fork, long leaves) {
  return 12 * (leaves + deepest_fork + 1) * (stride > 8 ? stride : 8);
}

/// Fills `inverse` by sending unit torques inward and their accelerations outward. O(size²).
void compute_branch_inverse(const BranchArrays& branch);

/// Fills everything else. O(size²).
///
/// With M = H⁻¹, Σ_k M_ik ∂τ_k/∂q_j falls apart into joints k from j upward, (Σ M_ik response_k) ·
/// turn_j, and those below j, (Σ M_ik axis_k) · load_j: sums that grow by one joint as j moves
/// along the branch and serve configurations and velocities alike.
void compute_branch_responses(const BranchArrays& branch);

}  // namespace spacedyn
