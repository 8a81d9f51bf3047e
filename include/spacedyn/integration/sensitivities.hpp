/// @file
/// How a flight depends on the numbers that it is flown with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// A flight, or a part of it, has no derivative that can be computed along with it.
class SPACEDYN_EXPORT NotDifferentiableError : public DomainError {
 public:
  using DomainError::DomainError;
  ~NotDifferentiableError() override;
};

/// One number that a flight depends on, as the flights with more and with less of it begin.
///
/// What of the set-up depends on the number is differentiated by central differences of the
/// right-hand side, of events' functions and of what happens at instants: never of flights. A step
/// of 10⁻⁵ of the number's size leaves nine to ten digits.
struct FlightVariation {
  struct Side {
    /// Null where only the start depends on the number: then derivatives are analytic as far as
    /// elements differentiate themselves.
    std::shared_ptr<const SimulationSetup> setup;
    State initial;
    /// Receives the outputs of this side: the flight's own with the change to first order. Of
    /// integrals over time they have those of the flight itself. May be null.
    SimulationObserver* observer = nullptr;
  };
  std::string name;   ///< for messages
  double step = 0.0;  ///< between the flight and each side, in units of the number
  Side above, below;
};

/// Instants at which a flight is shown: at an interval, or given ones, which steps land on.
struct FlightOutputs {
  double duration = 0.0, interval = 0.0;  ///< s
  std::vector<double> times = {};         ///< s; ascending, the last one is the end
};

/// Receives derivatives at the outputs of a flight, at each after SimulationObserver::on_output().
class SPACEDYN_EXPORT SensitivityObserver {
 public:
  virtual ~SensitivityObserver();
  /// @param by  12 + 2 n + z rows: position and attitude of the base (a rotation vector on the
  ///            left, inertial axes), joints (of spherical ones rotation vectors on the right),
  ///            then velocities in the same order, then z; a column for each variation. Time is
  ///            fixed, also where an event before it moves.
  virtual void on_sensitivities(double /*time*/, const State& /*state*/, const MatrixX& /*by*/) {}
};

/// A flight with its derivatives.
struct SensitivityResult {
  SimulationResult flight;
  /// Of each variation the ends of its sides; time, state, events and connections are theirs.
  std::vector<SimulationResult> above, below;
  long evaluations = 0;  ///< of the equations of motion and of their derivatives, for derivatives
};

/// Flies a set-up and the tangents of its motion: the derivatives of the very steps that are taken.
///
/// Tangents go through the stages of the method with ∂f/∂x, analytic where dynamics and elements
/// know it, and ∂f/∂p. Instants that depend on a number move with it: between two instants time is
/// stretched, so that also the lengths of steps have their derivative; an event's instant follows
/// from its function, dt/dp = −(∂g/∂x s + ∂g/∂p)/ġ, and what it does (impulses, locks, connections,
/// samples of controllers and sensors) is differentiated as a map. The choice of steps is not.
/// @throws NotDifferentiableError naming what has no derivative: methods that are no explicit
///         Runge-Kutta methods, rigid contacts at more points than determine their forces, contacts
///         along patches, quantized signals, events that graze their
///         level or happen together at instants that part, flights of which both sides take other
///         courses
/// @throws DomainError, DimensionError, NumericalError as Simulator
SPACEDYN_EXPORT SensitivityResult
fly_with_sensitivities(const SimulationSetup& setup, const State& initial,
                       const FlightOutputs& outputs, const std::vector<FlightVariation>& variations,
                       SimulationObserver& observer, SensitivityObserver* sensitivities = nullptr);

/// Variations of the start: of positions and velocities of all coordinates, in the order of the
/// rows of on_sensitivities() without z.
SPACEDYN_EXPORT std::vector<FlightVariation> initial_variations(const Model& model,
                                                                const State& initial);

}  // namespace spacedyn
