#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "optimization/evaluator.hpp"
#include "optimization/search_page.hpp"
#include "optimization/searches.hpp"
#include "optimization/trials.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/singular_values.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn {
namespace {

/// Constraints that are nearer to their limit act on the minimum, in units of their tolerance.
constexpr double kActive = 100.0;
constexpr double kAtBound = 1e-9;  // in scaled variables
constexpr double kRankTolerance = 1e-10;

/// Norm of the gradient of the Lagrangian over free variables, with the multipliers for which it
/// is least.
double lagrangian_norm(Evaluator& evaluator, const OptimizationSettings& settings) {
  const VectorX z = evaluator.best_z();
  const OptimizationPoint point = evaluator.best();
  const MatrixX gradients = evaluator.gradients(z);
  const VectorX lower = evaluator.lower(), upper = evaluator.upper();
  VectorX free = VectorX::Ones(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (z(i) - lower(i) <= kAtBound || upper(i) - z(i) <= kAtBound) free(i) = 0.0;
  }
  std::vector<Eigen::Index> active;
  for (std::size_t i = 0; i < settings.constraints.size(); ++i) {
    const OptimizationConstraint& own = settings.constraints[i];
    const double value = point.constraints(static_cast<Eigen::Index>(i));
    const double margin = std::min(std::abs(own.upper - value), std::abs(value - own.lower));
    if (margin <= kActive * settings.tolerance * std::max(1.0, std::abs(value))) {
      active.push_back(static_cast<Eigen::Index>(i));
    }
  }
  const VectorX gradient = free.cwiseProduct(gradients.row(0).transpose());
  if (active.empty()) return gradient.norm();
  const auto count = static_cast<Eigen::Index>(active.size());
  MatrixX normals(z.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    normals.col(k) =
        free.cwiseProduct(gradients.row(1 + active[static_cast<std::size_t>(k)]).transpose());
  }
  SingularValues decomposition(static_cast<int>(z.size()), static_cast<int>(count));
  decomposition.matrix() = normals;
  decomposition.decompose_relative(kRankTolerance);
  VectorX multipliers(count);
  decomposition.solve(-gradient, 0.0, multipliers);
  return (gradient + normals * multipliers).norm();
}

/// Instants and channels at most of what pages show.
constexpr int kShownInstants = 400;
constexpr std::size_t kMostCurves = 12;

/// Flies the start and the best point again, for the channels of goals and constraints.
std::vector<OptimizationCurve> fly_curves(const Optimization::Implementation& optimization,
                                          const SearchOptions& options, const VectorX& best) {
  const OptimizationSettings& settings = optimization.settings;
  CollectPlan plan(optimization.family->original());
  std::vector<OptimizationCurve> curves;
  const auto add = [&](SweepCollect collect) {
    std::string channel = collect.channel;
    if (collect.component > 0) channel += ' ' + std::to_string(collect.component);
    const bool is_known =
        std::any_of(curves.begin(), curves.end(),
                    [&](const OptimizationCurve& own) { return own.channel == channel; });
    if (channel.empty() || is_known || curves.size() == kMostCurves) return;
    if (plan.add(collect).empty()) curves.push_back({channel, collect.unit, {}, {}});
  };
  for (const OptimizationGoal& goal : settings.goals) add(goal.collect);
  for (const OptimizationConstraint& constraint : settings.constraints) add(constraint.collect);
  if (curves.empty()) return curves;
  const auto fly = [&](const VectorX& point, OptimizationCurve::Flight OptimizationCurve::*flight) {
    const double duration =
        optimization.family->variant(overrides_of(settings.variables, point)).duration;
    std::vector<double> times;
    for (int i = 0; i <= kShownInstants; ++i) times.push_back(duration * i / kShownInstants);
    Trials trials({*optimization.family, plan, times}, settings.variables, options,
                  [] { return std::pair(0, std::nan("")); });
    const SweepRow row = trials.fly({point}).front();
    for (std::size_t k = 0; k < curves.size(); ++k) {
      OptimizationCurve::Flight& own = curves[k].*flight;
      own.times = times;
      own.values = VectorX::Constant(kShownInstants + 1, std::nan(""));
      if (row.has_failed()) continue;
      for (std::size_t i = 0; i < times.size(); ++i) {
        own.values(static_cast<Eigen::Index>(i)) = row.collected[i * curves.size() + k];
      }
    }
  };
  fly(numbers_of(settings.variables, &ScenarioVariable::start), &OptimizationCurve::start);
  fly(best, &OptimizationCurve::best);
  return curves;
}

}  // namespace

OptimizationResult run_optimization(const Optimization& optimization, const SearchOptions& options,
                                    const std::vector<OptimizationPoint>& known) {
  const OptimizationSettings& settings = optimization.settings();
  Evaluator evaluator(optimization.implementation(), options, known);
  OptimizationResult result;
  const bool takes_gradients =
      settings.method != OptimizationMethod::bobyqa && settings.method != OptimizationMethod::cmaes;
  try {
    if (takes_gradients && settings.derivatives != SearchDerivatives::finite_differences) {
      evaluator.gradients(evaluator.start());
    }
    if (!std::isfinite(evaluator.at(evaluator.start()).objective)) refuse_start(evaluator.why());
    const SearchEnd end =
        settings.method == OptimizationMethod::cmaes   ? minimize_with_cmaes(evaluator, settings)
        : settings.method == OptimizationMethod::ipopt ? minimize_with_ipopt(evaluator, settings)
                                                       : minimize_with_nlopt(evaluator, settings);
    result.gradient_norm = lagrangian_norm(evaluator, settings);
    result.curves = fly_curves(optimization.implementation(), options, evaluator.best().variables);
    result.message = end.message;
    result.converged = end.converged && evaluator.best().violation <= settings.tolerance;
    if (end.converged && !result.converged) {
      result.message = "constraints are violated beyond the tolerance at the end";
    }
  } catch (const SearchInterrupted&) {
    result.interrupted = true;
    result.message = kInterrupted;
    result.gradient_norm = std::nan("");
  }
  result.best = evaluator.best();
  if (result.best.variables.size() == 0) {
    result.best.variables = evaluator.unscaled(evaluator.start());
    result.best.constraints =
        VectorX::Constant(static_cast<Eigen::Index>(settings.constraints.size()), std::nan(""));
  }
  result.evaluations = evaluator.history();
  result.derivatives = evaluator.derivatives().text();
  result.progress = evaluator.progress();
  return result;
}

// What an optimization says, as JSON and as files.

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

// What an optimization keeps of its evaluations, so that another one can go on from them.

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
