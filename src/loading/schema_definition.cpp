#include "loading/schema_definition.hpp"

#include <vector>

#include "loading/schema_text.hpp"

namespace spacedyn::loading {

// each beside its reader
extern const SchemaDefinition kSoilDefinition;

namespace {

std::string members_of(const std::vector<const SchemaDefinition*>& definitions) {
  std::string members;
  for (const SchemaDefinition* definition : definitions) {
    members +=
        (members.empty() ? "" : ",\n") + member_schema(definition->name, definition->schema());
  }
  return members;
}

}  // namespace

std::string model_definitions() { return members_of({}); }

std::string scenario_definitions() { return members_of({&kSoilDefinition}); }

}  // namespace spacedyn::loading
