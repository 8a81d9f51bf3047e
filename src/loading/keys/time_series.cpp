#include "loading/keys/time_series.hpp"

#include <algorithm>

#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading {
namespace {

constexpr double kMostSteps = 1e9;

Value item_of(const Value& value, std::size_t i) {
  return {value.node->items[i].get(), join_path(value.path, std::to_string(i))};
}

std::string times_schema() {
  return series_schema(number_schema({quantity::kTime}), 2, "Increasing times, s");
}

}  // namespace

extern const SchemaDefinition kTimesDefinition{"times", times_schema};

std::optional<std::vector<double>> read_times(const Value& value, ProblemList& problems) {
  const Node& node = *value.node;
  if (!node.is_sequence() || node.items.size() < 2) {
    problems.error(node.mark, value.path,
                   "expected a list of at least 2 times (s), got " + describe(node));
    return std::nullopt;
  }
  std::vector<double> times;
  bool complete = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Value item = item_of(value, i);
    const auto time = read_number(item, quantity::kTime, problems);
    if (time && !times.empty() && *time <= times.back()) {
      problems.error(item.node->mark, item.path,
                     "expected a time after " + format_number(times.back()) + " s, got " +
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
    problems.error(node.mark, value.path,
                   "expected a list of " + std::to_string(count) +
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
  problems.error(value.node->mark, value.path,
                 "expected at most 1e9 " + what + " in " + format_number(duration) +
                     " s, got a spacing of " + describe(*value.node));
}

void guard(const Value& value, ProblemList& problems, const std::function<void()>& function) {
  try {
    function();
  } catch (const Error& error) {
    problems.error(value.node->mark, value.path, error.what());
  }
}

}  // namespace spacedyn::loading
