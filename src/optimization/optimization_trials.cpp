// What an optimization keeps of its evaluations, so that another one can go on from them.
#include <cmath>
#include <filesystem>
#include <limits>

#include "optimization/optimization_trials.hpp"
#include "optimization/search_page.hpp"
#include "optimization/searches.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn {
namespace {

constexpr const char* kTrialsFormat = "spacedyn-optimization-trials/1";
/// A search may go on for longer than it was asked to at first.
constexpr const char* kMayChange = "max_evaluations";

std::string path_of(const std::string& folder, const OptimizationSettings& settings) {
  return (std::filesystem::path(folder) / (file_stem(settings.name) + ".trials.json")).string();
}

/// All that decides how a search goes.
Json inputs_of(const Optimization& optimization) {
  Json overrides = Json::array();
  for (const Override& own : optimization.implementation().overrides) {
    if (own.first != kMayChange) overrides.push_back({own.first, own.second});
  }
  Json sources = Json::array();
  for (const auto& [name, text] : optimization.sources()) {
    sources.push_back({std::filesystem::path(name).filename().string(), text});
  }
  return {{"sources", sources}, {"overrides", overrides}};
}

double number(const Json& json, double missing) {
  return json.is_null() ? missing : json.get<double>();
}

VectorX numbers(const Json& json, std::size_t count) {
  if (json.size() != count) throw Json::type_error::create(302, "length", nullptr);
  VectorX values(static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < count; ++i) {
    values(static_cast<Eigen::Index>(i)) = number(json.at(i), std::nan(""));
  }
  return values;
}

OptimizationPoint point_of(const Json& json, const OptimizationSettings& settings) {
  const std::size_t variables = settings.variables.size(), limits = settings.constraints.size();
  OptimizationPoint point;
  point.variables = numbers(json.at("variables"), variables);
  point.constraints = numbers(json.at("constraints"), limits);
  point.objective = number(json.at("objective"), std::nan(""));
  point.violation = number(json.at("violation"), std::numeric_limits<double>::infinity());
  const Json& rows = json.at("gradients");
  if (rows.empty()) return point;
  if (rows.size() != 1 + limits) throw Json::type_error::create(302, "gradients", nullptr);
  point.gradients.resize(static_cast<Eigen::Index>(rows.size()),
                         static_cast<Eigen::Index>(variables));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    point.gradients.row(static_cast<Eigen::Index>(i)) = numbers(rows.at(i), variables).transpose();
  }
  point.has_tangents = json.at("sensitivities").get<bool>();
  return point;
}

}  // namespace

std::string write_trials(const std::string& folder, const Optimization& optimization,
                         const OptimizationResult& result) {
  const auto list = [](const auto& values) {
    Json json = Json::array();
    for (const double value : values) json.push_back(finite_or_null(value));
    return json;
  };
  Json trials = Json::array();
  for (const OptimizationPoint& point : result.evaluations) {
    Json gradients = Json::array();
    for (Eigen::Index i = 0; i < point.gradients.rows(); ++i) {
      gradients.push_back(list(VectorX(point.gradients.row(i).transpose())));
    }
    trials.push_back({{"variables", list(point.variables)},
                      {"objective", finite_or_null(point.objective)},
                      {"violation", finite_or_null(point.violation)},
                      {"constraints", list(point.constraints)},
                      {"gradients", gradients},
                      {"sensitivities", point.has_tangents}});
  }
  std::string path = path_of(folder, optimization.settings());
  const Json all{
      {"format", kTrialsFormat}, {"inputs", inputs_of(optimization)}, {"trials", trials}};
  write_file_atomically(path, to_text(all) + '\n');
  return path;
}

std::vector<OptimizationPoint> read_trials(const std::string& folder,
                                           const Optimization& optimization) {
  const std::string path = path_of(folder, optimization.settings());
  if (!std::filesystem::exists(path)) return {};
  const auto fail = [&](const std::string& what) { throw IoError('\'' + path + "' " + what); };
  const Json all = parse_json(read_whole_file(path));
  std::vector<OptimizationPoint> points;
  try {
    if (!all.is_object() || all.at("format") != kTrialsFormat) {
      fail("is damaged: it holds no evaluations; search again without --resume");
    }
    if (all.at("inputs") != inputs_of(optimization)) {
      throw DomainError('\'' + path +
                        "' is of another search: a file or a key is not what it was, and only "
                        "'max_evaluations' may change; undo that, or search again without "
                        "--resume");
    }
    for (const Json& json : all.at("trials")) {
      points.push_back(point_of(json, optimization.settings()));
    }
  } catch (const Json::exception&) {
    fail("is damaged: an evaluation is incomplete; search again without --resume");
  }
  return points;
}

}  // namespace spacedyn
