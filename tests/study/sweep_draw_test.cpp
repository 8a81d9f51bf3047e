// What rows fly with: distributions and how their numbers come.
#include <algorithm>
#include <cmath>
#include <set>

#include "study/small_sweep.hpp"

namespace spacedyn::sweep_draw_test {
namespace {

using testing::SweepFolder;
using Kind = SweepParameter::Kind;

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

SweepParameter parameter(Kind kind, std::vector<double> numbers) {
  return {"", kind, std::move(numbers), {}, {}, {}};
}

/// Largest distance between the distribution of values and a cumulative one, times √n
/// [Kolmogorov, Smirnov].
template <typename Cumulative>
double kolmogorov_smirnov(std::vector<double> values, const Cumulative& cumulative) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = cumulative(values[i]), below = static_cast<double>(i) / n;
    distance = std::max({distance, expected - below, below + 1.0 / n - expected});
  }
  return distance * std::sqrt(n);
}

/// Values of a parameter over all rows.
std::vector<double> column(const Sweep& sweep, std::size_t parameter) {
  std::vector<double> values;
  for (long row = 0; row < sweep.rows(); ++row) {
    values.push_back(sweep.draw(row).parameters[parameter]);
  }
  return values;
}

TEST(SweepQuantile, InvertsCumulativeDistributions) {
  SweepParameter truncated = parameter(Kind::normal, {1.0, 2.0});
  truncated.truncated = {0.0, 4.0};
  SweepParameter tail = parameter(Kind::normal, {0.0, 1.0});
  tail.truncated = {8.0, 9.0};
  for (const double u : {1e-9, 0.1, 0.5, 0.9, 1.0 - 1e-9}) {
    const double uniform = quantile(parameter(Kind::uniform, {-1.0, 3.0}), u);
    EXPECT_NEAR((uniform + 1.0) / 4.0, u, 1e-15);
    const double normal = quantile(parameter(Kind::normal, {1.0, 2.0}), u);
    EXPECT_NEAR(normal_cdf((normal - 1.0) / 2.0), u, 1e-14);
    const double log_normal = quantile(parameter(Kind::log_normal, {3.0, 0.5}), u);
    EXPECT_NEAR(normal_cdf(std::log(log_normal / 3.0) / 0.5), u, 1e-13);
    const double x = quantile(parameter(Kind::triangular, {0.0, 1.0, 4.0}), u);
    EXPECT_NEAR(x < 1.0 ? x * x / 4.0 : 1.0 - (4.0 - x) * (4.0 - x) / 12.0, u, 1e-14);
    const double within = quantile(truncated, u);
    const double below = normal_cdf(-0.5), above = normal_cdf(1.5);
    EXPECT_NEAR(normal_cdf((within - 1.0) / 2.0), below + u * (above - below), 1e-14);
    // far out in the tail, where 1 − Φ has digits and Φ has none
    const double far = quantile(tail, u);
    const double from = normal_cdf(-8.0), to = normal_cdf(-9.0);
    EXPECT_NEAR((from - normal_cdf(-far)) / (from - to), u, 1e-6);
  }
  SweepParameter choice = parameter(Kind::choice, {5.0, 6.0, 7.0});
  choice.weights = {1.0, 0.0, 3.0};
  EXPECT_EQ(quantile(choice, 0.249), 5.0);
  EXPECT_EQ(quantile(choice, 0.251), 7.0);
  EXPECT_EQ(quantile(choice, 1.0 - 1e-16), 7.0);
}

TEST(SweepDraw, FollowsDistributionsWithEachSampling) {
  // 1.63 is exceeded by one fair sample in a hundred; other samplings are more even than that
  for (const char* sampling : {"random", "latin_hypercube", "sobol"}) {
    const SweepFolder folder("  seed: 3\n  runs: 1000\n  sampling: " + std::string(sampling) + R"(
  parameters:
    - {key: initial.joints.hinge.position, uniform: [-1, 1]}
    - {key: model.links.disc.joint.stiffness, normal: {mean: 8, standard_deviation: 0.5}}
    - {key: model.links.disc.mass, log_normal: {median: 2, sigma: 0.3}}
)");
    const Sweep sweep = folder.load();
    ASSERT_EQ(sweep.rows(), 1000);
    const double most = std::string(sampling) == "random" ? 1.63 : 0.35;
    EXPECT_LT(kolmogorov_smirnov(column(sweep, 0), [](double x) { return 0.5 * (x + 1.0); }), most);
    EXPECT_LT(
        kolmogorov_smirnov(column(sweep, 1), [](double x) { return normal_cdf((x - 8.0) / 0.5); }),
        most);
    EXPECT_LT(kolmogorov_smirnov(column(sweep, 2),
                                 [](double x) { return normal_cdf(std::log(x / 2.0) / 0.3); }),
              most);
  }
}

/// How many of so many equal parts of [0, 1) hold a value.
std::size_t parts_with_values(const std::vector<double>& values, double parts) {
  std::set<double> found;
  for (const double value : values) found.insert(std::floor(value * parts));
  return found.size();
}

TEST(SweepDraw, HasOneValueOfAHypercubeInEachPart) {
  const SweepFolder folder(R"(  runs: 37
  sampling: latin_hypercube
  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: initial.joints.hinge.velocity, uniform: [0, 1]}
)");
  const Sweep sweep = folder.load();
  const std::vector<double> first = column(sweep, 0), second = column(sweep, 1);
  EXPECT_EQ(parts_with_values(first, 37.0), 37U);
  EXPECT_EQ(parts_with_values(second, 37.0), 37U);
  EXPECT_NE(first, second);
}

TEST(SweepDraw, HasSobolPointsFromTheFirstOn) {
  const SweepFolder folder(R"(  runs: 63
  sampling: sobol
  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: initial.joints.hinge.velocity, uniform: [0, 1]}
)");
  const Sweep sweep = folder.load();
  EXPECT_EQ(sweep.draw(0).parameters, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(sweep.draw(1).parameters, (std::vector<double>{0.75, 0.25}));
  // with the origin, which is left out, each of 64 parts would have one
  EXPECT_EQ(parts_with_values(column(sweep, 0), 64.0), 63U);
  EXPECT_EQ(parts_with_values(column(sweep, 1), 64.0), 63U);
}

TEST(SweepDraw, CorrelatesNormals) {
  const SweepFolder folder(R"(  runs: 4000
  seed: 11
  parameters:
    - {key: initial.joints.hinge.position, normal: {mean: 0, standard_deviation: 0.1}}
    - {key: duration, values: [2]}
    - {key: initial.joints.hinge.velocity, normal: {mean: 1, standard_deviation: 2}}
  correlation:
    keys: [initial.joints.hinge.velocity, initial.joints.hinge.position]
    matrix: [[1, -0.8], [-0.8, 1]]
)");
  const Sweep sweep = folder.load();
  const std::vector<double> x = column(sweep, 0), y = column(sweep, 2);
  double xx = 0.0, yy = 0.0, xy = 0.0, mean_y = 0.0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_y += y[i] / n;
    xx += x[i] * x[i] / n;
    yy += (y[i] - 1.0) * (y[i] - 1.0) / n;
    xy += x[i] * (y[i] - 1.0) / n;
  }
  // three standard errors: σ/√n, and (1 − ρ²)/√n of a correlation
  EXPECT_NEAR(mean_y, 1.0, 3.0 * 2.0 / std::sqrt(n));
  EXPECT_NEAR(xy / std::sqrt(xx * yy), -0.8, 3.0 * (1.0 - 0.64) / std::sqrt(n));
}

TEST(SweepDraw, TakesGridsInOrderWithRunsFastest) {
  const SweepFolder folder(R"(  runs: 2
  parameters:
    - {key: duration, values: [1, 2]}
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: integrator.step, values: [0.01, 0.02, 5 ms]}
)");
  const Sweep sweep = folder.load();
  ASSERT_EQ(sweep.rows(), 12);
  EXPECT_EQ(column(sweep, 0), (std::vector<double>{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(column(sweep, 2), (std::vector<double>{0.01, 0.01, 0.02, 0.02, 0.005, 0.005, 0.01, 0.01,
                                                   0.02, 0.02, 0.005, 0.005}));
}

TEST(SweepDraw, DependsOnSeedAndRowAlone) {
  const SweepFolder folder(testing::kThreeParameters);
  const Sweep sweep = folder.load(), again = folder.load({{"runs", "1000"}});
  EXPECT_EQ(sweep.draw(5).parameters, again.draw(5).parameters);
  EXPECT_EQ(sweep.draw(5).seed, again.draw(5).seed);
  EXPECT_NE(sweep.draw(5).seed, sweep.draw(6).seed);
  EXPECT_NE(sweep.draw(5).parameters[0], folder.load({{"seed", "8"}}).draw(5).parameters[0]);
}

}  // namespace
}  // namespace spacedyn::sweep_draw_test
