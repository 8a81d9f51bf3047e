// What wheels cost beside joints, and a spacecraft with control and sensors for one orbit.
#include <string>

#include <benchmark/benchmark.h>

#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace {

using namespace spacedyn;

/// The arm of ETS-VII on its chaser with four more coordinates, wheels or plain links.
Model chaser(bool has_wheels) {
  const char* const axes[] = {"[1, 0, 0.7]", "[0, 1, 0.7]", "[-1, 0, 0.7]", "[0, -1, 0.7]"};
  std::string text =
      "spacedyn: 1\nmodel:\n  name: chaser\n"
      "  base: {name: chaser, mass: 2552, inertia: [6206, 3541, 7087]}\n"
      "  include: [{file: parts/ets7_arm.yaml, parent: chaser}]\n";
  text += has_wheels ? "  reaction_wheels:\n" : "  links:\n";
  for (int i = 0; i < 4; ++i) {
    const std::string name = "w" + std::to_string(i), axis = axes[i];
    text +=
        has_wheels
            ? "    - {name: " + name + ", body: chaser, axis: " + axis + ", spin_inertia: 0.06}\n"
            : "    - {name: " + name + ", parent: chaser, joint: {type: revolute, axis: " + axis +
                  "}, mass: 1, inertia: [0.06, 0.06, 0.06]}\n";
  }
  return *parse_model(text, SPACEDYN_MODELS "/robots/bench.yaml").model;
}

State moving(const Model& model) {
  State state(model);
  state.omega_0 = {0.01, -0.02, 0.03};
  state.q.setConstant(0.3);
  state.qd.setConstant(0.1);
  return state;
}

void inertia_matrix(benchmark::State& run, bool has_wheels) {
  const Model model = chaser(has_wheels);
  const State state = moving(model);
  TreeWorkspace workspace(model);
  MatrixX H(model.velocity_size(), model.velocity_size());
  for (auto _ : run) {
    composite_rigid_body(state, workspace, H);
    benchmark::DoNotOptimize(H.data());
  }
}

void forward_dynamics(benchmark::State& run, bool has_wheels) {
  const Model model = chaser(has_wheels);
  const State state = moving(model);
  const Loads loads(model);
  TreeWorkspace workspace(model);
  VectorX acceleration = VectorX::Zero(model.velocity_size()), forces = acceleration;
  for (auto _ : run) {
    benchmark::DoNotOptimize(forward_dynamics(state, loads, workspace, acceleration, forces));
  }
}

/// One orbit of ETS-VII with arm, paddles, four wheels, sensors and control at 10 Hz.
void one_orbit(benchmark::State& run) {
  const Scenario scenario = load_scenario(SPACEDYN_BENCH "/spacecraft/one_orbit.yaml");
  SimulationObserver observer;
  for (auto _ : run) {
    Simulator(scenario.setup).run(scenario.initial, scenario.duration, 10.0, observer);
  }
  run.counters["times_real_time"] =
      benchmark::Counter(scenario.duration, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(inertia_matrix, wheels, true);
BENCHMARK_CAPTURE(inertia_matrix, joints, false);
BENCHMARK_CAPTURE(forward_dynamics, wheels, true);
BENCHMARK_CAPTURE(forward_dynamics, joints, false);
BENCHMARK(one_orbit)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
