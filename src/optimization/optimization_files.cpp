// What an optimization says, as JSON and as files.
#include <cmath>
#include <filesystem>

#include "optimization/optimization_page.hpp"
#include "optimization/optimization_trials.hpp"
#include "optimization/search_page.hpp"
#include "optimization/searches.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn {
namespace {

constexpr const char* kOptimizationFormat = "spacedyn-optimization/1";

void write_evaluations(hid_t file, const OptimizationSettings& settings,
                       const OptimizationResult& result) {
  const std::vector<OptimizationPoint>& points = result.evaluations;
  const std::vector<hsize_t> shape{points.size()};
  const auto write = [&](hid_t parent, const std::string& name, const std::string& unit,
                         const auto& of) {
    std::vector<double> numbers;
    for (const OptimizationPoint& point : points) numbers.push_back(of(point));
    write_numbers(parent, {name, unit, shape}, numbers.data());
  };
  const hdf5::Handle variables = hdf5::group(file, "/variables");
  for (std::size_t j = 0; j < settings.variables.size(); ++j) {
    write(variables, settings.variables[j].key, settings.variables[j].unit,
          [&](const OptimizationPoint& point) {
            return point.variables(static_cast<Eigen::Index>(j));
          });
  }
  const hdf5::Handle root = hdf5::group(file, "/");
  write(root, "objective", "", [](const OptimizationPoint& point) { return point.objective; });
  write(root, "constraint_violation", "",
        [](const OptimizationPoint& point) { return point.violation; });
}

}  // namespace

std::string optimization_summary(const Optimization& optimization, const OptimizationResult& result,
                                 const std::vector<std::string>& files) {
  const OptimizationSettings& settings = optimization.settings();
  Json variables = Json::object(), constraints = Json::array();
  for (std::size_t j = 0; j < settings.variables.size(); ++j) {
    variables[settings.variables[j].key] =
        finite_or_null(result.best.variables(static_cast<Eigen::Index>(j)));
  }
  for (std::size_t i = 0; i < settings.constraints.size(); ++i) {
    const double value = result.best.constraints(static_cast<Eigen::Index>(i));
    const OptimizationConstraint& own = settings.constraints[i];
    Json constraint{{"value", finite_or_null(value)},
                    {"violation", finite_or_null(own.violation(value))}};
    if (!own.collect.name.empty()) constraint["name"] = own.collect.name;
    constraints.push_back(std::move(constraint));
  }
  const BuildInfo& build = build_info();
  Json summary{{"optimization", settings.name},
               {"variables", variables},
               {"objective", finite_or_null(result.best.objective)},
               {"constraints", constraints},
               {"evaluations", result.evaluations.size()},
               {"flights", result.progress.flights},
               {"gradient_norm", finite_or_null(result.gradient_norm)},
               {"converged", result.converged},
               {"message", result.message},
               {"derivatives", result.derivatives},
               {"versions", {{"spacedyn", build.spacedyn}, {"git", build.git}}}};
  if (!files.empty()) summary["files"] = files;
  return to_text(summary) + '\n';
}

std::vector<std::string> write_optimization(const std::string& folder,
                                            const Optimization& optimization,
                                            const OptimizationResult& result) {
  const OptimizationSettings& settings = optimization.settings();
  const std::string stem = file_stem(settings.name);
  const std::string path = (std::filesystem::path(folder) / stem).string();
  std::vector<std::string> files{path + ".h5", path + ".json", path + ".html"};
  const std::string record = optimization_summary(optimization, result, {});
  write_search_hdf5(files[0],
                    {kOptimizationFormat, record, optimization.sources(),
                     optimization.implementation().overrides},
                    [&](hid_t file) { write_evaluations(file, settings, result); });
  write_file_atomically(files[2], optimization_page(optimization, result));
  for (std::string& file :
       write_best_scenario(*optimization.implementation().family, settings.variables,
                           result.best.variables, folder, stem)) {
    files.push_back(std::move(file));
  }
  files.push_back(write_trials(folder, optimization, result));
  write_file_atomically(files[1], optimization_summary(optimization, result, files));
  return files;
}

}  // namespace spacedyn
