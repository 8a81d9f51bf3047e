#include "loading/keys/time_series.hpp"

#include <algorithm>
#include <limits>

#include "spacedyn/error.hpp"

namespace spacedyn::loading {
namespace {

constexpr double kMostSteps = 1e9;

Value item_of(const Value& value, std::size_t i) {
  return {value.node->items[i].get(), join_path(value.path, std::to_string(i))};
}

Json times_schema() {
  return series_schema(number_schema({quantity::kTime}), 2, "Increasing times, s");
}

using ScheduleKeys = std::vector<ScheduleKey>;

Eigen::Index rows_of(const ScheduleKeys& keys) {
  std::size_t rows = 0;
  for (const ScheduleKey& key : keys) rows += key.components.size();
  return static_cast<Eigen::Index>(rows);
}

/// Reports a mapping that has none of the keys of which it needs one.
void require_one(MapReader& map, const ScheduleKeys& keys, const std::string& expected) {
  for (const ScheduleKey& key : keys) {
    if (map.has(key.name)) return;
  }
  if (!map.is_mapping()) return;
  map.error("expected " + expected + ", got nothing");
}

std::optional<TimeTable> read_table(const Value& value, const ScheduleKeys& keys,
                                    ReadContext& context) {
  MapReader map(value, context);
  const auto time = map.require("time", "a list of times (s)");
  const auto times = time ? read_times(*time, context.problems) : std::nullopt;
  MatrixX rows = MatrixX::Zero(rows_of(keys), times ? static_cast<Eigen::Index>(times->size()) : 0);
  bool complete = times.has_value();
  Eigen::Index first = 0;
  for (const ScheduleKey& key : keys) {
    const auto group = static_cast<Eigen::Index>(key.components.size());
    if (const auto list = map.find(key.name); list && times) {
      const auto part = read_rows(*list, times->size(), key.components, context.problems);
      if (part) rows.middleRows(first, group) = *part;
      complete = complete && part.has_value();
    }
    first += group;
  }
  require_one(map, keys, list_choices(names_of(keys)) + " beside the times");
  map.finish();
  if (!complete) return std::nullopt;
  return TimeTable(*times, rows);
}

/// Constant values from one time until another.
std::optional<TimeTable> read_constant(MapReader& map, const ScheduleKeys& keys) {
  VectorX value = VectorX::Zero(rows_of(keys));
  Eigen::Index first = 0;
  for (const ScheduleKey& key : keys) {
    const auto group = static_cast<Eigen::Index>(key.components.size());
    if (const auto given = map.find(key.name)) {
      const auto part = group == 1 ? read_each(*given, key.components, map.problems())
                                   : read_list(*given, key.components, map.problems());
      if (part) value.segment(first, group) = *part;
    }
    first += group;
  }
  const auto span = read_time_span(map);
  std::vector<std::string> choices = names_of(keys);
  choices.emplace_back("a table");
  require_one(map, keys, list_choices(choices));
  if (!span) return std::nullopt;
  return TimeTable::constant(value, span->first, span->second);
}

std::optional<TimeTable> read_values(MapReader& map, const ScheduleKeys& keys) {
  const auto table = map.find("table");
  if (!table) return read_constant(map, keys);
  std::vector<std::string> others = names_of(keys);
  others.insert(others.end(), {"from", "until"});
  for (const std::string& key : others) {
    map.refuse(key, "the table holds times and values");
  }
  return read_table(*table, keys, map.context());
}

Json value_schema(const ScheduleKey& key) {
  const auto& quantities = key.components;
  if (quantities.size() > 1 && !key.is_of_joint) {
    const auto size = static_cast<int>(quantities.size());
    return list_schema(number_schema({quantities[0]}), size, key.title);
  }
  return one_or_list_schema(number_schema(quantities, key.title, key.bounds));
}

}  // namespace

extern const SchemaDefinition kTimesDefinition{"times", times_schema};

std::optional<std::vector<double>> read_times(const Value& value, ProblemList& problems) {
  const Node& node = *value.node;
  if (!node.is_sequence() || node.items.size() < 2) {
    problems.error(value, "expected a list of at least 2 times (s), got " + describe(node));
    return std::nullopt;
  }
  std::vector<double> times;
  bool complete = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Value item = item_of(value, i);
    const auto time = read_number(item, quantity::kTime, problems);
    if (time && !times.empty() && *time <= times.back()) {
      problems.error(item, "expected a time after " + format_number(times.back()) + " s, got " +
                               describe(*item.node));
      complete = false;
    }
    complete = complete && time.has_value();
    if (time) times.push_back(*time);
  }
  if (!complete) return std::nullopt;
  return times;
}

std::optional<MatrixX> read_rows(const Value& value, std::size_t count,
                                 const std::vector<Quantity>& quantities, ProblemList& problems) {
  const Node& node = *value.node;
  if (!node.is_sequence() || node.items.size() != count) {
    problems.error(value, "expected a list of " + std::to_string(count) +
                              " rows, one for each time, got " + describe(node));
    return std::nullopt;
  }
  std::vector<Quantity> in_series;
  for (const Quantity& quantity : quantities) in_series.push_back(quantity.of_series());
  MatrixX rows(static_cast<Eigen::Index>(quantities.size()), static_cast<Eigen::Index>(count));
  bool complete = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Value item = item_of(value, i);
    const bool is_list = quantities.size() > 1 || item.node->is_sequence();
    std::optional<VectorX> row;
    if (is_list) {
      row = read_list(item, in_series, problems);
    } else if (const auto number = read_number(item, in_series.front(), problems)) {
      row = VectorX::Constant(1, *number);
    }
    complete = complete && row.has_value();
    if (row) rows.col(static_cast<Eigen::Index>(i)) = *row;
  }
  if (!complete) return std::nullopt;
  return rows;
}

std::optional<VectorX> read_each(const Value& value, const std::vector<Quantity>& quantities,
                                 ProblemList& problems) {
  if (value.node->is_sequence()) return read_list(value, quantities, problems);
  VectorX numbers(static_cast<Eigen::Index>(quantities.size()));
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    // a unit must fit every joint, but is refused once
    const auto number = read_number(value, quantities[i], problems);
    if (!number) return std::nullopt;
    numbers(static_cast<Eigen::Index>(i)) = *number;
  }
  return numbers;
}

void check_count(const Value& value, double duration, double step, const std::string& what,
                 ProblemList& problems) {
  if (!(step > 0.0) || duration / step <= kMostSteps) return;
  problems.error(value, "expected at most 1e9 " + what + " in " + format_number(duration) +
                            " s, got a spacing of " + describe(*value.node));
}

void guard(const Value& value, ProblemList& problems, const std::function<void()>& function) {
  try {
    function();
  } catch (const Error& error) {
    problems.error(value, error.what());
  }
}
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

std::optional<TimeTable> read_schedule(MapReader& map, const ScheduleKeys& keys) {
  const int event = read_start_event(map);
  const auto schedule = read_values(map, keys);
  if (!schedule) return std::nullopt;
  return schedule->starting_at(event);
}

Json one_or_list_schema(const Json& number) {
  return any_of_schema({number, list_schema(number, 1)});
}

void describe_table(const ScheduleKeys& keys, MappingSchema& schema) {
  MappingSchema table("Linear between the times, zero outside");
  table.require("time", reference_schema("times")).add_rule(some_key_rule(names_of(keys)));
  for (const ScheduleKey& key : keys) table.allow(key.name, series_schema(value_schema(key), 2));
  schema.allow("from", number_schema({quantity::kTime}, "Time at which it begins, s, default 0"))
      .allow("until", number_schema({quantity::kTime}, "Time at which it ends, s"))
      .allow("table", table)
      .allow("start", reference_schema("start_event"));
}

KeyGroup<std::optional<TimeTable>> schedule_keys(const ScheduleKeys& keys) {
  const auto describe = [keys](MappingSchema& schema) {
    for (const ScheduleKey& key : keys) schema.allow(key.name, value_schema(key));
    describe_table(keys, schema);
    std::vector<std::string> constant{"from", "until"};
    for (const ScheduleKey& key : keys) constant.push_back(key.name);
    schema.add_rule(
        one_of_schema({all_rules({required_rule({"table"}), no_key_rule(constant)}),
                       all_rules({some_key_rule(names_of(keys)), no_key_rule({"table"})})}));
  };
  const auto read = [keys](Reading& reading, std::optional<TimeTable>& schedule) {
    ScheduleKeys resolved = keys;
    for (ScheduleKey& key : resolved) {
      if (!key.is_of_joint) continue;
      if (!reading.motion) {
        for (const std::string& each : {key.name, std::string("from"), std::string("until"),
                                        std::string("table"), std::string("start")}) {
          reading.map.find(each);
        }
        return false;
      }
      const bool slides = reading.motion == JointType::prismatic;
      key.components = {key.components[slides ? 1 : 0]};
    }
    schedule = read_schedule(reading.map, resolved);
    return schedule.has_value();
  };
  return {describe, read};
}

}  // namespace spacedyn::loading
