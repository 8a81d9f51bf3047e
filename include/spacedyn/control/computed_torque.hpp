/// @file
/// Computed-torque control of joints on a floating, fixed or moving base.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/control/joint_controller.hpp"
#include "spacedyn/control/prescribed_motion.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/passive_joints.hpp"

namespace spacedyn {

/// What a controller with a model knows of the system that it is in, beside the state.
struct KnownSurroundings {
  bool base_floats = true;                       ///< else it rests or moves as `base` says
  std::optional<PrescribedBase> base = {};       ///< of a base that is moved
  std::vector<PrescribedJoint> prescribed = {};  ///< joints that follow references
  std::vector<int> locked = {};                  ///< joints that are held at the start
  Vector3 gravity = Vector3::Zero();             ///< m/s²
  /// Fields of gravity, and of a frame that turns.
  std::vector<std::shared_ptr<const ForceElement>> fields = {};
};

/// The torques of inverse dynamics for joint accelerations a = q̈_ref + D ė + K e,
///   H u̇ + c = [F_b; τ + τ_passive],  q̈ = a of the joints that it drives,
/// with F_b = 0 and the acceleration of a floating base solved for. Joints that it does not drive
/// move freely under their springs and dampers, prescribed and locked ones as they do. In O(n), by
/// hybrid dynamics. Each torque is cut at its effort limit.
///
/// H, c and τ_passive are those of the model that it believes in. With the true one and no loads
/// that it does not know ë + D ė + K e = 0: those are loads other than gravity, dry friction, loops
/// and connections, and all other controllers.
class SPACEDYN_EXPORT ComputedTorque : public JointController {
 public:
  struct Settings : JointTracking {         ///< K in 1/s², D in 1/s
    std::shared_ptr<const Model> believed;  ///< null: the model that it is in
    KnownSurroundings surroundings;
  };

  /// @param model  that it is in
  /// @throws DomainError, DimensionError as JointPd, if a joint is prescribed, or the
  /// model that it believes in has not the same joints and the same kind of base
  ComputedTorque(std::string name, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  const JointTracking& tracking() const override { return settings_; }
  DrivenJoints driven_joints() const override { return {settings_.joints, true}; }
  void check(const Model& model) const override;
  /// Allocates nothing after its first use in a thread, until joints are locked or released.
  void command(const EvaluationContext& context, VectorRef command) const override;

 protected:
  /// a of the joints that it drives. Must not allocate after its first use in a thread.
  virtual void accelerations(const EvaluationContext& context, VectorRef a) const;

 private:
  struct Memory;
  Memory& memory_for(const EvaluationContext& context) const;
  const Model& believed(const EvaluationContext& context) const {
    return settings_.believed ? *settings_.believed : context.model;
  }
  /// Whether a joint moves freely, or would if it were not driven.
  bool moves(const EvaluationContext& context, std::size_t joint) const;
  /// Whether a joint is left to its own springs and dampers.
  bool is_free(const EvaluationContext& context, std::size_t joint) const;
  void take_state(const EvaluationContext& context, Memory& memory) const;
  void take_accelerations(const EvaluationContext& context, Memory& memory) const;

  Settings settings_;
  std::vector<int> counterpart_;  // of each joint of the system in the believed model, from 1
  // of each joint of the system, from 1: whether it is free at the start, and whether it is driven
  std::vector<bool> starts_free_, is_driven_;
  PassiveJoints passive_;
  long id_;  // of this object, never used again
};

}  // namespace spacedyn
