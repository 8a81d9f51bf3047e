/// @file
/// The force elements and controllers of a system, evaluated for a state and a discrete state.
/// Private.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "control/load_differentiator.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/dry_friction.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/system/discrete_state.hpp"

namespace spacedyn {

/// Power of one element, W.
struct ElementPower {
  double loads = 0.0;   ///< what its loads do on the bodies
  double stored = 0.0;  ///< dV/dt
  double dissipated = 0.0;

  double work() const { return loads + stored + dissipated; }
};

/// Everything that acts on a system. Immutable; what changes is in DiscreteState and workspaces.
///
/// Elements are in this order everywhere: springs and dampers of the joints (if there are any), the
/// forces, dry friction of the joints (if there is any), the controllers, reaction wheels (if there
/// are any), which limit what all others do. In z the controllers' states stand before those of dry
/// friction.
class SystemElements {
 public:
  /// One element: a force, or a controller.
  struct Slot {
    const ForceElement* force;
    const Controller* controller;
    std::size_t controller_index;  ///< in DiscreteState::controllers
    AuxiliarySlice slice;          ///< of z
    int connection = -1;           ///< that turns a force on and off, in DiscreteState
    int first_integral = 0;        ///< among those of all elements
    /// Of the model, or −1, from which each of the first components of z draws; the others are no
    /// propellant.
    std::vector<int> tanks = {};
    /// That the first values of the controller's command open; null of all others.
    const ThrusterValves* valves = nullptr;
    bool ramps = false;  ///< whether forces of its valves follow them at a finite rate
    Declarations declared = {};

    const Element& element() const {
      return force != nullptr ? static_cast<const Element&>(*force) : *controller;
    }
    bool is_sampled() const { return controller != nullptr && controller->sample_period() > 0.0; }
  };
  /// One component of z.
  struct Auxiliary {
    std::string element;
    int index;  ///< from 1
  };
  /// Memory of an evaluation.
  struct Workspace {
    explicit Workspace(const SystemElements& elements);
    std::vector<VectorX> commands;     ///< of continuous controllers, and openings of valves
    std::vector<VectorX> slopes;       ///< in time of these openings; empty of others
    std::vector<ElementPower> powers;  ///< one for each slot
    VectorX auxiliary_rate;            ///< ż of forces that act
    Loads unlimited;                   ///< on the reaction wheels; without any, empty
  };

  SystemElements(const SystemElements&) = delete;
  SystemElements& operator=(const SystemElements&) = delete;
  /// @param system  must outlive this object
  explicit SystemElements(const ForcedSystem& system);

  /// @throws DomainError, DimensionError if an element does not fit the model
  void check() const;

  const ForcedSystem& system() const { return system_; }
  const std::vector<Slot>& slots() const { return slots_; }
  /// Components of z.
  const std::vector<Auxiliary>& auxiliaries() const { return auxiliaries_; }
  int auxiliary_size() const { return static_cast<int>(auxiliaries_.size()); }
  VectorX initial_auxiliary() const;
  /// Number of integrals over time that elements ask for, and what they are integrals of.
  int integral_count() const { return integral_count_; }
  void integrands(const EvaluationContext& context, VectorRef rates) const;

  /// Whether an element acts: controllers and compliant connections may be off, tanks empty.
  static bool is_on(const Slot& slot, const DiscreteState& discrete) {
    if (slot.controller != nullptr) return discrete.controllers[slot.controller_index].acts();
    for (const int tank : slot.tanks) {
      if (tank >= 0 && discrete.tank_is_empty[static_cast<std::size_t>(tank)]) return false;
    }
    return slot.connection < 0 ||
           discrete.connections[static_cast<std::size_t>(slot.connection)].active;
  }
  /// The command of a controller in force, of one that acts; it lives in the discrete state or the
  /// workspace.
  /// @param own  shows the controller its own part of z, see slice_of()
  const VectorX& command(const Slot& slot, const EvaluationContext& own,
                         const DiscreteState& discrete, Workspace& workspace,
                         CommandMode sampled = CommandMode::held) const;
  /// Adds the loads of one element.
  /// @param sampled  whether sampled controllers hold their commands or count as continuous
  void apply(const Slot& slot, const EvaluationContext& context, const DiscreteState& discrete,
             Workspace& workspace, Loads& loads, CommandMode sampled = CommandMode::held) const;
  /// Adds all loads.
  void apply(const EvaluationContext& context, const DiscreteState& discrete, Workspace& workspace,
             Loads& loads, CommandMode sampled = CommandMode::held) const;
  /// Adds all loads and fills the power of each; of forces ż, too.
  /// @param loads           without any before
  /// @param power_of_loads  power of the loads so far, W: asked after each element
  void apply(const EvaluationContext& context, const DiscreteState& discrete, Workspace& workspace,
             Loads& loads, const std::function<double()>& power_of_loads) const;
  /// ż; zero of thrusters whose tank is empty, and of controllers that are off.
  void auxiliary_rate(const EvaluationContext& context, const DiscreteState& discrete,
                      Workspace& workspace, VectorRef zd) const;
  /// The part of one element.
  void auxiliary_rate(const Slot& slot, const EvaluationContext& context,
                      const DiscreteState& discrete, Workspace& workspace, VectorRef zd) const;
  /// Adds derivatives of all loads and of ż.
  void differentiate(const LoadDifferentiator::Point& point, const DiscreteState& discrete,
                     LoadDifferentiator& differentiator, Workspace& workspace,
                     LoadDerivatives& derivatives, CommandMode sampled = CommandMode::held) const;

  /// Of fields of gravity, and of all other elements, J.
  struct StoredEnergy {
    double gravity = 0.0, elastic = 0.0;
  };
  StoredEnergy stored_energy(const EvaluationContext& context, const DiscreteState& discrete) const;
  /// Of one element, J.
  double stored_energy(const Slot& slot, const EvaluationContext& context,
                       const DiscreteState& discrete) const;
  /// ż at the context of the last apply() with powers.
  void complete(const EvaluationContext& context, const DiscreteState& discrete,
                Workspace& workspace, VectorRef zd) const;

 private:
  void add(const ForceElement* force, const Controller* controller, std::size_t index,
           const AuxiliarySlice& slice);
  AuxiliarySlice take_slice(const Element& element);
  /// Derivatives of torques on wheels as their limits let them through.
  void limit(const EvaluationContext& context, const DiscreteState& discrete, Workspace& workspace,
             LoadDerivatives& derivatives, CommandMode sampled) const;

  const ForcedSystem& system_;
  PassiveJoints passive_joints_;
  DryFriction dry_friction_;
  ReactionWheels reaction_wheels_;
  std::vector<Slot> slots_;
  std::vector<Auxiliary> auxiliaries_;
  int integral_count_ = 0;
};

/// Whether some element looks at frames and velocities of links at each evaluation.
bool uses_links(const SystemElements& elements);
/// Size of the largest command of all controllers.
int largest_command(const ForcedSystem& system);
/// Components of z that count what leaves a tank.
std::vector<int> feeds(const SystemElements& elements, int tank);

}  // namespace spacedyn
