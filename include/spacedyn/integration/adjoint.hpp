/// @file
/// Derivatives of few results of a flight by many numbers.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "spacedyn/integration/sensitivities.hpp"

namespace spacedyn {

/// Functions of the states at the outputs of a flight, as sums over these.
class SPACEDYN_EXPORT FlightObjectives : public SimulationObserver {
 public:
  ~FlightObjectives() override;
  /// How many there are.
  virtual int count() const = 0;
  /// How they depend on the state of an output, asked in order of time, the start included.
  /// @param by  in: zero; out: derivatives by the rows of SensitivityObserver::on_sensitivities(),
  ///            a column for each objective
  virtual void differentiate(double time, const State& state, MatrixX& by) = 0;
};

/// A variation, and when its number acts, where that is known: outside of these times both sides
/// are not evaluated, but where a segment begins, which is checked.
struct BoundedVariation : FlightVariation {
  BoundedVariation(FlightVariation variation, double begin = 0.0,
                   double end = std::numeric_limits<double>::infinity())
      : FlightVariation(std::move(variation)), from(begin), until(end) {}

  double from, until;  ///< s
};

/// A flight with the derivatives of its objectives.
struct AdjointResult {
  SimulationResult flight;
  MatrixX by;            ///< a row for each objective, a column for each variation
  long evaluations = 0;  ///< of the equations of motion and of their derivatives, for derivatives
};

/// Flies a set-up and goes back through its steps: the discrete adjoint.
///
/// The flight keeps the state where each step began. From the end to the start each step makes its
/// stages again, and the covectors λ of the objectives go through them with (∂f/∂x)ᵀ; a number
/// counts with λᵀ ∂f/∂p = μᵀ (∂Q/∂p − ∂ID/∂p), μ = H⁻¹ λ of velocities. So derivatives are those of
/// fly_with_sensitivities() with the same outputs, at a cost that hardly depends on how many
/// numbers there are, as long as each acts in a part of the flight that is known. Two things are
/// left out, of the size of errors of the method: how the path of the centroid, on which free
/// flights without external forces are put, moves with numbers; and steps are not cut for
/// derivatives.
/// @param times  s, of outputs, which steps land on; ascending, the last one is the end
/// @throws NotDifferentiableError naming what it does not go back through: events, samples of
///         controllers and sensors, loops, connections, rigid contacts, prescribed motion,
///         propellant that leaves tanks, projected momentum; numbers that change more than loads
///         and the masses and inertias of bodies, or the instants at which loads begin and end; and
///         what fly_with_sensitivities() refuses
/// @throws DomainError if a number acts outside of its times; DomainError, DimensionError,
///         NumericalError as Simulator
SPACEDYN_EXPORT AdjointResult fly_with_adjoint(const SimulationSetup& setup, const State& initial,
                                               const std::vector<double>& times,
                                               const std::vector<BoundedVariation>& variations,
                                               FlightObjectives& objectives);

}  // namespace spacedyn
