/// @file
/// Loops and motion constraints that hold in a flight, and how they answer forces.
#pragma once

#include <memory>
#include <vector>

#include "integration/equations/failure.hpp"
#include "integration/equations/placed_system.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "system/motion_forces.hpp"

namespace spacedyn {

class SingularPassage;

/// The loops of the model, connections and motion constraints that hold, with their memory.
class HeldConstraints {
 public:
  /// @param system, failure  must outlive this object
  HeldConstraints(PlacedSystem& system, Failure& failure);
  ~HeldConstraints();
  HeldConstraints(const HeldConstraints&) = delete;
  HeldConstraints& operator=(const HeldConstraints&) = delete;

  /// Null if there are none.
  LoopWorkspace* loops() const { return loops_.get(); }
  const std::vector<Loop>& active_loops() const;  ///< the loops themselves; none of a tree
  /// How they pass singular postures; null if there are none.
  SingularPassage* passage() const { return passage_.get(); }
  long loop_changes() const { return loop_changes_; }  ///< grows with each change of the loops
  /// Factorizes the loops where the kinematics are. @returns false after a failure
  bool update_loops();
  /// How accelerations draw positions back to the loops; not at all unless this is called.
  void stabilize(const BaumgarteGains& gains) { gains_ = gains; }

  /// The constraints with their forces of the last evaluation; null without any.
  MotionForces* motions() const { return motions_.get(); }
  /// Takes their rows over where the kinematics are. @returns false after a failure
  bool update_motions();

  /// H⁻¹ with loops and motion constraints held: what an impulse does to velocities.
  void respond(ConstVectorRef force, VectorRef change);
  /// λ of least norm of the loops, then those of motion constraints, after an evaluation.
  const VectorX& multipliers();
  /// Whether all impulses from outside are those of loads: no base is held, no body on the ground.
  bool is_unsupported() const;
  /// Whether derivatives of constrained dynamics see all that is held.
  bool has_jacobian() const;

  /// @name For the equations of motion
  /// @{
  /// Accelerations and forces under loads. @returns false after a failure
  bool solve_tree(const Loads& loads, VectorX& acceleration, VectorX& forces);
  /// The same with motion constraints, whose forces are added to the loads. @pre solve_tree()
  bool hold_motions(Loads& loads, VectorX& acceleration, VectorX& forces);
  /// The kinematics have changed.
  void invalidate() { current_ = {}; }
  /// Joints have been locked or released.
  void renew_mobility();
  /// Makes or ends a connection.
  void set_connection(std::size_t connection, const DiscreteState::ConnectionState& state);
  /// Takes over which connections hold.
  void rebuild();
  /// @}

 private:
  void respond_in_loops(ConstVectorRef force, VectorRef without_loops, VectorRef change);

  PlacedSystem& system_;
  Failure& failure_;
  const bool is_unsupported_;
  std::unique_ptr<LoopWorkspace> loops_;
  std::unique_ptr<SingularPassage> passage_;
  long loop_changes_ = 0;
  struct Current {
    bool loops = false, motions = false;
  } current_;
  std::unique_ptr<TreeWorkspace> response_workspace_;  // null until respond()
  std::unique_ptr<MotionForces> motions_;
  VectorX loop_rate_, loop_change_, multipliers_;
  BaumgarteGains gains_;
};

}  // namespace spacedyn
