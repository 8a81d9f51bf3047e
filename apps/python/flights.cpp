#include <pybind11/stl.h>

#include <chrono>

#include "instants.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/reporting/convert.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/scenario/result_report.hpp"

namespace spacedyn::python {
namespace {

using Clock = std::chrono::steady_clock;

/// Rows in memory, one behind the other.
class RowStore final : public RowSink {
 public:
  void write(ConstVectorRef row) override {
    numbers_.insert(numbers_.end(), row.begin(), row.end());
  }
  void flush() override {}
  std::vector<double>& numbers() { return numbers_; }

 private:
  std::vector<double> numbers_;
};

/// A run that has ended, with all that was recorded.
struct Flight {
  std::shared_ptr<const Scenario> scenario;
  std::vector<Column> columns;
  std::vector<double> numbers;  ///< row by row
  SimulationResult result;
  double wall_seconds = 0.0;
  py::ssize_t rows() const {
    return static_cast<py::ssize_t>(numbers.size() / std::max<std::size_t>(1, columns.size()));
  }
};

/// Lets Python watch a run that goes on without its lock: outputs, progress, interrupts.
class Watcher final : public SimulationObserver {
 public:
  Watcher(Recorder& recorder, SharedObject observer, SharedObject progress)
      : recorder_(recorder), observer_(std::move(observer)), progress_(std::move(progress)) {}

  void on_output(const SimulationPoint& point) override {
    recorder_.on_output(point);
    if (!observer_) return;
    const py::gil_scoped_acquire lock;
    if (call_with(*observer_, point).is(py::bool_(false))) goes_on_ = false;
  }
  bool on_step(double time, const IntegratorStatistics&) override {
    time_ = time;
    return goes_on_;
  }
  bool may_end_inside_steps() override { return true; }
  /// Ctrl-C ends the run as an exception from here.
  bool must_end_now() override {
    if (!goes_on_) return true;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return false;
    last_ = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (progress_) (*progress_)(time_);
    return false;
  }

 private:
  Recorder& recorder_;
  SharedObject observer_, progress_;
  Clock::time_point last_ = Clock::now();
  double time_ = 0.0;
  bool goes_on_ = true;
};

SharedObject keep_unless_none(const py::object& object) {
  return object.is_none() ? nullptr : keep(object);
}

std::shared_ptr<Flight> fly(const std::shared_ptr<Scenario>& scenario, const py::object& observer,
                            const py::object& progress) {
  auto flight = std::make_shared<Flight>();
  // later changes of the scenario are not those of this run
  flight->scenario = std::make_shared<const Scenario>(*scenario);
  const SharedObject watching = keep_unless_none(observer), telling = keep_unless_none(progress);
  const py::gil_scoped_release unlocked;
  const Scenario& flown = *flight->scenario;
  const Clock::time_point start = Clock::now();
  Simulator simulator(flown.setup);
  RowLayout layout(flown.setup, flown.initial, flown.channels);
  RowStore store;
  Recorder recorder(layout, store);
  Watcher watcher(recorder, watching, telling);
  flight->columns = layout.columns();
  flight->result = simulator.run(flown.initial, flown.duration, flown.output_interval, watcher);
  flight->numbers = std::move(store.numbers());
  flight->wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return flight;
}

/// Columns of each recorded channel, by position.
py::dict columns_by_channel(const Flight& flight) {
  py::dict all;
  for (const Channel channel : flight.scenario->channels) {
    const RowLayout layout(flight.scenario->setup, flight.scenario->initial, {channel});
    py::list indices;
    for (const Column& column : layout.columns()) {
      if (column.name == flight.columns.front().name) continue;
      for (std::size_t i = 0; i < flight.columns.size(); ++i) {
        if (flight.columns[i].name == column.name) indices.append(i);
      }
    }
    all[py::str(std::string(to_string(channel)))] = indices;
  }
  return all;
}

/// The flight as result files are read back, for pages and files.
ResultTable table_of(const Flight& flight) {
  ResultTable table;
  table.path = flight.scenario->name;
  table.columns = flight.columns;
  table.values = Eigen::Map<const RowMatrixX>(flight.numbers.data(), flight.rows(),
                                              static_cast<Eigen::Index>(flight.columns.size()));
  RunFacts& facts = table.facts;
  facts.scenario = flight.scenario->name;
  facts.status = flight.result.interrupted ? "interrupted" : "complete";
  facts.duration = flight.scenario->duration;
  facts.time = flight.result.time;
  facts.wall_seconds = flight.wall_seconds;
  facts.momentum_drift = flight.result.audit.momentum_drift();
  facts.energy_residual = flight.result.audit.energy_residual();
  facts.attitude_error = flight.result.audit.attitude_error();
  facts.sources_of_energy = flight.result.sources;
  facts.events = flight.result.events;
  facts.stopped_by = flight.result.stopped_by;
  return table;
}

std::string page_of(const Flight& flight) {
  const ResultTable table = table_of(flight);
  const Scenario& scenario = *flight.scenario;
  ReportData report = report_data(table, *scenario.setup.model);
  add_meshes(report, *scenario.setup.model, folders_of(scenario.sources));
  add_limits(report, scenario.checks);
  add_scenario(report, scenario);
  return html_report({report});
}

void bind_audit(py::class_<Flight, std::shared_ptr<Flight>>& flight) {
  flight.def_property_readonly(
      "momentum_drift", [](const Flight& f) { return f.result.audit.momentum_drift(); },
      "largest error of linear or angular momentum, relative");
  flight.def_property_readonly(
      "energy_residual", [](const Flight& f) { return f.result.audit.energy_residual(); },
      "largest |E − E(0) − W + D|, relative");
  flight.def_property_readonly(
      "attitude_error", [](const Flight& f) { return f.result.audit.attitude_error(); },
      "largest |A_0 A_0ᵀ − E|");
  flight.def_property_readonly(
      "steps", [](const Flight& f) { return f.result.statistics.steps; }, "accepted");
  flight.def_property_readonly(
      "rejected", [](const Flight& f) { return f.result.statistics.rejected; }, "rejected steps");
  flight.def_property_readonly(
      "evaluations", [](const Flight& f) { return f.result.statistics.evaluations; },
      "of the equations of motion");
  flight.def_property_readonly(
      "wall_seconds", [](const Flight& f) { return f.wall_seconds; }, "elapsed time, s");
  flight.def_property_readonly(
      "interrupted", [](const Flight& f) { return f.result.interrupted; },
      "whether an observer stopped it");
  flight.def_property_readonly(
      "stopped_by", [](const Flight& f) { return f.result.stopped_by; },
      "the event that stopped it; empty if none did");
  flight.def_property_readonly(
      "events",
      [](const Flight& f) {
        py::list events;
        for (const EventRecord& event : f.result.events) {
          events.append(py::make_tuple(event.time, event.name));
        }
        return events;
      },
      "(time, name) of each event that has happened");
}

}  // namespace

void bind_simulation(py::module_& m) {
  py::class_<Flight, std::shared_ptr<Flight>> flight(m, "Flight",
                                                     "A run that has ended; see spacedyn.Result.");
  flight.def_property_readonly(
      "values",
      [](const py::object& self) -> Array {
        const auto& f = self.cast<const Flight&>();
        const auto columns = static_cast<py::ssize_t>(f.columns.size());
        constexpr py::ssize_t kNumber = sizeof(double);
        return view(f.numbers.data(), {f.rows(), columns}, {kNumber * columns, kNumber}, self,
                    false);
      },
      "(rows, columns), a read-only view");
  flight.def_property_readonly(
      "columns",
      [](const Flight& f) {
        py::list list;
        for (const Column& c : f.columns) list.append(py::make_tuple(c.name, c.unit, c.dataset));
        return list;
      },
      "(name, unit, dataset) of each column");
  flight.def_property_readonly("channels", &columns_by_channel, "columns of each channel");
  flight.def_property_readonly(
      "final_state", [](const Flight& f) { return State(f.result.state); }, "a copy");
  flight.def_property_readonly(
      "time", [](const Flight& f) { return f.result.time; }, "reached, s");
  flight.def_property_readonly(
      "scenario", [](const Flight& f) { return std::make_shared<Scenario>(*f.scenario); },
      "the Scenario as it was flown");
  bind_audit(flight);
  flight.def("page", &page_of, "The run as a self-contained HTML page.");
  flight.def(
      "save", [](const Flight& f, const std::string& path) { write_result(path, table_of(f)); },
      py::arg("path"), "Writes .h5, .csv or .mat.");
  m.def("fly", &fly, py::arg("scenario"), py::arg("observer") = py::none(),
        py::arg("progress") = py::none(),
        "Flies a scenario; the interpreter is free meanwhile. See spacedyn.simulate().");
}

}  // namespace spacedyn::python
