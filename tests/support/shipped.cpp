#include "support/shipped.hpp"

#include <algorithm>
#include <filesystem>

namespace spacedyn::testing {
namespace {}  // namespace

std::vector<std::string> shipped_names(const std::string& folder) {
  const std::filesystem::path root = std::filesystem::path(SPACEDYN_MODELS) / folder;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".yaml") continue;
    names.push_back(entry.path().lexically_relative(root).replace_extension().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::shared_ptr<const Model> shipped_robot(const std::string& name) {
  return load_model(std::string(SPACEDYN_MODELS) + "/robots/" + name + ".yaml").model;
}

Scenario shipped_scenario(const std::string& name) {
  return load_scenario(std::string(SPACEDYN_MODELS) + "/scenarios/" + name + ".yaml");
}

SimulationSetup tight_setup(std::shared_ptr<const Model> model) {
  SimulationSetup setup;
  setup.base_mode = model->has_fixed_base() ? BaseMode::fixed : BaseMode::floating;
  setup.model = std::move(model);
  setup.integrator.relative_tolerance = 1e-12;
  setup.integrator.absolute_tolerance = {1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13};
  return setup;
}

SimulationResult fly(const SimulationSetup& setup, const State& initial, double duration) {
  SimulationObserver nothing;
  return Simulator(setup).run(initial, duration, duration, nothing);
}

}  // namespace spacedyn::testing
