/// @file
/// Estimation of how a free rigid body tumbles, from the poses that a camera sees.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// What an extended Kalman filter believes beforehand of its target, a free rigid body. Inertia is
/// about the centroid, in the axes of the frame that the camera looks at.
struct TargetFilter {
  Matrix3 inertia = Matrix3::Identity();  ///< first estimate; only ratios count
  double inertia_deviation = 0.1;         ///< of an element over the trace; 0: the ratios are known
  double velocity_deviation = 0.1;  ///< of the centroid, m/s; it is taken to be at rest at first
  double rate_deviation = 0.1;      ///< rad/s; likewise
  /// Deviations of the components of a pose that the camera reads, m and rad; empty: its own.
  VectorX noise = {};
  double acceleration_noise = 0.0;  ///< white, of what the filter does not know, m/s²/√Hz
  double angular_acceleration_noise = 0.0;  ///< rad/s²/√Hz
};

/// What such a filter estimates. Inertial axes.
struct TargetEstimate {
  static constexpr int kErrors = 17;

  Vector3 r = Vector3::Zero();                  ///< centroid, m
  Vector3 v = Vector3::Zero();                  ///< its velocity, m/s
  Matrix3 A = Matrix3::Identity();              ///< axes of the target to inertial components
  Vector3 omega = Vector3::Zero();              ///< rad/s, in the axes of the target
  Matrix3 inertia = Matrix3::Identity() / 3.0;  ///< over its trace, in the axes of the target
  /// Of the errors of r, v, attitude (true A = A exp(error)), omega, and of the elements xx, yy,
  /// xy, xz, yz of the inertia.
  Eigen::Matrix<double, kErrors, kErrors> covariance =
      Eigen::Matrix<double, kErrors, kErrors>::Zero();
};

}  // namespace spacedyn
