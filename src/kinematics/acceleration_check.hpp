/// @file
/// What accelerations that are given from outside must be.
#pragma once

#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// @throws DimensionError unless u̇ has 6 + n elements, DomainError unless they are finite.
inline void check_acceleration(const Model& model, ConstVectorRef acceleration) {
  if (acceleration.size() != model.velocity_size()) {
    throw DimensionError("acceleration has " + std::to_string(acceleration.size()) +
                         " elements, expected " + std::to_string(model.velocity_size()) +
                         " (6 + joints)");
  }
  if (!acceleration.allFinite()) throw DomainError("acceleration is not finite");
}

}  // namespace spacedyn
