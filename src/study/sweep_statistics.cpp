#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spacedyn/error.hpp"
#include "spacedyn/study/sweep_report.hpp"

namespace spacedyn {
namespace {

constexpr double kNormal95 = 1.959963984540054;  // Φ⁻¹(0.975)

double mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  return std::accumulate(values.begin(), values.end(), 0.0) / n;
}

/// Σ (a − mean a)(b − mean b).
double cross_sum(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum;
}

/// Positions of values in ascending order.
std::vector<std::size_t> ascending_order(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  return order;
}

/// Calls a function with the begin and end of each stretch of equal values in an order.
template <typename Function>
void for_each_tie(const std::vector<double>& values, const std::vector<std::size_t>& order,
                  const Function& function) {
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    function(begin, end);
    begin = end;
  }
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  const std::vector<std::size_t> order = ascending_order(values);
  std::vector<double> ranks(values.size());
  for_each_tie(values, order, [&](std::size_t begin, std::size_t end) {
    const double rank = 0.5 * static_cast<double>(begin + end - 1);
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = rank;
  });
  return ranks;
}

/// Rows that neighbours are sought among: the time grows with the square.
constexpr std::size_t kMostNeighbours = 2000;

/// So many values, evenly spaced.
std::vector<double> thinned(const std::vector<double>& values) {
  const std::size_t count = std::min(values.size(), kMostNeighbours);
  std::vector<double> some(count);
  for (std::size_t i = 0; i < count; ++i) some[i] = values[i * values.size() / count];
  return some;
}

/// Mean of half the squared difference between the value of a row and those of the rows nearest to
/// it; rows at no distance are a group, with the row itself.
double spread_near(const std::vector<std::vector<double>>& places, const std::vector<double>& y,
                   std::size_t row) {
  double nearest = std::numeric_limits<double>::infinity(), sum = 0.0, count = 0.0;
  for (std::size_t other = 0; other < y.size(); ++other) {
    if (other == row) continue;
    double distance = 0.0;
    for (const auto& place : places) {
      const double step = place[other] - place[row];
      distance += step * step;
    }
    if (distance > nearest) continue;
    if (distance < nearest) sum = count = 0.0;
    nearest = distance;
    sum += 0.5 * (y[other] - y[row]) * (y[other] - y[row]);
    count += 1.0;
  }
  return sum / (nearest > 0.0 ? count : count + 1.0);
}

/// What estimators have to know of a sweep.
struct Design {
  SampleKind kind = SampleKind::random;
  bool has_noise = true;    ///< of sensors: equal parameters may have different results
  bool has_pattern = true;  ///< Sobol' points: neighbours do not differ by chance
};

Design design_of(const Sweep& sweep) {
  const auto& parameters = sweep.settings().parameters;
  const auto is_seed = [](const SweepParameter& each) { return each.key == "seed"; };
  const auto is_grid = [](const SweepParameter& each) { return each.is_grid(); };
  Design design;
  design.has_noise = !sweep.scenario().setup.sensors.empty() &&
                     std::none_of(parameters.begin(), parameters.end(), is_seed);
  design.has_pattern = sweep.settings().sampling == Sampling::sobol;
  const bool is_drawn = !std::all_of(parameters.begin(), parameters.end(), is_grid);
  if (!is_drawn && !design.has_noise) design.kind = SampleKind::grid;
  return design;
}

Design design_of(const SweepTable& table) {
  try {
    return design_of(Sweep::reload(table.sources, table.overrides));
  } catch (const Error&) {
    return {};  // a result that this version no longer understands
  }
}

bool varies(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(),
                     [&](double value) { return value != values.front(); });
}

/// Both Sobol' indices with respect to each parameter.
void add_indices(const std::vector<std::vector<double>>& parameters,
                 const std::vector<double>& values, const Design& design,
                 SweepStatistic& statistic) {
  const auto varying = std::count_if(parameters.begin(), parameters.end(), varies);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    double first = std::nan(""), total = first;
    if (varying == 1 && !design.has_noise && varies(parameters[p]) && varies(values)) {
      first = total = 1.0;  // nothing else can be the reason
    } else {
      first = first_order_index(parameters[p], values, design.kind);
      if (!design.has_pattern) total = total_index(parameters, p, values, design.kind);
    }
    statistic.first_order_indices.push_back(first);
    statistic.total_indices.push_back(total);
  }
}

SweepStatistic statistic_of(const SweepTable& table, std::size_t k, const Design& design) {
  SweepStatistic statistic;
  statistic.name = table.collected[k].name;
  statistic.unit = table.collected[k].unit;
  std::vector<double> values;
  std::vector<std::vector<double>> parameters(table.parameters.size());
  for (const SweepRow& row : table.flown) {
    if (!std::isfinite(row.collected[k])) continue;
    values.push_back(row.collected[k]);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      parameters[p].push_back(row.draw.parameters[p]);
    }
  }
  statistic.count = static_cast<long>(values.size());
  for (const auto& parameter : parameters) {
    statistic.rank_correlations.push_back(rank_correlation(parameter, values));
  }
  add_indices(parameters, values, design, statistic);
  if (values.empty()) return statistic;
  const auto n = static_cast<double>(values.size());
  statistic.mean = mean_of(values);
  statistic.standard_deviation = std::sqrt(cross_sum(values, values) / (n - 1.0));
  std::sort(values.begin(), values.end());
  for (const double probability : {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0}) {
    statistic.quantiles.push_back(sample_quantile(values, probability));
  }
  return statistic;
}

}  // namespace

SweepInterval success_interval(long successes, long trials) {
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n, z = kNormal95;
  const double centre = p + z * z / (2.0 * n);
  const double half = z * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
  const double scale = 1.0 + z * z / n;
  return {std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)};
}

SweepQuantile sample_quantile(const std::vector<double>& ascending, double probability) {
  const auto last = static_cast<double>(ascending.size() - 1);
  const auto at = [&](double position) {
    return ascending[static_cast<std::size_t>(std::clamp(position, 0.0, last))];
  };
  const double place = probability * last, below = std::floor(place);
  SweepQuantile quantile{probability, at(below), {}};
  if (place > below) quantile.value += (place - below) * (at(below + 1.0) - at(below));
  // how many of n values lie below is binomial, here by its normal approximation
  const double n = last + 1.0;
  const double half = kNormal95 * std::sqrt(n * probability * (1.0 - probability));
  quantile.interval = {at(std::floor(n * probability - half) - 1.0),
                       at(std::ceil(n * probability + half))};
  return quantile;
}

double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2) return std::nan("");
  const std::vector<double> a = ranks_of(x), b = ranks_of(y);
  const double scale = std::sqrt(cross_sum(a, a) * cross_sum(b, b));
  return scale > 0.0 ? cross_sum(a, b) / scale : std::nan("");
}

double first_order_index(const std::vector<double>& x, const std::vector<double>& y,
                         SampleKind kind) {
  const bool is_grid = kind == SampleKind::grid;
  if (x.size() < (is_grid ? 2 : kLeastSampledRows) || !varies(y)) return std::nan("");
  const auto n = static_cast<double>(x.size());
  const double variance = cross_sum(y, y) / n, mean = mean_of(y);
  const std::vector<std::size_t> order = ascending_order(x);
  double between = 0.0, groups = 0.0;
  const auto add_group = [&](std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += y[order[i]] - mean;
    between += sum * sum / static_cast<double>(end - begin) / n;
    ++groups;
  };
  for_each_tie(x, order, add_group);
  if (is_grid) return 2.0 * groups <= n ? between / variance : std::nan("");
  if (2.0 * groups > n) {
    between = groups = 0.0;
    const auto bins = static_cast<std::size_t>(std::min(std::floor(std::sqrt(n)), 64.0));
    for (std::size_t bin = 0; bin < bins; ++bin) {
      add_group(bin * order.size() / bins, (bin + 1) * order.size() / bins);
    }
  }
  const double chance = (variance - between) * (groups - 1.0) / (n - groups);
  return (between - chance) / variance;
}

double total_index(const std::vector<std::vector<double>>& parameters, std::size_t which,
                   const std::vector<double>& y, SampleKind kind) {
  const std::size_t least = kind == SampleKind::grid ? 2 : kLeastSampledRows;
  if (y.size() < least || !varies(parameters[which])) return std::nan("");
  const std::vector<double> values = thinned(y);
  const auto n = static_cast<double>(values.size());
  const double variance = cross_sum(values, values) / n;
  if (!(variance > 0.0)) return std::nan("");
  std::vector<std::vector<double>> places;  // by ranks: no parameter counts more than another
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (p != which) places.push_back(ranks_of(thinned(parameters[p])));
  }
  double mean = 0.0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    mean += spread_near(places, values, row) / n;
  }
  return mean / variance;
}

std::vector<SweepStatistic> sweep_statistics(const SweepTable& table) {
  std::vector<SweepStatistic> statistics;
  const Design design = design_of(table);
  for (std::size_t k = 0; k < table.collected.size(); ++k) {
    statistics.push_back(statistic_of(table, k, design));
  }
  return statistics;
}

}  // namespace spacedyn
