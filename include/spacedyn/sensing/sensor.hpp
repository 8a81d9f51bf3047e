/// @file
/// Instruments on a system: where they are, when they sample and how they err.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/sensing/target_filter.hpp"

namespace spacedyn {

struct MagneticField;

enum class SensorType {
  gyroscope,      ///< inertial angular velocity, rad/s
  star_tracker,   ///< attitude against inertial axes, a quaternion
  accelerometer,  ///< specific force at its place: acceleration less gravity, m/s²
  encoder,        ///< position of a joint, and its velocity by differences
  force_torque,   ///< wrench by which what is below moves what is above, N and N m
  relative_pose,  ///< position and attitude of another frame, as a camera sees it
  target_filter,  ///< pose, rates and inertia ratios of a free body, by a Kalman filter on a camera
  momentum_observer,  ///< wrench from outside on a robot, by what its momentum does, N and N m
  magnetometer        ///< magnetic field at its place, T
};

/// All types, in the order above.
SPACEDYN_EXPORT const std::vector<SensorType>& all_sensor_types();
/// The name used in files, for instance `star_tracker`.
SPACEDYN_EXPORT std::string_view to_string(SensorType type);

/// What a type is like.
struct SensorTraits {
  int errors;         ///< components in which it errs; an attitude errs by a rotation vector. An
                      ///< estimate errs as what it is made of
  int reading;        ///< numbers it puts out; an attitude is (w, x, y, z), w ≥ 0
  bool has_axes;      ///< vectors, which a scale factor stretches and a misalignment turns
  bool has_scale;     ///< whether a scale factor makes sense
  bool feels_forces;  ///< needs accelerations and loads of its instant
};
SPACEDYN_EXPORT SensorTraits sensor_traits(SensorType type);

/// How a reading differs from the truth x: y = round((1 + s) R(m)ᵀ x + b + w + n). Vectors have a
/// number for each component that errs, or none: then there is no such error.
struct SensorErrors {
  VectorX noise_density;  ///< n is white: standard deviation of a sample · √(sample period)
  VectorX noise;          ///< more of n: standard deviation of a sample, whatever the period
  VectorX bias;           ///< b
  VectorX bias_walk;      ///< w begins at 0 and walks: standard deviation after 1 s, unit/√s
  VectorX scale_factor;   ///< s
  Vector3 misalignment = Vector3::Zero();  ///< rotation vector m of the sensor's own axes, rad
  VectorX quantization;  ///< y is rounded to multiples of it; 0: not. Of attitudes the rotation
                         ///< vector is rounded
};

/// An instrument that samples at multiples of its period, from 0 on.
struct Sensor {
  std::string name;
  SensorType type = SensorType::gyroscope;
  Frame at;                    ///< its place and axes; of an encoder unused
  Frame target;                ///< of relative_pose and target_filter
  int joint = 0;               ///< 1…n, of an encoder
  double sample_period = 0.0;  ///< s
  double delay = 0.0;          ///< s, from a sample until it can be read
  SensorErrors errors = {};
  std::string camera = {};   ///< of target_filter: the relative_pose that it takes its samples of
  TargetFilter filter = {};  ///< of target_filter
  double gain = 0.0;         ///< 1/s, of momentum_observer: of the lag of its estimate
  std::shared_ptr<const MagneticField> field = {};  ///< of magnetometer
};

/// A filter on the samples of a camera, with its places, period and delay.
SPACEDYN_EXPORT Sensor filter_of(const Sensor& camera, std::string name,
                                 TargetFilter settings = {});

/// A random number of standard normal distribution for a key and a count: equal arguments give
/// equal numbers, in whatever order they are asked for (Philox 4×32, ten rounds).
SPACEDYN_EXPORT double standard_normal(std::uint64_t seed, std::uint64_t stream,
                                       std::uint64_t index, std::uint32_t component);

/// @throws DomainError, its text beginning with the sensor's name, if a number is not finite, a
/// period not positive, a size wrong, or the model has no such joint or body
SPACEDYN_EXPORT void check_sensor(const Sensor& sensor, const Model& model);

}  // namespace spacedyn
