/// @file
/// Valves of thrusters that a controller opens.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/thruster_modulation.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/model/thruster.hpp"

namespace spacedyn {

struct ActuatorOutput;

/// A tank of a model by its name; −1 if there is none.
SPACEDYN_EXPORT int tank_index(const Model& model, const std::string& name);

/// How thrusters follow wanted openings between 0 and 1, and what they consume.
class SPACEDYN_EXPORT ThrusterValves {
 public:
  /// @throws DomainError, its text beginning with @p owner, if there are none, one is named twice
  /// or not on a body of the model, does not open() without or with its modulation, or
  /// check_modulation() throws
  ThrusterValves(const std::string& owner, const Model& model, std::vector<Thruster> thrusters,
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
  /// Whether forces follow valves at a finite rate.
  bool ramps() const;
  /// Openings at a time of thrusters that are modulated, from the positions of their valves.
  void openings(const ValveMemory& memory, ConstVectorRef valves, double time,
                VectorRef openings) const;
  /// Their derivatives from then on, 1/s.
  void opening_rates(const ValveMemory& memory, ConstVectorRef valves, VectorRef rates) const;
  /// Force of one that is open, N, inertial.
  Vector3 force(const EvaluationContext& context, int thruster) const;
  /// Adds their forces.
  void apply(const EvaluationContext& context, ConstVectorRef openings, Loads& loads) const;
  /// Consumption of each, kg/s.
  void flow(ConstVectorRef openings, VectorRef rates) const;
  /// Appends the force of each, openings being the first values of the command.
  void append_outputs(std::vector<ActuatorOutput>& outputs) const;

 private:
  std::vector<Thruster> thrusters_;
  ThrusterModulation modulation_;
};

}  // namespace spacedyn
