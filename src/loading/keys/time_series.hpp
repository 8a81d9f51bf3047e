/// @file
/// Reads what repeats in scenario files: instants, rows and values over time, one number per joint.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/kind.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::loading {

/// A list of at least two instants, each after the one before it, s.
std::optional<std::vector<double>> read_times(const Value& value, ProblemList& problems);

/// One row per instant, each a list of as many numbers as there are quantities (a single number may
/// stand without its list): a matrix with one column per instant.
std::optional<MatrixX> read_rows(const Value& value, std::size_t count,
                                 const std::vector<Quantity>& quantities, ProblemList& problems);

/// One number for all, or a list with one number for each.
std::optional<VectorX> read_each(const Value& value, const std::vector<Quantity>& quantities,
                                 ProblemList& problems);

/// Reports a step that would divide a duration into too many parts.
void check_count(const Value& value, double duration, double step, const std::string& what,
                 ProblemList& problems);

/// Calls a function; an error it throws is reported at a value.
void guard(const Value& value, ProblemList& problems, const std::function<void()>& function);

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
Json one_or_list_schema(const Json& number);

/// What read_schedule() reads, one of the keys or a table being required.
KeyGroup<std::optional<TimeTable>> schedule_keys(const std::vector<ScheduleKey>& keys);

}  // namespace spacedyn::loading
