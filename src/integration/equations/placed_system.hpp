/// @file
/// A system at an instant: its state, what acts on it and how it accelerates.
#pragma once

#include <memory>

#include "integration/equations/audit_integrals.hpp"
#include "integration/equations/layout.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {

/// A system with its elements: what stays as it is throughout a run, but for the masses that tanks
/// lose.
class GivenSystem {
 public:
  const SimulationSetup& setup() const { return setup_; }
  const StateLayout& layout() const { return layout_; }
  const SystemElements& elements() const { return elements_; }
  /// With the masses that tanks have left.
  const Model& model() const { return flow_ ? flow_->model() : *setup_.model; }
  /// Null if nothing draws from tanks.
  const PropellantFlow* flow() const { return flow_.get(); }
  /// Whether the base or a joint follows a reference.
  bool has_prescribed_motion() const;

 protected:
  explicit GivenSystem(const SimulationSetup& setup);
  ~GivenSystem() = default;
  GivenSystem(const GivenSystem&) = delete;
  GivenSystem& operator=(const GivenSystem&) = delete;

  const SimulationSetup& setup_;
  const SystemElements elements_;
  const std::unique_ptr<PropellantFlow> flow_;
  const StateLayout layout_;
};

/// The system and its discrete state at the instant of the last evaluation or update of the
/// kinematics. Frames and velocities of links are computed when they are asked for.
class SystemMotion : public GivenSystem {
 public:
  /// What acts at this instant. Locks and connections have functions of their own to change them.
  const DiscreteState& discrete() const { return discrete_; }
  DiscreteState& discrete() { return discrete_; }
  const Mobility& mobility() const { return mobility_; }
  bool is_locked(int joint) const { return discrete_.locked[static_cast<std::size_t>(joint - 1)]; }

  double time() const { return time_; }
  const State& state() const { return state_; }
  const LinkFrames& frames() const { return links().frames; }
  const LinkVelocities& velocities() const { return links().velocities; }
  /// The same from the base centroid, at rest with it: no digits are lost far from the origin.
  const LoopMotion& own_motion() const;
  /// The instant as elements see it.
  EvaluationContext context() const { return context(true); }
  /// The same with links of an earlier one unless an element says that it looks at them.
  EvaluationContext context_of_elements() const { return context(elements_use_links_); }
  double velocity(int row) const;
  Momentum momentum() const;
  AuditPoint audit_point() const;  ///< momentum, energy and the scales of their errors

  /// Memory of algorithms.
  TreeWorkspace& tree() const { return tree_; }

 protected:
  explicit SystemMotion(const SimulationSetup& setup);

  /// Takes a state over that has changed.
  void move(const VectorX& acceleration);
  /// Takes what is locked over into mobility().
  void renew_mobility();

  DiscreteState discrete_;
  double time_ = 0.0;
  State state_;

 private:
  struct Links {
    LinkFrames frames;
    LinkVelocities velocities;
    LoopMotion own;
    bool are_current = false, own_is_current = false;
  };
  const Links& links() const;
  EvaluationContext context(bool with_links) const;

  const bool elements_use_links_;
  Mobility mobility_;
  mutable TreeWorkspace tree_;
  mutable Links links_;  // exported from the tree on demand
};

/// What acts on the system at that instant, and how it accelerates.
class PlacedSystem : public SystemMotion {
 public:
  /// @name Of the last evaluation
  /// @{
  const Loads& loads() const { return loads_; }
  /// Whether elements, or mean wrenches of contacts, act on bodies.
  bool wrenches_act() const { return wrenches_act_; }
  const VectorX& acceleration() const { return acceleration_; }
  const VectorX& forces() const { return forces_; }
  /// What holds a joint that is prescribed, locked or at rest on a stop, besides the loads on it.
  double holding_force(int joint) const { return forces_(joint + 5) - loads_.tau(joint - 1); }
  /// @}
  /// Memory of algorithms.
  SystemElements::Workspace& element_memory() const { return element_memory_; }

 protected:
  explicit PlacedSystem(const SimulationSetup& setup);

  /// Sets what follows references at the time.
  void prescribe();
  /// Removes the loads of the last evaluation.
  /// @param all  also wrenches of bodies that elements have not given
  void clear_loads(bool all);
  /// Loads of elements are complete. @param size  of size_of_wrenches()
  void note_wrenches(double size) { wrenches_act_ = size != 0.0; }

  Loads loads_;
  VectorX acceleration_, forces_;

 private:
  bool wrenches_act_ = false;
  mutable SystemElements::Workspace element_memory_;
};

}  // namespace spacedyn
