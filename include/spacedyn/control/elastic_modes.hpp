/// @file
/// Modes of joints with springs while all other joints are held.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// K φ = Ω² M φ with the M that the joints feel where their springs are at rest, Φᵀ M Φ = E.
/// Of the lowest frequency first.
struct ElasticModes {
  std::vector<int> joints;   ///< with stiffness
  VectorX rest;              ///< positions at which their springs are at rest
  VectorX omega_squared;     ///< rad²/s²
  MatrixX shapes, to_modes;  ///< Φ by columns; Φᵀ M, by which η = Φᵀ M (q − q_rest)
};

/// @param base_floats  whether the base answers; else M is that of a base that is held
/// @param reference  where all other joints are held
/// @param others  joints that are held although they have springs
/// @throws DomainError, its text beginning with @p owner, if a joint is one of a rotation vector,
/// or one moves no mass
SPACEDYN_EXPORT ElasticModes elastic_modes(const std::string& owner, const Model& model,
                                           bool base_floats, const State& reference,
                                           const std::vector<int>& others = {});

}  // namespace spacedyn
