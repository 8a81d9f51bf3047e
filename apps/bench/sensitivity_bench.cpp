// What the derivatives of a flight cost beside the flight.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/integration/adjoint.hpp"
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

/// Both sides of a number that a key of the scenario leads to.
FlightVariation variation_of(const std::string& key, double value) {
  constexpr double kPart = 1e-5;
  FlightVariation variation{key, kPart * value, {}, {}};
  for (const double sign : {1.0, -1.0}) {
    const std::string text = std::to_string(value + sign * variation.step);
    const Scenario side =
        load_scenario(SPACEDYN_MODELS "/scenarios/ets7_arm_slew.yaml", {{key, text}});
    auto setup = std::make_shared<SimulationSetup>(side.setup);
    if (key.rfind("model", 0) != 0) setup->model = slew().setup.model;
    (sign > 0.0 ? variation.above : variation.below) = {setup, slew().initial};
  }
  return variation;
}

std::vector<FlightVariation> gains() {
  constexpr double kStiffness[] = {600.0, 600.0, 250.0, 60.0, 20.0};
  std::vector<FlightVariation> all;
  for (const char* key : {"stiffness", "damping"}) {
    for (std::size_t i = 0; i < kNumbers / 2; ++i) {
      all.push_back(variation_of("control.slew." + std::string(key) + '.' + std::to_string(i),
                                 kStiffness[i]));
    }
  }
  return all;
}

void ten_gains(benchmark::State& run) { differentiate(run, gains()); }

void ten_masses(benchmark::State& run) {
  std::vector<FlightVariation> all(kNumbers, variation_of("model.base.mass", 2472.0));
  differentiate(run, all);
}

/// Of numbers of which nothing but the set-ups of both sides is known.
void ten_of_the_set_up(benchmark::State& run) {
  std::vector<FlightVariation> all = initial_variations(*slew().setup.model, slew().initial);
  all.resize(kNumbers);
  for (FlightVariation& each : all) {
    for (FlightVariation::Side* side : {&each.above, &each.below}) {
      auto setup = std::make_shared<SimulationSetup>(slew().setup);
      setup->gravity.x() = side == &each.above ? 1e-12 : -1e-12;
      side->setup = setup;
    }
  }
  differentiate(run, all);
}

constexpr int kTorques = 100;

/// The slew with a table of torques on the first joint of the arm, one of them changed.
SimulationSetup with_torques(int changed, double change) {
  std::vector<double> times;
  MatrixX values = MatrixX::Constant(1, kTorques, 0.1);
  for (int i = 0; i < kTorques; ++i) times.push_back(slew().duration * i / (kTorques - 1));
  if (changed >= 0) values(0, changed) += change;
  SimulationSetup setup = slew().setup;
  setup.forces.push_back(
      std::make_shared<AppliedJointTorque>("table", 1, TimeTable(times, values)));
  return setup;
}

std::vector<BoundedVariation> torques() {
  constexpr double kStep = 1e-6;
  const double row = slew().duration / (kTorques - 1);
  std::vector<BoundedVariation> all;
  for (int i = 0; i < kTorques; ++i) {
    FlightVariation variation{std::to_string(i), kStep, {}, {}};
    for (FlightVariation::Side* side : {&variation.above, &variation.below}) {
      const double change = side == &variation.above ? kStep : -kStep;
      auto setup = std::make_shared<SimulationSetup>(with_torques(i, change));
      *side = {setup, slew().initial};
    }
    all.emplace_back(variation, row * (i - 1.001), row * (i + 1.001));
  }
  return all;
}

void flight_with_torques(benchmark::State& run) {
  const SimulationSetup setup = with_torques(-1, 0.0);
  SimulationObserver observer;
  for (auto _ : run) {
    Simulator(setup).run(slew().initial, slew().duration, slew().duration, observer);
  }
}

struct LastAttitude final : FlightObjectives {
  int count() const override { return 1; }
  void differentiate(double time, const State&, MatrixX& by) override {
    if (time == slew().duration) by(3, 0) = 1.0;
  }
};

void hundred_torques_backwards(benchmark::State& run) {
  const std::vector<BoundedVariation> all = torques();
  const SimulationSetup setup = with_torques(-1, 0.0);
  LastAttitude last;
  long evaluations = 0;
  for (auto _ : run) {
    evaluations = fly_with_adjoint(setup, slew().initial, {slew().duration}, all, last).evaluations;
  }
  run.counters["evaluations"] = static_cast<double>(evaluations);
}

void ten_gains_backwards(benchmark::State& run) {
  const std::vector<FlightVariation> all = gains();
  LastAttitude last;
  for (auto _ : run) {
    fly_with_adjoint(slew().setup, slew().initial, {slew().duration}, {all.begin(), all.end()},
                     last);
  }
}

BENCHMARK(flight)->Unit(benchmark::kMillisecond);
BENCHMARK(ten_of_the_start)->Unit(benchmark::kMillisecond);
BENCHMARK(ten_gains)->Unit(benchmark::kMillisecond);
BENCHMARK(ten_masses)->Unit(benchmark::kMillisecond);
BENCHMARK(ten_gains_backwards)->Unit(benchmark::kMillisecond);
BENCHMARK(flight_with_torques)->Unit(benchmark::kMillisecond);
BENCHMARK(hundred_torques_backwards)->Unit(benchmark::kMillisecond);
BENCHMARK(ten_of_the_set_up)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
