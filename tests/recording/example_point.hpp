/// @file
/// A simulation point whose every number is different, on a robot with each kind of part.
#pragma once

#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

/// Base, a revolute joint `elbow`, a prismatic joint `slide` and a frame `hand`.
inline Model recorded_model() {
  ModelDescription description = one_link_description();
  description.links[0].joint.name = "elbow";
  LinkDescription slider =
      link_body("slide", "arm", 3.0, {1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, Vector3::Zero());
  slider.joint.type = JointType::prismatic;
  description.links.push_back(slider);
  FrameDescription hand;
  hand.name = "hand";
  hand.link = "slide";
  hand.origin.position = {0.25, 0.0, 0.0};
  description.frames.push_back(hand);
  return ModelBuilder(description).build();
}

/// Owns everything that a SimulationPoint refers to.
struct ExamplePoint {
  ExamplePoint(const Model& of, State with)
      : model(of),
        state(std::move(with)),
        frames(of),
        velocities(of),
        acceleration(VectorX::Zero(of.velocity_size())),
        forces(VectorX::Zero(of.velocity_size())),
        loads(of) {
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
  }

  /// @param of  recorded_model()
  explicit ExamplePoint(const Model& of) : ExamplePoint(of, State(of)) {
    state.r_0 = {1.0, 2.0, 3.0};
    state.A_0 = rotation_z(0.5);
    state.q << 0.25, 0.75;
    state.v_0 = {4.0, 5.0, 6.0};
    state.omega_0 = {7.0, 8.0, 9.0};
    state.qd << 10.0, 11.0;
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    forces = VectorX::LinSpaced(of.velocity_size(), 21.0, 28.0);
    momentum.linear = {31.0, 32.0, 33.0};
    momentum.angular_base = {34.0, 35.0, 36.0};
    momentum.angular_origin = {37.0, 38.0, 39.0};
    momentum.angular_centroid = {40.0, 41.0, 42.0};
    energy.kinetic = 43.0;
    energy.gravity = 44.0;
    energy.elastic = 45.0;
    integrals.work = 46.0;
    integrals.dissipated = 47.0;
  }

  SimulationPoint at(double time) const {
    return {time,     model,       state,    frames,       velocities, acceleration,
            forces,   momentum,    energy,   integrals,    sources,    mobility,
            discrete, multipliers, readings, acceleration, loads};
  }

  const Model& model;
  State state;
  LinkFrames frames;
  LinkVelocities velocities;
  VectorX acceleration;
  VectorX forces;
  Loads loads;
  Momentum momentum;
  Energy energy;
  AuditIntegrals integrals;
  std::vector<SourceEnergy> sources;
  Mobility mobility{model};
  DiscreteState discrete;
  VectorX multipliers;                   // of a tree
  std::vector<ContactReading> readings;  // of rigid contacts
};

}  // namespace spacedyn::testing
