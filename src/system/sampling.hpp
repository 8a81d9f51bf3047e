/// @file
/// Sampled controllers: commands at sample instants, held and delayed. Private.
#pragma once

#include "spacedyn/sensing/measurement.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// Samples the controllers of a system.
class Sampler {
 public:
  /// @param elements  must outlive this object
  explicit Sampler(const SystemElements& elements);

  /// Lets every controller with a sample instant at or before the context compute its command;
  /// commands whose delay is over take effect.
  void sample(const EvaluationContext& context, DiscreteState& discrete);
  /// The next instant at which a controller samples or its command takes effect; infinite if none.
  double next(const DiscreteState& discrete) const;

 private:
  struct Clock {
    const SystemElements::Slot* slot;
    double period;
    Digitization digitization;
    std::vector<std::size_t> sensors;  ///< that it takes: estimates, attitudes, rates
    std::vector<std::size_t> named;    ///< the same in the order in which it names them
    const ThrusterValves* valves;      ///< that it modulates; null if none
    VectorX wanted;                    ///< command with the openings wanted of these
    VectorX readings;                  ///< of all sensors that it names

    double instant(long index) const { return static_cast<double>(index) * period; }
    /// When the oldest command on its way takes effect.
    double next_effect(const DiscreteState::ControllerState& state) const;
  };
  /// Pulses of the period that begins, from the wanted openings.
  static void plan_pulses(const Clock& clock, DiscreteState::ControllerState& state);
  /// Opens and shuts the valves that are due.
  static void move_valves(const Clock& clock, double time, DiscreteState::ControllerState& state);
  void compute(Clock& clock, const EvaluationContext& context, DiscreteState& discrete,
               VectorX& command);

  const ForcedSystem& system_;
  std::vector<Clock> clocks_;  // of the sampled controllers
  std::vector<const AccelerationField*> fields_;
  BelievedMotion believed_;  // of a controller with sensors or coarse numbers
};

}  // namespace spacedyn
