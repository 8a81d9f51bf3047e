/// @file
/// Checks of the arguments that describe references and gains.
#pragma once

#include <string>

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

}  // namespace spacedyn
