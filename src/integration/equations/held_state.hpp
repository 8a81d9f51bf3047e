/// @file
/// The discrete state in checkpoints. Private.
#pragma once

#include "integration/equations/archive.hpp"
#include "spacedyn/system/discrete_state.hpp"

namespace spacedyn {

/// What controllers and sensors hold, and the connections; locks are left to the caller.
void transfer_held(Archive& archive, DiscreteState& discrete);

}  // namespace spacedyn
