/// @file
/// Filters behind the readings of estimates. Private.
#pragma once

#include "spacedyn/sensing/measurement.hpp"

namespace spacedyn {

/// @name Of a target_filter
/// @{
/// Numbers that it goes on from.
Eigen::Index filter_memory_size();
/// Takes the sample of the camera over, after the prediction for the period before.
/// @param index  of the sample; the first begins anew
void filter_sample(const Sensor& sensor, const SensorContext& context, long index,
                   VectorRef memory);
/// Position of the target, quaternion, velocity of the point, angular velocity, all inertial; xx,
/// yy, zz, yz, xz, xy of the inertia over its trace.
void read_estimate(const Sensor& sensor, const SensorContext& context, ConstVectorRef memory,
                   VectorRef reading);
/// The motion that a reading describes. @param rho  of the target from the centroid, in its axes
TargetEstimate estimate_of(ConstVectorRef reading, const Vector3& rho);
/// How a free rigid body moves on, without a covariance.
void tumble(const Vector3& gravity, double duration, TargetEstimate& estimate);
/// Place of the target from the centroid of its body, in the axes of the target.
Vector3 place_on_target(const Model& model, const Frame& target);
/// @}

/// @name Of a momentum_observer
/// @{
Eigen::Index observer_memory_size();
/// Force and moment about the frame from outside on its robot, gravity apart, inertial axes: the
/// first-order lag of what acts. Between samples that is taken as constant.
Vector6 observe_momentum(const Sensor& sensor, const SensorContext& context, long index,
                         VectorRef memory);
/// @}

}  // namespace spacedyn
