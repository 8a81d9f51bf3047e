/// @file
/// Finds numbers of a scenario that make what a flight costs least, within constraints.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "spacedyn/optimization/fit.hpp"
#include "spacedyn/study/sweep.hpp"

namespace spacedyn {

enum class OptimizationMethod {
  slsqp,   ///< sequential quadratic programming [Kraft 1994]
  mma,     ///< method of moving asymptotes [Svanberg 2002], inequalities alone
  bobyqa,  ///< quadratic models without derivatives [Powell 2009], bounds alone
  cmaes,   ///< evolution with an adapted covariance [Hansen 2001], without derivatives
  ipopt    ///< interior points [Waechter 2006], where its library is
};

/// A part of the objective: Σ weight · value.
struct OptimizationGoal {
  SweepCollect collect;
  double weight = 1.0;
};

/// A number of a flight between bounds; equal ones make an equation.
struct OptimizationConstraint {
  SweepCollect collect;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  bool is_equation() const { return lower == upper; }
  /// Its name, or what it is taken from.
  const std::string& label() const {
    return !collect.name.empty()      ? collect.name
           : !collect.channel.empty() ? collect.channel
                                      : collect.summary;
  }
  /// How far a value is outside.
  double violation(double value) const { return std::max({0.0, value - upper, lower - value}); }
};

/// An optimization as its file describes it.
struct OptimizationSettings {
  std::string name;
  Notes notes;
  std::string scenario;  ///< path, relative to the file
  std::vector<ScenarioVariable> variables;
  std::vector<OptimizationGoal> goals;
  std::vector<OptimizationConstraint> constraints;
  OptimizationMethod method = OptimizationMethod::slsqp;
  double tolerance = 1e-8;  ///< of the objective, relative; of constraints, absolute
  int max_evaluations = 1000;
  SearchDerivatives derivatives = SearchDerivatives::finite_differences;
};

/// An optimization whose scenario has been read.
class SPACEDYN_EXPORT Optimization : public ScenarioSearch {
 public:
  /// @param overrides  changes of its own keys
  /// @throws ParseError, OverrideError with every problem found; IoError
  static Optimization load(const std::string& path, const std::vector<Override>& overrides = {});

  const OptimizationSettings& settings() const;

  struct Implementation;
  const Implementation& implementation() const;

 private:
  explicit Optimization(std::shared_ptr<const Implementation> implementation);
};

/// A point that has been flown.
struct OptimizationPoint {
  VectorX variables;       ///< SI
  double objective = 0.0;  ///< NaN of a flight that failed
  double violation = 0.0;  ///< the largest of all constraints
  VectorX constraints;     ///< values
  /// By variables in parts of their bounds, or of their starts, a row for the objective and for
  /// each constraint; empty unless the method has asked for them.
  MatrixX gradients = {};
  bool has_tangents = false;  ///< whether these are sensitivities
};

/// A channel of the goals and constraints, flown from the start and with the best variables.
struct OptimizationCurve {
  struct Flight {
    std::vector<double> times;  ///< s
    VectorX values;             ///< SI
  };
  std::string channel;  ///< with its component, if it has several
  std::string unit;
  Flight start, best;
};

struct OptimizationResult {
  OptimizationPoint best;
  /// Evaluations in their order, those for differences left out.
  std::vector<OptimizationPoint> evaluations;
  /// Of the Lagrangian with the best multipliers, over the variables that are not at a bound, each
  /// scaled by its bounds or its size.
  double gradient_norm = 0.0;
  SearchProgress progress;
  bool converged = false, interrupted = false;
  std::string message;
  std::string derivatives;                     ///< where they came from, for reports
  std::vector<OptimizationCurve> curves = {};  ///< none after an interrupt
};

/// Minimizes the objective from the start.
///
/// Gradients of slsqp, mma and ipopt are sensitivities of the flights' own steps, or central
/// differences of flights, which all threads fly; cmaes flies each generation at once. A flight
/// that fails is not accepted and does not end the search.
/// @throws NotDifferentiableError if sensitivities are asked for and there are none
/// @throws NumericalError if the scenario cannot be flown as it is; DomainError if the number of
/// threads is negative
/// @param known  points that an earlier search has flown, which are not flown again: the same
/// search
///               goes on where that one ended
SPACEDYN_EXPORT OptimizationResult
run_optimization(const Optimization& optimization, const SearchOptions& options = {},
                 const std::vector<OptimizationPoint>& known = {});

/// What write_optimization() has kept in a folder of the same search, `NAME.trials.json`; nothing
/// where it has written none.
/// @throws DomainError if files or keys but `max_evaluations` were others; IoError if it is damaged
SPACEDYN_EXPORT std::vector<OptimizationPoint> read_trials(const std::string& folder,
                                                           const Optimization& optimization);

/// Variables, objective, constraints and how the search ended, as JSON.
/// @param files  that have been written, may be empty
SPACEDYN_EXPORT std::string optimization_summary(const Optimization& optimization,
                                                 const OptimizationResult& result,
                                                 const std::vector<std::string>& files);

/// Writes `NAME.h5`, `NAME.json`, the page `NAME.html`, the scenario with the best values,
/// `NAME.yaml`, and `NAME.trials.json` into a folder that exists. @returns their paths, that of
/// HDF5 first
/// @throws IoError
SPACEDYN_EXPORT std::vector<std::string> write_optimization(const std::string& folder,
                                                            const Optimization& optimization,
                                                            const OptimizationResult& result);

/// Whether a file has an optimization. @throws IoError if it cannot be read
SPACEDYN_EXPORT bool is_optimization_file(const std::string& path);
/// JSON Schema of a file of an optimization.
SPACEDYN_EXPORT std::string optimization_schema();

}  // namespace spacedyn
