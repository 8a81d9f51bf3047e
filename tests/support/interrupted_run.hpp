/// @file
/// An observer that ends a run in its midst.
#pragma once

#include "support/recorders.hpp"

namespace spacedyn::testing {

/// Stops after the step that passes a time and keeps the checkpoint of it.
class InterruptedAt : public StoppedTrajectory {
 public:
  explicit InterruptedAt(double time) { stop_at = time; }
  void on_checkpoint(const Checkpoint& checkpoint) override { kept = checkpoint; }

  Checkpoint kept;
};

}  // namespace spacedyn::testing
