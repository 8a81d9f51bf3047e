// What a fit says, as JSON and as files.
#include <cmath>
#include <filesystem>

#include "optimization/search_page.hpp"
#include "optimization/searches.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn {
namespace {

using hdf5::Handle;

constexpr const char* kFitFormat = "spacedyn-fit/1";

void write_parameters(hid_t file, const Fit& fit, const FitResult& result) {
  const auto& parameters = fit.settings().parameters;
  const Handle values = hdf5::group(file, "/parameters");
  const Handle deviations = hdf5::group(file, "/standard_deviations");
  std::vector<std::string> keys;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const auto own = static_cast<Eigen::Index>(j);
    const auto& [key, unit] = std::tie(parameters[j].key, parameters[j].unit);
    write_numbers(values, {key, unit, {1}}, &result.values(own));
    write_numbers(deviations, {key, unit, {1}}, &result.standard_deviations(own));
    keys.push_back(key);
  }
  const auto count = static_cast<hsize_t>(parameters.size());
  const Handle root = hdf5::group(file, "/");
  // symmetric: rows are columns
  write_numbers(root, {"covariance", "", {count, count}, keys}, result.covariance.data());
  write_numbers(root, {"correlation", "", {count, count}, keys}, result.correlation.data());
  write_numbers(root, {"cost", "", {1}}, &result.cost);
  const std::vector<FitCovariance>& history = result.covariance_over_time;
  if (history.empty()) return;
  std::vector<double> times, matrices;
  for (const FitCovariance& at : history) {
    times.push_back(at.time);
    matrices.insert(matrices.end(), at.matrix.data(), at.matrix.data() + at.matrix.size());
  }
  const Handle over_time = hdf5::group(file, "/covariance_over_time");
  const hsize_t instants = history.size();
  write_numbers(over_time, {"time", "s", {instants}}, times.data());
  write_numbers(over_time, {"covariance", "", {instants, count, count}, keys}, matrices.data());
}

void write_columns(hid_t file, const Fit& fit, const FitResult& result) {
  const auto& columns = fit.settings().columns;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const FitColumn& column = columns[k];
    std::string name = column.name;
    for (char& c : name) c = c == '/' ? '_' : c;
    const Handle group = hdf5::group(file, "/residuals/" + name);
    const std::vector<hsize_t> shape{column.values.size()};
    const VectorX data = Eigen::Map<const VectorX>(column.values.data(),
                                                   static_cast<Eigen::Index>(column.values.size()));
    const VectorX difference = result.model[k] - data;
    write_numbers(group, {"time", "s", shape}, column.times.data());
    write_numbers(group, {"data", column.unit, shape}, data.data());
    write_numbers(group, {"model", column.unit, shape}, result.model[k].data());
    write_numbers(group, {"residual", column.unit, shape}, difference.data());
  }
}

}  // namespace

std::string fit_summary(const Fit& fit, const FitResult& result,
                        const std::vector<std::string>& files) {
  const FitSettings& settings = fit.settings();
  Json parameters = Json::object(), correlation = Json::array(), residuals = Json::object();
  Json undetermined = Json::array();
  const auto count = static_cast<Eigen::Index>(settings.parameters.size());
  for (Eigen::Index j = 0; j < count; ++j) {
    const ScenarioVariable& own = settings.parameters[static_cast<std::size_t>(j)];
    parameters[own.key] = {{"value", finite_or_null(result.values(j))},
                           {"standard_deviation", finite_or_null(result.standard_deviations(j))},
                           {"unit", own.unit}};
    Json row = Json::array();
    for (Eigen::Index i = 0; i < count; ++i)
      row.push_back(finite_or_null(result.correlation(j, i)));
    correlation.push_back(std::move(row));
  }
  for (const std::size_t j : result.undetermined)
    undetermined.push_back(settings.parameters[j].key);
  for (std::size_t k = 0; k < settings.columns.size(); ++k) {
    const FitColumn& column = settings.columns[k];
    double sum = 0.0;
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      sum += std::pow(result.model[k](static_cast<Eigen::Index>(i)) - column.values[i], 2);
    }
    const auto samples = static_cast<double>(column.values.size());
    residuals[column.name] = {{"count", column.values.size()},
                              {"rms", finite_or_null(std::sqrt(sum / samples))}};
  }
  const BuildInfo& build = build_info();
  Json summary{{"fit", settings.name},
               {"parameters", parameters},
               {"correlation", correlation},
               {"not_determined", undetermined},
               {"cost", finite_or_null(result.cost)},
               {"iterations", result.progress.iterations},
               {"flights", result.progress.flights},
               {"converged", result.converged},
               {"message", result.message},
               {"derivatives", result.derivatives},
               {"residuals", residuals},
               {"versions", {{"spacedyn", build.spacedyn}, {"git", build.git}}}};
  if (!files.empty()) summary["files"] = files;
  return to_text(summary) + '\n';
}

std::vector<std::string> write_fit(const std::string& folder, const Fit& fit,
                                   const FitResult& result) {
  const std::string stem = file_stem(fit.settings().name);
  const auto in_folder = [&](const std::string& name) {
    return (std::filesystem::path(folder) / name).string();
  };
  std::vector<std::string> files{in_folder(stem + ".h5"), in_folder(stem + ".json"),
                                 in_folder(stem + ".html")};
  const std::string record = fit_summary(fit, result, {});
  write_search_hdf5(files[0], {kFitFormat, record, fit.sources(), fit.implementation().overrides},
                    [&](hid_t file) {
                      write_parameters(file, fit, result);
                      write_columns(file, fit, result);
                    });
  write_file_atomically(files[2], fit_page(fit, result));
  for (std::string& file : write_best_scenario(
           *fit.implementation().family, fit.settings().parameters, result.values, folder, stem)) {
    files.push_back(std::move(file));
  }
  write_file_atomically(files[1], fit_summary(fit, result, files));
  return files;
}

}  // namespace spacedyn
