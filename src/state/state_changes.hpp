/// @file
/// States moved along single coordinates, for differences.
#pragma once

#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Moves a configuration by t along coordinate @p row of [r_0; θ; q], θ on the left.
inline void perturb_configuration(State& state, int row, double t) {
  if (row < 3) {
    state.r_0(row) += t;
  } else if (row < 6) {
    state.A_0 = exp_so3(t * Vector3::Unit(row - 3)) * state.A_0;
  } else {
    state.q(row - 6) += t;
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
