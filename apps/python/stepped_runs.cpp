#include <pybind11/stl.h>

#include <atomic>

#include "flights.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/scenario/simulation.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

/// A Simulation that one thread at a time uses; the lock of the interpreter is free meanwhile.
class SteppedRun {
 public:
  explicit SteppedRun(const Scenario& scenario) {
    const Unlocked unlocked;
    simulation_.emplace(scenario);
  }

  template <typename Function>
  auto use(const Function& function) {
    if (is_busy_.exchange(true)) throw DomainError("this simulation is in use by another call");
    struct End {
      std::atomic<bool>& is_busy;
      ~End() { is_busy = false; }
    } end{is_busy_};
    return function(*simulation_);
  }

 private:
  std::optional<Simulation> simulation_;
  std::atomic<bool> is_busy_ = false;
};

using StepClass = py::class_<SteppedRun, std::shared_ptr<SteppedRun>>;

/// A property that a function makes of the Simulation.
template <typename Function>
void add_property(StepClass& type, const char* name, const Function& function, const char* doc) {
  type.def_property_readonly(
      name, [function](SteppedRun& run) { return run.use(function); }, doc);
}

void reset(SteppedRun& run, const std::optional<std::uint64_t>& seed, const State* initial) {
  run.use([&](Simulation& simulation) {
    const Scenario& scenario = simulation.scenario();
    const State start = initial != nullptr ? *initial : scenario.initial;
    const Unlocked unlocked;
    simulation.reset(seed.value_or(scenario.setup.seed), start);
  });
}

void bind_actions(StepClass& type) {
  type.def("reset", &reset, py::arg("seed") = py::none(), py::arg("initial") = py::none(),
           "Begins again at t = 0, with the scenario's seed and state unless others are given.");
  type.def(
      "step",
      [](SteppedRun& run, double dt) {
        return run.use([&](Simulation& simulation) {
          const Unlocked unlocked;
          return simulation.step(dt);
        });
      },
      py::arg("dt"),
      "Advances by dt, s, at most to the end of the scenario or an event that stops it.\n\n"
      "Steps of equal dt end at multiples of it. Returns whether the run goes on.");
  type.def(
      "command",
      [](SteppedRun& run, const std::string& controller, const ArrayLike& values) {
        const VectorX torques = read_vector(values, -1, "values");
        run.use([&](Simulation& simulation) { simulation.command(controller, torques); });
      },
      py::arg("controller"), py::arg("values"),
      "Gives a controller of type external its torques, N m or N, from its next sample on.");
}

}  // namespace

void bind_stepped_runs(py::module_& m) {
  StepClass type(m, "SteppedRun",
                 "A scenario that is advanced from outside; see spacedyn.Simulation.");
  type.def(py::init<const Scenario&>(), py::arg("scenario"));
  bind_actions(type);
  add_property(
      type, "time", [](Simulation& s) { return s.time(); }, "s");
  add_property(
      type, "state", [](Simulation& s) { return State(s.state()); }, "a copy of the State");
  add_property(
      type, "values", [](Simulation& s) { return to_array(s.observe()); },
      "the row of results at this time, (columns,), a copy");
  add_property(
      type, "layout",
      [](Simulation& s) {
        py::list list;
        for (const Column& c : s.columns()) list.append(py::make_tuple(c.name, c.unit, c.dataset));
        return list;
      },
      "(name, unit, dataset) of each column");
  add_property(
      type, "events",
      [](Simulation& s) {
        py::list list;
        for (const EventRecord& event : s.events()) {
          list.append(py::make_tuple(event.time, event.name));
        }
        return list;
      },
      "(time, name) of each event until now");
  add_property(
      type, "is_over", [](Simulation& s) { return s.is_over(); },
      "whether the end is reached, or an event or a failure has stopped the run");
  add_property(
      type, "stopped_by", [](Simulation& s) { return s.result().stopped_by; },
      "of a run that is over: the event that stopped it; empty if none did");
  add_property(
      type, "momentum_drift", [](Simulation& s) { return s.result().audit.momentum_drift(); },
      "of a run that is over: largest error of linear or angular momentum, relative");
  add_property(
      type, "energy_residual", [](Simulation& s) { return s.result().audit.energy_residual(); },
      "of a run that is over: largest |E − E(0) − W + D|, relative");
}

}  // namespace spacedyn::python
