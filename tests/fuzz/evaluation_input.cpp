// Any text as states and loads at which a shipped robot is to be evaluated.
#include "spacedyn/loading/evaluation_input.hpp"
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  static const LoadedModel robot = load_model(fuzz::kModelFile);
  try {
    parse_evaluation_inputs(fuzz::text(data, size), "state.yaml", *robot.model);
  } catch (const Error&) {
  }
  return 0;
}
