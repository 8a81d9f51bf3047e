#include "spacedyn/forces/passive_joints.hpp"

#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {
namespace {

double stretch(const Situation& situation, int joint) {
  return situation.state.q(joint - 1) - situation.model.joint(joint).rest_position;
}

}  // namespace

void PassiveJoints::apply(const Situation& situation, Loads& loads) const {
  for (int i = 1; i <= situation.model.joint_count(); ++i) {
    const Joint& joint = situation.model.joint(i);
    loads.tau(i - 1) -=
        joint.stiffness * stretch(situation, i) + joint.damping * situation.state.qd(i - 1);
  }
}

double PassiveJoints::stored_energy(const Situation& situation) const {
  return elastic_energy(situation.model, situation.state.q);
}

double PassiveJoints::stored_power(const Situation& situation) const {
  double power = 0.0;
  for (int i = 1; i <= situation.model.joint_count(); ++i) {
    power += situation.model.joint(i).stiffness * stretch(situation, i) * situation.state.qd(i - 1);
  }
  return power;
}

double PassiveJoints::dissipated_power(const Situation& situation) const {
  double power = 0.0;
  for (int i = 1; i <= situation.model.joint_count(); ++i) {
    const double rate = situation.state.qd(i - 1);
    power += situation.model.joint(i).damping * rate * rate;
  }
  return power;
}

VectorX passive_torque(const Model& model, const State& state) {
  VectorX torque(model.joint_count());
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    torque(i - 1) =
        -joint.stiffness * (state.q(i - 1) - joint.rest_position) - joint.damping * state.qd(i - 1);
  }
  return torque;
}

}  // namespace spacedyn
