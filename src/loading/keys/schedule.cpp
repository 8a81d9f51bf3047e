#include "loading/keys/schedule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "loading/keys/time_series.hpp"
#include "loading/yaml/numbers.hpp"

namespace spacedyn::loading {
namespace {

using Keys = std::vector<std::string>;
using Groups = std::vector<std::vector<Quantity>>;

Eigen::Index rows_of(const Groups& quantities) {
  std::size_t rows = 0;
  for (const auto& group : quantities) rows += group.size();
  return static_cast<Eigen::Index>(rows);
}

/// Reports a mapping that has none of the keys of which it needs one.
void require_one(MapReader& map, const Keys& keys, const std::string& expected) {
  for (const std::string& key : keys) {
    if (map.has(key)) return;
  }
  if (!map.is_mapping()) return;
  map.problems().error(map.mark(), map.path(), "expected " + expected + ", got nothing");
}

std::optional<TimeTable> read_table(const Value& value, const Keys& keys, const Groups& quantities,
                                    ReadContext& context) {
  MapReader map(value, context);
  const auto time = map.require("time", "a list of times (s)");
  const auto times = time ? read_times(*time, context.problems) : std::nullopt;
  MatrixX rows =
      MatrixX::Zero(rows_of(quantities), times ? static_cast<Eigen::Index>(times->size()) : 0);
  bool complete = times.has_value();
  Eigen::Index first = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto group = static_cast<Eigen::Index>(quantities[i].size());
    if (const auto list = map.find(keys[i]); list && times) {
      const auto part = read_rows(*list, times->size(), quantities[i], context.problems);
      if (part) rows.middleRows(first, group) = *part;
      complete = complete && part.has_value();
    }
    first += group;
  }
  require_one(map, keys, list_choices(keys) + " beside the times");
  map.finish();
  if (!complete) return std::nullopt;
  return TimeTable(*times, rows);
}

/// Constant values from one time until another.
std::optional<TimeTable> read_constant(MapReader& map, const Keys& keys, const Groups& quantities) {
  VectorX value = VectorX::Zero(rows_of(quantities));
  Eigen::Index first = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto group = static_cast<Eigen::Index>(quantities[i].size());
    if (const auto given = map.find(keys[i])) {
      const auto part = group == 1 ? read_each(*given, quantities[i], map.problems())
                                   : read_list(*given, quantities[i], map.problems());
      if (part) value.segment(first, group) = *part;
    }
    first += group;
  }
  const auto span = read_time_span(map);
  Keys choices = keys;
  choices.emplace_back("a table");
  require_one(map, keys, list_choices(choices));
  if (!span) return std::nullopt;
  return TimeTable::constant(value, span->first, span->second);
}

}  // namespace

std::optional<std::pair<double, double>> read_time_span(MapReader& map) {
  const double from = map.number("from", quantity::kTime, 0.0);
  const double until =
      map.number("until", quantity::kTime.or_infinite(), std::numeric_limits<double>::infinity());
  if (until > from) return std::pair{from, until};
  map.error_at(map.has("until") ? "until" : "from", "expected an end after the start at " +
                                                        format_number(from) + " s, got " +
                                                        format_number(until) + " s");
  return std::nullopt;
}

std::optional<TimeTable> read_schedule(MapReader& map, const std::vector<std::string>& keys,
                                       const std::vector<std::vector<Quantity>>& quantities) {
  const auto table = map.find("table");
  if (!table) return read_constant(map, keys, quantities);
  Keys others = keys;
  others.insert(others.end(), {"from", "until"});
  for (const std::string& key : others) {
    map.refuse(key, "the table holds times and values");
  }
  return read_table(*table, keys, quantities, map.context());
}

std::string one_or_list_schema(const std::string& number) {
  return fmt::format(R"({{"anyOf": [{}, {}]}})", number, list_schema(number, 1));
}

void describe_table(const std::vector<ScheduleKey>& keys, MappingSchema& schema) {
  MappingSchema table("Linear between the times, zero outside");
  table.require("time", reference_schema("times"));
  std::vector<std::string> alternatives;
  for (const ScheduleKey& key : keys) {
    table.allow(key.name, series_schema(key.value, 2));
    alternatives.push_back(fmt::format(R"({{"required": ["{}"]}})", key.name));
  }
  table.add_rule(fmt::format(R"("anyOf": [{}])", fmt::join(alternatives, ", ")));
  schema.allow("from", number_schema({quantity::kTime}, "Time at which it begins, s, default 0"))
      .allow("until", number_schema({quantity::kTime}, "Time at which it ends, s"))
      .allow("table", table.text());
}

void describe_schedule(const std::vector<ScheduleKey>& keys, MappingSchema& schema) {
  std::vector<std::string> alternatives;
  std::string without_values = R"("from": false, "until": false)";
  for (const ScheduleKey& key : keys) {
    schema.allow(key.name, key.value);
    alternatives.push_back(fmt::format(R"({{"required": ["{}"]}})", key.name));
    without_values += fmt::format(R"(, "{}": false)", key.name);
  }
  describe_table(keys, schema);
  schema.add_rule(fmt::format(R"("oneOf": [{{"required": ["table"], "properties": {{{}}}}}, )"
                              R"({{"anyOf": [{}], "properties": {{"table": false}}}}])",
                              without_values, fmt::join(alternatives, ", ")));
}

}  // namespace spacedyn::loading
