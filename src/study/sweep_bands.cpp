#include <algorithm>
#include <cmath>
#include <filesystem>

#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/study/sweep_report.hpp"
#include "study/collector.hpp"

namespace spacedyn {
namespace {

constexpr int kInstants = 101;
/// Flights whose files are read.
constexpr std::size_t kMostFlights = 500;

/// Results of flights, all rows of each.
std::vector<ResultTable> kept_flights(const SweepTable& table) {
  const std::filesystem::path folder = std::filesystem::path(table.path).parent_path() / "rows";
  std::vector<std::filesystem::path> places;
  for (const SweepRow& row : table.flown) {
    const std::filesystem::path place = folder / std::to_string(row.row);
    if (!row.has_failed() && std::filesystem::exists(place)) places.push_back(place);
  }
  std::vector<ResultTable> flights;
  const std::size_t count = std::min(places.size(), kMostFlights);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      flights.push_back(read_result(places[i * places.size() / count].string()));
    } catch (const IoError&) {
      // a row that is just being flown again, or whose files have been removed
    }
  }
  return flights;
}

/// Each channel once, at all instants.
CollectPlan plan_of(const Sweep& sweep, double end, std::vector<SweepBand>& bands) {
  CollectPlan plan(sweep.scenario());
  std::vector<std::pair<std::string, int>> seen;
  for (SweepCollect collect : sweep.settings().collect) {
    const std::pair<std::string, int> channel{collect.channel, collect.component};
    if (channel.first.empty() || std::count(seen.begin(), seen.end(), channel) > 0) continue;
    seen.push_back(channel);
    SweepBand band;
    band.name = channel.first + (channel.second > 0 ? '.' + std::to_string(channel.second) : "");
    collect.at = SweepCollect::At::time;
    for (int k = 0; k < kInstants; ++k) {
      collect.time = end * k / (kInstants - 1);
      if (!plan.add(collect).empty()) break;
      band.times.push_back(collect.time);
    }
    band.unit = collect.unit;
    bands.push_back(std::move(band));
  }
  return plan;
}

std::vector<double> values_of(const ResultTable& flight, const CollectPlan& plan) {
  Collection collection(plan, flight.columns);
  for (Eigen::Index row = 0; row < flight.values.rows(); ++row) {
    collection.write(flight.values.row(row).transpose());
  }
  return collection.finish({});
}

}  // namespace

std::vector<SweepBand> sweep_bands(const SweepTable& table) {
  const std::vector<ResultTable> flights = kept_flights(table);
  if (flights.empty()) return {};
  double end = 0.0;
  for (const ResultTable& flight : flights) {
    end = std::max(end, flight.values(flight.values.rows() - 1, 0));
  }
  std::vector<SweepBand> bands;
  const CollectPlan plan = plan_of(Sweep::reload(table.sources, table.overrides), end, bands);
  std::vector<std::vector<double>> values;
  values.reserve(flights.size());
  for (const ResultTable& flight : flights) values.push_back(values_of(flight, plan));
  std::size_t place = 0;
  for (SweepBand& band : bands) {
    for (std::size_t k = 0; k < band.times.size(); ++k, ++place) {
      std::vector<double> sample;
      for (const auto& flight : values) {
        if (std::isfinite(flight[place])) sample.push_back(flight[place]);
      }
      std::sort(sample.begin(), sample.end());
      for (std::size_t q = 0; q < band.quantiles.size(); ++q) {
        band.quantiles[q].push_back(
            sample.empty() ? std::nan("")
                           : sample_quantile(sample, SweepBand::kProbabilities[q]).value);
      }
    }
  }
  return bands;
}

}  // namespace spacedyn
