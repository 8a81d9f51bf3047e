/// @file
/// What the loops over pairs of joints read and write, and the functions that run them: plain data.
#pragma once

#include "dynamics/tree/joint_terms.hpp"

namespace spacedyn {

/// One branch with the base and the memory of its results. Columns have `stride` rows: the joints
/// of the branch in depth-first order, six of the base (angular part first), then zeros up to a
/// multiple of the widest vector register.
struct BranchArrays {
  int begin;   ///< position of its first joint, 0…n−1, in the order of the walk
  int origin;  ///< about which its terms are
  int size, stride;
  const BranchJoint* tree;
  double* inverse;             ///< H⁻¹, a column per joint, then six of base forces
  double* configuration;       ///< −H⁻¹ ∂[F_0; τ]/∂q, a column per joint
  double* velocity;            ///< −H⁻¹ ∂[F_0; τ]/∂q̇, a column per joint
  double* base_configuration;  ///< −H⁻¹ ∂τ/∂θ of the joints of this branch, 3 columns
  double* base_velocity;       ///< −H⁻¹ ∂τ/∂ω_0 likewise
  double* scratch;             ///< branch_scratch() numbers
};

/// How all joints follow the base; columns of `stride` numbers, joints in the order of the walk.
/// The stride leaves room for a whole column of any branch at its place.
struct BaseArrays {
  int size, stride;
  bool is_held;            ///< a held base does not answer: rows and columns of it mean nothing
  bool has_wrenches;       ///< otherwise the last three rows of kTermResponse are not used
  const double* ends;      ///< one past the subtree of each entry, in blocks of eight
  const TermBlock* terms;  ///< of all joints
  const TermBlock* turns;  ///< of three turns of the base, as seen from each origin
  const double* scratch;   ///< of the kernels, after articulated_body()
  double* coupling;  ///< T = −H⁻¹ ∂τ/∂a_0, base held: accelerations per that of the base
  double inverse[36];  ///< I_0⁻¹, columns, angular part first
};

/// The three derivatives as columns of `stride` numbers, base linear part first, joints in the
/// order of the walk; the last is with respect to forces or, of inverse dynamics, accelerations.
struct DerivativeArrays {
  double *configuration, *velocity, *force;
  long stride;
};

/// Numbers of scratch memory for a branch: I_0⁻¹ Tᵀ, or what waits at leaves and forks.
constexpr long branch_scratch(long stride, long deepest_fork, long leaves) {
  return 6 * stride + 12 * 8 * (leaves + deepest_fork + 2);
}

/// One compiled copy of the loops.
struct BranchKernels {
  /// `inverse` and the coupling of a branch: unit torques are sent inward and their accelerations
  /// outward with the base held, those of the base with them, then the base yields. O(size²).
  void (*invert)(const BranchArrays&, const BaseArrays&);

  /// Everything else of a branch. O(size²).
  ///
  /// With M = H⁻¹, Σ_k M_ik ∂τ_k/∂q_j falls apart into joints k from j upward, (Σ M_ik response_k)
  /// · turn_j, and the base and joints below j, (Σ M_ik axis_k) · load_j: sums that grow by one
  /// joint as j moves along the branch and serve configurations and velocities alike.
  void (*respond)(const BranchArrays&, const BaseArrays&);

  /// Columns of the joints of a branch: other branches follow the base. O(n · size).
  void (*compose)(const BranchArrays&, const BaseArrays&, const DerivativeArrays&);
  /// Columns of turns and forces of the base. O(n).
  void (*compose_base)(const BranchArrays* branches, int count, const BaseArrays&,
                       const DerivativeArrays&);
  /// After invert() of all branches: H⁻¹ alone, exactly symmetric. O(n²).
  void (*compose_inverse)(const BranchArrays* branches, int count, const BaseArrays&, double* out,
                          long stride);
  /// Derivatives of inverse dynamics with respect to the joints of a branch, but for armatures, and
  /// of its forces with respect to the base. O(n · size).
  void (*write_pairs)(const BranchArrays&, const BaseArrays&, const DerivativeArrays&);
};

}  // namespace spacedyn
