#include "spacedyn/sensing/measurement.hpp"

#include <cmath>

#include "forces/separation.hpp"
#include "model/robot_of.hpp"
#include "sensing/estimation.hpp"
#include "sensing/loop_reactions.hpp"
#include "sensing/philox.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn {
namespace {

using Errors = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// FNV-1a: sensors of other names have other noise.
std::uint64_t stream_of(const std::string& name) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

Vector3 free_fall(const SensorContext& context, int body, const Vector3& r, const Vector3& v) {
  Vector3 sum = context.loads->gravity;
  for (const AccelerationField* field : context.fields) {
    sum += field->acceleration(context.motion, body, r, v);
  }
  return sum;
}

Vector3 specific_force(const Frame& at, const SensorContext& context) {
  const LinkFrames& frames = context.motion.frames;
  const LinkVelocities& velocities = context.motion.velocities;
  const Vector3 acceleration =
      frame_acceleration(frames, velocities, *context.accelerations, at).head<3>();
  const Vector3 v = frame_velocity(frames, velocities, at).head<3>();
  return frame_orientation(frames, at).transpose() *
         (acceleration - free_fall(context, at.body, frame_position(frames, at), v));
}

/// A wrench about a frame, from inertial axes to those of the frame.
Vector6 in_axes_of(const Frame& at, const SensorContext& context, const Vector6& wrench) {
  const Matrix3 axes = frame_orientation(context.motion.frames, at).transpose();
  Vector6 own;
  own << axes * wrench.head<3>(), axes * wrench.tail<3>();
  return own;
}

/// Force and moment about the frame that what carries the body exerts on it and all beyond.
Vector6 wrench_through(const Frame& at, const SensorContext& context) {
  const Model& model = context.motion.model;
  const LinkFrames& frames = context.motion.frames;
  const Vector3 point = frame_position(frames, at);
  Vector6 sum = Vector6::Zero();
  for (int body = at.body; body < model.body_count(); ++body) {
    if (body != at.body && !model.topology().is_ancestor(at.body, body)) continue;
    const Vector6 needed =
        wrench_of_neighbours(context.motion, *context.accelerations, *context.loads, body);
    const Vector3 arm = frames.r[static_cast<std::size_t>(body)] - point, force = needed.head<3>();
    sum += needed;
    sum.tail<3>() += arm.cross(force);
  }
  return in_axes_of(at, context, sum);
}

/// The error of a sample besides scale and misalignment; the bias walks on.
Errors draw(const Sensor& sensor, std::uint64_t seed, long index, SensorMemory& memory) {
  const SensorErrors& given = sensor.errors;
  const int size = sensor_traits(sensor.type).errors;
  const std::uint64_t stream = stream_of(sensor.name);
  const auto count = static_cast<std::uint64_t>(index);
  Errors error = Errors::Zero(size);
  if (given.bias.size() > 0) error += given.bias;
  for (int i = 0; i < size; ++i) {
    const auto component = static_cast<std::uint32_t>(i);
    double variance = 0.0;
    if (given.noise_density.size() > 0) {
      variance += given.noise_density(i) * given.noise_density(i) / sensor.sample_period;
    }
    if (given.noise.size() > 0) variance += given.noise(i) * given.noise(i);
    if (variance > 0.0) {
      error(i) += std::sqrt(variance) * standard_normal(seed, stream, count, component);
    }
    if (given.bias_walk.size() == 0 || given.bias_walk(i) == 0.0) continue;
    if (index > 0) {
      memory.walk(i) += given.bias_walk(i) * std::sqrt(sensor.sample_period) *
                        standard_normal(seed, stream, count, component + 16);
    }
    error(i) += memory.walk(i);
  }
  return error;
}

double rounded(double value, const VectorX& steps, Eigen::Index i) {
  if (steps.size() == 0 || steps(i) == 0.0) return value;
  return steps(i) * std::round(value / steps(i));
}

/// (1 + s) R(m)ᵀ x + e, rounded.
void degrade(const Sensor& sensor, const Errors& error, VectorRef values) {
  const SensorErrors& given = sensor.errors;
  if (!given.misalignment.isZero(0.0)) {
    const Matrix3 R = exp_so3(given.misalignment).transpose();
    for (Eigen::Index i = 0; i + 2 < values.size(); i += 3) {
      values.segment<3>(i) = (R * values.segment<3>(i)).eval();
    }
  }
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (given.scale_factor.size() > 0) values(i) *= 1.0 + given.scale_factor(i);
    values(i) = rounded(values(i) + error(i), given.quantization, i);
  }
}

/// The quaternion of an attitude that errs by a rotation vector in the sensor's own axes.
Eigen::Vector4d attitude_reading(const Sensor& sensor, const Matrix3& A, const Vector3& error,
                                 Eigen::Index first) {
  Matrix3 read = A * exp_so3(error);
  const VectorX& steps = sensor.errors.quantization;
  if (steps.size() > 0 && !steps.segment<3>(first).isZero(0.0)) {
    Vector3 turn = log_so3(read);
    for (int i = 0; i < 3; ++i) turn(i) = rounded(turn(i), steps, first + i);
    read = exp_so3(turn);
  }
  const Quaternion quaternion = quaternion_from_matrix(read);
  return {quaternion.w(), quaternion.x(), quaternion.y(), quaternion.z()};
}

void read_encoder(const Sensor& sensor, const SensorContext& context, const Errors& error,
                  SensorMemory& memory, VectorRef reading) {
  Errors position = Errors::Constant(1, context.motion.state.q(sensor.joint - 1));
  degrade(sensor, error, position);
  reading(0) = position(0);
  reading(1) = memory.has_position ? (position(0) - memory.position) / sensor.sample_period
                                   : context.motion.state.qd(sensor.joint - 1);
  memory.position = position(0);
  memory.has_position = true;
}

void read_pose(const Sensor& sensor, const SensorContext& context, const Errors& error,
               VectorRef reading) {
  const LinkFrames& frames = context.motion.frames;
  const Matrix3 A = frame_orientation(frames, sensor.at);
  reading.head<3>() = A.transpose() * separation(context.motion, sensor.at, sensor.target).distance;
  for (int i = 0; i < 3; ++i) {
    reading(i) = rounded(reading(i) + error(i), sensor.errors.quantization, i);
  }
  reading.tail<4>() = attitude_reading(
      sensor, A.transpose() * frame_orientation(frames, sensor.target), error.tail<3>(), 3);
}

}  // namespace

double standard_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                       std::uint32_t component) {
  const std::uint64_t key = seed ^ (stream * 0x9E3779B97F4A7C15U);
  using namespace random_numbers;
  const Words words =
      philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), component,
              static_cast<std::uint32_t>(stream >> 32)},
             static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
  // Box–Muller
  return std::sqrt(-2.0 * std::log(uniform(words[0], words[1]))) *
         std::cos(2.0 * kPi * uniform(words[2], words[3]));
}

SensorMemory sensor_memory(const Sensor& sensor) {
  SensorMemory memory;
  memory.walk = VectorX::Zero(sensor_traits(sensor.type).errors);
  if (sensor.type == SensorType::target_filter) {
    memory.estimate = VectorX::Zero(filter_memory_size());
  } else if (sensor.type == SensorType::momentum_observer) {
    memory.estimate = VectorX::Zero(observer_memory_size());
  }
  return memory;
}

void take_sample(const Sensor& sensor, const SensorContext& context, std::uint64_t seed, long index,
                 SensorMemory& memory, VectorRef reading) {
  const LinkFrames& frames = context.motion.frames;
  const Errors error = draw(sensor, seed, index, memory);
  switch (sensor.type) {
    case SensorType::gyroscope:
      reading = frame_orientation(frames, sensor.at).transpose() *
                (context.motion.velocities.omega[static_cast<std::size_t>(sensor.at.body)] +
                 frame_rate(context.fields, context.motion.time));
      return degrade(sensor, error, reading);
    case SensorType::star_tracker: {
      const Matrix3 turned = frame_attitude(context.fields, context.motion.time);
      reading = attitude_reading(sensor, turned * frame_orientation(frames, sensor.at), error, 0);
      return;
    }
    case SensorType::accelerometer:
      reading = specific_force(sensor.at, context);
      return degrade(sensor, error, reading);
    case SensorType::encoder:
      return read_encoder(sensor, context, error, memory, reading);
    case SensorType::force_torque:
      reading = wrench_through(sensor.at, context);
      return degrade(sensor, error, reading);
    case SensorType::relative_pose:
      return read_pose(sensor, context, error, reading);
    case SensorType::target_filter:
      filter_sample(sensor, context, index, memory.estimate);
      return read_estimate(sensor, context, memory.estimate, reading);
    case SensorType::momentum_observer:
      reading =
          in_axes_of(sensor.at, context, observe_momentum(sensor, context, index, memory.estimate));
      return degrade(sensor, error, reading);
    case SensorType::magnetometer:
      reading = frame_orientation(frames, sensor.at).transpose() *
                sensor.field->at(context.motion.time, frame_position(frames, sensor.at));
      return degrade(sensor, error, reading);
  }
}

namespace {

/// Of a robot: [P; L] about a point that moves, and what changes it but the wrench from outside.
struct MomentumAt {
  MomentumAt(const Frame& at, const SensorContext& context) {
    const EvaluationContext& motion = context.motion;
    const Robot* robot = robot_of(motion.model, at.body);
    const Vector3 place = frame_position(motion.frames, at);
    const Vector3 v = frame_velocity(motion.frames, motion.velocities, at).head<3>();
    double mass = motion.model.total_mass();
    Vector3 r_g, P, L;
    if (robot != nullptr) {
      const RobotSums sums = robot_sums(motion.model, *robot, motion.frames, motion.velocities);
      mass = sums.mass;
      r_g = sums.r_g;
      P = sums.momentum.linear;
      L = sums.momentum.angular_centroid;
    } else {
      const Momentum sums = spacedyn::momentum(motion.model, motion.frames, motion.velocities);
      r_g = center_of_mass(motion.model, motion.frames);
      P = sums.linear;
      L = sums.angular_centroid;
    }
    const Vector3 weight = mass * context.gravity;
    momentum << P, L + (r_g - place).cross(P);
    known << weight, (r_g - place).cross(weight) - v.cross(P);
  }

  Vector6 momentum, known;
};

}  // namespace

Eigen::Index observer_memory_size() { return 18; }

Vector6 observe_momentum(const Sensor& sensor, const SensorContext& context, long index,
                         VectorRef memory) {
  const MomentumAt now(sensor.at, context);
  if (index > 0) {
    // d(estimate)/dt = gain (wrench − estimate), of the mean wrench since the last sample
    const double h = sensor.sample_period, left = std::exp(-sensor.gain * h);
    const Vector6 mean =
        (now.momentum - memory.head<6>()) / h - 0.5 * (now.known + memory.segment<6>(6));
    memory.tail<6>() = left * memory.tail<6>() + (1.0 - left) * mean;
  } else {
    memory.tail<6>().setZero();
  }
  memory.head<6>() = now.momentum;
  memory.segment<6>(6) = now.known;
  return memory.tail<6>();
}

}  // namespace spacedyn
