// Any text as a scenario file with the shipped robots beside it.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  try {
    const Scenario scenario = parse_scenario(fuzz::text(data, size), fuzz::kScenarioFile);
    // what was accepted makes a simulator
    const Simulator simulator(scenario.setup);
  } catch (const Error&) {
  }
  return 0;
}
