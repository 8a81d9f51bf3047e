#include <cmath>

#include "model/robot_of.hpp"
#include "sensing/estimation.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {
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
