#include "reporting/results/run_facts.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "reporting/results/dataset_plan.hpp"
#include "reporting/results/metadata.hpp"
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

void read_columns(const Json& json, std::vector<Column>& columns) {
  if (!json.is_array()) return;
  std::unordered_multimap<std::string_view, Column*> places;
  for (Column& column : columns) places.emplace(column.name, &column);
  for (const Json& item : json) {
    const auto [begin, end] = places.equal_range(text_of(member(item, "name")));
    for (auto place = begin; place != end; ++place) {
      Column& column = *place->second;
      column.unit = text_of(member(item, "unit"));
      column.dataset = current_path(text_of(member(item, "dataset")));
      column.frame = text_of(member(item, "frame"));
      const Json& index = member(item, "index");
      if (index.is_number_integer()) column.index = index.get<int>();
    }
  }
}

std::optional<WorstInstant> worst_of(const Json& json) {
  const auto time = number_of(member(json, "time")), growth = number_of(member(json, "growth"));
  const auto from = number_of(member(json, "from")), to = number_of(member(json, "to"));
  if (!time || !growth || !from || !to) return std::nullopt;
  WorstInstant worst{*time, *growth, *from, *to, {}, {}};
  const Json& cause = member(json, "cause");
  if (cause.is_object() && cause.size() == 1) {
    worst.cause_kind = cause.begin().key();
    worst.cause = text_of(cause.begin().value());
  }
  return worst;
}

void read_sources(const Json& json, std::vector<SourceBudget>& sources) {
  if (!json.is_array()) return;
  for (const Json& item : json) {
    const auto number = [](const Json& value) { return number_of(value).value_or(0.0); };
    const Json& stored = member(item, "stored");
    sources.push_back({text_of(member(item, "name")),
                       {0.0, 0.0, number(member(stored, "initial"))},
                       {number(member(item, "work")), number(member(item, "dissipated")),
                        number(member(stored, "final"))}});
  }
}

void read_events(const Json& json, std::vector<EventRecord>& events) {
  if (!json.is_array()) return;
  for (const Json& item : json) {
    const auto time = number_of(member(item, "time"));
    const bool is_warning = member(item, "warning") == Json(true);
    if (time) events.push_back({*time, text_of(member(item, "name")), is_warning});
  }
}

enum class Kind { text, number, integer, object, list };

/// An entry of the metadata, and what it holds; `[]` stands for each item of a list.
struct Entry {
  const char* path;
  Kind kind;
};

constexpr Entry kEntries[] = {{"format", Kind::text},
                              {"scenario", Kind::text},
                              {"started", Kind::text},
                              {"host", Kind::object},
                              {"duration", Kind::number},
                              {"output_interval", Kind::number},
                              {"integrator", Kind::object},
                              {"versions", Kind::object},
                              {"outcome", Kind::object},
                              {"outcome.status", Kind::text},
                              {"outcome.message", Kind::text},
                              {"outcome.time", Kind::number},
                              {"outcome.wall_seconds", Kind::number},
                              {"outcome.momentum_drift", Kind::number},
                              {"outcome.energy_residual", Kind::number},
                              {"outcome.attitude_error", Kind::number},
                              {"outcome.worst", Kind::object},
                              {"outcome.warnings", Kind::list},
                              {"outcome.warnings.[]", Kind::text},
                              {"outcome.events", Kind::list},
                              {"outcome.constraints", Kind::object},
                              {"outcome.energy", Kind::object},
                              {"outcome.energy.sources", Kind::list},
                              {"outcome.energy.sources.[]", Kind::object},
                              {"outcome.energy.sources.[].name", Kind::text},
                              {"outcome.energy.sources.[].work", Kind::number},
                              {"outcome.energy.sources.[].dissipated", Kind::number},
                              {"outcome.energy.sources.[].stored", Kind::object},
                              {"outcome.energy.sources.[].stored.initial", Kind::number},
                              {"outcome.energy.sources.[].stored.final", Kind::number},
                              {"inputs", Kind::object},
                              {"inputs.files", Kind::list},
                              {"inputs.files.[]", Kind::object},
                              {"inputs.files.[].path", Kind::text},
                              {"inputs.files.[].text", Kind::text},
                              {"inputs.overrides", Kind::list},
                              {"inputs.overrides.[]", Kind::object},
                              {"inputs.overrides.[].key", Kind::text},
                              {"inputs.overrides.[].value", Kind::text},
                              {"columns", Kind::list},
                              {"columns.[]", Kind::object},
                              {"columns.[].name", Kind::text},
                              {"columns.[].unit", Kind::text},
                              {"columns.[].dataset", Kind::text},
                              {"columns.[].frame", Kind::text},
                              {"columns.[].index", Kind::integer}};

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "a text";
    case Kind::number:
      return "a number";
    case Kind::integer:
      return "a whole number";
    case Kind::object:
      return "an object";
    case Kind::list:
      return "a list";
  }
  return "";
}

/// An integer that is a column's place.
bool is_index(const Json& json) {
  return json.is_number_integer() &&
         std::abs(json.get<double>()) <= double{std::numeric_limits<std::int32_t>::max()};
}

/// Whether a value is of a kind; numbers that are not finite are written as null.
bool is_of(const Json& json, Kind kind) {
  switch (kind) {
    case Kind::text:
      return json.is_string();
    case Kind::number:
      return json.is_number() || json.is_null();
    case Kind::integer:
      return is_index(json);
    case Kind::object:
      return json.is_object();
    case Kind::list:
      return json.is_array();
  }
  return false;
}

/// Follows the rest of a path from a value; what is missing has no kind.
void check_entry(const Json& json, const std::string& rest, const Entry& entry,
                 const std::string& file) {
  if (rest.empty()) {
    if (is_of(json, entry.kind)) return;
    throw IoError("the metadata in '" + file + "' are damaged: '" + entry.path + "' must be " +
                  name_of(entry.kind) + ", got " + json.type_name());
  }
  const std::size_t end = std::min(rest.find('.'), rest.size());
  const std::string key = rest.substr(0, end);
  const std::string next = end == rest.size() ? "" : rest.substr(end + 1);
  if (key == "[]") {
    for (const Json& item : json) check_entry(item, next, entry, file);
  } else if (json.is_object() && json.contains(key)) {
    check_entry(json[key], next, entry, file);
  }
}

}  // namespace

std::string read_whole_file(const std::string& path) {
  constexpr std::uintmax_t kMost = std::uintmax_t{64} * 1024 * 1024;
  if (std::filesystem::exists(path) && !std::filesystem::is_directory(path)) {
    if (!std::filesystem::is_regular_file(path)) throw IoError("'" + path + "' is no regular file");
    if (std::filesystem::file_size(path) > kMost) {
      throw IoError("'" + path + "' is larger than 64 MiB, unlike any such file");
    }
  }
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    throw IoError("cannot read '" + path + "': no such file, or it may not be read");
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string metadata_path(const std::string& result) {
  return std::filesystem::path(result).replace_extension(".meta.json").string();
}

void check_format(const std::string& format, const std::string& path) {
  if (format == std::string(kFormat) + kVersion) return;
  if (format.rfind(kFormat, 0) == 0) {
    throw IoError("'" + path + "' has the format '" + format + "'; this program reads '" + kFormat +
                  kVersion + "': take a newer version of spacedyn");
  }
  throw IoError("'" + path + "' is no metadata of spacedyn: its format is '" + format + "'");
}

std::vector<double> mode_frequencies(const Json& metadata) {
  std::vector<double> frequencies;
  const Json& list = member(metadata, "mode_frequencies_Hz");
  if (!list.is_array()) return frequencies;
  for (const Json& item : list) {
    const std::optional<double> frequency = number_of(item);
    if (!frequency) return {};
    frequencies.push_back(*frequency);
  }
  return frequencies;
}

void take_circumstances(const std::string& metadata_path, Json& json) {
  if (!std::filesystem::is_regular_file(metadata_path)) return;
  const Json beside = parse_json(read_whole_file(metadata_path));
  if (text_of(member(beside, "scenario")) != text_of(member(json, "scenario"))) return;
  if (member(beside, "started").is_string()) json["started"] = beside["started"];
  if (member(beside, "host").is_object()) json["host"] = beside["host"];
  const Json& seconds = member(member(beside, "outcome"), "wall_seconds");
  if (!json.contains("outcome")) return;
  if (seconds.is_number()) json["outcome"]["wall_seconds"] = seconds;
  const Json& events = member(member(beside, "outcome"), "events");
  if (events.is_array() && !json["outcome"].contains("events")) json["outcome"]["events"] = events;
}

void read_run_facts(const std::string& text, const std::string& path, ResultTable& table) {
  const Json json = parse_json(text);
  if (json.is_discarded()) {
    table.warnings.push_back("'" + path + "' is damaged: model, inputs and audit are not known");
    return;
  }
  // a newer format may have other kinds of values
  const Json& format = member(json, "format");
  if (format.is_string()) check_format(text_of(format), path);
  check_kinds(json, path);
  check_format(text_of(format), path);
  take_run_facts(json, table);
  table.metadata = text;
}

void take_run_facts(const Json& json, ResultTable& table) {
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
  facts.attitude_error = number_of(member(outcome, "attitude_error"));
  facts.worst_momentum = worst_of(member(member(outcome, "worst"), "momentum_drift"));
  facts.worst_energy = worst_of(member(member(outcome, "worst"), "energy_residual"));
  read_sources(member(member(outcome, "energy"), "sources"), facts.sources_of_energy);
  facts.throughput = number_of(member(member(outcome, "energy"), "throughput"));
  read_events(member(outcome, "events"), facts.events);
  facts.stopped_by = text_of(member(outcome, "stopped_by"));
  append_members(member(json, "integrator"), "", facts.integrator);
  append_members(member(json, "versions"), "", facts.versions);
  const Json& inputs = member(json, "inputs");
  append_pairs(member(inputs, "files"), "path", "text", facts.sources);
  append_pairs(member(inputs, "overrides"), "key", "value", facts.overrides);
  read_columns(member(json, "columns"), table.columns);
  mend_places(table);
  for (const Json& warning : member(outcome, "warnings")) {
    table.warnings.push_back(text_of(warning));
  }
  if (facts.status == "running") {
    table.warnings.emplace_back(
        "the run did not end properly, or it is still going on: its metadata "
        "say that it is running");
  }
}

void check_kinds(const Json& json, const std::string& path) {
  if (!json.is_object()) {
    throw IoError("the metadata in '" + path + "' are damaged: they must be an object, got " +
                  json.type_name());
  }
  for (const Entry& entry : kEntries) check_entry(json, entry.path, entry, path);
}

Json facts_json(const ResultTable& table) {
  Json json{{"format", std::string(kFormat) + kVersion}};
  const RunFacts& facts = table.facts;
  if (facts.status.empty()) return json;
  const auto put = [](const char* key, const std::optional<double>& value, Json& into) {
    if (value) into[key] = *value;
  };
  Json outcome{{"status", facts.status}}, energy{{"sources", json_of(facts.sources_of_energy)}};
  if (!facts.message.empty()) outcome["message"] = facts.message;
  put("time", facts.time, outcome);
  put("wall_seconds", facts.wall_seconds, outcome);
  if (!table.warnings.empty()) outcome["warnings"] = table.warnings;
  put("momentum_drift", facts.momentum_drift, outcome);
  put("energy_residual", facts.energy_residual, outcome);
  put("attitude_error", facts.attitude_error, outcome);
  if (facts.worst_momentum || facts.worst_energy) {
    outcome["worst"] = json_of(facts.worst_momentum, facts.worst_energy);
  }
  put("throughput", facts.throughput, energy);
  outcome["energy"] = std::move(energy);
  outcome["events"] = json_of(facts.events);
  if (!facts.stopped_by.empty()) outcome["stopped_by"] = facts.stopped_by;
  json["scenario"] = facts.scenario;
  json["outcome"] = std::move(outcome);
  put("duration", facts.duration, json);
  json["columns"] = columns_json(table.columns);
  return json;
}

}  // namespace spacedyn
