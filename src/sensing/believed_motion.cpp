#include "model/robot_of.hpp"
#include "sensing/estimation.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

Matrix3 reading_rotation(const ConstVectorRef& wxyz) {
  return matrix_from_quaternion(Quaternion(wxyz(0), wxyz(1), wxyz(2), wxyz(3)));
}

/// Turns a body about its centroid.
void set_attitude(BelievedMotion& motion, int body, const Matrix3& A) {
  const auto i = static_cast<std::size_t>(body);
  LinkFrames& frames = motion.frames;
  const Matrix3 turn = A * frames.A[i].transpose();
  frames.o[i] = frames.r[i] + turn * (frames.o[i] - frames.r[i]);
  frames.A[i] = A;
  if (body == 0) motion.state.A_0 = A;
}

/// Moves the robot that is a target.
void set_target(BelievedMotion& motion, const Frame& target, const TargetEstimate& estimate) {
  if (const Robot* robot = robot_of(motion.model, target.body)) {
    const Matrix3 A = estimate.A * target.rotation.transpose();
    set_base_motion(motion.model, *robot,
                    {estimate.r, A * robot->base.rotation, estimate.v, estimate.A * estimate.omega},
                    motion.state);
  }
  compute_link_frames(motion.model, motion.state, motion.frames);
  compute_link_velocities(motion.model, motion.state, motion.frames, motion.velocities);
}

}  // namespace

bool can_stand_for_truth(SensorType type) {
  return type == SensorType::gyroscope || type == SensorType::star_tracker ||
         type == SensorType::encoder || type == SensorType::relative_pose ||
         type == SensorType::target_filter;
}

void BelievedMotion::begin(const EvaluationContext& truth) {
  state = truth.state;
  frames = truth.frames;
  velocities = truth.velocities;
}

void BelievedMotion::take(const Sensor& sensor, ConstVectorRef reading, double sampled,
                          const SensorContext& now) {
  const double time = now.motion.time;
  const std::vector<const AccelerationField*>& fields = now.fields;
  const auto body = static_cast<std::size_t>(sensor.at.body);
  switch (sensor.type) {
    case SensorType::star_tracker:
      set_attitude(*this, sensor.at.body,
                   frame_attitude(fields, time).transpose() * reading_rotation(reading) *
                       sensor.at.rotation.transpose());
      return;
    case SensorType::gyroscope:
      velocities.omega[body] =
          frames.A[body] * (sensor.at.rotation * reading) - frame_rate(fields, time);
      if (sensor.at.body == 0) state.omega_0 = velocities.omega[body];
      return;
    case SensorType::encoder:
      state.q(sensor.joint - 1) = reading(0);
      state.qd(sensor.joint - 1) = velocities.qd(sensor.joint - 1) = reading(1);
      return;
    case SensorType::relative_pose: {
      const Matrix3 A = frame_orientation(frames, sensor.target) *
                        reading_rotation(reading.tail<4>()).transpose();
      set_attitude(*this, sensor.at.body, A * sensor.at.rotation.transpose());
      const Vector3 shift = frame_position(frames, sensor.target) - A * reading.head<3>() -
                            frame_position(frames, sensor.at);
      for (auto* points : {&frames.r, &frames.o, &frames.p}) (*points)[body] += shift;
      if (sensor.at.body == 0) state.r_0 += shift;
      return;
    }
    case SensorType::target_filter: {
      TargetEstimate estimate = estimate_of(reading, place_on_target(model, sensor.target));
      tumble(now.gravity, time - sampled, estimate);
      return set_target(*this, sensor.target, estimate);
    }
    case SensorType::accelerometer:
    case SensorType::force_torque:
    case SensorType::momentum_observer:
    case SensorType::magnetometer:
      return;
  }
}

}  // namespace spacedyn
