/// @file
/// States moved along one generalized coordinate, for derivatives by differences.
#pragma once

#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn::testing {

/// The state with its configuration changed along coordinate @p column of [r_0; θ; q].
inline State with_perturbed_configuration(State state, int column, double t) {
  if (column < 3) {
    state.r_0(column) += t;
  } else if (column < 6) {
    state.A_0 = exp_so3(t * Vector3::Unit(column - 3)) * state.A_0;
  } else {
    state.q(column - 6) += t;
  }
  return state;
}

/// The state moved along coordinate @p i of [r_0; θ; q]; spherical joints turn in their link's
/// axes.
inline State displaced(const Model& model, State state, int i, double t) {
  if (i < 6) return with_perturbed_configuration(state, i, t);
  displace_joints(model, t * VectorX::Unit(model.joint_count(), i - 6), state.q);
  return state;
}

/// The state with its velocity changed along coordinate @p column of [v_0; ω_0; q̇].
inline State with_perturbed_velocity(State state, int column, double t) {
  if (column < 3) {
    state.v_0(column) += t;
  } else if (column < 6) {
    state.omega_0(column - 3) += t;
  } else {
    state.qd(column - 6) += t;
  }
  return state;
}

}  // namespace spacedyn::testing
