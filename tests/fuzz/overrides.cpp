// Lines `key=value` as overrides of a shipped scenario, and of its model.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  static const std::string text = fuzz::contents(fuzz::kScenarioFile);
  std::vector<Override> overrides;
  for (const std::string& line : fuzz::lines(fuzz::text(data, size))) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || overrides.size() == 8) continue;
    overrides.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  try {
    parse_scenario(text, fuzz::kScenarioFile, overrides);
  } catch (const Error&) {
  }
  return 0;
}
