#include <string>

#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {

std::string loading::file_schema(const std::string& key) {
  MappingSchema schema("spacedyn " + key + " file");
  schema.require("spacedyn", R"({"title": "Format version", "const": 1})")
      .require(key, reference_schema(key))
      .add_rule("\"$defs\": {\n" + definitions_of(key) + "\n}");
  return "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n "
         "\"$id\": \"urn:spacedyn:schema:" +
         key + ":1\",\n " + schema.members() + "\n}\n";
}

std::string model_schema() { return loading::file_schema("model"); }

std::string scenario_schema() { return loading::file_schema("scenario"); }

}  // namespace spacedyn
