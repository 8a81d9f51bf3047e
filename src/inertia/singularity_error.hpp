/// @file
/// What is thrown where forces do not determine accelerations. Private.
#pragma once

#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/regularity.hpp"

namespace spacedyn {

/// Says what moves without resistance.
inline NumericalError singularity_error(const Model& model, const State& state, double time = 0.0) {
  const auto loose = find_singularity(model, state, !model.has_fixed_base());
  return {"the inertia matrix is not positive definite at this state" +
              (loose ? ": " + *loose + " moves without resistance" : std::string()),
          time, 0, "inertia matrix"};
}

}  // namespace spacedyn
