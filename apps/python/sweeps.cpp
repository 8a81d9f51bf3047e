#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "spacedyn/study/linear_covariance.hpp"
#include "spacedyn/study/sweep_run.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

/// Ends a sweep on Ctrl-C, and keeps rows unless a file does.
class SweepKeeper final : public SweepObserver {
 public:
  explicit SweepKeeper(bool keeps) : keeps_(keeps) {}

  void on_row(const SweepRow& row) override {
    if (keeps_) rows.push_back(row);
  }
  bool on_progress(const SweepProgress& /*progress*/) override {
    if (interpreter_ends()) return false;
    const py::gil_scoped_acquire lock;
    is_interrupted = PyErr_CheckSignals() != 0;
    return !is_interrupted;
  }

  std::vector<SweepRow> rows;
  bool is_interrupted = false;

 private:
  bool keeps_;
};

template <typename Number, typename Of>
py::array_t<Number> column(const std::vector<SweepRow>& rows, const Of& of) {
  py::array_t<Number> numbers(static_cast<py::ssize_t>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    numbers.mutable_at(static_cast<py::ssize_t>(i)) = static_cast<Number>(of(rows[i]));
  }
  return numbers;
}

/// The data sets of a result by their path.
py::dict table_of(const std::vector<SweepRow>& rows, const std::vector<std::string>& parameters,
                  const std::vector<std::string>& collected) {
  py::dict table;
  table["run"] = column<std::int64_t>(rows, [](const SweepRow& row) { return row.row; });
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    table[py::str("parameters/" + parameters[k])] =
        column<double>(rows, [k](const SweepRow& row) { return row.draw.parameters[k]; });
  }
  for (std::size_t k = 0; k < collected.size(); ++k) {
    table[py::str("collected/" + collected[k])] =
        column<double>(rows, [k](const SweepRow& row) { return row.collected[k]; });
  }
  table["seed"] = column<std::uint64_t>(rows, [](const SweepRow& row) { return row.draw.seed; });
  table["status"] = column<int>(rows, [](const SweepRow& row) { return row.status; });
  py::list messages;
  for (const SweepRow& row : rows) messages.append(row.message);
  table["message"] = messages;
  table["wall_seconds"] =
      column<double>(rows, [](const SweepRow& row) { return row.wall_seconds; });
  return table;
}

py::dict fly_sweep(const PathArgument& path, const std::vector<Override>& overrides, int threads,
                   const std::vector<long>& rows, const std::string& folder, bool resume) {
  SweepKeeper keeper(folder.empty());
  std::vector<std::string> parameters, collected;
  {
    const Unlocked unlocked;
    const Sweep sweep = Sweep::load(path.text, overrides);
    for (const SweepParameter& each : sweep.settings().parameters) parameters.push_back(each.key);
    for (const SweepCollect& each : sweep.settings().collect) collected.push_back(each.name);
    const SweepOptions options{threads, &keeper, rows};
    if (folder.empty()) {
      run_sweep(sweep, options);
    } else {
      run_sweep_into(folder, sweep, resume, options);
      if (!keeper.is_interrupted) keeper.rows = read_sweep_table(sweep_file(folder, sweep)).flown;
    }
  }
  if (keeper.is_interrupted) throw py::error_already_set();
  std::sort(keeper.rows.begin(), keeper.rows.end(),
            [](const SweepRow& a, const SweepRow& b) { return a.row < b.row; });
  return table_of(keeper.rows, parameters, collected);
}

py::dict read_table(const PathArgument& path) {
  SweepTable table;
  std::vector<std::string> parameters, collected;
  {
    const Unlocked unlocked;
    table = read_sweep_table(path.text);
  }
  for (const Column& each : table.parameters) parameters.push_back(each.name);
  for (const Column& each : table.collected) collected.push_back(each.name);
  return table_of(table.flown, parameters, collected);
}

py::dict states_of(const ScenarioSensitivities& sensitivities) {
  py::list by;
  for (const MatrixX& each : sensitivities.by) by.append(to_array(each));
  py::dict states;
  states["states"] = sensitivities.states;
  states["time"] = sensitivities.times;
  states["by"] = by;
  states["evaluations"] = sensitivities.evaluations;
  return states;
}

py::dict linear_sweep(const PathArgument& path, const std::vector<Override>& overrides) {
  LinearCovariance result;
  std::vector<std::string> parameters, collected;
  {
    const Unlocked unlocked;
    const Sweep sweep = Sweep::load(path.text, overrides);
    for (const SweepParameter& each : sweep.settings().parameters) parameters.push_back(each.key);
    for (const SweepCollect& each : sweep.settings().collect) collected.push_back(each.name);
    result = linear_covariance(sweep);
  }
  py::dict answer = states_of(result.states);
  answer["parameters"] = parameters;
  answer["collected"] = collected;
  answer["means"] = to_array(result.means);
  answer["parameter_covariance"] = to_array(result.parameters);
  answer["values"] = result.collected;
  answer["gradient"] = to_array(result.by);
  answer["covariance"] = to_array(result.covariance);
  answer["state_deviations"] = to_array(result.state_deviations);
  return answer;
}

py::dict sensitivities(const PathArgument& path, const std::vector<std::string>& keys,
                       const std::vector<Override>& overrides) {
  ScenarioSensitivities result;
  {
    const Unlocked unlocked;
    result = scenario_sensitivities(path.text, keys, overrides);
  }
  return states_of(result);
}

}  // namespace

void bind_sweeps(py::module_& m) {
  m.def("linear_sweep", &linear_sweep, py::arg("path"), py::arg("overrides"),
        "Derivatives of one flight and what a sweep makes of them. See "
        "spacedyn.linear_covariance().");
  m.def("scenario_sensitivities", &sensitivities, py::arg("path"), py::arg("keys"),
        py::arg("overrides"), "Derivatives of a flight. See spacedyn.sensitivities().");
  m.def("fly_sweep", &fly_sweep, py::arg("path"), py::arg("overrides"), py::arg("threads"),
        py::arg("rows"), py::arg("folder"), py::arg("resume"),
        "Flies a sweep. See spacedyn.sweep().");
  m.def("read_sweep_table", &read_table, py::arg("path"),
        "Reads the result of a sweep. See spacedyn.load_sweep().");
}

}  // namespace spacedyn::python
