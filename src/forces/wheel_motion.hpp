/// @file
/// Where a wheel stands on the ground and how it moves there.
#pragma once

#include "spacedyn/forces/wheel_element.hpp"

namespace spacedyn {

/// Where a wheel stands on its terrain, inertial axes.
struct WheelPose {
  Vector3 heading = Vector3::UnitX(), axis = Vector3::UnitY(), up = Vector3::UnitZ();
  Vector3 center = Vector3::Zero();
  SurfacePoint ground;
  double lean = 0.0, upright = 1.0;  // sin γ, cos γ
  double sinkage = 0.0;              // m
  /// Whether a wheel stands upright enough to have a heading.
  bool stands = false;
};

/// The same with its motion.
struct WheelStance : WheelPose {
  Vector3 velocity = Vector3::Zero(), omega = Vector3::Zero();
  double sinkage_rate = 0.0;             // m/s
  double forward = 0.0, sideward = 0.0;  // velocity of the centre along heading and axis
  double rim = 0.0;                      // rω, m/s

  /// Of the nearest point of the ground as it follows the centre.
  Vector3 ground_velocity() const {
    return velocity - ground.normal.dot(velocity) * ground.normal -
           ground.distance * (ground.normal_gradient * velocity);
  }
};

WheelStance wheel_stance(const WheelElement::Mount& mount, const EvaluationContext& context);
WheelPose wheel_pose(const WheelElement::Mount& mount, const LinkFrames& frames);

}  // namespace spacedyn
