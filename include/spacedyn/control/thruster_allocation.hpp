/// @file
/// How thrusters share a torque or a force.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/allocation.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Openings u in [0, 1] of thrusters on one body that give a demand about the centroid of the robot
/// that carries them, as well as they can, least squares; among equals those of a torque with the
/// least force, then those with the least flow.
class SPACEDYN_EXPORT ThrusterAllocation final : public Allocation {
 public:
  /// @throws DomainError if thrusters are on different bodies, or ThrusterValves throws
  ThrusterAllocation(const std::string& owner, const Model& model, std::vector<Thruster> thrusters,
                     const ThrusterModulation& modulation = {});

  bool has_force() const override { return true; }
  int command_size() const override { return valves_.size(); }
  const ThrusterValves* valves() const override { return &valves_; }
  /// None: torques depend on where the centroid is.
  std::vector<int> idle_axes(const Model& model) const override;
  void allocate(const EvaluationContext& context, const WrenchDemand& demand,
                VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  void append_outputs(const std::string& controller,
                      std::vector<ActuatorOutput>& outputs) const override;
  std::vector<int> axes_without_torque(const EvaluationContext& context) const override;
  std::vector<int> axes_without_force(const EvaluationContext& context) const override;

 private:
  ThrusterAllocation(const std::string& owner, const Model& model, ThrusterValves valves);
  Vector3 centroid(const EvaluationContext& context) const;
  Vector3 moment(const EvaluationContext& context, int thruster, const Vector3& centroid) const;
  WrenchDemand wrench(const EvaluationContext& context, ConstVectorRef openings) const;

  ThrusterValves valves_;
  std::vector<int> bodies_;  // of the robot that carries them
};

}  // namespace spacedyn
