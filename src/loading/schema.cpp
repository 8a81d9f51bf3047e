#include "loading/embedded_schemas.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {

std::string model_schema() { return loading::kModelSchema; }

std::string scenario_schema() { return loading::kScenarioSchema; }

}  // namespace spacedyn
