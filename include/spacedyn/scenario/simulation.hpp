/// @file
/// A scenario that a program advances step by step, with commands from outside.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/scenario.hpp"

namespace spacedyn {

/// Advances a scenario from outside, for hardware in the loop and reinforcement learning.
///
/// The motion is that of Simulator::run() bit for bit, whatever the steps: they set outputs, not
/// the steps of the integration. Commands go to controllers of class ExternalController, which take
/// them at their samples: with equal commands the motion is that of a run in one go with a sampled
/// controller of the same law.
///
/// At an instant at which a command is due step() returns before controllers sample: observe() has
/// the readings of the instant, and torques and accelerations before the new command.
class SPACEDYN_EXPORT Simulation {
 public:
  /// Begins at t = 0 with the scenario's seed. @throws as Simulator and Simulator::run()
  explicit Simulation(Scenario scenario);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Scenario& scenario() const;

  /// @name Begins again at t = 0, without commands
  /// @{
  void reset();
  /// @param seed  of the noise of sensors
  void reset(std::uint64_t seed);
  /// @throws DimensionError, DomainError if the state does not fit the scenario
  void reset(std::uint64_t seed, const State& initial);
  /// @}

  /// Advances by a time, at most to the end of the scenario or an event that stops it.
  /// @param dt  s; steps of equal dt end at multiples of it, without accumulated rounding
  /// @returns whether the run goes on
  /// @throws DomainError if dt is not finite and positive or the run is over
  /// @throws NumericalError as Simulator::run(); then the run is over
  bool step(double dt);
  /// Gives a controller of class ExternalController its torques from its next sample on.
  /// @param values  N m or N, one per joint of the controller
  /// @throws DomainError if there is none of this name or a number is not finite; DimensionError
  void command(const std::string& controller, ConstVectorRef values);

  double time() const;         ///< s
  const State& state() const;  ///< at time()
  /// What observe() consists of: time, then the channels of the scenario.
  const std::vector<Column>& columns() const;
  /// The row of results at time(), one number per column.
  const VectorX& observe() const;
  /// Events until time().
  std::vector<EventRecord> events() const;

  /// Whether the end of the scenario is reached, or an event or a failure has stopped the run.
  bool is_over() const;
  /// How the run ended. @throws DomainError unless it is over without a failure
  const SimulationResult& result() const;

 private:
  class Flight;
  std::shared_ptr<const Scenario> scenario_;
  std::unique_ptr<Flight> flight_;
  double begun_ = 0.0, dt_ = 0.0;  // where steps of the present size began, and their size
  long steps_ = 0;                 // of this size
};

}  // namespace spacedyn
