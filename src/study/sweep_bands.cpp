#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>

#include "reporting/plot/svg_writer.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/study/sweep.hpp"
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

namespace {

/// Values of a column, and what is written beside its axis.
struct SweepColumn {
  std::string label;
  std::vector<double> values;
};

SweepColumn column_of(const SweepTable& table, const std::string& name) {
  const auto label = [](const Column& column) {
    return column.unit.empty() ? column.name : column.name + " [" + column.unit + ']';
  };
  std::vector<std::string> known;
  for (const bool is_parameter : {true, false}) {
    const auto& columns = is_parameter ? table.parameters : table.collected;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      known.push_back(columns[k].name);
      if (columns[k].name != name) continue;
      SweepColumn column{label(columns[k]), {}};
      for (const SweepRow& row : table.flown) {
        column.values.push_back(is_parameter ? row.draw.parameters[k] : row.collected[k]);
      }
      return column;
    }
  }
  throw DomainError("the sweep has no parameter or collected number '" + name + "'" +
                    did_you_mean(name, known));
}

Axis axis_of(const std::vector<double>& values, int about) {
  double least = INFINITY, greatest = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  if (!(least <= greatest)) return make_axis(0.0, 1.0, about, false);
  return make_axis(least, greatest, about, false);
}

}  // namespace

std::string sweep_scatter_svg(const SweepTable& table, const std::string& x, const std::string& y,
                              double width, double height, double font_size) {
  const SweepColumn across = column_of(table, x), up = column_of(table, y);
  const Axis horizontal = axis_of(across.values, static_cast<int>(width / 90.0)),
             vertical = axis_of(up.values, static_cast<int>(height / 40.0));
  double widest = 0.0;
  for (const double tick : vertical.ticks) {
    widest = std::max(widest, text_width(vertical.label(tick), font_size));
  }
  const double left = widest + 2.6 * font_size, right = width - 1.2 * font_size;
  const double top = font_size, bottom = height - 3.4 * font_size;
  const auto at = [&](double a, double b) {
    return SvgPoint{
        left + (right - left) * (a - horizontal.low) / (horizontal.high - horizontal.low),
        bottom + (top - bottom) * (b - vertical.low) / (vertical.high - vertical.low)};
  };
  SvgWriter svg;
  constexpr const char* kGrid = R"(stroke="#dddddd" stroke-width="0.7")";
  for (const double tick : horizontal.ticks) {
    svg.line(at(tick, vertical.low), at(tick, vertical.high), kGrid);
    const SvgPoint place = at(tick, vertical.low);
    svg.text({place.x, place.y + 1.3 * font_size}, horizontal.label(tick),
             R"(text-anchor="middle")");
  }
  for (const double tick : vertical.ticks) {
    svg.line(at(horizontal.low, tick), at(horizontal.high, tick), kGrid);
    const SvgPoint place = at(horizontal.low, tick);
    svg.text({place.x - 0.4 * font_size, place.y + 0.35 * font_size}, vertical.label(tick),
             R"(text-anchor="end")");
  }
  for (std::size_t i = 0; i < across.values.size(); ++i) {
    if (!std::isfinite(across.values[i]) || !std::isfinite(up.values[i])) continue;
    const SvgPoint place = at(across.values[i], up.values[i]);
    // a line without length is a dot as wide as its pen
    svg.line(place, place, R"(stroke="#2f7ed8" stroke-width="3.2" stroke-linecap="round")");
  }
  svg.text({0.5 * (left + right), height - 0.7 * font_size}, across.label,
           R"(text-anchor="middle")");
  const double middle = 0.5 * (top + bottom);
  svg.text({font_size, middle}, up.label,
           fmt::format(R"x(text-anchor="middle" transform="rotate(-90 {:.1f} {:.1f})")x", font_size,
                       middle));
  return svg.picture(width, height, up.label + " over " + across.label, font_size);
}

// Quantiles of the distributions of sweeps; the only source that includes Boost.Math.

namespace {

using Normal = boost::math::normal_distribution<double>;

/// Φ⁻¹(u).
double standard_quantile(double u) { return boost::math::quantile(Normal(), u); }

/// Of a standard normal given that it is within [a, b]. Where both lie above the mean, upper tails
/// are taken: their probabilities have more digits there than 1 minus them.
double truncated_quantile(double a, double b, double u) {
  using boost::math::cdf;
  using boost::math::complement;
  const Normal normal;
  double z = 0.0;
  if (a > 0.0) {
    const double above_a = cdf(complement(normal, a)), above_b = cdf(complement(normal, b));
    z = boost::math::quantile(complement(normal, above_a - u * (above_a - above_b)));
  } else {
    const double below_a = cdf(normal, a), below_b = cdf(normal, b);
    z = boost::math::quantile(normal, below_a + u * (below_b - below_a));
  }
  return std::clamp(z, a, b);
}

double chosen(const SweepParameter& parameter, double u) {
  const double total = std::accumulate(parameter.weights.begin(), parameter.weights.end(), 0.0);
  double sum = 0.0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < parameter.weights.size(); ++i) {
    if (!(parameter.weights[i] > 0.0)) continue;
    sum += parameter.weights[i];
    last = i;
    if (u * total < sum) break;
  }
  return parameter.numbers[last];
}

}  // namespace

double quantile(const SweepParameter& parameter, double u) {
  const auto& numbers = parameter.numbers;
  switch (parameter.kind) {
    case SweepParameter::Kind::uniform:
      return numbers[0] + u * (numbers[1] - numbers[0]);
    case SweepParameter::Kind::normal: {
      const double mean = numbers[0], deviation = numbers[1];
      if (!parameter.truncated) return mean + deviation * standard_quantile(u);
      const auto [a, b] = *parameter.truncated;
      const double z = truncated_quantile((a - mean) / deviation, (b - mean) / deviation, u);
      return std::clamp(mean + deviation * z, a, b);
    }
    case SweepParameter::Kind::log_normal:
      return numbers[0] * std::exp(numbers[1] * standard_quantile(u));
    case SweepParameter::Kind::triangular:
      return boost::math::quantile(
          boost::math::triangular_distribution<double>(numbers[0], numbers[1], numbers[2]), u);
    case SweepParameter::Kind::values:
    case SweepParameter::Kind::choice:
      break;
  }
  return chosen(parameter, u);
}

}  // namespace spacedyn
