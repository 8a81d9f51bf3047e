/// @file
/// Flies a model: forces, control and dynamics through an integrator, with outputs and an audit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/integration/audit.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/integration/options.hpp"
#include "spacedyn/state/state.hpp"
#include "spacedyn/system/discrete_state.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

struct SimulationSetup;

/// Something that puts energy into a system or takes it out.
struct EnergySource {
  enum class Kind {
    force,       ///< a force element, the springs and the dry friction of the joints included
    controller,  ///< stores and dissipates nothing
    motion,      ///< what drives prescribed coordinates; stores and dissipates nothing
    events       ///< impulses put in, bounces and locks dissipate
  };
  std::string name;
  Kind kind;
};

/// The sources of a set-up in the order of SimulationPoint::sources: `passive_joints` if the joints
/// have springs, dampers or drive trains, the forces, `dry_friction` of the joints, the
/// controllers, `reaction_wheels`, `prescribed_motion` and `events`, where there are any.
/// @pre the set-up has a model
SPACEDYN_EXPORT std::vector<EnergySource> energy_sources(const SimulationSetup& setup);

/// What one source has done since the start. Work and dissipation of all sources add up to those of
/// AuditIntegrals, stored energies to Energy::elastic.
struct SourceEnergy {
  double work = 0.0;        ///< put in, J: ∫ (power of its loads + dV/dt + dissipated power) dt
  double dissipated = 0.0;  ///< J
  double stored = 0.0;      ///< V, holds now, J
};

/// One line of the energy budget of a run: `start` holds what it stored then.
struct SourceBudget {
  std::string name;
  SourceEnergy start, end;
};

/// One contact from the start to the end of a run.
struct ContactSummary {
  std::string name;
  long count = 0;              ///< how often it began; one that holds at the start counts
  double first = 0.0;          ///< s, when it began first; only if count > 0
  double last = 0.0;           ///< s, when it ended last, or the end of the run while it holds
  double largest_force = 0.0;  ///< of the normal force, summed over its points, N
  double impulse = 0.0;        ///< ∫ normal force dt, N s
  double friction_work = 0.0;  ///< of friction on the bodies, J, not positive
  bool is_rigid = false;
  double energy_lost = 0.0;  ///< of a rigid contact: in its impacts, friction included, J
  double residual = 0.0;     ///< likewise: the largest violation of its conditions, m/s: of impacts
                             ///< by their equations, of velocities in between
};

/// A run between two steps.
struct Checkpoint {
  double time = 0.0;  ///< s
  State state;        ///< there; the last good one of a run that failed
  long outputs = 0;   ///< points that the observer has been given until then
  IntegratorStatistics statistics;
  std::string memory;  ///< of integrator, controllers, events and audit: for this very version of
                       ///< the library on this kind of machine
};

struct ContactReading;

/// Everything that determines a motion, apart from where it starts.
struct SimulationSetup : ForcedSystem {
  std::vector<Event> events;
  /// Whether joints that pass their own position limits are noted among the events of the result;
  /// the motion is not changed. For stops at the limits see add_compliant_stops().
  bool warn_at_position_limits = true;
  IntegratorOptions integrator;
};

/// The events of the elements of a set-up that have a name of their own, then its own events: those
/// that a run watches.
SPACEDYN_EXPORT std::vector<Event> all_events(const SimulationSetup& setup);

/// How well the loops and the connections that held have been kept closed.
struct LoopSummary {
  double position_residual = 0.0;      ///< largest component over the ends of steps, m or rad
  double velocity_residual = 0.0;      ///< likewise, m/s or rad/s
  int rank = 0;                        ///< of K, the least while it had most rows
  int rows = 0;                        ///< of K, the most; 0 of a tree
  std::vector<std::string> redundant;  ///< loops with rows that follow from others, at the start
};

/// One instant of a running simulation; references are valid during the call that hands it out.
struct SimulationPoint {
  double time;  ///< s
  const Model& model;
  const State& state;
  const LinkFrames& frames;
  const LinkVelocities& velocities;
  const VectorX& acceleration;  ///< u̇, size 6 + n
  const VectorX& forces;  ///< base wrench and joint torques: loads, control, springs and the forces
                          ///< that prescribe or hold coordinates together; size 6 + n
  const Momentum& momentum;
  const Energy& energy;
  const AuditIntegrals& integrals;
  const std::vector<SourceEnergy>& sources;  ///< one for each of energy_sources()
  const Mobility& mobility;  ///< coordinates that move freely now; prescribed, locked and resting
                             ///< ones do not
  const DiscreteState& discrete;  ///< what events have switched, and what sampled controllers hold
  const VectorX& multipliers;     ///< λ of the rows of active_loops(); empty of a tree
  const std::vector<ContactReading>&
      rigid_contacts;                ///< of all RigidContact forces, in their order
  const VectorX& mean_acceleration;  ///< change of the velocities over the last step, divided by
                                     ///< it, of methods that step over contacts; else u̇
  const Loads& loads;  ///< gravity and what elements and contacts exert; loops and what prescribes
                       ///< or holds coordinates are not among them
};

/// Receives what a simulation produces; one of this very class ignores it.
class SPACEDYN_EXPORT SimulationObserver {
 public:
  virtual ~SimulationObserver();
  /// At each output time, in order, the start and the end of the run included. On a discontinuity
  /// everything is given as it is just after it.
  virtual void on_output(const SimulationPoint& /*point*/) {}
  /// At each event as it is noted in the result, before the output at its instant.
  virtual void on_event(const EventRecord& /*event*/) {}
  /// After each accepted step, before the outputs inside it; returning false stops the run at the
  /// end of this step, when those outputs have been handed out.
  virtual bool on_step(double /*time*/, const IntegratorStatistics& /*statistics*/) { return true; }

  /// Whether must_end_now() is to be asked; once a run.
  virtual bool may_end_inside_steps() { return false; }
  /// Whether the run must end at once, for one step may take long: many outputs, a large model, a
  /// search for an event. Asked at each evaluation inside a step and between its outputs.
  ///
  /// If it says so, the run ends at the last output that has been handed out; the checkpoint is
  /// that of the beginning of the step, so that resume() hands out these outputs again.
  virtual bool must_end_now() { return false; }

  /// Whether a checkpoint is wanted now; asked after each step.
  virtual bool wants_checkpoint() { return false; }
  /// Receives a checkpoint that was wanted, that of a run that an observer has stopped, and that of
  /// the last good state before a NumericalError is thrown.
  virtual void on_checkpoint(const Checkpoint& /*checkpoint*/) {}
};

/// How a run ended.
struct SimulationResult {
  double time = 0.0;                          ///< reached, s
  bool interrupted = false;                   ///< an observer stopped it
  std::string stopped_by;                     ///< the event that stopped it; empty if none did
  std::vector<EventRecord> events;            ///< that have happened, in order
  std::vector<ConnectionRecord> connections;  ///< that events have made, in order
  State state;
  Momentum initial_momentum, final_momentum;
  Energy initial_energy, final_energy;
  AuditIntegrals integrals;
  std::vector<SourceBudget> sources;  ///< of all of energy_sources()
  LoopSummary loops;
  std::vector<ContactSummary> contacts;  ///< of all ContactForce elements in their order, then of
                                         ///< all RigidContact elements in theirs
  ConservationAudit audit;
  IntegratorStatistics statistics;
  /// Most steps of an explicit adaptive method were as long as stability lets them be, since the
  /// run began or changed its method: the system is stiff, and `rodas` makes longer steps. Of
  /// methods with a fixed step: states of elements were faster than the steps, or loads did not
  /// settle in some; warnings among the events name them.
  bool limited_by_stability = false;
};

/// Integrates a SimulationSetup.
///
/// Steps land exactly on the end, on events, on sample instants and on discontinuities of elements;
/// output times in between are filled by dense output, by a shorter step of the same method, or
/// (methods of up to order 4 with a fixed step) by cubic Hermite interpolation, so the output
/// interval never changes the motion. The passive terms of the joints always act.
class SPACEDYN_EXPORT Simulator {
 public:
  /// @throws DomainError, DimensionError if the set-up contradicts itself or its model
  explicit Simulator(SimulationSetup setup);
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  const SimulationSetup& setup() const;

  /// Runs from t = 0.
  /// @param initial          state at t = 0; prescribed coordinates are set from their references;
  ///                         an empty z stands for the elements' own initial values
  /// @param duration         s, positive
  /// @param output_interval  s, positive; the end is always an output, too
  /// @throws DomainError, DimensionError if a time is not positive, the state does not fit the
  ///         model or an imposed motion jumps in velocity
  /// @throws NumericalError when the state becomes non-finite, the step underflows or H is not
  ///         positive definite; everything before it has been handed to the observer
  SimulationResult run(const State& initial, double duration, double output_interval,
                       SimulationObserver& observer);
  /// Runs from t = 0 to the last of some instants, all of which are outputs at ends of steps.
  /// @param output_times  s, not negative, ascending, the last one positive
  /// @throws as above
  SimulationResult run(const State& initial, const std::vector<double>& output_times,
                       SimulationObserver& observer);

  /// Continues a run to the end it was to have; outputs, result and statistics are those of a run
  /// without a break, bit for bit, on the same instruction set.
  ///
  /// With other IntegratorOptions (max_steps apart), and after a failure, the integrator begins
  /// afresh at the checkpoint, which saves a run whose tolerance or step did not do.
  /// @param checkpoint  of a run of the same set-up, integrator apart
  /// @throws IoError if its memory is damaged; DomainError if it is of another set-up
  /// @throws NumericalError as run()
  SimulationResult resume(const Checkpoint& checkpoint, SimulationObserver& observer);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace spacedyn
