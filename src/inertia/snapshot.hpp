/// @file
/// What the conveniences compute first: a checked state's kinematics and inertia.
#pragma once

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/base_response.hpp"

namespace spacedyn {

/// Poses, velocities and the blocks of H at a state, after checking the state.
struct Snapshot {
  Snapshot(const Model& model, const State& state)
      : frames(model), velocities(model), blocks(model) {
    state.check(model);
    JacobianWorkspace workspace(model);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    compute_inertia_blocks(model, frames, workspace, blocks);
  }

  LinkFrames frames;
  LinkVelocities velocities;
  InertiaBlocks blocks;
};

/// The same with the derivatives of the blocks.
struct MovingSnapshot : Snapshot {
  MovingSnapshot(const Model& model, const State& state) : Snapshot(model, state), rates(model) {
    InertiaRatesWorkspace workspace(model);
    compute_inertia_rates(model, frames, velocities, workspace, rates);
  }

  InertiaRates rates;
};

/// Throws what the status says. @throws NumericalError unless it is ok.
inline void require(InertiaStatus status) {
  if (status == InertiaStatus::singular_base_inertia) {
    throw NumericalError(
        "the base inertia H_b is singular: the bodies have no mass, or all of it "
        "lies on one line",
        0.0, 0, "base inertia");
  }
  if (status == InertiaStatus::singular_joint_inertia) {
    throw NumericalError("the joint inertia H* is singular: some joint motion moves no mass", 0.0,
                         0, "joint inertia");
  }
}

/// A snapshot with the answer of the base.
template <typename Base>
struct ResponseSnapshot : Base {
  ResponseSnapshot(const Model& model, const State& state) : Base(model, state), response(model) {
    require(compute_base_response(model, this->blocks, response));
  }

  BaseResponse response;
};

}  // namespace spacedyn
