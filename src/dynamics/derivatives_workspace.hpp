/// @file
/// What a DerivativesWorkspace holds.
#pragma once

#include "dynamics/articulated_bodies.hpp"
#include "dynamics/branch_responses.hpp"
#include "dynamics/derivative_terms.hpp"
#include "dynamics/kernel_choice.hpp"
#include "spacedyn/dynamics/derivatives.hpp"

namespace spacedyn {

struct DerivativesWorkspace::Implementation {
  explicit Implementation(const Model& model)
      : walk(model),
        kernels(kernels_of(instruction_set())),
        angles(model.joint_count()),
        motions(walk.bodies.size()),
        terms(walk),
        articulated(walk),
        responses(walk, kernels.branches) {}

  /// Everything about the bodies that does not need accelerations.
  void move(const State& state, const Loads& loads) {
    kernels.sincos(state.q.data(), angles.sine.data(), angles.cosine.data(), walk.joint_count());
    compute_body_motions(walk, state, angles, loads, motions);
    compute_composites(walk, motions, loads, terms);
  }

  TreeWalk walk;
  const KernelTable& kernels;
  JointAngles angles;
  BodyMotions motions;
  DerivativeTerms terms;
  ArticulatedBodies articulated;
  BranchResponses responses;
};

}  // namespace spacedyn
