/// @file
/// Values over time: constant between two instants, or a table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/kind.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::loading {

/// A key with values over time.
struct ScheduleKey {
  std::string name;
  std::vector<Quantity> components;
  const char* title;
  Bounds bounds = {};
  /// Whether it has one component, in the first unit at a joint that turns, in the second at one
  /// that slides.
  bool is_of_joint = false;
};

/// Reads `table`, or the keys themselves with `from` and `until`; from `start` on where it is
/// given.
std::optional<TimeTable> read_schedule(MapReader& map, const std::vector<ScheduleKey>& keys);

/// Reads `from` (default 0) and `until` (default for ever), s.
std::optional<std::pair<double, double>> read_time_span(MapReader& map);

/// Adds `table`, `from` and `until`.
void describe_table(const std::vector<ScheduleKey>& keys, MappingSchema& schema);
/// A number, or a list of it alone.
std::string one_or_list_schema(const std::string& number);

/// What read_schedule() reads, one of the keys or a table being required.
KeyGroup<std::optional<TimeTable>> schedule_keys(std::vector<ScheduleKey> keys);

}  // namespace spacedyn::loading
