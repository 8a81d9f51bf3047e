#include <algorithm>

#include <fmt/format.h>

#include "inputs.hpp"
#include "interrupt.hpp"
#include "linear_answer.hpp"
#include "simulation_run.hpp"

namespace spacedyn::cli {
namespace {

/// One instant of a run.
struct Instant {
  double time;
  State state;
  VectorX acceleration;
  DiscreteState discrete;
};

/// Keeps the outputs of a run until it has enough of them.
class InstantKeeper final : public SimulationObserver {
 public:
  explicit InstantKeeper(std::size_t count) : count_(count) {}

  void on_output(const SimulationPoint& point) override {
    if (is_full()) return;
    instants.push_back({point.time, point.state, point.acceleration, point.discrete});
  }
  bool on_step(double, const IntegratorStatistics&) override {
    return !is_full() && !interrupt_requested();
  }
  bool is_full() const { return instants.size() == count_; }

  std::vector<Instant> instants;

 private:
  std::size_t count_;
};

/// The instants of some times, ascending and each once, all on one flight.
std::vector<Instant> fly(const Scenario& scenario, std::vector<double> times) {
  InstantKeeper keeper(times.size());
  if (times.back() == 0.0) times.push_back(scenario.duration);
  try {
    Simulator(scenario.setup).run(scenario.initial, times, keeper);
  } catch (const NumericalError& error) {
    throw Failure(ExitCode::integration_failed, error.what());
  }
  if (!keeper.is_full()) throw Failure(ExitCode::interrupted, "interrupted");
  return keeper.instants;
}

void check_times(const std::vector<double>& times, double duration) {
  for (const double time : times) {
    if (time >= 0.0 && time <= duration) continue;
    throw Failure(
        ExitCode::wrong_command_line,
        fmt::format("option '--time': {:g} s is not in the run, which goes from 0 to {:g} s", time,
                    duration));
  }
}

LinearPoint linear_point(const SimulationSetup& setup, const std::vector<Instant>& instants,
                         double time) {
  const auto at = std::find_if(instants.begin(), instants.end(),
                               [&](const Instant& instant) { return instant.time == time; });
  return {at->state, linearize(setup, at->state, time, at->acceleration, at->discrete)};
}

}  // namespace

LinearAnswer linearize_scenario(const LinearizeOptions& options, Console& console) {
  if (!options.state.empty()) {
    throw Failure(ExitCode::wrong_command_line, "a scenario has its own state",
                  "say where in its run with --time, or change its initial state with --set");
  }
  const Scenario scenario =
      read_scenario(options.file, parse_overrides(options.overrides), options.strict, console);
  std::vector<double> times = options.times;
  if (times.empty()) times.push_back(0.0);
  check_times(times, scenario.duration);
  std::vector<double> stops = times;
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  LinearAnswer answer{scenario.name, scenario.setup.model, {}};
  reading(options.file, [&] {
    const std::vector<Instant> instants = fly(scenario, stops);
    for (const double time : times) {
      answer.points.push_back(linear_point(scenario.setup, instants, time));
    }
  });
  return answer;
}

}  // namespace spacedyn::cli
