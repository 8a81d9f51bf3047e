/// @file
/// What bindings compute at a state before they call the function itself; all of it is checked.
#pragma once

#include "bindings.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn::python {

/// @throws DimensionError, DomainError if the state does not fit the model
LinkFrames frames_of(const ModelHandle& model, const State& state);
LinkVelocities velocities_of(const ModelHandle& model, const State& state,
                             const LinkFrames& frames);
InertiaBlocks blocks_of(const ModelHandle& model, const State& state);
InertiaRates rates_of(const ModelHandle& model, const State& state);

/// Kinematics of a state with accelerations.
struct Motion {
  Motion(const ModelHandle& model, const State& state, const ArrayLike& acceleration);
  LinkFrames frames;
  LinkVelocities velocities;
  LinkAccelerations accelerations;
};

}  // namespace spacedyn::python
