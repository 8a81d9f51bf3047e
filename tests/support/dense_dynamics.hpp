/// @file
/// Accelerations as the paper computes them, the oracle of forward_dynamics().
#pragma once

#include <gtest/gtest.h>

#include "spacedyn/dynamics/forward_dynamics.hpp"

namespace spacedyn::testing {

/// u̇ by forming H and a Cholesky decomposition, (29): O(n³), no recursion over accelerations.
inline VectorX dense_forward_dynamics(const Model& model, const State& state, const Loads& loads) {
  const Mobility mobility(model);
  DynamicsWorkspace workspace(model, mobility);
  VectorX acceleration = VectorX::Zero(model.velocity_size()), forces(model.velocity_size());
  update_kinematics(model, state, workspace);
  EXPECT_EQ(hybrid_dynamics(model, state, loads, mobility, workspace, acceleration, forces),
            DynamicsStatus::ok);
  return acceleration;
}

}  // namespace spacedyn::testing
