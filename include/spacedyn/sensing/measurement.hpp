/// @file
/// What sensors read of an instant, and what a controller believes that looks at readings.
#pragma once

#include <cstdint>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn {

/// One instant as sensors look at it.
struct SensorContext {
  const EvaluationContext& motion;                      ///< with frames and velocities of links
  const std::vector<const AccelerationField*>& fields;  ///< gravity besides the uniform one
  const LinkAccelerations* accelerations = nullptr;     ///< for sensors that feel forces
  const Loads* loads = nullptr;                         ///< likewise, all that acts
  Vector3 gravity = Vector3::Zero();                    ///< for estimates, m/s²
  const VectorX* pose = nullptr;   ///< of a target_filter: this sample of its camera
  const Sensor* camera = nullptr;  ///< of a target_filter
};

/// A sensor's own memory, part of the discrete state.
struct SensorMemory {
  VectorX walk;           ///< of the bias
  double position = 0.0;  ///< of an encoder: the last one
  bool has_position = false;
  VectorX estimate;  ///< of a target_filter or momentum_observer: what it goes on from
};

/// The start of a memory.
SPACEDYN_EXPORT SensorMemory sensor_memory(const Sensor& sensor);

/// The reading of a sample, errors included. Allocates nothing.
/// @param index  of the sample, from 0; each is taken once, in their order
/// @pre check_sensor(); the sizes of memory and reading are the sensor's
SPACEDYN_EXPORT void take_sample(const Sensor& sensor, const SensorContext& context,
                                 std::uint64_t seed, long index, SensorMemory& memory,
                                 VectorRef reading);

/// What a target_filter has estimated up to its latest sample.
/// @pre it has sampled
SPACEDYN_EXPORT TargetEstimate target_estimate(const SensorMemory& memory);

/// A motion in which readings stand in place of the truth.
struct SPACEDYN_EXPORT BelievedMotion {
  explicit BelievedMotion(const Model& m) : model(m), state(m), frames(m), velocities(m) {}

  const Model& model;
  State state;
  LinkFrames frames;
  LinkVelocities velocities;

  /// Begins with the truth. Allocates nothing.
  void begin(const EvaluationContext& truth);
  /// Takes a reading over: an attitude or a rate as that of the body that carries the sensor, an
  /// encoder's as that of its joint, a relative pose as the place of the camera's body against the
  /// target, an estimate as the motion of the target, which tumbles on from its sample until now.
  /// Estimates must come first and rates last, for a gyroscope's axes are where the body is
  /// believed to be. Nothing else of the motion changes. Allocates nothing.
  /// @param sampled  when the reading was sampled, s
  /// @pre can_stand_for_truth()
  void take(const Sensor& sensor, ConstVectorRef reading, double sampled, const SensorContext& now);
};

/// Whether controllers can take readings of a type in place of the truth.
SPACEDYN_EXPORT bool can_stand_for_truth(SensorType type);

}  // namespace spacedyn
