/// @file
/// Estimates numbers of a scenario from telemetry by nonlinear least squares.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// A number of a scenario that a fit or an optimization changes.
struct ScenarioVariable {
  std::string key;   ///< path of an override
  std::string unit;  ///< SI
  double start = 0.0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// Where a search takes derivatives from.
enum class SearchDerivatives {
  automatic,          ///< from sensitivities, from differences where there are none
  sensitivities,      ///< of the flights' own steps; what has none is an error
  finite_differences  ///< central ones, of whole flights
};

/// What is known of a parameter before the data: a normal distribution.
struct FitPrior {
  double mean = 0.0, standard_deviation = 1.0;
};

/// ρ of the cost ½ Σ ρ(r). Within its width w, `huber` is r²; beyond it grows as 2 w |r| − w²,
/// `cauchy` as w² ln(1 + r²/w²).
struct FitLoss {
  enum class Kind { squared, huber, cauchy };
  Kind kind = Kind::squared;
  double width = 1.0;  ///< in standard deviations of the data
};

/// Measurements of one number.
struct FitColumn {
  std::string name;  ///< in its file; with the file in front where several files have it
  std::string unit;  ///< SI
  double sigma = 1.0;
  std::vector<double> times;  ///< s since the start of the flight, ascending
  std::vector<double> values;
};

/// A fit as its file describes it, and its data.
struct FitSettings {
  std::string name;
  Notes notes;
  std::string scenario;  ///< path, relative to the file
  std::vector<ScenarioVariable> parameters;
  std::vector<std::optional<FitPrior>> priors;  ///< one for each parameter
  std::vector<FitColumn> columns;
  FitLoss loss;
  SearchDerivatives derivatives = SearchDerivatives::finite_differences;
};

/// What a fit and an optimization have in common: a file about numbers of a scenario, which has
/// been read with it.
class SPACEDYN_EXPORT ScenarioSearch {
 public:
  /// Texts of its file, of those of its scenario and of its data in CSV, by path.
  const std::map<std::string, std::string>& sources() const;
  /// Problems that are no errors.
  const std::vector<Diagnostic>& warnings() const;
  /// The scenario as its files have it.
  const Scenario& scenario() const;

  struct Parts;

 protected:
  explicit ScenarioSearch(std::shared_ptr<const Parts> parts);
  std::shared_ptr<const Parts> parts_;
};

/// A fit whose scenario and data have been read.
class SPACEDYN_EXPORT Fit : public ScenarioSearch {
 public:
  /// @param overrides  changes of the fit's own keys
  /// @throws ParseError, OverrideError with every problem found; IoError
  static Fit load(const std::string& path, const std::vector<Override>& overrides = {});

  const FitSettings& settings() const;

  struct Implementation;
  const Implementation& implementation() const;

 private:
  explicit Fit(std::shared_ptr<const Implementation> implementation);
};

/// How far a fit or an optimization has come.
struct SearchProgress {
  int iterations = 0;
  long flights = 0;
  double cost = 0.0;  ///< the best so far
  double wall_seconds = 0.0;
};

/// Watches a search; called by the thread that runs it.
class SPACEDYN_EXPORT SearchObserver {
 public:
  virtual ~SearchObserver();
  /// Some twenty times a second while flights go on. @return false to end the search with the best
  /// so far
  virtual bool on_progress(const SearchProgress& /*progress*/) { return true; }
};

struct SearchOptions {
  int threads = 0;                     ///< 0: one for each core
  SearchObserver* observer = nullptr;  ///< may be null
};

/// What samples up to a time say about the parameters, if there were no later ones.
struct FitCovariance {
  double time = 0.0;  ///< s
  MatrixX matrix;
};

/// What the data say about the parameters.
struct FitResult {
  VectorX values;  ///< SI, in the order of the parameters
  /// √ of the diagonal of the covariance; infinite of a parameter that the data do not determine.
  VectorX standard_deviations;
  /// (JᵀJ)⁻¹ with J = ∂r/∂p at the solution, priors included and losses not; of parameters that are
  /// not determined, that of the pseudo-inverse.
  MatrixX covariance;
  MatrixX correlation;                         ///< NaN beside parameters that are not determined
  std::vector<std::size_t> undetermined = {};  ///< parameters
  /// (JᵀJ)⁻¹ of the samples up to a time and of the priors, at times of the data, from when these
  /// determine all parameters.
  std::vector<FitCovariance> covariance_over_time = {};
  double cost = 0.0;           ///< ½ Σ ρ, priors included
  std::vector<VectorX> model;  ///< at the times of each column, with these values
  SearchProgress progress;
  bool converged = false, interrupted = false;
  std::string message;      ///< how the search has ended
  std::string derivatives;  ///< where they came from, for reports
};

/// Minimizes the cost from the start by the method of Levenberg and Marquardt within the bounds.
///
/// Derivatives are sensitivities of the flights' own steps where they are asked for, see
/// fly_with_sensitivities(). Otherwise they are central differences of flights, which all threads
/// fly: a step of ∛(relative error of the integration)/3 of the parameter. Those of the covariance
/// are then extrapolated from two steps; what both differ by is the tolerance of the rank.
/// @throws NotDifferentiableError if sensitivities are asked for and there are none
/// @throws ParseError if a parameter has no influence on the data; NumericalError if the scenario
/// cannot be flown as it is; DomainError if the number of threads is negative
SPACEDYN_EXPORT FitResult run_fit(const Fit& fit, const SearchOptions& options = {});

/// Values, standard deviations, correlation, cost and residuals as JSON.
/// @param files  that have been written, may be empty
SPACEDYN_EXPORT std::string fit_summary(const Fit& fit, const FitResult& result,
                                        const std::vector<std::string>& files);

/// Writes `NAME.h5`, `NAME.json`, the page `NAME.html` and the scenario with the best values,
/// `NAME.yaml`, into a folder that exists. @returns their paths, that of HDF5 first
/// @throws IoError
SPACEDYN_EXPORT std::vector<std::string> write_fit(const std::string& folder, const Fit& fit,
                                                   const FitResult& result);

/// Whether a file has a fit. @throws IoError if it cannot be read
SPACEDYN_EXPORT bool is_fit_file(const std::string& path);
/// JSON Schema of a file of a fit.
SPACEDYN_EXPORT std::string fit_schema();

}  // namespace spacedyn
