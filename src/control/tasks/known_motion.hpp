/// @file
/// What a controller at level torque knows of the motion without its own torques. Private.
#pragma once

#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/forces/passive_joints.hpp"

namespace spacedyn {

/// Accelerations at τ = 0 under gravity, springs, dampers, imposed motion, and the forces on the
/// links of impedances.
class KnownMotion {
 public:
  KnownMotion(const WholeBody::Settings& settings, const Model& model);

  /// Allocates nothing. @param workspace  of the mobility of this instant
  void update(const EvaluationContext& context, TreeWorkspace& workspace);
  /// u̇ at τ = 0.
  const VectorX& acceleration() const { return acceleration_; }
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

}  // namespace spacedyn
