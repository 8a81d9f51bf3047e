// Any text as a scenario with the shipped robots beside it, flown for some steps.
#include <algorithm>

#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/trajectory.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {
namespace {

constexpr int kMostBodies = 40;
constexpr long kMostSteps = 30;
constexpr double kMostOutputs = 20.0;

/// A run that ends well has a state of numbers at its end.
void fly(Scenario scenario) {
  if (scenario.setup.model->body_count() > kMostBodies) return;
  scenario.setup.integrator.max_steps = std::min(scenario.setup.integrator.max_steps, kMostSteps);
  const double interval = std::max(scenario.output_interval, scenario.duration / kMostOutputs);
  const Trajectory flight = simulate(scenario.setup, scenario.initial, scenario.duration, interval);
  const State& end = flight.points.back().state;
  if (!end.q.allFinite() || !end.qd.allFinite() || !end.r_0.allFinite() || !end.A_0.allFinite()) {
    __builtin_trap();
  }
}

}  // namespace
}  // namespace spacedyn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  try {
    fly(parse_scenario(fuzz::text(data, size), fuzz::kScenarioFile));
  } catch (const Error&) {
  }
  return 0;
}
