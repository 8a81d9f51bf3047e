/// @file
/// Checks of the arguments that describe references and gains.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// @throws DimensionError naming the argument.
void check_same_size(const char* name, Eigen::Index size, Eigen::Index expected);
/// @throws DomainError naming the argument and the first component that is not finite.
void check_finite(const char* name, ConstVectorRef values);
void check_finite(const char* name, double value);
/// @throws DomainError naming the argument unless it is finite and positive.
void check_positive(const char* name, ConstVectorRef values);
void check_positive(const char* name, double value);

}  // namespace spacedyn
