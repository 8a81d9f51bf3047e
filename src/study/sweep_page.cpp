#include "study/sweep_page.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "reporting/results/json.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/study/sweep_report.hpp"

namespace spacedyn {
namespace {

/// Rows whose points are drawn; quantiles and rates are those of all rows.
constexpr std::size_t kMostDrawn = 5000;

/// JSON has no NaN.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json names(const std::vector<Column>& columns) {
  Json list = Json::array();
  for (const Column& column : columns)
    list.push_back({{"name", column.name}, {"unit", column.unit}});
  return list;
}

Json statistics_json(const SweepTable& table) {
  Json list = Json::array();
  for (const SweepStatistic& each : sweep_statistics(table)) {
    Json quantiles = Json::array();
    for (const SweepQuantile& quantile : each.quantiles) {
      quantiles.push_back({quantile.probability, number(quantile.value),
                           number(quantile.interval.low), number(quantile.interval.high)});
    }
    list.push_back({{"count", each.count},
                    {"mean", number(each.mean)},
                    {"deviation", number(each.standard_deviation)},
                    {"quantiles", quantiles},
                    {"ranks", numbers(each.rank_correlations)},
                    {"first", numbers(each.first_order_indices)},
                    {"total", numbers(each.total_indices)}});
  }
  return list;
}

Json bands_json(const SweepTable& table) {
  Json list = Json::array();
  for (const SweepBand& band : sweep_bands(table)) {
    Json quantiles = Json::array();
    for (const auto& each : band.quantiles) quantiles.push_back(numbers(each));
    list.push_back({{"name", band.name},
                    {"unit", band.unit},
                    {"times", numbers(band.times)},
                    {"quantiles", quantiles}});
  }
  return list;
}

/// Rows evenly spaced, failures among them.
Json rows_json(const SweepTable& table) {
  Json rows = Json::array();
  const std::size_t count = table.flown.size(), drawn = std::min(count, kMostDrawn);
  for (std::size_t i = 0; i < drawn; ++i) {
    const SweepRow& row = table.flown[i * count / drawn];
    std::vector<double> values = row.draw.parameters;
    values.insert(values.end(), row.collected.begin(), row.collected.end());
    rows.push_back({row.row, row.status, numbers(values)});
  }
  return rows;
}

Json failures_json(const SweepTable& table) {
  std::map<std::string, Json> kinds;
  for (const SweepRow& row : table.flown) {
    if (row.status == 0) continue;
    Json& kind = kinds[failure_kind(row)];
    if (kind.is_null()) {
      kind = {{"status", row.status}, {"count", 0}, {"first", row.row}, {"message", row.message}};
    }
    kind["count"] = kind["count"].get<long>() + 1;
  }
  Json list = Json::array();
  for (auto& [name, kind] : kinds) list.push_back(std::move(kind));
  return list;
}

Json sweep_json(const SweepTable& table) {
  const auto trials = static_cast<long>(table.flown.size());
  const long failed = std::count_if(table.flown.begin(), table.flown.end(),
                                    [](const SweepRow& row) { return row.status != 0; });
  Json json{{"file", table.path},
            {"version", table.version},
            {"rows", table.rows},
            {"flown", trials},
            {"successes", trials - failed},
            {"least_rows", kLeastSampledRows},
            {"parameters", names(table.parameters)},
            {"collected", names(table.collected)},
            {"statistics", statistics_json(table)},
            {"failures", failures_json(table)},
            {"bands", bands_json(table)},
            {"points", rows_json(table)}};
  if (trials > 0) {
    const SweepInterval interval = success_interval(trials - failed, trials);
    json["interval"] = {interval.low, interval.high};
  }
  return json;
}

}  // namespace

void write_sweep_page(const std::string& path, const std::vector<SweepTable>& tables) {
  if (tables.empty()) throw DomainError("a page shows at least one sweep, got none");
  Json sweeps = Json::array();
  for (const SweepTable& table : tables) sweeps.push_back(sweep_json(table));
  std::string data = to_text(sweeps);
  for (std::size_t at = data.find('<'); at != std::string::npos; at = data.find('<', at)) {
    data.replace(at, 1, "\\u003c");
  }
  std::string page(sweep_page_template());
  page.replace(page.find(kSweepDataMarker), kSweepDataMarker.size(), data);
  write_file_atomically(path, page);
}

}  // namespace spacedyn
