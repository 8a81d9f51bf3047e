/// @file
/// The size that accelerations given from outside must have.
#pragma once

#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// @throws DimensionError unless u̇ has 6 + n elements.
inline void check_acceleration_size(const Model& model, ConstVectorRef acceleration) {
  if (acceleration.size() == model.velocity_size()) return;
  throw DimensionError("acceleration has " + std::to_string(acceleration.size()) +
                       " elements, expected " + std::to_string(model.velocity_size()) +
                       " (6 + joints)");
}

}  // namespace spacedyn
