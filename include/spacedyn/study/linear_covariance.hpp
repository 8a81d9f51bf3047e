/// @file
/// Derivatives of the flight of a scenario by numbers of its files, and what follows from them.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/study/sweep.hpp"

namespace spacedyn {

/// How the states of a flight depend on numbers of its scenario; see fly_with_sensitivities().
struct ScenarioSensitivities {
  std::vector<std::string> states;  ///< `base.position.x`, …, `elbow.velocity`; z last
  std::vector<double> times;        ///< s, of the outputs
  std::vector<MatrixX> by;          ///< at each a row for each state, a column for each number
  long evaluations = 0;             ///< of the equations of motion, for derivatives
};

/// @param path  of a scenario
/// @param keys  paths of overrides, to numbers that its files have
/// @throws DomainError if a key leads to no number or is changed as well, NotDifferentiableError;
/// NumericalError, OverrideError, ParseError, IoError
SPACEDYN_EXPORT ScenarioSensitivities
scenario_sensitivities(const std::string& path, const std::vector<std::string>& keys,
                       const std::vector<Override>& overrides = {});

/// What a sweep says of its scenario to first order about the means of its parameters.
///
/// Σ_y = G Σ_p Gᵀ with G = ∂y/∂p of one flight. Noise of sensors is that of the sweep's seed, and
/// no part of it.
struct LinearCovariance {
  VectorX means;                  ///< of the parameters, which the flight has
  MatrixX parameters;             ///< Σ_p
  std::vector<double> collected;  ///< of the flight
  MatrixX by;                     ///< G of what is collected
  MatrixX covariance;             ///< Σ_y of what is collected
  /// Why a number that is collected has no derivative, which is NaN then; empty where it has.
  std::vector<std::string> missing;
  ScenarioSensitivities states;
  /// One row for each time, a column for each state.
  MatrixX state_deviations;
};

/// @throws DomainError naming a parameter of several values, which has no density;
/// NotDifferentiableError, NumericalError, OverrideError, ParseError
SPACEDYN_EXPORT LinearCovariance linear_covariance(const Sweep& sweep);

/// What is collected with standard deviations and parts of parameters, as JSON.
SPACEDYN_EXPORT std::string linear_covariance_summary(const Sweep& sweep,
                                                      const LinearCovariance& result,
                                                      const std::vector<std::string>& files);

/// Writes `NAME_linear.json` and `NAME_linear.csv`, standard deviations of all states over time,
/// into a folder that exists. @returns their paths. @throws IoError
SPACEDYN_EXPORT std::vector<std::string> write_linear_covariance(const std::string& folder,
                                                                 const Sweep& sweep,
                                                                 const LinearCovariance& result);

}  // namespace spacedyn
