/// @file
/// Pages of fits and of optimizations, and what they have in common. Private.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "reporting/plot/svg_writer.hpp"
#include "reporting/results/hdf5.hpp"
#include "reporting/results/json.hpp"
#include "spacedyn/optimization/fit.hpp"
#include "spacedyn/optimization/optimize.hpp"

namespace spacedyn {

/// Colors that are told apart without seeing red and green [Okabe and Ito 2008].
inline constexpr const char *kBlue = "#0072B2", *kOrange = "#D55E00", *kGreen = "#009E73";

/// Head of a page that needs no other file and no network, and what it is about.
/// @param kind  of search
std::string search_page_start(const std::string& kind, const std::string& name, const Notes& notes);
/// Three digits, or a dash.
std::string number_text(double value);
/// The bounds of a variable.
std::string bounds_text(double lower, double upper);
/// How a search has ended, marked where it has not converged.
std::string ending_text(bool converged, const std::string& message);

/// What an axis of a picture shows.
struct PlotRange {
  std::string label;
  double low = 0.0, high = 1.0;
};
/// Size of a picture, px.
struct PlotSize {
  double width = 860.0, height = 230.0;
};

/// A picture of curves.
class CurvePlot {
 public:
  CurvePlot(const PlotRange& across, const PlotRange& up, const PlotSize& size = {});

  void dots(const std::vector<double>& x, const VectorX& y, const char* color);
  void curve(const std::vector<double>& x, const VectorX& y, const char* color);
  std::string picture() const;

 private:
  SvgPoint at(double x, double y) const;

  std::string title_;
  PlotSize size_;
  Axis across_, up_;
  SvgWriter svg_;
};

/// JSON has no NaN and no infinity.
Json finite_or_null(double value);

/// Numbers of an HDF5 file, row by row.
struct NumberSet {
  std::string name, unit;
  std::vector<hsize_t> shape;
  std::vector<std::string> columns = {};
};
void write_numbers(hid_t parent, const NumberSet& set, const double* numbers);

/// What an HDF5 file says of its inputs.
struct SearchInputs {
  const char* format;
  std::string record;  ///< JSON
  const std::map<std::string, std::string>& sources;
  const std::vector<Override>& overrides;
};
/// Writes a file anew. @throws IoError
void write_search_hdf5(const std::string& path, const SearchInputs& inputs,
                       const std::function<void(hid_t file)>& write);

/// Writes the scenario with other values, `STEM.yaml`. @returns the paths. @throws IoError
std::vector<std::string> write_best_scenario(const loading::ScenarioFamily& family,
                                             const std::vector<ScenarioVariable>& variables,
                                             const VectorX& values, const std::string& folder,
                                             const std::string& stem);

/// One page that needs no other file and no network: variables, constraints, convergence, and
/// flights from the start and with the best variables.
std::string optimization_page(const Optimization& optimization, const OptimizationResult& result);

/// One page that needs no other file and no network: parameters, correlation, data with the model
/// and residuals over time.
std::string fit_page(const Fit& fit, const FitResult& result);

}  // namespace spacedyn
