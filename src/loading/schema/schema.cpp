#include "loading/schema/schema.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {
namespace loading {
namespace {

Json titled(std::string_view title, const Json& members) {
  Json schema = Json::object();
  if (!title.empty()) schema["title"] = title;
  schema.update(members);
  return schema;
}

/// A unit as a regular expression.
std::string unit_pattern(const std::string& unit) {
  std::string pattern;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (unit.compare(i, 2, "^2") == 0 || unit.compare(i, 2, "²") == 0) {
      pattern += "(\\^2|²)";
      ++i;
    } else if (unit[i] == '*' || unit[i] == ' ') {
      pattern += "( ?[*·⋅] ?| )?";
    } else {
      pattern += unit[i];
    }
  }
  return pattern;
}

/// Whole numbers stand without a point.
Json plain(double number) {
  return number == std::floor(number) && std::abs(number) < 1e9 ? Json(static_cast<int>(number))
                                                                : Json(number);
}

Json number_rule(const Quantity& quantity, const Bounds& bounds) {
  Json rule = {{"type", "number"}};
  const bool is_positive = quantity.range == Range::positive;
  if (std::isfinite(bounds.least) && (bounds.least > 0.0 || !is_positive)) {
    rule["minimum"] = plain(bounds.least);
  } else if (is_positive) {
    rule["exclusiveMinimum"] = 0;
  } else if (quantity.range == Range::not_negative) {
    rule["minimum"] = 0;
  }
  if (std::isfinite(bounds.below)) rule["exclusiveMaximum"] = plain(bounds.below);
  if (std::isfinite(bounds.most)) rule["maximum"] = plain(bounds.most);
  return rule;
}

/// A list of schemas, one for each key that must be there.
Json each_required(const std::vector<std::string>& keys) {
  Json schemas = Json::array();
  for (const std::string& key : keys) schemas.push_back(required_rule({key}));
  return schemas;
}

/// A list and its smallest size.
Json array_of(const Json& item, int least) {
  Json list = {{"type", "array"}, {"items", item}};
  if (least > 0) list["minItems"] = least;
  return list;
}

/// All definitions by name.
std::map<std::string, Json (*)()>& definitions() {
  static std::map<std::string, Json (*)()> all;
  return all;
}

/// Adds a definition and all those that it refers to.
void add_definition(const std::string& name, std::map<std::string, Json>& members);

void add_references(const Json& schema, std::map<std::string, Json>& members) {
  constexpr std::size_t kPrefix = sizeof("#/$defs/") - 1;
  for (const auto& [key, value] : schema.items()) {
    if (key == "$ref") {
      add_definition(value.get<std::string>().substr(kPrefix), members);
    } else if (value.is_structured()) {
      add_references(value, members);
    }
  }
}

void add_definition(const std::string& name, std::map<std::string, Json>& members) {
  if (members.count(name) > 0) return;
  add_references(members[name] = definitions().at(name)(), members);
}

}  // namespace

Json number_schema(const std::vector<Quantity>& kinds, std::string_view title,
                   const Bounds& bounds) {
  const Json number = number_rule(kinds.front(), bounds);
  std::vector<std::string> units;
  for (const Quantity& kind : kinds) {
    for (const std::string& unit : unit_names(kind)) units.push_back(unit_pattern(unit));
  }
  if (units.empty()) return titled(title, number);
  const std::string pattern = R"(^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)? *()" +
                              fmt::format("{}", fmt::join(units, "|")) + ")$";
  return any_of_schema({number, pattern_schema(pattern)}, title);
}

Json text_schema(std::string_view title) { return titled(title, {{"type", "string"}}); }

Json path_schema(std::string_view title) {
  return titled(title, {{"type", "string"}, {"minLength", 1}});
}

Json constant_schema(std::string_view text) { return {{"const", text}}; }

Json boolean_schema(std::string_view title) { return titled(title, {{"type", "boolean"}}); }

Json whole_number_schema(int least, std::string_view title, int most) {
  Json schema = titled(title, {{"type", "integer"}, {"minimum", least}});
  if (most < std::numeric_limits<int>::max()) schema["maximum"] = most;
  return schema;
}

Json pattern_schema(std::string_view pattern, std::string_view title) {
  return titled(title, {{"type", "string"}, {"pattern", pattern}});
}

Json choice_schema(const std::vector<std::string>& choices, std::string_view title) {
  return titled(title, {{"enum", choices}});
}

Json list_schema(const Json& item, int size, std::string_view title) {
  Json list = titled(title, array_of(item, size));
  list["maxItems"] = size;
  return list;
}

Json vector_schema(const Quantity& quantity, std::string_view title) {
  return list_schema(number_schema({quantity}), 3, title);
}

Json series_schema(const Json& item, int least, std::string_view title) {
  return titled(title, array_of(item, least));
}

Json names_schema(std::string_view title, int least) {
  Json list = titled(title, {{"type", "array"}, {"items", text_schema()}, {"uniqueItems", true}});
  if (least > 0) list["minItems"] = least;
  return list;
}

Json each_schema(const std::vector<Quantity>& kinds, std::string_view title) {
  const Json number = number_schema(kinds);
  return any_of_schema({number, series_schema(number, 1)}, title);
}

Json by_name_schema(const Json& item, std::string_view title, int least) {
  // these keys are notes, unless something has such a name
  const Json note = any_of_schema({reference_schema("note"), item});
  Json schema = titled(title, {{"type", "object"},
                               {"properties", {{"description", note}, {"source", note}}},
                               {"additionalProperties", item}});
  if (least > 0) schema["minProperties"] = least;
  return schema;
}

Json any_of_schema(const std::vector<Json>& schemas, std::string_view title) {
  return titled(title, {{"anyOf", schemas}});
}

Json one_of_schema(const std::vector<Json>& schemas, std::string_view title) {
  return titled(title, {{"oneOf", schemas}});
}

Json tuple_schema(const std::vector<Json>& items, std::string_view title) {
  return titled(title, {{"type", "array"},
                        {"prefixItems", items},
                        {"minItems", items.size()},
                        {"maxItems", items.size()}});
}

Json reference_schema(std::string_view definition, std::string_view title) {
  return titled(title, {{"$ref", "#/$defs/" + std::string(definition)}});
}

Json required_rule(const std::vector<std::string>& keys) { return {{"required", keys}}; }

Json some_key_rule(const std::vector<std::string>& keys) {
  return {{"anyOf", each_required(keys)}};
}

Json one_key_rule(const std::vector<std::string>& keys) { return {{"oneOf", each_required(keys)}}; }

Json at_most_one_key_rule(const std::vector<std::string>& keys) {
  Json pairs = Json::array();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = i + 1; j < keys.size(); ++j) {
      pairs.push_back(required_rule({keys[i], keys[j]}));
    }
  }
  return {{"not", {{"anyOf", pairs}}}};
}

Json no_key_rule(const std::vector<std::string>& keys) {
  Json properties = Json::object();
  for (const std::string& key : keys) properties[key] = false;
  return {{"properties", properties}};
}

Json all_rules(const std::vector<Json>& rules) {
  Json all = Json::object();
  for (const Json& rule : rules) all.update(rule);
  return all;
}

Json value_rule(std::string_view key, const Json& value) {
  return {{"properties", {{std::string(key), {{"const", value}}}}},
          {"required", {std::string(key)}}};
}

Json if_rule(const Json& condition, const Json& then, const Json& otherwise) {
  Json rule = {{"if", condition}};
  if (!then.is_null()) rule["then"] = then;
  if (!otherwise.is_null()) rule["else"] = otherwise;
  return rule;
}

MappingSchema& MappingSchema::require(std::string_view key, const Json& schema) {
  required_.emplace_back(key);
  return allow(key, schema);
}

MappingSchema& MappingSchema::allow(std::string_view key, const Json& schema) {
  properties_[std::string(key)] = schema;
  return *this;
}

MappingSchema& MappingSchema::add(Presence presence, std::string_view key, const Json& schema) {
  return presence == Presence::required ? require(key, schema) : allow(key, schema);
}

MappingSchema& MappingSchema::add_rule(const Json& rule) {
  for (const auto& [key, value] : rule.items()) {
    if (key != "allOf") rules_[key] = value;
    for (std::size_t i = 0; key == "allOf" && i < value.size(); ++i) add_condition(value[i]);
  }
  return *this;
}

MappingSchema& MappingSchema::add_condition(const Json& schema) {
  rules_["allOf"].push_back(schema);
  return *this;
}

MappingSchema::operator Json() const {
  Json properties = properties_;
  for (const char* note : {"description", "source"}) properties[note] = reference_schema("note");
  Json schema = titled(title_, {{"type", "object"}, {"properties", properties}});
  if (!required_.empty()) schema["required"] = required_;
  schema["additionalProperties"] = false;
  schema.update(rules_);
  return schema;
}

SchemaDefinition::SchemaDefinition(const char* name, Json (*schema)()) {
  definitions().emplace(name, schema);
}

std::string file_schema(const std::string& key) {
  std::map<std::string, Json> members;
  add_definition(key, members);
  MappingSchema content("spacedyn " + key + " file");
  content.require("spacedyn", {{"title", "Format version"}, {"const", 1}})
      .require(key, reference_schema(key))
      .add_rule({{"$defs", members}});
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "urn:spacedyn:schema:" + key + ":1"}};
  schema.update(Json(content));
  return schema.dump(1) + '\n';
}

}  // namespace loading

std::string model_schema() { return loading::file_schema("model"); }

std::string scenario_schema() { return loading::file_schema("scenario"); }

}  // namespace spacedyn
