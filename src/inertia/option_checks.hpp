/// @file
/// Checks of numbers that a user gives as options.
#pragma once

#include <cmath>
#include <string>

#include "model/short_number.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

/// @throws DomainError unless a number is finite and ≥ 0.
inline void require_not_negative(const std::string& name, double value) {
  if (std::isfinite(value) && value >= 0.0) return;
  throw DomainError(name + " is " + short_number(value) +
                    ", expected a finite number that is not negative");
}

/// @throws DomainError unless a number is finite and > 0.
inline void require_positive(const std::string& name, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  throw DomainError(name + " is " + short_number(value) + ", expected a finite positive number");
}

}  // namespace spacedyn
