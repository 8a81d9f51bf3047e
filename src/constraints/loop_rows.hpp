/// @file
/// The two points of a loop, its rows as wrenches, and how they follow its motion. Private.
#pragma once

#include <array>
#include <cmath>

#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// K u = linear · w + angular · ω, w the velocity of the second point against the first body.
struct LoopRow {
  Vector3 linear = Vector3::Zero();
  Vector3 angular = Vector3::Zero();
};

/// The frames of a loop at one instant.
struct LoopPoints {
  Vector3 from, to;
  Matrix3 from_axes, to_axes;  ///< of the frames
  Matrix3 axes;                ///< two normals of the axis, then the axis, fixed in `from`

  LoopPoints(const Loop& loop, const Matrix3& axes_in_from, const LinkFrames& frames)
      : from(frame_position(frames, loop.from)),
        to(frame_position(frames, loop.to)),
        from_axes(frame_orientation(frames, loop.from)),
        to_axes(frame_orientation(frames, loop.to)),
        axes(from_axes * axes_in_from) {}

  Vector3 offset() const { return to - from; }
  /// Of the line through the points; some direction where they coincide.
  Vector3 direction() const {
    const Vector3 d = offset();
    const double length = d.norm();
    return length > 0.0 ? Vector3(d / length) : Vector3(axes.col(0));
  }
};

/// First column of the axes along which a type translates: 3 rows use all, 2 the normals, 1 the
/// axis.
inline int first_translation(const LoopTraits& traits) { return traits.translations == 1 ? 2 : 0; }

/// The rows of a loop between points.
inline std::array<LoopRow, 6> loop_rows(const Loop& loop, const LoopPoints& points) {
  const LoopTraits& traits = loop_traits(loop.type);
  std::array<LoopRow, 6> rows;
  if (loop.type == LoopType::distance) {
    rows[0].linear = points.direction();
    return rows;
  }
  std::size_t next = 0;
  for (int i = 0; i < traits.translations; ++i) {
    rows[next++].linear = points.axes.col(first_translation(traits) + i);
  }
  if (loop.type == LoopType::universal) {
    const Vector3 a = points.from_axes * loop.axis, b = points.to_axes * loop.second_axis;
    rows[next].angular = b.cross(a);
    return rows;
  }
  for (int i = 0; i < traits.rotations; ++i) rows[next++].angular = points.axes.col(i);
  return rows;
}

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
