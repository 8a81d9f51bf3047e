#include <pybind11/stl.h>

#include <chrono>
#include <filesystem>

#include "flights.hpp"
#include "instants.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/reporting/convert.hpp"
#include "spacedyn/reporting/derived_series.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/scenario/result_report.hpp"
#include "spacedyn/scenario/run_watches.hpp"
#include "unlocked.hpp"
#include "worst_instants.hpp"

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
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::vector<double> numbers_;
};

/// Lets Python watch a run that goes on without its lock: outputs, progress, interrupts.
class Watcher final : public SimulationObserver {
 public:
  Watcher(Recorder& recorder, RunWatches& watches, SharedObject observer, SharedObject progress)
      : recorder_(recorder),
        watches_(watches),
        observer_(std::move(observer)),
        progress_(std::move(progress)) {}

  void on_output(const SimulationPoint& point) override {
    watches_.see(point);
    recorder_.on_output(point);
    last_state_ = point.state;
    if (!observer_) return;
    const py::gil_scoped_acquire lock;
    if (call_with(*observer_, point).is(py::bool_(false))) goes_on_ = false;
  }
  void on_event(const EventRecord& event) override { events_.push_back(event); }
  bool on_step(double time, const IntegratorStatistics& statistics) override {
    time_ = time;
    statistics_ = statistics;
    return goes_on_;
  }
  bool may_end_inside_steps() override { return true; }
  /// Ctrl-C ends the run as an exception from here.
  bool must_end_now() override {
    if (!goes_on_ || interpreter_ends()) return true;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return false;
    last_ = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (progress_) (*progress_)(time_);
    return false;
  }

  /// Where the run is when an exception ends it: at its last output.
  const State& last_state() const { return last_state_; }
  const IntegratorStatistics& statistics() const { return statistics_; }
  const std::vector<EventRecord>& events() const { return events_; }

 private:
  Recorder& recorder_;
  RunWatches& watches_;
  State last_state_;
  IntegratorStatistics statistics_;
  std::vector<EventRecord> events_;
  SharedObject observer_, progress_;
  Clock::time_point last_ = Clock::now();
  double time_ = 0.0;
  bool goes_on_ = true;
};

SharedObject keep_unless_none(const py::object& object) {
  return object.is_none() ? nullptr : keep(object);
}

RunFacts facts_of(const Flight& flight) {
  RunFacts facts;
  const ConservationAudit& audit = flight.result.audit;
  facts.scenario = flight.scenario->name;
  facts.status = flight.result.interrupted ? "interrupted" : "complete";
  facts.duration = flight.scenario->duration;
  facts.time = flight.result.time;
  facts.momentum_drift = audit.momentum_drift();
  facts.energy_residual = audit.energy_residual();
  facts.attitude_error = audit.attitude_error();
  facts.worst_momentum = audit.worst_momentum();
  facts.worst_energy = audit.worst_energy();
  facts.sources_of_energy = flight.result.sources;
  facts.events = flight.result.events;
  facts.stopped_by = flight.result.stopped_by;
  return facts;
}

/// What is known of a run that an exception ends: its rows and events until then.
void keep_part(const RowStore& rows, const Watcher& watcher, Flight& flight) {
  SimulationResult& result = flight.result;
  result.interrupted = true;
  result.state = watcher.last_state();
  result.statistics = watcher.statistics();
  result.events = watcher.events();
  flight.numbers = rows.numbers();
  result.time = flight.last_time();
}

/// Whether it is that of Ctrl-C.
bool is_interrupt(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const py::error_already_set& error) {
    return error.matches(PyExc_KeyboardInterrupt);
  } catch (...) {
    return false;
  }
}

/// @param partial  takes the flight if an exception ends it
std::shared_ptr<Flight> fly(const std::shared_ptr<Scenario>& scenario, const py::object& observer,
                            const py::object& progress, const py::object& partial) {
  auto flight = std::make_shared<Flight>();
  // later changes of the scenario are not those of this run
  flight->scenario = std::make_shared<const Scenario>(*scenario);
  for (const Diagnostic& warning : scenario->warnings) {
    flight->warnings.push_back(to_string(warning));
  }
  const SharedObject watching = keep_unless_none(observer), telling = keep_unless_none(progress);
  std::exception_ptr failure;
  {
    const Unlocked unlocked;
    const Scenario& flown = *flight->scenario;
    const Clock::time_point start = Clock::now();
    Simulator simulator(flown.setup);
    RowLayout layout(flown.setup, flown.initial, flown.channels);
    RowStore store;
    Recorder recorder(layout, store);
    RunWatches watches(flown);
    Watcher watcher(recorder, watches, watching, telling);
    flight->columns = layout.columns();
    try {
      flight->result = simulator.run(flown.initial, flown.duration, flown.output_interval, watcher);
      flight->numbers = std::move(store.numbers());
      for (std::string& text : watches.warnings(flight->result)) {
        flight->warnings.push_back(std::move(text));
      }
    } catch (...) {
      failure = std::current_exception();
      keep_part(store, watcher, *flight);
    }
    flight->facts = facts_of(*flight);
    flight->facts.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }
  if (failure) {
    RunFacts& facts = flight->facts;
    facts.status = to_string(is_interrupt(failure) ? RunStatus::interrupted : RunStatus::failed);
    facts.momentum_drift = facts.energy_residual = facts.attitude_error = std::nullopt;
    facts.worst_momentum = facts.worst_energy = std::nullopt;
    if (!partial.is_none()) partial.attr("append")(flight);
    std::rethrow_exception(failure);
  }
  return flight;
}

/// Columns of each recorded channel, by position.
std::map<std::string, std::vector<std::size_t>> columns_by_channel(const Flight& flight) {
  if (!flight.scenario) return flight.channels;
  std::map<std::string, std::vector<std::size_t>> all;
  for (const Channel channel : flight.scenario->channels) {
    const RowLayout layout(flight.scenario->setup, flight.scenario->initial, {channel});
    std::vector<std::size_t>& indices = all[std::string(to_string(channel))];
    for (const Column& column : layout.columns()) {
      for (std::size_t i = 1; i < flight.columns.size(); ++i) {
        if (flight.columns[i].name == column.name) indices.push_back(i);
      }
    }
  }
  return all;
}

std::string page_of(const Flight& flight) {
  const ResultTable table = table_of(flight);
  if (!flight.scenario) return html_report({report_data(table)});
  const Scenario& scenario = *flight.scenario;
  ReportData report = report_data(table, *scenario.setup.model);
  add_meshes(report, *scenario.setup.model, folders_of(scenario.sources));
  add_limits(report, scenario.checks);
  add_scenario(report, scenario);
  return html_report({report});
}

const Scenario& scenario_of(const Flight& flight) {
  if (flight.scenario) return *flight.scenario;
  throw DomainError("the file '" + flight.path + "' does not say what was flown");
}

/// Nothing of a result that was read from a file.
std::optional<long> counted(const Flight& flight, long IntegratorStatistics::*count) {
  if (!flight.path.empty()) return std::nullopt;
  return flight.result.statistics.*count;
}

State final_state_of(const Flight& flight) {
  if (flight.path.empty() || flight.has_final_state) return flight.result.state;
  throw DomainError("a result from a file has rows, but no final state");
}

void bind_audit(py::class_<Flight, std::shared_ptr<Flight>>& flight) {
  const auto add = [&](const char* name, std::optional<double> RunFacts::*value, const char* doc) {
    flight.def_property_readonly(
        name, [value](const Flight& f) { return f.facts.*value; }, doc);
  };
  add("momentum_drift", &RunFacts::momentum_drift,
      "largest error of linear or angular momentum, relative");
  add("energy_residual", &RunFacts::energy_residual, "largest |E − E(0) − W + D|, relative");
  add("attitude_error", &RunFacts::attitude_error, "largest |A_0 A_0ᵀ − E|");
  add("wall_seconds", &RunFacts::wall_seconds, "elapsed time, s");
  const auto add_worst = [&](const char* name, std::optional<WorstInstant> RunFacts::*value,
                             const char* doc) {
    flight.def_property_readonly(
        name, [value](const Flight& f) { return dict_of(f.facts.*value); }, doc);
  };
  add_worst("worst_momentum", &RunFacts::worst_momentum,
            "when momentum_drift was largest (time), and the step (from, to) in which it grew most "
            "(growth), with the event, source or body at work then (cause); None without drift");
  add_worst("worst_energy", &RunFacts::worst_energy, "likewise of energy_residual");
  flight.def_property_readonly(
      "status", [](const Flight& f) { return f.facts.status; },
      "complete, interrupted, failed, or running of a file whose run was killed");
  flight.def_property_readonly(
      "warnings", [](const Flight& f) { return f.warnings; }, "what gives reason to doubt");
  flight.def_property_readonly(
      "steps", [](const Flight& f) { return counted(f, &IntegratorStatistics::steps); },
      "accepted");
  flight.def_property_readonly(
      "rejected", [](const Flight& f) { return counted(f, &IntegratorStatistics::rejected); },
      "rejected steps");
  flight.def_property_readonly(
      "evaluations", [](const Flight& f) { return counted(f, &IntegratorStatistics::evaluations); },
      "of the equations of motion");
  flight.def_property_readonly(
      "interrupted", [](const Flight& f) { return f.facts.status == "interrupted"; },
      "whether an observer stopped it");
  flight.def_property_readonly(
      "stopped_by", [](const Flight& f) { return f.facts.stopped_by; },
      "the event that stopped it; empty if none did");
  flight.def_property_readonly(
      "events",
      [](const Flight& f) {
        py::list events;
        for (const EventRecord& event : f.facts.events) {
          events.append(py::make_tuple(event.time, event.name));
        }
        return events;
      },
      "(time, name) of each event that has happened");
}

constexpr std::optional<double> RunFacts::*kPickledFacts[] = {
    &RunFacts::duration,        &RunFacts::time,
    &RunFacts::wall_seconds,    &RunFacts::momentum_drift,
    &RunFacts::energy_residual, &RunFacts::attitude_error};

/// All but the scenario, which may hold functions of Python.
py::tuple state_of(const Flight& flight) {
  py::list columns, events, facts;
  for (const Column& c : flight.columns) {
    columns.append(py::make_tuple(c.name, c.unit, c.dataset, c.index, c.frame, c.frequency));
  }
  for (const EventRecord& event : flight.facts.events) {
    events.append(py::make_tuple(event.time, event.name));
  }
  for (const auto fact : kPickledFacts) facts.append(flight.facts.*fact);
  const VectorX numbers = Eigen::Map<const VectorX>(
      flight.numbers.data(), static_cast<Eigen::Index>(flight.numbers.size()));
  const bool has_final_state = flight.path.empty() || flight.has_final_state;
  const py::object final_state =
      has_final_state ? py::cast(flight.result.state) : py::object(py::none());
  return py::make_tuple(flight.facts.scenario, flight.facts.status, flight.facts.stopped_by,
                        columns, to_array(numbers), columns_by_channel(flight), events, facts,
                        flight.warnings, dict_of(flight.facts.worst_momentum),
                        dict_of(flight.facts.worst_energy), final_state);
}

std::shared_ptr<Flight> flight_from(const py::tuple& state) {
  auto flight = std::make_shared<Flight>();
  flight->path = "<pickle>";
  flight->facts.scenario = state[0].cast<std::string>();
  flight->facts.status = state[1].cast<std::string>();
  flight->facts.stopped_by = state[2].cast<std::string>();
  for (const py::handle item : state[3]) {
    const auto c = py::reinterpret_borrow<py::tuple>(item);
    flight->columns.push_back({c[0].cast<std::string>(), c[1].cast<std::string>(),
                               c[2].cast<std::string>(), c[3].cast<int>(), c[4].cast<std::string>(),
                               c[5].cast<double>()});
  }
  const VectorX numbers = read_vector({state[4]}, -1, "numbers", Numbers::any);
  flight->numbers.assign(numbers.data(), numbers.data() + numbers.size());
  flight->channels = state[5].cast<std::map<std::string, std::vector<std::size_t>>>();
  for (const py::handle item : state[6]) {
    const auto event = py::reinterpret_borrow<py::tuple>(item);
    flight->facts.events.emplace_back();
    flight->facts.events.back().time = event[0].cast<double>();
    flight->facts.events.back().name = event[1].cast<std::string>();
  }
  std::size_t i = 0;
  for (const auto fact : kPickledFacts) {
    flight->facts.*fact = state[7][py::int_(i++)].cast<std::optional<double>>();
  }
  flight->warnings = state[8].cast<std::vector<std::string>>();
  flight->facts.worst_momentum = worst_from(state[9]);
  flight->facts.worst_energy = worst_from(state[10]);
  flight->has_final_state = !state[11].is_none();
  if (flight->has_final_state) flight->result.state = state[11].cast<State>();
  return flight;
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
  flight.def(
      "derived",
      [](const Flight& f) {
        py::list list;
        for (const ReportSeries& series : derived_series(table_of(f))) {
          list.append(
              py::make_tuple(series.derived, series.label, series.unit, to_array(series.values)));
        }
        return list;
      },
      "(name, label, unit, values) of each series that follows from the columns");
  flight.def_property_readonly("channels", &columns_by_channel, "columns of each channel");
  flight.def_property_readonly("final_state", &final_state_of,
                               "a copy; of a failed run that of its last row");
  flight.def_property_readonly(
      "time", [](const Flight& f) { return f.facts.time.value_or(f.last_time()); }, "reached, s");
  flight.def_property_readonly(
      "name", [](const Flight& f) { return f.facts.scenario; }, "of the scenario");
  flight.def_property_readonly(
      "scenario", [](const Flight& f) { return std::make_shared<Scenario>(scenario_of(f)); },
      "the Scenario as it was flown");
  bind_audit(flight);
  flight.def(py::pickle(&state_of, &flight_from));
  flight.def("page", &page_of, "The run as a self-contained HTML page.");
  flight.def(
      "save",
      [](const Flight& f, const PathArgument& path) {
        ResultTable table = table_of(f);
        table.warnings = f.warnings;
        write_result(path.text, table);
        const bool is_csv = std::filesystem::path(path.text).extension() == ".csv";
        if (is_csv) write_metadata_of(path.text, table);
      },
      py::arg("path"), "Writes .h5, .csv with its metadata, or .mat.");
  m.def("fly", &fly, py::arg("scenario"), py::arg("observer") = py::none(),
        py::arg("progress") = py::none(), py::arg("partial") = py::none(),
        "Flies a scenario; the interpreter is free meanwhile. See spacedyn.simulate().\n\n"
        "If an exception ends it, the list `partial` takes the Flight until then.");
  bind_stored_results(m);
  bind_stepped_runs(m);
  wait_at_the_end();
}

}  // namespace spacedyn::python
