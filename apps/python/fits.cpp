#include <functional>

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "spacedyn/optimization/optimize.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

/// Ends a search on Ctrl-C.
class SearchKeeper final : public SearchObserver {
 public:
  bool on_progress(const SearchProgress& /*progress*/) override {
    if (interpreter_ends()) return false;
    const py::gil_scoped_acquire lock;
    is_interrupted = PyErr_CheckSignals() != 0;
    return !is_interrupted;
  }
  bool is_interrupted = false;
};

template <typename Subject, typename Result>
struct Search {
  std::optional<Subject> subject;
  Result result;
  std::vector<std::string> files;
};

/// Reads, searches and writes without the interpreter. @param folder  empty: writes nothing
template <typename Subject, typename Result>
Search<Subject, Result> search(
    const PathArgument& path, const std::vector<Override>& overrides, int threads,
    const std::string& folder,
    const std::function<Result(const Subject&, const SearchOptions&)>& run,
    std::vector<std::string> (*write)(const std::string&, const Subject&, const Result&)) {
  SearchKeeper keeper;
  Search<Subject, Result> done;
  {
    const Unlocked unlocked;
    done.subject.emplace(Subject::load(path.text, overrides));
    std::shared_ptr<const void> lock;
    if (!folder.empty()) lock = hold_directory(folder);
    done.result = run(*done.subject, {threads, &keeper});
    if (!folder.empty()) done.files = write(folder, *done.subject, done.result);
  }
  if (keeper.is_interrupted) throw py::error_already_set();
  return done;
}

py::list keys_of(const std::vector<ScenarioVariable>& variables) {
  py::list keys;
  for (const ScenarioVariable& each : variables) keys.append(each.key);
  return keys;
}

py::dict fit(const PathArgument& path, const std::vector<Override>& overrides, int threads,
             const std::string& folder) {
  const auto [loaded, result, files] =
      search<Fit, FitResult>(path, overrides, threads, folder, run_fit, &write_fit);
  const FitSettings& settings = loaded->settings();
  py::list undetermined;
  for (const std::size_t j : result.undetermined) undetermined.append(settings.parameters[j].key);
  py::dict columns;
  for (std::size_t k = 0; k < settings.columns.size(); ++k) {
    const FitColumn& column = settings.columns[k];
    py::dict samples;
    samples["time"] = py::array_t<double>(py::ssize_t(column.times.size()), column.times.data());
    samples["data"] = py::array_t<double>(py::ssize_t(column.values.size()), column.values.data());
    samples["model"] = to_array(result.model[k]);
    columns[py::str(column.name)] = samples;
  }
  py::list times, covariances;
  for (const FitCovariance& at : result.covariance_over_time) {
    times.append(at.time);
    covariances.append(to_array(at.matrix));
  }
  py::dict over_time;
  over_time["time"] = py::module_::import("numpy").attr("array")(times);
  over_time["covariance"] = py::module_::import("numpy").attr("array")(covariances);
  py::dict answer;
  answer["x"] = to_array(result.values);
  answer["keys"] = keys_of(settings.parameters);
  answer["fun"] = result.cost;
  answer["success"] = result.converged;
  answer["message"] = result.message;
  answer["nit"] = result.progress.iterations;
  answer["nfev"] = result.progress.flights;
  answer["cov"] = to_array(result.covariance);
  answer["standard_deviation"] = to_array(result.standard_deviations);
  answer["correlation"] = to_array(result.correlation);
  answer["not_determined"] = undetermined;
  answer["covariance_over_time"] = over_time;
  answer["columns"] = columns;
  answer["files"] = files;
  return answer;
}

py::dict optimize(const PathArgument& path, const std::vector<Override>& overrides, int threads,
                  const std::string& folder, bool resume) {
  const auto run = [&](const Optimization& optimization, const SearchOptions& options) {
    std::vector<OptimizationPoint> known;
    if (resume) known = read_trials(folder, optimization);
    return run_optimization(optimization, options, known);
  };
  const auto [loaded, result, files] = search<Optimization, OptimizationResult>(
      path, overrides, threads, folder, run, &write_optimization);
  const auto count = static_cast<Eigen::Index>(result.evaluations.size());
  VectorX objective(count), violation(count);
  MatrixX points(count, result.best.variables.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const OptimizationPoint& point = result.evaluations[static_cast<std::size_t>(i)];
    objective(i) = point.objective;
    violation(i) = point.violation;
    points.row(i) = point.variables.transpose();
  }
  py::dict answer;
  answer["x"] = to_array(result.best.variables);
  answer["keys"] = keys_of(loaded->settings().variables);
  answer["fun"] = result.best.objective;
  answer["success"] = result.converged;
  answer["message"] = result.message;
  answer["nit"] = count;
  answer["nfev"] = result.progress.flights;
  answer["constraints"] = to_array(result.best.constraints);
  answer["maxcv"] = result.best.violation;
  answer["gradient_norm"] = result.gradient_norm;
  answer["x_iters"] = to_array(points);
  answer["fun_iters"] = to_array(objective);
  answer["maxcv_iters"] = to_array(violation);
  py::dict curves;
  for (const OptimizationCurve& curve : result.curves) {
    const auto flight = [](const OptimizationCurve::Flight& own) {
      py::dict samples;
      samples["time"] = py::array_t<double>(py::ssize_t(own.times.size()), own.times.data());
      samples["value"] = to_array(own.values);
      return samples;
    };
    py::dict both;
    both["start"] = flight(curve.start);
    both["best"] = flight(curve.best);
    curves[py::str(curve.channel)] = both;
  }
  answer["curves"] = curves;
  answer["files"] = files;
  return answer;
}

}  // namespace

void bind_fits(py::module_& m) {
  m.def("fit", &fit, py::arg("path"), py::arg("overrides"), py::arg("threads"), py::arg("folder"),
        "Estimates numbers of a scenario. See spacedyn.fit().");
  m.def("optimize", &optimize, py::arg("path"), py::arg("overrides"), py::arg("threads"),
        py::arg("folder"), py::arg("resume"),
        "Optimizes numbers of a scenario. See spacedyn.optimize().");
}

}  // namespace spacedyn::python
