/// @file
/// What a fit minimizes, residuals of flights and their derivatives; tables of measurements.
/// Private.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/session.hpp"
#include "optimization/searches.hpp"
#include "optimization/trials.hpp"

namespace spacedyn {

/// Residuals r = (model − data)/σ of all columns, then (p − mean)/σ of all priors.
class FitResiduals {
 public:
  FitResiduals(const Fit::Implementation& fit, const SearchOptions& options,
               Trials::Reached reached);

  /// Residuals of parameters; empty where the flight fails, and why().
  VectorX at(const VectorX& point);
  const std::string& why() const { return why_; }

  /// Differences of residuals for steps of each parameter.
  struct Differences {
    MatrixX jacobian;  ///< ∂r/∂p
    /// Largest change of a sample in parts of the largest of its column, for each parameter.
    VectorX influence;
  };
  /// @param part  of the usual steps
  /// @throws NumericalError if flights fail on both sides of the point
  Differences differences(const VectorX& point, const VectorX& residuals, double part);

  /// The same from sensitivities. @throws NotDifferentiableError, NumericalError
  Differences tangents(const VectorX& point, const VectorX& residuals);

  /// Relative error that the integration may have.
  double noise() const { return noise_; }
  /// The model at the times of each column, from residuals.
  std::vector<VectorX> model_of(const VectorX& residuals) const;
  SearchProgress progress() const { return trials_.progress(); }

 private:
  VectorX residuals_of(const SweepRow& row, const VectorX& point);
  double step_of(Eigen::Index parameter, double value) const;
  double influence_of(const VectorX& low, const VectorX& high) const;

  const Fit::Implementation& fit_;
  Trials trials_;
  double noise_;
  double part_;                  ///< step of differences, in parts of a parameter
  std::vector<double> largest_;  ///< sample or datum of each column, over its σ
  std::string why_;
};

/// A table of numbers and where its rows stand.
struct TelemetryTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< NaN where a cell is empty
  std::vector<loading::Mark> rows;           ///< without a source for HDF5

  /// Position of a column, −1 if there is none of that name.
  int find(const std::string& name) const;
};

/// Reads a table, CSV or a result in HDF5; what is wrong is reported.
/// @param place  the value that names the file
TelemetryTable read_telemetry(const loading::Value& place, const std::string& path,
                              loading::ReadContext& context);

}  // namespace spacedyn
