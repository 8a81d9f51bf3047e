/// @file
/// Rows of tables and the C² cubic spline through them. Private.
#pragma once

#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Of a spline at both ends: no second derivative, or no first one.
enum class SplineEnds { natural, rest };

/// @param positions  one column per time
/// @throws DomainError, DimensionError if a rule of TableReference is broken
void check_table(const std::vector<double>& times, const MatrixX& positions);

/// Second derivatives at the rows.
MatrixX spline_curvatures(const std::vector<double>& times, const MatrixX& positions,
                          SplineEnds ends);

}  // namespace spacedyn
