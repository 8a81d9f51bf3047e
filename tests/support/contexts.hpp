/// @file
/// An element's view of a state, for tests that call elements directly.
#pragma once

#include "spacedyn/forces/element.hpp"

namespace spacedyn::testing {

/// Kinematics of a state, kept alive for as long as contexts refer to them.
class Snapshot {
 public:
  Snapshot(const Model& model, State state)
      : model_(model), state_(std::move(state)), frames_(model), velocities_(model) {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
  }

  EvaluationContext at(double time) const {
    return {time, model_, state_, frames_, velocities_, state_.z};
  }
  const LinkFrames& frames() const { return frames_; }

 private:
  const Model& model_;
  State state_;
  LinkFrames frames_;
  LinkVelocities velocities_;
};

}  // namespace spacedyn::testing
