/// @file
/// States moved along single coordinates, for differences.
#pragma once

#include "math/rodrigues.hpp"
#include "spacedyn/state/state.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

/// Moves a configuration by t along coordinate @p row of [r_0; θ; q], θ on the left; spherical
/// joints by displace_joints().
inline void perturb_configuration(const Model& model, State& state, int row, double t) {
  if (row < 3) {
    state.r_0(row) += t;
  } else if (row < 6) {
    state.A_0 = turn_by(t * Vector3::Unit(row - 3), state.A_0);
  } else if (const int joint = row - 5; model.joint(joint).spherical == 0) {
    state.q(row - 6) += t;
  } else {
    const int place = model.joint(joint).spherical, first = joint + 1 - place;
    state.q.segment<3>(first - 1) = turn_spherical(state.q, first, t * Vector3::Unit(place - 1));
  }
}

/// Changes a velocity by t along coordinate @p row of [v_0; ω_0; q̇].
inline void perturb_velocity(State& state, int row, double t) {
  if (row < 3) {
    state.v_0(row) += t;
  } else if (row < 6) {
    state.omega_0(row - 3) += t;
  } else {
    state.qd(row - 6) += t;
  }
}

}  // namespace spacedyn
