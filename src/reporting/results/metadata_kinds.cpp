#include <cmath>
#include <cstdint>
#include <limits>

#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

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

void check_kinds(const Json& json, const std::string& path) {
  if (!json.is_object()) {
    throw IoError("the metadata in '" + path + "' are damaged: they must be an object, got " +
                  json.type_name());
  }
  for (const Entry& entry : kEntries) check_entry(json, entry.path, entry, path);
}

}  // namespace spacedyn
