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
};

/// A sensor's own memory, part of the discrete state.
struct SensorMemory {
  VectorX walk;           ///< of the bias
  double position = 0.0;  ///< of an encoder: the last one
  bool has_position = false;
};

/// The start of a memory.
SPACEDYN_EXPORT SensorMemory sensor_memory(const Sensor& sensor);

/// The reading of a sample, errors included. Allocates nothing.
/// @param index  of the sample, from 0; each is taken once, in their order
/// @pre check_sensor(); the sizes of memory and reading are the sensor's
SPACEDYN_EXPORT void take_sample(const Sensor& sensor, const SensorContext& context,
                                 std::uint64_t seed, long index, SensorMemory& memory,
                                 VectorRef reading);

/// A motion in which readings stand in place of the truth.
struct SPACEDYN_EXPORT BelievedMotion {
  explicit BelievedMotion(const Model& model) : state(model), frames(model), velocities(model) {}

  State state;
  LinkFrames frames;
  LinkVelocities velocities;

  /// Begins with the truth. Allocates nothing.
  void begin(const EvaluationContext& truth);
  /// Takes a reading over: an attitude or a rate as that of the body that carries the sensor, an
  /// encoder's as that of its joint, a relative pose as the place of the camera's body against the
  /// target. Attitudes must come before rates, for a gyroscope's axes are where the body is
  /// believed to be. Nothing else of the motion changes. Allocates nothing.
  /// @pre can_stand_for_truth()
  void take(const Sensor& sensor, ConstVectorRef reading, double time,
            const std::vector<const AccelerationField*>& fields);
};

/// Whether controllers can take readings of a type in place of the truth.
SPACEDYN_EXPORT bool can_stand_for_truth(SensorType type);

}  // namespace spacedyn
