/// @file
/// Which combinations of inertial parameters forces and motion determine.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertial_parameters.hpp"

namespace spacedyn {

/// Base parameters β = K π: as many numbers as measurements can determine of the inertial
/// parameters π, and enough to compute the forces of every motion, Y π = Y_base β with Y_base the
/// `columns` of Y.
struct SPACEDYN_EXPORT BaseParameters {
  /// Of each base parameter the first inertial parameter in it, counted from 0, ascending; its
  /// coefficient is 1, and it is in no other.
  std::vector<int> columns;
  /// Inertial parameters that change nothing that is measured, ascending: their columns are zero.
  std::vector<int> without_effect;
  /// K: a row for each base parameter.
  MatrixX combination;
  /// What each row means, as `arm.zz + 0.25 * hand.mass`.
  std::vector<std::string> names;

  int count() const { return static_cast<int>(columns.size()); }
};

/// The base parameters that a stack of regressors determines, by orthogonalization of its columns
/// in their order, each scaled to unit length: a column that lies in the span of those before it is
/// regrouped with them. With many random motions the result is that of the robot, with those of an
/// experiment that of the experiment.
/// @param stack      rows of all measurements, a column for each parameter
/// @param names      of the columns
/// @param tolerance  part of a unit column outside the span of others from which on it counts
/// @throws DimensionError unless there is a name for each column; DomainError if the stack is not
/// finite or the tolerance is not between 0 and 1
SPACEDYN_EXPORT BaseParameters base_parameters(const MatrixX& stack,
                                               const std::vector<std::string>& names,
                                               double tolerance = 1e-8);

/// What is measured of a robot, and where.
struct IdentifiabilityOptions {
  Vector3 gravity = Vector3::Zero();  ///< m/s²
  /// Of a fixed base: whether the six reactions of its support are measured, besides the forces of
  /// the joints. On a floating base they are known and always count.
  bool support_reactions = false;
  unsigned seed = 1;  ///< of the random motions
};

/// The base parameters of a robot under random motion: base, if it floats, and all joints move with
/// random positions, velocities and accelerations, position limits notwithstanding.
/// O(n³). @throws DomainError if the model has loops, whose joints do not move one by one, or
/// gravity is not finite; DimensionError for more links than Topology::kMaxDenseLinks
SPACEDYN_EXPORT BaseParameters base_parameters(const Model& model,
                                               const IdentifiabilityOptions& options = {});

}  // namespace spacedyn
