/// @file
/// How the two bodies of a loop move against each other, and how its rows follow. Private.
#pragma once

#include "constraints/loop_rows.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// How the two bodies of a loop move against each other.
struct RelativeMotion {
  Vector3 velocity_from, velocity_to;  ///< of the points
  Vector3 omega_from, omega_to;
  Vector3 w;      ///< velocity of the second point against the first body
  Vector3 omega;  ///< of the second body against the first

  RelativeMotion(const Loop& loop, const LoopPoints& points, const LinkFrames& frames,
                 const LinkVelocities& velocities) {
    const Vector6 of_from = frame_velocity(frames, velocities, loop.from);
    const Vector6 of_to = frame_velocity(frames, velocities, loop.to);
    velocity_from = of_from.head<3>();
    velocity_to = of_to.head<3>();
    omega_from = of_from.tail<3>();
    omega_to = of_to.tail<3>();
    w = velocity_to - velocity_from - omega_from.cross(points.offset());
    omega = omega_to - omega_from;
  }
};

/// d/dt of the rows while w and ω are kept.
inline LoopRow row_rate(const Loop& loop, const LoopPoints& points, const RelativeMotion& motion,
                        const LoopRow& row) {
  LoopRow rate;
  if (loop.type == LoopType::distance) {
    const Vector3 approach = motion.velocity_to - motion.velocity_from;
    const double length = points.offset().norm();
    if (length > 0.0) rate.linear = (approach - row.linear.dot(approach) * row.linear) / length;
  } else {
    rate.linear = motion.omega_from.cross(row.linear);
  }
  if (loop.type == LoopType::universal && !row.angular.isZero(0.0)) {
    const Vector3 a = points.from_axes * loop.axis, b = points.to_axes * loop.second_axis;
    rate.angular = motion.omega_to.cross(b).cross(a) + b.cross(motion.omega_from.cross(a));
  } else {
    rate.angular = motion.omega_from.cross(row.angular);
  }
  return rate;
}

}  // namespace spacedyn
