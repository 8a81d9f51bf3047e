// Work against precision: flies scenarios by every method at several steps or tolerances and prints
// one line of CSV for each flight.
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

class NoObserver final : public spacedyn::SimulationObserver {
 public:
  void on_output(const spacedyn::SimulationPoint& /*point*/) override {}
};

constexpr int kMostFlights = 9;
constexpr double kPatience = 0.3;  // s of the processor

struct Flight {
  spacedyn::SimulationResult result;
  double seconds = 0.0;  // of the processor
};

Flight fly(const spacedyn::Scenario& scenario, const spacedyn::IntegratorOptions& integrator) {
  spacedyn::SimulationSetup setup = scenario.setup;
  setup.integrator = integrator;
  spacedyn::Simulator simulator(setup);
  NoObserver observer;
  Flight flight;
  flight.seconds = std::numeric_limits<double>::infinity();
  // the best of some, for others disturb short flights
  double spent = 0.0;
  for (int i = 0; i < kMostFlights && spent < kPatience; ++i) {
    const std::clock_t start = std::clock();
    flight.result = simulator.run(scenario.initial, scenario.duration, scenario.duration, observer);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    flight.seconds = std::min(flight.seconds, seconds);
    spent += seconds;
  }
  return flight;
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
    for (int digits = 4; digits <= 12; digits += 2) {
      list.push_back(adaptive(method, std::pow(10.0, -digits)));
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

void compare(const std::string& file) {
  const spacedyn::Scenario scenario = spacedyn::load_scenario(file);
  const spacedyn::State exact =
      fly(scenario, adaptive(IntegrationMethod::fehlberg78, 1e-13)).result.state;
  for (const IntegrationMethod method : spacedyn::all_integration_methods()) {
    for (const spacedyn::IntegratorOptions& options : settings(method)) {
      try {
        const Flight flight = fly(scenario, options);
        const double error = distance(flight.result.state, exact);
        if (!std::isfinite(error)) continue;
        std::printf("%s,%s,%g,%.3g,%.4g,%ld\n", scenario.name.c_str(),
                    std::string(spacedyn::to_string(method)).c_str(),
                    spacedyn::is_adaptive(method) ? options.relative_tolerance : options.step,
                    error, flight.seconds, flight.result.statistics.evaluations);
      } catch (const spacedyn::Error&) {
        continue;  // the method does not fit the scenario, or the step is too large for it
      }
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::puts("scenario,method,setting,error,processor_s,evaluations");
    for (int i = 1; i < argc; ++i) compare(argv[i]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "work_precision: %s\n", error.what());
    return 1;
  }
}
