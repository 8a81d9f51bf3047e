#include "reporting/run_facts.hpp"

#include "reporting/json.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr const char* kFormat = "spacedyn-result/";
constexpr const char* kVersion = "1";

/// A member of an object, or null where the object or the member is missing.
const Json& member(const Json& json, const char* key) {
  static const Json kNothing;
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found == json.end() ? kNothing : *found;
}

std::string text_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.is_null() ? std::string() : json.dump();
}

std::optional<double> number_of(const Json& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

/// The members of an object as text, those of inner objects under their joined names.
void append_members(const Json& json, const std::string& prefix,
                    std::vector<std::pair<std::string, std::string>>& list) {
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) {
      append_members(value, prefix + key + ' ', list);
    } else {
      list.emplace_back(prefix + key, text_of(value));
    }
  }
}

void append_pairs(const Json& json, const char* first, const char* second,
                  std::vector<std::pair<std::string, std::string>>& list) {
  if (!json.is_array()) return;
  for (const Json& item : json) {
    list.emplace_back(text_of(member(item, first)), text_of(member(item, second)));
  }
}

void read_units(const Json& json, std::vector<Column>& columns) {
  if (!json.is_array()) return;
  for (const Json& item : json) {
    for (Column& column : columns) {
      if (column.name == text_of(member(item, "name"))) column.unit = text_of(member(item, "unit"));
    }
  }
}

void check_format(const std::string& format, const std::string& path) {
  if (format == std::string(kFormat) + kVersion) return;
  if (format.rfind(kFormat, 0) == 0) {
    throw IoError("'" + path + "' has the format '" + format + "'; this program reads '" + kFormat +
                  kVersion + "': take a newer version of spacedyn");
  }
  throw IoError("'" + path + "' is no metadata of spacedyn: its format is '" + format + "'");
}

}  // namespace

void read_run_facts(const std::string& text, const std::string& path, ResultTable& table) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    table.warnings.push_back("'" + path + "' is damaged: model, inputs and audit are not known");
    return;
  }
  check_format(text_of(member(json, "format")), path);
  RunFacts& facts = table.facts;
  facts.scenario = text_of(member(json, "scenario"));
  facts.started = text_of(member(json, "started"));
  facts.duration = number_of(member(json, "duration"));
  const Json& outcome = member(json, "outcome");
  facts.status = text_of(member(outcome, "status"));
  facts.message = text_of(member(outcome, "message"));
  facts.time = number_of(member(outcome, "time"));
  facts.wall_seconds = number_of(member(outcome, "wall_seconds"));
  facts.momentum_drift = number_of(member(outcome, "momentum_drift"));
  facts.energy_residual = number_of(member(outcome, "energy_residual"));
  append_members(member(json, "integrator"), "", facts.integrator);
  append_members(member(json, "versions"), "", facts.versions);
  const Json& inputs = member(json, "inputs");
  append_pairs(member(inputs, "files"), "path", "text", facts.sources);
  append_pairs(member(inputs, "overrides"), "key", "value", facts.overrides);
  read_units(member(json, "columns"), table.columns);
  if (facts.status == "running") {
    table.warnings.push_back(
        "the run did not end properly, or it is still going on: its metadata "
        "say that it is running");
  }
}

}  // namespace spacedyn
