/// @file
/// What a DerivativesWorkspace holds.
#pragma once

#include "dynamics/articulated_bodies.hpp"
#include "dynamics/branch_responses.hpp"
#include "dynamics/derivative_terms.hpp"
#include "spacedyn/dynamics/derivatives.hpp"

namespace spacedyn {

struct DerivativesWorkspace::Implementation {
  explicit Implementation(const Model& model)
      : walk(model), motions(walk.bodies.size()), terms(walk), articulated(walk), responses(walk) {}

  TreeWalk walk;
  BodyMotions motions;
  DerivativeTerms terms;
  ArticulatedBodies articulated;
  BranchResponses responses;
};

}  // namespace spacedyn
