#include <string>

#include "loading/embedded_schemas.hpp"
#include "loading/schema_definition.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {
namespace {

/// Puts members of an object in place of `"@list": {}` in a schema.
void fill_in_members(std::string& schema, const std::string& list, const std::string& members) {
  if (members.empty()) return;
  const std::string placeholder = "\"@" + list + "\": {}";
  schema.replace(schema.find(placeholder), placeholder.size(), members);
}

}  // namespace

std::string model_schema() {
  std::string schema = loading::kModelSchema;
  fill_in_members(schema, "model_definitions", loading::model_definitions());
  return schema;
}

std::string scenario_schema() {
  std::string schema = loading::kScenarioSchema;
  fill_in_members(schema, "scenario_definitions", loading::scenario_definitions());
  fill_in_members(schema, "model_definitions", loading::model_definitions());
  return schema;
}

}  // namespace spacedyn
