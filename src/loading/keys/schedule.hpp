/// @file
/// Values over time: constant between two instants, or a table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::loading {

/// Reads `table`, or the keys themselves with `from` and `until`.
/// @param quantities  of the components of each key
std::optional<TimeTable> read_schedule(MapReader& map, const std::vector<std::string>& keys,
                                       const std::vector<std::vector<Quantity>>& quantities);

/// Reads `from` (default 0) and `until` (default for ever), s.
std::optional<std::pair<double, double>> read_time_span(MapReader& map);

/// A key of a schedule and the schema of its value.
struct ScheduleKey {
  std::string name;
  std::string value;
};

/// Adds what read_schedule() reads.
void describe_schedule(const std::vector<ScheduleKey>& keys, MappingSchema& schema);
/// Adds `table`, `from` and `until`.
void describe_table(const std::vector<ScheduleKey>& keys, MappingSchema& schema);
/// A number, or a list of it alone.
std::string one_or_list_schema(const std::string& number);

}  // namespace spacedyn::loading
