#include "loading/schema_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

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
    if (unit.compare(i, 2, "^2") == 0) {
      pattern += "(\\^2|²)";
      ++i;
    } else if (unit[i] == '*') {
      pattern += "\\*";
    } else {
      pattern += unit[i];
    }
  }
  return pattern;
}

std::string number_rule(const Quantity& quantity, const Bounds& bounds) {
  std::string rule = R"("type": "number")";
  if (quantity.range == Range::positive) {
    rule += R"(, "exclusiveMinimum": 0)";
  } else if (std::isfinite(bounds.least)) {
    rule += fmt::format(R"(, "minimum": {})", bounds.least);
  } else if (quantity.range == Range::not_negative) {
    rule += R"(, "minimum": 0)";
  }
  if (std::isfinite(bounds.most)) rule += fmt::format(R"(, "maximum": {})", bounds.most);
  return rule;
}

}  // namespace

std::string number_schema(const std::vector<Quantity>& kinds, std::string_view title,
                          const Bounds& bounds) {
  const std::string number = number_rule(kinds.front(), bounds);
  std::vector<std::string> units;
  for (const Quantity& kind : kinds) {
    if (kind.dimension == Dimension::none) continue;
    for (const std::string& unit : unit_names(kind.dimension)) units.push_back(unit_pattern(unit));
  }
  if (units.empty()) return titled(title, number);
  const std::string pattern = R"(^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)? *()" +
                              fmt::format("{}", fmt::join(units, "|")) + ")$";
  return titled(title, fmt::format(R"("anyOf": [{{{}}}, {{"type": "string", "pattern": {}}}])",
                                   number, quoted_json(pattern)));
}

std::string text_schema(std::string_view title) { return titled(title, R"("type": "string")"); }

std::string constant_schema(std::string_view text) {
  return fmt::format(R"({{"const": {}}})", quoted_json(text));
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

std::string series_schema(const std::string& item, int least) {
  return fmt::format(R"({{"type": "array", "items": {}, "minItems": {}}})", item, least);
}

std::string pair_schema(const std::string& first, const std::string& second,
                        std::string_view title) {
  return titled(title, fmt::format("\"type\": \"array\", \"prefixItems\": [{}, {}], "
                                   "\"minItems\": 2, \"maxItems\": 2",
                                   first, second));
}

std::string member_schema(std::string_view name, const std::string& schema) {
  return quoted_json(name) + ": " + schema;
}

std::string reference_schema(std::string_view definition) {
  return fmt::format(R"({{"$ref": "#/$defs/{}"}})", definition);
}

MappingSchema& MappingSchema::require(std::string_view key, const std::string& schema) {
  required_.push_back(quoted_json(key));
  return allow(key, schema);
}

MappingSchema& MappingSchema::allow(std::string_view key, const std::string& schema) {
  properties_.emplace_back(key, schema);
  return *this;
}

MappingSchema& MappingSchema::add_rule(std::string rule) {
  rules_.push_back(std::move(rule));
  return *this;
}

std::string MappingSchema::text() const {
  std::vector<std::string> properties;
  for (const auto& [key, schema] : properties_) {
    properties.push_back(member_schema(key, schema));
  }
  for (const char* note : {"description", "source"}) {
    properties.push_back(member_schema(note, reference_schema("note")));
  }
  std::string members = fmt::format("\"type\": \"object\",\n \"properties\": {{\n  {}\n }}",
                                    fmt::join(properties, ",\n  "));
  if (!required_.empty()) {
    members += fmt::format(",\n \"required\": [{}]", fmt::join(required_, ", "));
  }
  members += ",\n \"additionalProperties\": false";
  for (const std::string& rule : rules_) members += ",\n " + rule;
  return titled(title_, members);
}

}  // namespace spacedyn::loading
