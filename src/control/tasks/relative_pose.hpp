/// @file
/// How frames move against each other. Private.
#pragma once

#include <optional>

#include "spacedyn/control/pose_reference.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/kinematics/jacobians.hpp"

namespace spacedyn {

/// Pose and velocity of a frame in the axes of another one F, or in inertial ones:
/// p = A_Fᵀ (r − r_F), A ← A_Fᵀ A, ẋ = [ṗ; A_Fᵀ (ω − ω_F)].
struct RelativePose {
  RelativePose(const EvaluationContext& context, const Frame& frame,
               const std::optional<Frame>& relative_to);

  Pose pose;
  Vector6 velocity;

  /// Rows (linear, angular) of ẋ from those of the inertial twists: A_Fᵀ (J − X J_F) with
  /// X = [E, −d̃; 0, E], d = r − r_F. @param J  in and out  @param J_F  null: there is no F
  void relate(Eigen::Ref<Matrix6X> J, const Matrix6X* J_F) const;
  /// ẍ from the inertial accelerations of both frames.
  Vector6 acceleration(const Vector6& own, const Vector6& of_F) const;

 private:
  Matrix3 A_F = Matrix3::Identity();
  Vector3 d = Vector3::Zero(), omega_F = Vector3::Zero(), slip = Vector3::Zero(),
          spin = Vector3::Zero();
};

/// J of [v; ω] = J u, 6×(6+n).
void full_jacobian(const EvaluationContext& context, const Frame& frame, Matrix6X& J);

}  // namespace spacedyn
