/// @file
/// What force elements and controllers have in common, and what they may look at.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/event_times.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

struct Declarations;
class Mobility;
struct LoadDerivatives;

/// One instant of a simulation as elements see it. References live as long as the call.
struct EvaluationContext {
  double time;  ///< s
  const Model& model;
  const State& state;
  const LinkFrames& frames;          ///< up to date for elements that say so; see uses_links()
  const LinkVelocities& velocities;  ///< likewise
  ConstVectorRef auxiliary;          ///< this element's own part of state.z
  /// Joint positions where the integration step began of which this instant is a part; null outside
  /// of steps. An element whose force jumps where a joint passes a position, and on whose jumps
  /// steps end by events, keeps to one side of the jump throughout a step.
  const VectorX* q_step_start = nullptr;
  /// u̇ of this instant where ż is asked for during a run, else null.
  const VectorX* acceleration = nullptr;
  /// Coordinates that move freely now; null: those of the start.
  const Mobility* mobility = nullptr;
  const EventTimes* events = nullptr;  ///< until now; null where none are known
  /// Of a sampled controller with sensors: all that these read, in the order in which it names them
  /// and that of their columns; else null.
  const VectorX* readings = nullptr;

  Instant instant() const { return {time, events}; }
};

/// Which crossings of zero count.
enum class CrossingDirection { rising, falling, both };

/// A function of the motion at whose zeros an element's loads are not smooth, a contact for
/// instance. Steps end there, and the instant is noted under the name.
struct ElementEvent {
  std::string name;
  std::function<double(const EvaluationContext&)> value;  ///< continuous in time along the motion
  /// Its time derivative; if it is given, a maximum inside a step is not passed over.
  std::function<double(const EvaluationContext&)> rate = {};
  CrossingDirection direction = CrossingDirection::both;
  bool is_noted = true;  ///< whether the instant appears among the events of the result
  /// Changes the element's own part z of the auxiliary states at the instant, and at the start of a
  /// run. Energy that is no longer stored counts as dissipated.
  std::function<void(const EvaluationContext&, VectorRef z)> reset = {};
  bool resets_when_due =
      false;  ///< also at the instant of another event, if the value is zero then
};

/// How the energy of an element changes, W.
struct EnergyRates {
  double stored = 0.0;      ///< dV/dt
  double dissipated = 0.0;  ///< ≥ 0
};

/// A named part of a simulation that may own continuous states and cause discontinuities: a
/// schedule as far as it follows others continuously.
class SPACEDYN_EXPORT Element : public Schedule {
 public:
  explicit Element(std::string name) : name_(std::move(name)) {}
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

  const std::string& name() const { return name_; }

  /// Whether this element fits a model: joints and bodies it names exist, sizes agree. Called once
  /// before a simulation, so that apply() need not look. @throws DomainError, DimensionError
  virtual void check(const Model& model) const;

  /// Adds what those who record, draw and account for elements need to know of this one.
  virtual void declare(Declarations& declared) const;

  /// Whether the context's frames and velocities of links are looked at; an element that looks at
  /// time and state alone says no, which spares a simulation computing them at each evaluation.
  virtual bool uses_links() const { return true; }

  /// Number of continuous states z this element owns.
  virtual int auxiliary_size() const { return 0; }
  /// Their values at the start.
  virtual void auxiliary_initial(VectorRef z) const { z.setZero(); }
  /// ż = f(t, state, z). Called at each evaluation if auxiliary_size() > 0.
  virtual void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const;

  /// Appends events of this element's own; their names begin with its name.
  virtual void append_events(std::vector<ElementEvent>& events) const;

 private:
  std::string name_;
};

/// Turns the state into loads, continuously. Const and free of hidden memory.
class SPACEDYN_EXPORT ForceElement : public Element {
 public:
  using Element::Element;

  /// Adds this element's forces. Must not allocate.
  virtual void apply(const EvaluationContext& context, Loads& loads) const = 0;

  /// Adds how the loads of apply() and ż depend on state and time, for implicit methods and linear
  /// models. Where they have a kink the derivative is that of the active branch, in time the one
  /// from the right. Must not allocate.
  /// @returns false, having added nothing, if this element does not say: then its loads are
  /// differentiated by differences
  virtual bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const;

  /// Number of results of this element that are integrals over time; the run integrates them beside
  /// the state.
  virtual int integral_count() const { return 0; }
  /// What they are integrals of. Must not allocate.
  virtual void integrands(const EvaluationContext& context, VectorRef rates) const;

  /// Whether it is a spring or a damper between bodies, which natural modes take in: its loads are
  /// internal and depend on the joints alone.
  virtual bool belongs_to_modes() const { return false; }

  /// Force and moment on the second of two bodies between which it acts, at its frame there,
  /// inertial axes; their sum over both, which is zero, would say nothing.
  /// @returns false, having written nothing, if it does not act between two bodies
  virtual bool wrench_between(const EvaluationContext& context, Vector6& wrench) const;

  /// @name Energy bookkeeping; everything an element does beyond these counts as work put in
  /// @{
  virtual double stored_energy(const EvaluationContext&) const { return 0.0; }  ///< V, J
  /// Must not allocate.
  virtual EnergyRates energy_rates(const EvaluationContext&) const { return {}; }
  /// apply(), auxiliary_rate() and energy_rates() of one instant, which is what a simulation asks
  /// for; to be overridden where they share an evaluation. Must not allocate.
  /// @param rate  out: ż, of auxiliary_size()
  virtual EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef rate) const;
  /// @}
};

}  // namespace spacedyn
