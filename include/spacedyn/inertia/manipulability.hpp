/// @file
/// How well joint rates move a hand, and how near a singularity is.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {

/// What a measure of a Jacobian rests on.
struct ManipulabilityOptions {
  /// Linear rows of a 6-row Jacobian are divided by this length, m, to compare with angular ones.
  double length = 1.0;
  /// Singular values up to tolerance × σ_max count as zero.
  double tolerance = 1e-12;
};

/// Measures of a Jacobian from its singular values, all finite whatever its rank.
struct Manipulability {
  double measure = 0.0;    ///< √det(J Jᵀ): product of the singular values, 0 if n < rows
  double sigma_min = 0.0;  ///< smallest of the min(rows, n) singular values; 0 at a singularity
  double sigma_max = 0.0;
  int rank = 0;
  double threshold = 0.0;    ///< singular values up to it counted as zero
  bool is_singular = false;  ///< rank < min(rows, n)
};

/// Measures of the frame Jacobian written in @p jacobian.matrix(), which is scaled in place:
/// J_m for a fixed base, J* for a free-floating one, where a loss of rank is a dynamic singularity,
/// which depends on masses and on the path there. Six rows are (linear, angular); select other rows
/// for a task of lower dimension (a planar arm has rank ≤ 3). O(n), allocates nothing.
SPACEDYN_EXPORT Manipulability compute_manipulability(const ManipulabilityOptions& options,
                                                      SingularValues& jacobian) noexcept;

/// @name Conveniences that size everything themselves
/// @throws DimensionError, DomainError if state or frame do not fit the model, the model is too
/// big, the length is not positive or the tolerance negative; NumericalError if H_b is singular.
/// @{
/// Of any Jacobian with at least one row. @throws DomainError if it has none or is not finite.
SPACEDYN_EXPORT Manipulability manipulability(const Eigen::Ref<const MatrixX>& J,
                                              const ManipulabilityOptions& options = {});
/// Of J_m: the arm as if its base were fixed.
SPACEDYN_EXPORT Manipulability fixed_base_manipulability(const Model& model, const State& state,
                                                         const Frame& frame,
                                                         const ManipulabilityOptions& options = {});
/// Of J*: the arm on its free-floating base; of J_m if the model's base is fixed.
SPACEDYN_EXPORT Manipulability
free_floating_manipulability(const Model& model, const State& state, const Frame& frame,
                             const ManipulabilityOptions& options = {});
/// @}

}  // namespace spacedyn
