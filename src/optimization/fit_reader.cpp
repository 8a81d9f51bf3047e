// From the keys of a fit to its settings, with scenario and data at hand.
#include <algorithm>
#include <array>
#include <cmath>

#include "loading/scenario/shared_keys.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "optimization/fit_keys.hpp"
#include "optimization/fit_residuals.hpp"
#include "optimization/searches.hpp"
#include "optimization/variables.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {
namespace {

using namespace loading;
using optimization::ColumnKeys;
using optimization::DataKeys;
using optimization::FitKeys;
using optimization::FitParameterKeys;

/// Times that are nearer than this part of the flight are one.
constexpr double kSameTime = 1e-12;

/// Ends of names of columns that are not in SI units.
constexpr std::array<const char*, 8> kForeignUnits{"_deg", "_deg_s", "_mm", "_cm",
                                                   "_km",  "_rpm",   "_ms", "_us"};

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Rows of a file that are used: their times in the flight and their positions.
struct UsedRows {
  std::vector<double> times;
  std::vector<std::size_t> rows;
};

/// Resolves what a file says against its scenario and its data; what is wrong is reported.
class FitResolver {
 public:
  FitResolver(FitKeys& keys, ReadContext& context, Fit::Implementation& result)
      : keys_(keys), context_(context), problems_(context.problems), result_(result) {}

  void resolve() {
    result_.settings = std::move(keys_.settings);
    result_.settings.notes = std::move(keys_.notes);
    result_.settings.scenario = keys_.scenario.text;
    optimization::VariableResolver variables(*result_.family, problems_);
    for (const FitParameterKeys& parameter : keys_.parameters) add_parameter(parameter, variables);
    result_.plan = CollectPlan(result_.family->original());
    for (const DataKeys& data : keys_.data) add_data(data);
    name_apart();
    if (!problems_.has_errors()) gather_times();
  }

 private:
  void add_parameter(const FitParameterKeys& keys, optimization::VariableResolver& variables) {
    const auto variable = variables.resolve(keys);
    if (!variable) return;
    std::optional<FitPrior> prior;
    if (keys.prior) {
      prior = {variables.number(keys.prior->mean),
               variables.number(keys.prior->standard_deviation, Range::positive)};
    }
    result_.settings.parameters.push_back(*variable);
    result_.settings.priors.push_back(prior);
    result_.no_influences.push_back(
        optimization::problem_at(keys.key.place,
                                 "expected a parameter that the data depend on, got " +
                                     quote(variable->key) + ": no sample changes with it",
                                 "leave it out, or add a column that it changes"));
  }

  void add_data(const DataKeys& data) {
    const ErrorMark errors(problems_);
    const TelemetryTable table =
        read_telemetry(data.file.place, path_beside(data.file.place, data.file.text), context_);
    if (errors.found()) return;
    const int time = table.find(data.time);
    if (time < 0) {
      problems_.error(at(data.place, "time"),
                      "expected the column of the time in " + quote(data.file.text) + ", got " +
                          quote(data.time) + did_you_mean(data.time, table.names),
                      "'time' names it");
      return;
    }
    const UsedRows used = used_rows(data, table, table.columns[static_cast<std::size_t>(time)]);
    if (errors.found()) return;
    if (used.rows.empty()) {
      problems_.error(data.file.place, "expected data, got " + quote(data.file.text) +
                                           ", which has no row of numbers");
      return;
    }
    for (const ColumnKeys& column : data.columns) add_column(data, column, table, used);
  }

  UsedRows used_rows(const DataKeys& data, const TelemetryTable& table,
                     const std::vector<double>& times) {
    const double duration = result_.family->original().duration;
    const double tolerance = 1e-9 * duration;
    UsedRows used;
    double next = -INFINITY;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto refuse = [&](const std::string& expected) {
        const std::string message = expected + ", got " + format_number(times[i]) + " s";
        if (table.rows[i].source != nullptr) {
          problems_.error(table.rows[i], "", message);
        } else {
          problems_.error(data.file.place, "row " + std::to_string(i) + ": " + message);
        }
      };
      if (std::isnan(times[i])) {
        refuse("expected a time in each row");
        return used;
      }
      if (i > 0 && !(times[i] > times[i - 1])) {
        refuse("expected times that ascend, after " + format_number(times[i - 1]) + " s");
        return used;
      }
      const double time = times[i] + data.offset;
      if (time < -tolerance || time > duration + tolerance) {
        refuse("expected a time within the flight, from " + format_number(0.0 - data.offset) +
               " to " + format_number(duration - data.offset) + " s");
        return used;
      }
      if (time < next - tolerance) continue;
      next = time + data.every;
      used.times.push_back(std::max(time, 0.0));
      used.rows.push_back(i);
    }
    return used;
  }

  void add_column(const DataKeys& data, const ColumnKeys& keys, const TelemetryTable& table,
                  const UsedRows& used) {
    const std::string& name = keys.name.text;
    const int found = table.find(name);
    if (found < 0) {
      problems_.error(keys.place, "expected a column of " + quote(data.file.text) + ", got " +
                                      quote(name) + did_you_mean(name, table.names));
      return;
    }
    SweepCollect collect;
    collect.channel = keys.channel;
    collect.component = keys.component;
    const std::string problem = result_.plan.add(collect);
    if (!problem.empty()) {
      const bool is_component = problem.find("component") != std::string::npos;
      problems_.error(at(keys.place, is_component ? "component" : "channel"), problem);
      return;
    }
    if (!has_unit(keys, collect.unit)) return;
    FitColumn column{name, collect.unit, keys.sigma, {}, {}};
    const std::vector<double>& cells = table.columns[static_cast<std::size_t>(found)];
    for (std::size_t i = 0; i < used.rows.size(); ++i) {
      if (std::isnan(cells[used.rows[i]])) continue;
      column.times.push_back(used.times[i]);
      column.values.push_back(cells[used.rows[i]]);
    }
    if (column.times.empty()) {
      problems_.error(keys.place, "expected numbers in the column " + quote(name) + ", got none");
      return;
    }
    result_.is_angle.push_back(keys.channel == "base_rpy");
    result_.settings.columns.push_back(std::move(column));
    files_.push_back(data.file.text);
  }

  /// Whether the name of a column says no other unit than its channel has.
  bool has_unit(const ColumnKeys& keys, const std::string& unit) {
    const std::string& name = keys.name.text;
    for (const char* foreign : kForeignUnits) {
      if (!ends_with(name, foreign)) continue;
      problems_.error(keys.place,
                      "expected a column in " + (unit.empty() ? "no unit" : unit) + ", got " +
                          quote(name) + ", whose name says another unit",
                      "numbers of data are in SI units");
      return false;
    }
    const std::string said = unit_from_name(name);
    if (said.empty() || said == unit) return true;
    problems_.error(keys.place, "expected a column in " + (unit.empty() ? "no unit" : unit) +
                                    ", got " + quote(name) + ", whose name says " + said);
    return false;
  }

  /// Columns of one name in several files get the name of the file in front.
  void name_apart() {
    auto& columns = result_.settings.columns;
    std::map<std::string, int> counts;
    for (const FitColumn& column : columns) ++counts[column.name];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (counts[columns[i].name] > 1) columns[i].name = files_[i] + ':' + columns[i].name;
    }
  }

  void gather_times() {
    std::vector<double>& times = result_.times;
    for (const FitColumn& column : result_.settings.columns) {
      times.insert(times.end(), column.times.begin(), column.times.end());
    }
    std::sort(times.begin(), times.end());
    const double same = kSameTime * result_.family->original().duration;
    times.erase(
        std::unique(times.begin(), times.end(), [&](double a, double b) { return b - a <= same; }),
        times.end());
    if (times.back() <= 0.0) {
      problems_.error(keys_.data.front().file.place,
                      "expected data after the start of the flight, got none");
      return;
    }
    for (const FitColumn& column : result_.settings.columns) {
      auto& places = result_.places.emplace_back();
      for (const double time : column.times) {
        const auto found = std::lower_bound(times.begin(), times.end(), time - same);
        places.push_back(static_cast<std::size_t>(found - times.begin()));
      }
    }
  }

  /// The value of a key of a mapping, or the mapping where it is left out.
  static Value at(const Value& mapping, const char* key) {
    const Entry* entry = mapping.node->find(key);
    return {entry == nullptr ? mapping.node : entry->value.get(),
            entry == nullptr ? mapping.path : join_path(mapping.path, key)};
  }

  FitKeys& keys_;
  ReadContext& context_;
  ProblemList& problems_;
  Fit::Implementation& result_;
  std::vector<std::string> files_;  ///< of the columns
};

}  // namespace

ScenarioSearch::ScenarioSearch(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
const std::map<std::string, std::string>& ScenarioSearch::sources() const {
  return parts_->sources;
}
const std::vector<Diagnostic>& ScenarioSearch::warnings() const { return parts_->warnings; }
const Scenario& ScenarioSearch::scenario() const { return parts_->family->original(); }

Fit::Fit(std::shared_ptr<const Implementation> implementation)
    : ScenarioSearch(std::move(implementation)) {}

const Fit::Implementation& Fit::implementation() const {
  return static_cast<const Implementation&>(*parts_);
}
const FitSettings& Fit::settings() const { return implementation().settings; }

Fit Fit::load(const std::string& path, const std::vector<Override>& overrides) {
  auto result = std::make_shared<Implementation>();
  result->overrides = overrides;
  optimization::read_search_file(path, "fit", once<optimization::fit_keys>(), *result,
                                 [&](FitKeys& keys, const Value& /*whole*/, ReadContext& context) {
                                   FitResolver(keys, context, *result).resolve();
                                 });
  return Fit(std::move(result));
}

bool is_fit_file(const std::string& path) { return optimization::has_top_key(path, "fit"); }

}  // namespace spacedyn
