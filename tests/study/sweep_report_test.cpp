// Statistics, sensitivities and the page of sweeps.
#include "spacedyn/study/sweep_report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <random>

#include "spacedyn/loading/scenario.hpp"
#include "study/small_sweep.hpp"
#include "support/message_of.hpp"
#include "support/shipped.hpp"

namespace spacedyn::sweep_report_test {
namespace {

using ::testing::HasSubstr;
using testing::message_of;
using testing::SweepFolder;
using Numbers = std::vector<double>;

constexpr double kPi = 3.14159265358979323846;

TEST(SweepStatistics, EstimateSuccessRatesAsWilsonDoes) {
  // [Newcombe 1998], table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
  const SweepInterval first = success_interval(81, 263), second = success_interval(15, 148);
  EXPECT_NEAR(first.low, 0.2553, 5e-5);
  EXPECT_NEAR(first.high, 0.3662, 5e-5);
  EXPECT_NEAR(second.low, 0.0624, 5e-5);
  EXPECT_NEAR(second.high, 0.1605, 5e-5);
  EXPECT_EQ(success_interval(0, 20).low, 0.0);
  EXPECT_NEAR(success_interval(0, 20).high, 0.1611, 5e-5);
  EXPECT_NEAR(success_interval(1, 29).low, 0.0061, 5e-5);
}

TEST(SweepStatistics, HaveQuantilesWithIntervalsThatHoldThem) {
  Numbers values(1001);
  std::iota(values.begin(), values.end(), 0.0);
  const SweepQuantile median = sample_quantile(values, 0.5);
  EXPECT_EQ(median.value, 500.0);
  EXPECT_NEAR(median.interval.low, 500.0 - 31.0, 2.0);  // 1.96 √(n/4) ranks
  EXPECT_NEAR(median.interval.high, 500.0 + 31.0, 2.0);
  EXPECT_EQ(sample_quantile({3.0}, 0.05).value, 3.0);
  EXPECT_EQ(sample_quantile({1.0, 2.0}, 0.25).value, 1.25);
}

TEST(SweepStatistics, CorrelateRanks) {
  EXPECT_NEAR(rank_correlation({1, 2, 3, 4}, {1, 8, 27, 64}), 1.0, 1e-15);
  EXPECT_NEAR(rank_correlation({1, 2, 3, 4}, {4, 3, 2, -9}), -1.0, 1e-15);
  // ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: by hand 0.94868
  EXPECT_NEAR(rank_correlation({1, 2, 2, 4}, {1, 2, 3, 4}), 4.5 / std::sqrt(4.5 * 5.0), 1e-15);
  EXPECT_TRUE(std::isnan(rank_correlation({1, 1, 1}, {1, 2, 3})));
}

/// Rows of a sweep with sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁ on (−π, π)³.
struct Ishigami {
  std::vector<Numbers> x = std::vector<Numbers>(3);
  Numbers y;

  explicit Ishigami(const Sweep& sweep) {
    for (long row = 0; row < sweep.rows(); ++row) {
      const Numbers point = sweep.draw(row).parameters;
      for (std::size_t i = 0; i < 3; ++i) x[i].push_back(point[i]);
      const double sine = std::sin(point[1]);
      y.push_back(std::sin(point[0]) * (1.0 + 0.1 * std::pow(point[2], 4)) + 7.0 * sine * sine);
    }
  }
};

TEST(SweepStatistics, FindTheIndicesOfIshigamisFunction) {
  const SweepFolder folder(R"(  runs: 8191
  sampling: sobol
  parameters:
    - {key: initial.joints.hinge.position, uniform: [-3.141592653589793, 3.141592653589793]}
    - {key: initial.joints.hinge.velocity, uniform: [-3.141592653589793, 3.141592653589793]}
    - {key: model.links.disc.mass, uniform: [-3.141592653589793, 3.141592653589793]}
)");
  // variance and indices in closed form
  const double a = 7.0, b = 0.1, pi4 = std::pow(kPi, 4);
  const double first = 0.5 * std::pow(1.0 + b * pi4 / 5.0, 2), second = a * a / 8.0;
  const double variance = a * a / 8.0 + b * pi4 / 5.0 + b * b * pi4 * pi4 / 18.0 + 0.5;
  const Ishigami even(folder.load());
  // three standard errors of about 1/√n
  const auto first_of = [&](std::size_t i) {
    return first_order_index(even.x[i], even.y, SampleKind::random);
  };
  EXPECT_NEAR(first_of(0), first / variance, 3.0 / std::sqrt(8191.0));
  EXPECT_NEAR(first_of(1), second / variance, 3.0 / std::sqrt(8191.0));
  EXPECT_NEAR(first_of(2), 0.0, 3.0 / std::sqrt(8191.0));
  const double both = 8.0 * b * b * pi4 * pi4 / 225.0;  // of x₁ and x₃ together
  const Ishigami random(folder.load({{"sampling", "random"}, {"runs", "2000"}}));
  const auto total_of = [&](std::size_t i) {
    return total_index(random.x, i, random.y, SampleKind::random);
  };
  EXPECT_NEAR(total_of(0), (first + both) / variance, 3.0 / std::sqrt(2000.0));
  EXPECT_NEAR(total_of(1), second / variance, 3.0 / std::sqrt(2000.0));
  EXPECT_NEAR(total_of(2), both / variance, 3.0 / std::sqrt(2000.0));
}

TEST(SweepStatistics, FindIndicesOnGridsByTheirGroups) {
  // y = x₁ + 2 x₂ on a grid: variances 1 : 4
  Numbers a, b, y;
  for (const double i : {0.0, 1.0, 2.0}) {
    for (const double j : {0.0, 1.0, 2.0}) {
      a.push_back(i);
      b.push_back(j);
      y.push_back(i + 2.0 * j);
    }
  }
  const auto first = [](const Numbers& x, const Numbers& of) {
    return first_order_index(x, of, SampleKind::grid);
  };
  const auto total = [](const std::vector<Numbers>& x, std::size_t which, const Numbers& of) {
    return total_index(x, which, of, SampleKind::grid);
  };
  EXPECT_NEAR(first(a, y), 0.2, 1e-15);
  EXPECT_NEAR(first(b, y), 0.8, 1e-15);
  EXPECT_TRUE(std::isnan(first(a, Numbers(9, 1.0))));
  // without interaction both indices are the same; a product of both interacts
  EXPECT_NEAR(total({a, b}, 0, y), 0.2, 1e-15);
  EXPECT_NEAR(total({a, b}, 1, y), 0.8, 1e-15);
  Numbers product(9);
  std::transform(a.begin(), a.end(), b.begin(), product.begin(), std::multiplies<>());
  // E Var(ab|b) = Var a · E b² = 2/3 · 5/3 of Var ab = 25/9 − 1
  EXPECT_NEAR(total({a, b}, 0, product), 10.0 / 16.0, 1e-15);
  EXPECT_NEAR(total({a}, 0, y), 1.0, 1e-14);
  EXPECT_TRUE(std::isnan(total({a, b}, 0, Numbers(9, 1.0))));
  EXPECT_TRUE(std::isnan(total({a, b, Numbers(9, 1.0)}, 2, y)));
}

TEST(SweepStatistics, TakeChanceOutOfGroupsThatAreDrawn) {
  // which of 100 groups a row is in says nothing about y: between the means of 4 rows each lies a
  // quarter of the variance, by chance alone
  std::mt19937 random(5);
  Numbers group, y;
  for (int i = 0; i < 400; ++i) {
    group.push_back(i % 100);
    y.push_back(static_cast<double>(random()));
  }
  EXPECT_NEAR(first_order_index(group, y, SampleKind::random), 0.0, 3.0 / std::sqrt(400.0));
}

/// Statistics of all that a sweep of the oscillator collects.
std::vector<SweepStatistic> statistics_of(const std::string& keys) {
  const SweepFolder folder(keys + "  collect: [{name: last, channel: joint_position}]\n");
  std::filesystem::create_directory(folder / "out");
  const Sweep sweep = folder.load();
  run_sweep_into(folder / "out", sweep, false, {});
  return sweep_statistics(read_sweep_table(sweep_file(folder / "out", sweep)));
}

TEST(SweepStatistics, GiveAllVarianceToTheOnlyParameter) {
  const std::string grid =
      "  parameters:\n    - {key: initial.joints.hinge.position, values: [0, 0.1, 0.2, 0.3, 3, "
      "0.5, "
      "0.6, 0.7, 0.8, 0.9]}\n";
  const std::string drawn =
      "  runs: 10\n  parameters:\n    - {key: initial.joints.hinge.position, uniform: [0, 1]}\n";
  const std::string constant = "    - {key: initial.joints.hinge.velocity, values: [0.1]}\n";
  for (const std::string& keys : {grid, drawn, grid + constant}) {
    const SweepStatistic last = statistics_of(keys).at(0);
    EXPECT_EQ(last.first_order_indices[0], 1.0) << keys;
    EXPECT_EQ(last.total_indices[0], 1.0) << keys;
  }
}

TEST(SweepStatistics, GiveNoIndicesOfFewRandomRows) {
  const std::string keys = R"(  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: initial.joints.hinge.velocity, uniform: [0, 1]}
)";
  const SweepStatistic few = statistics_of("  runs: 49\n" + keys).at(0);
  EXPECT_TRUE(std::isnan(few.first_order_indices[0]));
  EXPECT_TRUE(std::isnan(few.total_indices[0]));
  EXPECT_FALSE(std::isnan(few.rank_correlations[0]));
  // a linear system: q(2 s) = a q(0) + b q̇(0), two variances
  const double decay = std::exp(-0.1 * 2.0), turn = std::sqrt(4.0 - 0.01);
  const double b = decay * std::sin(2.0 * turn) / turn;
  const double a = decay * std::cos(2.0 * turn) + 0.1 * b;
  const SweepStatistic many = statistics_of("  runs: 200\n" + keys).at(0);
  EXPECT_NEAR(many.first_order_indices[0], a * a / (a * a + b * b), 3.0 / std::sqrt(200.0));
}

TEST(SweepBands, AreQuantilesOfFlightsAtEachInstant) {
  const SweepFolder folder(R"(  runs: 7
  parameters:
    - {key: initial.joints.hinge.position, uniform: [-1, 1]}
  collect:
    - {name: last, channel: joint_position}
    - {name: most, channel: joint_position, at: max}
    - {name: speed, channel: joint_velocity, at: rms}
  keep_results: all
)");
  std::filesystem::create_directory(folder / "out");
  const Sweep sweep = folder.load();
  run_sweep_into(folder / "out", sweep, false, {});
  const SweepTable table = read_sweep_table(sweep_file(folder / "out", sweep));
  const std::vector<SweepBand> bands = sweep_bands(table);
  ASSERT_EQ(bands.size(), 2U);
  EXPECT_EQ(bands[0].name, "joint_position");
  EXPECT_EQ(bands[1].unit, "rad/s");
  // 101 instants of 2 s, rows every 0.1 s: each fifth instant is that of a row
  Numbers position;
  for (long row = 0; row < 7; ++row) {
    position.push_back(simulate(sweep.scenario_of(row)).points.at(13).state.q(0));
  }
  std::sort(position.begin(), position.end());
  EXPECT_NEAR(bands[0].times.at(65), 1.3, 1e-12);
  EXPECT_NEAR(bands[0].quantiles[2][65], position[3], 1e-12);
  EXPECT_NEAR(bands[0].quantiles[1][65], 0.5 * (position[1] + position[2]), 1e-12);
  std::filesystem::remove_all(folder / "out/rows");
  EXPECT_TRUE(sweep_bands(table).empty());
}

TEST(SweepPage, ShowsSweepsAndTheirFailures) {
  const SweepFolder folder(R"(  runs: 20
  parameters:
    - {key: model.links.disc.mass, uniform: [-1, 1]}
  collect:
    - {name: "last <b>", channel: joint_position}
)");
  std::filesystem::create_directory(folder / "out");
  const Sweep sweep = folder.load();
  run_sweep_into(folder / "out", sweep, false, {});
  const SweepTable table = read_sweep_table(sweep_file(folder / "out", sweep));
  write_sweep_page(folder / "page.html", {table, table});
  const std::string page = testing::read_text(folder / "page.html");
  EXPECT_THAT(page, HasSubstr("last \\u003cb>"));
  EXPECT_THAT(page, HasSubstr("expected a mass of at least 0 (kg, g, t)"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(message_of<DomainError>([&] { write_sweep_page(folder / "none.html", {}); }),
              HasSubstr("at least one sweep"));
  const std::string picture =
      sweep_scatter_svg(table, "model.links.disc.mass", "last <b>", 480.0, 240.0, 11.0);
  EXPECT_THAT(picture, HasSubstr("last &lt;b&gt; [rad]"));
  EXPECT_THAT(message_of<DomainError>([&] {
                sweep_scatter_svg(table, "model.links.disc.mas", "x", 480.0, 240.0, 11.0);
              }),
              HasSubstr("did you mean 'model.links.disc.mass'?"));
}

TEST(ShippedSweeps, FlyTheirFirstRow) {
  for (const std::string& name : testing::shipped_names("sweeps")) {
    SCOPED_TRACE(name);
    const Sweep sweep = Sweep::load(std::string(SPACEDYN_MODELS) + "/sweeps/" + name + ".yaml");
    EXPECT_EQ(sweep.settings().name, name);
    EXPECT_FALSE(sweep.settings().notes.description.empty());
    EXPECT_FALSE(sweep.settings().notes.source.empty());
    EXPECT_TRUE(sweep.warnings().empty());
    SweepOptions first;
    first.only = {0};
    const SweepOutcome outcome = run_sweep(sweep, first);
    EXPECT_EQ(outcome.progress.flown, 1);
    EXPECT_EQ(outcome.progress.failed, 0);
  }
}

}  // namespace
}  // namespace spacedyn::sweep_report_test
