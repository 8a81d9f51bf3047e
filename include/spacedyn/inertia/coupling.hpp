/// @file
/// How strongly the joints disturb the base.
#pragma once

#include <optional>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {

/// Singular values of the base disturbance map D = −H_b⁻¹ H_bm, linear and angular rows apart
/// because they have different units. Rates of prismatic and revolute joints are taken as they are.
struct CouplingMeasures {
  Vector3 linear = Vector3::Zero();  ///< of rows 1–3, descending, m/s per joint rate; 0 beyond n
  Vector3 angular = Vector3::Zero();  ///< of rows 4–6, descending, rad/s per joint rate; 0 beyond n
  /// √det(D Dᵀ), the volume of base twists that unit joint rates reach; only where n ≥ 6.
  std::optional<double> volume;
};

/// Memory of one evaluation, sized once.
struct SPACEDYN_EXPORT CouplingWorkspace {
  SingularValues linear, angular, all;

  explicit CouplingWorkspace(const Model& model);
};

/// The measures of a base response. O(n), allocates nothing. A fixed base is not disturbed: all
/// zero.
SPACEDYN_EXPORT CouplingMeasures compute_coupling_measures(const BaseResponse& response,
                                                           CouplingWorkspace& workspace) noexcept;

/// The convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big;
/// NumericalError if H_b is singular.
SPACEDYN_EXPORT CouplingMeasures coupling_measures(const Model& model, const State& state);

}  // namespace spacedyn
