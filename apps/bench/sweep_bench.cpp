// What a row of a sweep costs over the flight alone, and flights of a 6R arm on threads and in
// lanes.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include "spacedyn/study/sweep_run.hpp"

namespace {

using namespace spacedyn;

/// A sweep of the 6R arm of a servicing satellite, whose flights take so many seconds.
Sweep arm_sweep(const std::string& parameter, double duration, long rows,
                const char* engine = "single") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string scenario = folder / "sweep_bench_scenario.yaml";
  const std::string file = folder / "sweep_bench.yaml";
  std::ofstream(scenario) << "spacedyn: 1\nscenario:\n  name: bench\n  model: " SPACEDYN_MODELS
                             "/robots/ets7.yaml\n  duration: "
                          << duration
                          << "\n  initial: {joints: {shoulder_yaw: {velocity: 0.01}}}\n"
                             "  integrator: {method: rk4, step: 0.001}\n  output: {interval: "
                          << duration << "}\n";
  std::ofstream(file) << "spacedyn: 1\nsweep:\n  name: bench\n  scenario: " << scenario
                      << "\n  runs: " << rows << "\n  parameters: [{key: " << parameter
                      << "}]\n  collect: [{name: last, channel: joint_position}]\n";
  return Sweep::load(file, {{"engine", engine}});
}

constexpr const char* kInitial = "initial.joints.shoulder_yaw.velocity, uniform: [0.01, 0.02]";
constexpr const char* kModel = "model.base.mass, uniform: [2000, 3000]";

/// The flight as a call of the library.
void flight(benchmark::State& state) {
  const Sweep sweep = arm_sweep(kInitial, 0.001, 1);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(sweep.scenario()));
}
BENCHMARK(flight)->Unit(benchmark::kMicrosecond);

/// The same as rows of a sweep on one thread; a model that is shared, or built for each row.
void row(benchmark::State& state, const char* parameter) {
  constexpr long kRows = 2000;
  const Sweep sweep = arm_sweep(parameter, 0.001, kRows);
  SweepOptions one;
  one.threads = 1;
  for (auto _ : state) run_sweep(sweep, one);
  state.counters["per_row"] = benchmark::Counter(
      kRows, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(row, shared_model, kInitial)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(row, own_model, kModel)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Flights of 10 s with steps of 1 ms, in a second of elapsed time: calls of the library one by
/// one, and rows on threads or in lanes.
void one_by_one(benchmark::State& state) {
  const Sweep sweep = arm_sweep(kInitial, 10.0, 1);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(sweep.scenario()));
  state.counters["flights"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(one_by_one)->UseRealTime()->Unit(benchmark::kMillisecond);

void rows(benchmark::State& state, const char* engine) {
  constexpr long kRows = 16;
  const Sweep sweep = arm_sweep(kInitial, 10.0, kRows, engine);
  SweepOptions options;
  options.threads = static_cast<int>(state.range(0));
  for (auto _ : state) run_sweep(sweep, options);
  state.counters["flights"] =
      benchmark::Counter(kRows, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(rows, on_threads, "single")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rows, in_lanes, "lanes")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
