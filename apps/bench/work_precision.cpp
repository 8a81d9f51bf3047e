// Work against precision: flies scenarios by every method at several steps or tolerances and prints
// one line of CSV for each flight: once with the outputs of the scenario, once with its end only.
//
//     work_precision models/scenarios/ets7_coast.yaml … > work_precision.csv
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace {

using spacedyn::IntegrationMethod;

class Trajectory final : public spacedyn::SimulationObserver {
 public:
  void on_output(const spacedyn::SimulationPoint& point) override { states.push_back(point.state); }

  std::vector<spacedyn::State> states;
};

constexpr int kMostFlights = 9;
constexpr double kPatience = 0.3;  // s of the processor

/// A scenario with its outputs, or with one at its end only.
struct Task {
  spacedyn::Scenario scenario;
  bool with_outputs;

  double interval() const { return with_outputs ? scenario.output_interval : scenario.duration; }
  spacedyn::Simulator simulator(const spacedyn::IntegratorOptions& integrator) const {
    spacedyn::SimulationSetup setup = scenario.setup;
    setup.integrator = integrator;
    return spacedyn::Simulator(setup);
  }
};

std::vector<spacedyn::State> outputs(const Task& task,
                                     const spacedyn::IntegratorOptions& integrator) {
  Trajectory trajectory;
  const spacedyn::Scenario& scenario = task.scenario;
  task.simulator(integrator).run(scenario.initial, scenario.duration, task.interval(), trajectory);
  return trajectory.states;
}

struct Cost {
  double seconds = std::numeric_limits<double>::infinity();  // of the processor
  long evaluations = 0;
};

/// The best of some flights, for others disturb short ones.
Cost cost(const Task& task, const spacedyn::IntegratorOptions& integrator) {
  const spacedyn::Scenario& scenario = task.scenario;
  spacedyn::Simulator simulator = task.simulator(integrator);
  SimulationObserver observer;
  Cost best;
  double spent = 0.0;
  for (int i = 0; i < kMostFlights && spent < kPatience; ++i) {
    const std::clock_t start = std::clock();
    best.evaluations = simulator.run(scenario.initial, scenario.duration, task.interval(), observer)
                           .statistics.evaluations;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best.seconds = std::min(best.seconds, seconds);
    spent += seconds;
  }
  return best;
}

spacedyn::IntegratorOptions adaptive(IntegrationMethod method, double tolerance) {
  spacedyn::IntegratorOptions options;
  options.method = method;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = {tolerance, tolerance, tolerance, tolerance,
                                tolerance, tolerance, tolerance};
  return options;
}

/// Steps or tolerances from coarse to fine.
std::vector<spacedyn::IntegratorOptions> settings(IntegrationMethod method) {
  std::vector<spacedyn::IntegratorOptions> list;
  if (spacedyn::is_adaptive(method)) {
    for (int half_digits = 8; half_digits <= 24; ++half_digits) {
      list.push_back(adaptive(method, std::pow(10.0, -0.5 * half_digits)));
    }
    return list;
  }
  for (const double step : {0.1, 0.04, 0.02, 0.01, 0.004, 0.002}) {
    spacedyn::IntegratorOptions options;
    options.method = method;
    options.step = step;
    list.push_back(options);
  }
  return list;
}

double distance(const spacedyn::State& a, const spacedyn::State& b) {
  return std::max({(a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(), (a.q - b.q).norm(),
                   (a.velocity() - b.velocity()).norm()});
}

/// The largest at any output; not a number if one is not.
double distance(const std::vector<spacedyn::State>& a, const std::vector<spacedyn::State>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double here = distance(a.at(i), b[i]);
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

void print(const Task& task, const std::vector<spacedyn::State>& exact,
           const spacedyn::IntegratorOptions& options, const char* settings) {
  try {
    const double error = distance(outputs(task, options), exact);
    if (!std::isfinite(error)) return;
    const Cost best = cost(task, options);
    std::printf("%s,%s,%s,%s,%.3g,%.3g,%.4g,%ld\n", task.scenario.name.c_str(),
                task.with_outputs ? "all" : "end",
                std::string(spacedyn::to_string(options.method)).c_str(), settings,
                spacedyn::is_adaptive(options.method) ? options.relative_tolerance : options.step,
                error, best.seconds, best.evaluations);
    std::fflush(stdout);
  } catch (const spacedyn::Error&) {
    // the method does not fit the scenario, or the step is too large for it
  }
}

void compare(const Task& task) {
  const std::vector<spacedyn::State> exact =
      outputs(task, adaptive(IntegrationMethod::fehlberg78, 1e-13));
  print(task, exact, spacedyn::IntegratorOptions(), "default");
  for (const IntegrationMethod method : spacedyn::all_integration_methods()) {
    for (const spacedyn::IntegratorOptions& options : settings(method)) {
      print(task, exact, options, "");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::puts("scenario,outputs,method,settings,tolerance_or_step,error,processor_s,evaluations");
    for (const bool with_outputs : {true, false}) {
      for (int i = 1; i < argc; ++i) compare({spacedyn::load_scenario(argv[i]), with_outputs});
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "work_precision: %s\n", error.what());
    return 1;
  }
}
