#include "states.hpp"

namespace spacedyn::python {

LinkFrames frames_of(const ModelHandle& model, const State& state) {
  state.check(*model);
  LinkFrames frames(*model);
  compute_link_frames(*model, state, frames);
  return frames;
}

LinkVelocities velocities_of(const ModelHandle& model, const State& state,
                             const LinkFrames& frames) {
  LinkVelocities velocities(*model);
  compute_link_velocities(*model, state, frames, velocities);
  return velocities;
}

InertiaBlocks blocks_of(const ModelHandle& model, const State& state) {
  InertiaBlocks blocks(*model);
  JacobianWorkspace workspace(*model);
  compute_inertia_blocks(*model, frames_of(model, state), workspace, blocks);
  return blocks;
}

InertiaRates rates_of(const ModelHandle& model, const State& state) {
  const LinkFrames frames = frames_of(model, state);
  InertiaRates rates(*model);
  InertiaRatesWorkspace workspace(*model);
  compute_inertia_rates(*model, frames, velocities_of(model, state, frames), workspace, rates);
  return rates;
}

Motion::Motion(const ModelHandle& model, const State& state, const ArrayLike& acceleration)
    : frames(frames_of(model, state)),
      velocities(velocities_of(model, state, frames)),
      accelerations(*model) {
  const VectorX rates = read_vector(acceleration, model->velocity_size(), "acceleration");
  compute_link_accelerations(*model, state, frames, velocities, rates, accelerations);
}

}  // namespace spacedyn::python
