/// @file
/// A free-floating path flown by the simulator, which knows nothing of Jacobians: the independent
/// judge of paths that conservation of momentum gave.
#pragma once

#include "spacedyn/analysis/free_floating_path.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn::testing {

/// One joint at a constant rate.
class SteadyReference : public Reference {
 public:
  SteadyReference(double from, double rate) : from_(from), rate_(rate) {}
  int size() const override { return 1; }
  ReferenceValue evaluate(int, double time) const override {
    return {from_ + rate_ * time, rate_, 0.0};
  }

 private:
  double from_, rate_;
};

inline SimulationSetup precise_setup(const Model& model) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.integrator.relative_tolerance = 1e-12;
  setup.integrator.absolute_tolerance = {1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13};
  return setup;
}

/// From one configuration at rest to joint positions q at rest, in one second.
inline State flown_from_rest(const Model& model, State from, const VectorX& q) {
  SimulationSetup setup = precise_setup(model);
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    setup.prescribed_joints.push_back(
        {joint, std::make_shared<QuinticReference>(from.q.segment(joint - 1, 1),
                                                   q.segment(joint - 1, 1), 0.0, 1.0)});
  }
  from.v_0.setZero();
  from.omega_0.setZero();
  from.qd.setZero();
  SimulationObserver ignore;
  return Simulator(std::move(setup)).run(from, 1.0, 1.0, ignore).state;
}

/// The end of a path at zero momentum, flown from sample to sample.
inline State flown_end(const Model& model, const FreeFloatingPath& path) {
  State state = path.states.front();
  for (std::size_t k = 1; k < path.states.size(); ++k) {
    state = flown_from_rest(model, state, path.states[k].q);
  }
  return state;
}

}  // namespace spacedyn::testing
