#include "loading/schema/schema.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {
namespace {

std::string quoted_json(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string titled(std::string_view title, const std::string& members) {
  return title.empty() ? '{' + members + '}'
                       : fmt::format("{{\"title\": {}, {}}}", quoted_json(title), members);
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

std::string number_rule(const Quantity& quantity, const Bounds& bounds) {
  std::string rule = R"("type": "number")";
  const bool is_positive = quantity.range == Range::positive;
  if (std::isfinite(bounds.least) && (bounds.least > 0.0 || !is_positive)) {
    rule += fmt::format(R"(, "minimum": {})", bounds.least);
  } else if (is_positive) {
    rule += R"(, "exclusiveMinimum": 0)";
  } else if (quantity.range == Range::not_negative) {
    rule += R"(, "minimum": 0)";
  }
  if (std::isfinite(bounds.below)) {
    rule += fmt::format(R"(, "exclusiveMaximum": {})", bounds.below);
  }
  if (std::isfinite(bounds.most)) rule += fmt::format(R"(, "maximum": {})", bounds.most);
  return rule;
}

/// A list of schemas, one for each key that must be there.
std::string required_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> schemas;
  for (const std::string& key : keys) {
    schemas.push_back(fmt::format(R"({{"required": [{}]}})", quoted_json(key)));
  }
  return fmt::format("{}", fmt::join(schemas, ", "));
}

}  // namespace

std::string number_schema(const std::vector<Quantity>& kinds, std::string_view title,
                          const Bounds& bounds) {
  const std::string number = number_rule(kinds.front(), bounds);
  std::vector<std::string> units;
  for (const Quantity& kind : kinds) {
    for (const std::string& unit : unit_names(kind)) units.push_back(unit_pattern(unit));
  }
  if (units.empty()) return titled(title, number);
  const std::string pattern = R"(^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)? *()" +
                              fmt::format("{}", fmt::join(units, "|")) + ")$";
  return titled(title, fmt::format(R"("anyOf": [{{{}}}, {{"type": "string", "pattern": {}}}])",
                                   number, quoted_json(pattern)));
}

std::string text_schema(std::string_view title) { return titled(title, R"("type": "string")"); }

std::string path_schema(std::string_view title) {
  return titled(title, R"("type": "string", "minLength": 1)");
}

std::string constant_schema(std::string_view text) {
  return fmt::format(R"({{"const": {}}})", quoted_json(text));
}

std::string boolean_schema(std::string_view title) { return titled(title, R"("type": "boolean")"); }

std::string whole_number_schema(int least, std::string_view title, int most) {
  const bool is_limited = most < std::numeric_limits<int>::max();
  const std::string limit = is_limited ? fmt::format(R"(, "maximum": {})", most) : "";
  return titled(title, fmt::format(R"("type": "integer", "minimum": {}{})", least, limit));
}

std::string pattern_schema(std::string_view pattern, std::string_view title) {
  return titled(title, fmt::format(R"("type": "string", "pattern": {})", quoted_json(pattern)));
}

std::string choice_schema(const std::vector<std::string>& choices, std::string_view title) {
  std::vector<std::string> quoted;
  for (const std::string& choice : choices) quoted.push_back(quoted_json(choice));
  return titled(title, fmt::format(R"("enum": [{}])", fmt::join(quoted, ", ")));
}

std::string list_schema(const std::string& item, int size, std::string_view title) {
  return titled(title,
                fmt::format(R"("type": "array", "items": {}, "minItems": {}, "maxItems": {})", item,
                            size, size));
}

std::string vector_schema(const Quantity& quantity, std::string_view title) {
  return list_schema(number_schema({quantity}), 3, title);
}

std::string series_schema(const std::string& item, int least, std::string_view title) {
  const std::string size = least > 0 ? fmt::format(R"(, "minItems": {})", least) : "";
  return titled(title, fmt::format(R"("type": "array", "items": {}{})", item, size));
}

std::string names_schema(std::string_view title, int least) {
  const std::string size = least > 0 ? fmt::format(R"(, "minItems": {})", least) : "";
  return titled(title,
                R"("type": "array", "items": {"type": "string"}, "uniqueItems": true)" + size);
}

std::string each_schema(const std::vector<Quantity>& kinds, std::string_view title) {
  const std::string number = number_schema(kinds);
  return any_of_schema({number, series_schema(number, 1)}, title);
}

std::string by_name_schema(const std::string& item, std::string_view title, int least) {
  // these keys are notes, unless something has such a name
  const std::string note = any_of_schema({reference_schema("note"), item});
  const std::string size = least > 0 ? fmt::format(", \"minProperties\": {}", least) : "";
  return titled(title, fmt::format("\"type\": \"object\", \"properties\": {{{}, {}}}, "
                                   "\"additionalProperties\": {}{}",
                                   member_schema("description", note),
                                   member_schema("source", note), item, size));
}

std::string any_of_schema(const std::vector<std::string>& schemas, std::string_view title) {
  return titled(title, fmt::format(R"("anyOf": [{}])", fmt::join(schemas, ",\n ")));
}

std::string one_of_schema(const std::vector<std::string>& schemas, std::string_view title) {
  return titled(title, one_of_rule(schemas));
}

std::string required_rule(const std::vector<std::string>& keys) {
  std::vector<std::string> quoted;
  for (const std::string& key : keys) quoted.push_back(quoted_json(key));
  return fmt::format(R"("required": [{}])", fmt::join(quoted, ", "));
}

std::string some_key_rule(const std::vector<std::string>& keys) {
  return fmt::format(R"("anyOf": [{}])", required_keys(keys));
}

std::string one_key_rule(const std::vector<std::string>& keys) {
  return fmt::format(R"("oneOf": [{}])", required_keys(keys));
}

std::string one_of_rule(const std::vector<std::string>& schemas) {
  return fmt::format(R"("oneOf": [{}])", fmt::join(schemas, ",\n "));
}

std::string at_most_one_key_rule(const std::vector<std::string>& keys) {
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = i + 1; j < keys.size(); ++j) {
      pairs.push_back(
          fmt::format(R"({{"required": [{}, {}]}})", quoted_json(keys[i]), quoted_json(keys[j])));
    }
  }
  return fmt::format(R"("not": {{"anyOf": [{}]}})", fmt::join(pairs, ", "));
}

std::string tuple_schema(const std::vector<std::string>& items, std::string_view title) {
  return titled(title, fmt::format(R"("type": "array", "prefixItems": [{}], "minItems": {}, )"
                                   R"("maxItems": {})",
                                   fmt::join(items, ", "), items.size(), items.size()));
}

std::string member_schema(std::string_view name, const std::string& schema) {
  return quoted_json(name) + ": " + schema;
}

std::string reference_schema(std::string_view definition, std::string_view title) {
  return titled(title, fmt::format(R"("$ref": "#/$defs/{}")", definition));
}

MappingSchema& MappingSchema::require(std::string_view key, const std::string& schema) {
  required_.emplace_back(key);
  return allow(key, schema);
}

MappingSchema& MappingSchema::allow(std::string_view key, const std::string& schema) {
  properties_.emplace_back(key, schema);
  return *this;
}

MappingSchema& MappingSchema::add(Presence presence, std::string_view key,
                                  const std::string& schema) {
  return presence == Presence::required ? require(key, schema) : allow(key, schema);
}

MappingSchema& MappingSchema::add_rule(std::string rule) {
  rules_.push_back(std::move(rule));
  return *this;
}

MappingSchema& MappingSchema::add_condition(std::string schema) {
  conditions_.push_back(std::move(schema));
  return *this;
}

std::string MappingSchema::members() const {
  std::vector<std::string> properties;
  for (const auto& [key, schema] : properties_) {
    properties.push_back(member_schema(key, schema));
  }
  for (const char* note : {"description", "source"}) {
    properties.push_back(member_schema(note, reference_schema("note")));
  }
  std::string text = title_.empty() ? "" : member_schema("title", quoted_json(title_)) + ", ";
  text += fmt::format("\"type\": \"object\",\n \"properties\": {{\n  {}\n }}",
                      fmt::join(properties, ",\n  "));
  if (!required_.empty()) {
    text += ",\n " + required_rule(required_);
  }
  text += ",\n \"additionalProperties\": false";
  for (const std::string& rule : rules_) text += ",\n " + rule;
  if (!conditions_.empty()) {
    text += fmt::format(",\n \"allOf\": [{}]", fmt::join(conditions_, ",\n "));
  }
  return text;
}
namespace {

/// All definitions by name.
std::map<std::string, std::string (*)()>& definitions() {
  static std::map<std::string, std::string (*)()> all;
  return all;
}

}  // namespace

SchemaDefinition::SchemaDefinition(const char* name, std::string (*schema)()) {
  definitions().emplace(name, schema);
}

std::string definitions_of(const std::string& name) {
  constexpr std::string_view kReference = "\"#/$defs/";
  std::map<std::string, std::string> members;
  std::vector<std::string> names{name};
  while (!names.empty()) {
    const std::string next = names.back();
    names.pop_back();
    if (members.count(next) > 0) continue;
    const std::string schema = definitions().at(next)();
    members.emplace(next, member_schema(next, schema));
    for (std::size_t at = schema.find(kReference); at != std::string::npos;
         at = schema.find(kReference, at)) {
      at += kReference.size();
      names.push_back(schema.substr(at, schema.find('"', at) - at));
    }
  }
  std::vector<std::string> texts;
  for (auto& [known, member] : members) texts.push_back(std::move(member));
  return fmt::format("{}", fmt::join(texts, ",\n"));
}

}  // namespace spacedyn::loading

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
