/// @file
/// Checks of references and gains, and the C² cubic spline. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// @throws DimensionError naming the argument.
void check_same_size(const std::string& name, Eigen::Index size, Eigen::Index expected);
/// @throws DomainError naming the argument and the first component that is not finite.
void check_finite(const std::string& name, ConstVectorRef values);
void check_finite(const std::string& name, double value);
/// @throws DomainError naming the argument unless it is finite and positive.
void check_positive(const std::string& name, ConstVectorRef values);
void check_positive(const std::string& name, double value);

/// Of a spline at both ends: no second derivative, or no first one.
enum class SplineEnds { natural, rest };

/// @param positions  one column per time
/// @throws DomainError, DimensionError if a rule of TableReference is broken
void check_table(const std::vector<double>& times, const MatrixX& positions);

/// Second derivatives at the rows.
MatrixX spline_curvatures(const std::vector<double>& times, const MatrixX& positions,
                          SplineEnds ends);

}  // namespace spacedyn
