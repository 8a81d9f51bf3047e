/// @file
/// What a controller at level torque knows of the motion without its own torques, and poses of
/// frames against each other. Private.
#pragma once

#include <optional>

#include "spacedyn/control/pose_reference.hpp"
#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/kinematics/jacobians.hpp"

namespace spacedyn {

/// Accelerations at τ = 0 under gravity, springs, dampers, imposed motion, and the forces on the
/// links of impedances.
class KnownMotion {
 public:
  KnownMotion(const WholeBody::Settings& settings, const Model& model);

  /// Allocates nothing. @param workspace  of the mobility of this instant
  void update(const EvaluationContext& context, TreeWorkspace& workspace);
  /// u̇ at τ = 0, of the tree until OwnInertia::constrain().
  VectorX& acceleration() { return acceleration_; }
  /// [v̇; ω̇] of a frame with it. @param J  memory, out: full_jacobian()
  Vector6 acceleration_of(const EvaluationContext& context, const Frame& frame, Matrix6X& J) const;
  /// Force and moment about a point, inertial, of what acts on bodies from @p first to before
  /// @p end at τ = 0.
  Vector6 load(const EvaluationContext& context, int first, int end, const Vector3& point) const;
  /// F_ext about the origin of the frame of an impedance, in the axes of its reference.
  Vector6 wrench(const EvaluationContext& context, const Task& task) const;
  /// [F_b; τ] that hold the robot against gravity at rest. Valid until the next update().
  const VectorX& holding(const EvaluationContext& context, TreeWorkspace& workspace);

 private:
  void add_gravity(const EvaluationContext& context);
  void add_external(const EvaluationContext& context);
  void add_observed(const EvaluationContext& context);

  const WholeBody::Settings& settings_;
  PassiveJoints passive_;
  State scratch_;
  Loads loads_, external_;
  VectorX acceleration_, forces_, none_;
};

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
