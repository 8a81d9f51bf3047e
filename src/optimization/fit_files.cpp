// What a fit says, as JSON and as files.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "loading/yaml/numbers.hpp"
#include "optimization/fit_implementation.hpp"
#include "optimization/fit_page.hpp"
#include "reporting/results/hdf5.hpp"
#include "reporting/results/json.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn {
namespace {

using hdf5::check;
using hdf5::Handle;

constexpr const char* kFitFormat = "spacedyn-fit/1";

/// JSON has no NaN and no infinity.
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::vector<Override> values_of(const Fit& fit, const FitResult& result) {
  std::vector<Override> overrides;
  for (std::size_t j = 0; j < fit.settings().parameters.size(); ++j) {
    overrides.emplace_back(fit.settings().parameters[j].key,
                           loading::format_number(result.values(static_cast<Eigen::Index>(j))));
  }
  return overrides;
}

/// A data set of numbers in a group, row by row.
void write_numbers(hid_t parent, const std::string& name, const double* numbers,
                   const std::vector<hsize_t>& shape, const std::string& unit,
                   const std::vector<std::string>& columns = {}) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                     &H5Sclose);
  const Handle dataset(H5Dcreate2(parent, name.c_str(), H5T_IEEE_F64LE, space,
                                  hdf5::link_properties(name), H5P_DEFAULT, H5P_DEFAULT),
                       &H5Dclose);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  if (!unit.empty()) hdf5::write_attribute(dataset, "units", unit);
  if (!columns.empty()) hdf5::write_attribute(dataset, "columns", columns);
}

void write_parameters(hid_t file, const Fit& fit, const FitResult& result) {
  const auto& parameters = fit.settings().parameters;
  const Handle values = hdf5::group(file, "/parameters");
  const Handle deviations = hdf5::group(file, "/standard_deviations");
  std::vector<std::string> keys;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const auto own = static_cast<Eigen::Index>(j);
    const auto& [key, unit] = std::tie(parameters[j].key, parameters[j].unit);
    write_numbers(values, key, &result.values(own), {1}, unit);
    write_numbers(deviations, key, &result.standard_deviations(own), {1}, unit);
    keys.push_back(key);
  }
  const auto count = static_cast<hsize_t>(parameters.size());
  const Handle root = hdf5::group(file, "/");
  // symmetric: rows are columns
  write_numbers(root, "covariance", result.covariance.data(), {count, count}, "", keys);
  write_numbers(root, "correlation", result.correlation.data(), {count, count}, "", keys);
  write_numbers(root, "cost", &result.cost, {1}, "");
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
    write_numbers(group, "time", column.times.data(), shape, "s");
    write_numbers(group, "data", data.data(), shape, column.unit);
    write_numbers(group, "model", result.model[k].data(), shape, column.unit);
    write_numbers(group, "residual", difference.data(), shape, column.unit);
  }
}

void write_hdf5(const std::string& path, const Fit& fit, const FitResult& result) {
  std::remove(path.c_str());
  const hdf5::Silence silence;
  try {
    Handle file = hdf5::open_file(path, hdf5::Access::create);
    hdf5::write_attribute(file, "format", kFitFormat);
    write_parameters(file, fit, result);
    write_columns(file, fit, result);
    hdf5::write_text(hdf5::group(file, "/meta"), "record", fit_summary(fit, result, {}));
    hdf5::write_inputs(file, {fit.sources().begin(), fit.sources().end()},
                       fit.implementation().overrides);
    if (!file.reset()) throw hdf5::Failure(hdf5::last_reason());
  } catch (const hdf5::Failure& failure) {
    throw IoError("cannot write '" + path + "': " + failure.what());
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
               {"derivatives", "central differences of flights"},
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
  write_hdf5(files[0], fit, result);
  write_file_atomically(files[2], fit_page(fit, result));
  const auto variant =
      fit.implementation().family->write_variant(values_of(fit, result), folder, stem);
  for (const auto& [name, text] : variant) {
    files.push_back(in_folder(name));
    write_file_atomically(files.back(), text);
  }
  write_file_atomically(files[1], fit_summary(fit, result, files));
  return files;
}

}  // namespace spacedyn
