/// @file
/// States as rows of numbers, as numpy and most other programs hold many of them.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A row after another in memory.
using RowMatrixX = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// Rows that are read, whose distance may be larger than their size, and rows that are written.
using ConstRowsRef = Eigen::Ref<const RowMatrixX>;
using RowsRef = Eigen::Ref<RowMatrixX>;

/// Numbers in the row of a state, 13 + 2n: r_0 (3), quaternion of A_0 with w first (4), q (n),
/// v_0 (3), ω_0 (3), q̇ (n). Auxiliary states are not part of it.
SPACEDYN_EXPORT int state_row_size(const Model& model);

/// The row of a state, with a unit quaternion.
SPACEDYN_EXPORT VectorX state_row(const State& state);

/// The state of a row. The quaternion may have any length and either sign.
/// @param row  13 + 2n
/// @throws DimensionError if the size differs; DomainError if a number is not finite or the
/// quaternion cannot be normalized
SPACEDYN_EXPORT State state_from_row(const Model& model, const ConstVectorRef& row);

}  // namespace spacedyn
