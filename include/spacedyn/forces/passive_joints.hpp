/// @file
/// The springs and dampers of a model: in its joints and between them.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// τ_i = −K_i (q_i − q_i,rest) − D_i q̇_i for every joint, τ = −K (q − q_rest) − D q̇ for every
/// coupling, and the torques of every transmission.
///
/// A transmission is a spring and a damper. With backlash the damper sets in over one per cent of
/// the play, so that the torque is continuous; it pulls a little while the teeth part.
class SPACEDYN_EXPORT PassiveJoints final : public ForceElement {
 public:
  PassiveJoints() : ForceElement("passive_joints") {}

  bool uses_links() const override { return false; }
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;
};

/// Whether a model has a spring or a damper at all.
SPACEDYN_EXPORT bool has_passive_joints(const Model& model) noexcept;

/// The torques of PassiveJoints at a state, size n.
SPACEDYN_EXPORT VectorX passive_torque(const Model& model, const State& state);

/// K of all springs together, n×n, transmissions taken in contact.
SPACEDYN_EXPORT MatrixX stiffness_matrix(const Model& model);
/// D of all dampers together, n×n, transmissions taken in contact.
SPACEDYN_EXPORT MatrixX damping_matrix(const Model& model);

}  // namespace spacedyn
