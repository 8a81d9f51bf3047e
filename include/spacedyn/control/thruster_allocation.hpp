/// @file
/// How thrusters share a torque or a force.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/thruster_modulation.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// A tank of a model by its name; −1 if there is none.
SPACEDYN_EXPORT int tank_index(const Model& model, const std::string& name);

/// Openings u in [0, 1] of thrusters that give a torque about the centroid of the robot that
/// carries them, or a force without torque, as well as they can, least squares; among equals those
/// of a torque with the least force, then those with the least flow.
class SPACEDYN_EXPORT ThrusterAllocation {
 public:
  /// @throws DomainError if there are none, one is named twice, does not open() without or with its
  /// modulation, or check_modulation() throws
  ThrusterAllocation(const std::string& owner, std::vector<Thruster> thrusters,
                     const ThrusterModulation& modulation = {});

  /// Whether a thruster can be opened by any part at any time: it has no minimum on-time and delay,
  /// and its force neither rises nor falls slowly.
  static bool opens(const Thruster& thruster);
  /// Whether a modulation can open it: its delay is below the period, as is a minimum on-time with
  /// pulses whose width is modulated.
  static bool opens(const Thruster& thruster, const ThrusterModulation& modulation);
  const std::vector<Thruster>& thrusters() const { return thrusters_; }
  /// How they follow their openings.
  const ThrusterModulation& modulation() const { return modulation_; }
  int size() const { return static_cast<int>(thrusters_.size()); }
  /// Finds the tanks of the thrusters in their model, and the bodies that fly with them. To be
  /// called before all that takes an EvaluationContext.
  void connect(const Model& model);
  /// The tank of each, its index in the model or −1; empty if none draws from a tank.
  const std::vector<int>& tanks() const { return tanks_; }
  /// Whether forces follow valves at a finite rate.
  bool ramps() const;
  /// Openings at a time of thrusters that are modulated, from the positions of their valves.
  void openings(const ValveMemory& memory, ConstVectorRef valves, double time,
                VectorRef openings) const;
  /// Their derivatives from then on, 1/s.
  void opening_rates(const ValveMemory& memory, ConstVectorRef valves, VectorRef rates) const;
  /// @param torque  N m, inertial
  void allocate(const EvaluationContext& context, const Vector3& torque, VectorRef openings) const;
  /// @param force  N, inertial, through that centroid
  void allocate_force(const EvaluationContext& context, const Vector3& force,
                      VectorRef openings) const;
  /// Adds their forces.
  void apply(const EvaluationContext& context, ConstVectorRef openings, Loads& loads) const;
  /// Consumption of each, kg/s.
  void flow(ConstVectorRef openings, VectorRef rates) const;
  /// Axes, 0…2 of @p axes (columns, inertial), about which they have no torque in both directions.
  std::vector<int> axes_without_torque(const EvaluationContext& context, const Matrix3& axes) const;
  /// Axes along which they have no force in both directions that is without torque.
  std::vector<int> axes_without_force(const EvaluationContext& context, const Matrix3& axes) const;

 private:
  Vector3 centroid(const EvaluationContext& context) const;
  Vector3 force(const EvaluationContext& context, int thruster) const;
  Vector3 moment(const EvaluationContext& context, int thruster, const Vector3& centroid) const;
  /// @param wrench  moment, force
  void share(const EvaluationContext& context, const Vector6& wrench, double force_weight,
             VectorRef openings) const;
  Vector6 wrench(const EvaluationContext& context, ConstVectorRef openings) const;

  std::vector<Thruster> thrusters_;
  ThrusterModulation modulation_;
  std::vector<int> tanks_;
  std::vector<int> bodies_;  // of the robot that carries them
};

}  // namespace spacedyn
