/// @file
/// The joints' own springs and dampers.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// τ_i = −K_i (q_i − q_i,rest) − D_i q̇_i for every joint of a model.
class SPACEDYN_EXPORT PassiveJoints final : public ForceElement {
 public:
  PassiveJoints() : ForceElement("passive_joints") {}

  void apply(const Situation& situation, Loads& loads) const override;
  double stored_energy(const Situation& situation) const override;
  double stored_power(const Situation& situation) const override;
  double dissipated_power(const Situation& situation) const override;
};

/// The torques of PassiveJoints at a state, size n.
SPACEDYN_EXPORT VectorX passive_torque(const Model& model, const State& state);

}  // namespace spacedyn
