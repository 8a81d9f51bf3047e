// What the derivatives of a flight cost beside the flight.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "spacedyn/integration/sensitivities.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace {

using namespace spacedyn;

constexpr std::size_t kNumbers = 10;

const Scenario& slew() {
  static const Scenario scenario = load_scenario(SPACEDYN_MODELS "/scenarios/ets7_arm_slew.yaml");
  return scenario;
}

void flight(benchmark::State& run) {
  SimulationObserver observer;
  long evaluations = 0;
  for (auto _ : run) {
    evaluations = Simulator(slew().setup)
                      .run(slew().initial, slew().duration, slew().duration, observer)
                      .statistics.evaluations;
  }
  run.counters["evaluations"] = static_cast<double>(evaluations);
}

void differentiate(benchmark::State& run, const std::vector<FlightVariation>& variations) {
  SimulationObserver observer;
  long evaluations = 0;
  for (auto _ : run) {
    evaluations = fly_with_sensitivities(slew().setup, slew().initial,
                                         {slew().duration, slew().duration}, variations, observer)
                      .evaluations;
  }
  run.counters["evaluations"] = static_cast<double>(evaluations);
}

void ten_of_the_start(benchmark::State& run) {
  std::vector<FlightVariation> all = initial_variations(*slew().setup.model, slew().initial);
  all.resize(kNumbers);
  differentiate(run, all);
}

/// As of numbers that set-ups depend on; which they are does not matter to the cost.
void ten_of_the_set_up(benchmark::State& run) {
  std::vector<FlightVariation> all = initial_variations(*slew().setup.model, slew().initial);
  all.resize(kNumbers);
  const auto setup = std::make_shared<const SimulationSetup>(slew().setup);
  for (FlightVariation& each : all) each.above.setup = each.below.setup = setup;
  differentiate(run, all);
}

BENCHMARK(flight)->Unit(benchmark::kMillisecond);
BENCHMARK(ten_of_the_start)->Unit(benchmark::kMillisecond);
BENCHMARK(ten_of_the_set_up)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
