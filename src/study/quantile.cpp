// Quantiles of the distributions of sweeps; the only source that includes Boost.Math.
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spacedyn/study/sweep.hpp"

namespace spacedyn {
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
