/// @file
/// When sensors of a system are read, and what they must be like.
#pragma once

#include <vector>

#include "sensing/loop_reactions.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "spacedyn/system/discrete_state.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// @throws DomainError if a sensor does not fit the model or the system, a name is taken twice, or
/// a controller names sensors that it cannot take
void check_sensors(const ForcedSystem& system);

/// Whether an estimate fits the system. Any other sensor does.
/// @param index  of the sensor
/// @throws DomainError if something acts that the estimate would take for what it looks for, or its
/// camera is not one
void check_estimate(const ForcedSystem& system, std::size_t index);

/// Those forces of a system that are fields of acceleration.
std::vector<const AccelerationField*> acceleration_fields(const ForcedSystem& system);

/// When the reading that can be read now was sampled, s.
double sampled_at(const Sensor& sensor, const DiscreteState::SensorState& state);

/// Samples the sensors of a system.
class SensorSampler {
 public:
  /// @param system  must outlive this object
  explicit SensorSampler(const ForcedSystem& system);

  bool is_idle() const { return system_.sensors.empty(); }
  /// Whether a sensor that feels forces has a sample instant at or before a time.
  bool needs_forces(double time, const DiscreteState& discrete) const;
  /// Lets every sensor with a sample instant at or before the context sample; readings whose delay
  /// is over can be read.
  /// @param acceleration, loads, reactions  of the instant; only looked at if needs_forces();
  ///                                        no reactions without loops
  void sample(const EvaluationContext& context, const VectorX& acceleration, const Loads& loads,
              const LoopReactions* reactions, DiscreteState& discrete);
  /// The first sensor whose reaction is not unique among loops and motion constraints; null if
  /// there is none. Allocates when these have changed.
  /// @param loops    null without any
  /// @param changes  how often loops, or what moves freely, have changed
  const Sensor* find_ambiguous(const LoopEquations* loops, const EvaluationContext& context,
                               const Mobility& mobility, const DiscreteState& discrete,
                               long changes);
  /// The next instant at which a sensor samples or a reading arrives; infinite if none.
  double next(const DiscreteState& discrete) const;

 private:
  /// What a sensor looks at, for a target_filter with the sample of its camera.
  SensorContext seen_by(const Sensor& sensor, const SensorContext& instant,
                        DiscreteState& discrete) const;

  const ForcedSystem& system_;
  std::vector<const AccelerationField*> fields_;
  LinkAccelerations accelerations_;
  Loads felt_;  // with what loops exert
  long looked_at_ = -1;
  const Sensor* ambiguous_ = nullptr;
};

}  // namespace spacedyn
