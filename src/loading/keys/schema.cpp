#include <string>

#include "loading/keys/session.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {

std::string model_schema() { return loading::file_schema("model", loading::model_definitions()); }

std::string scenario_schema() {
  return loading::file_schema(
      "scenario", loading::scenario_definitions() + ",\n" + loading::model_definitions());
}

}  // namespace spacedyn
