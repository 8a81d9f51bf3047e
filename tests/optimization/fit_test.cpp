// What fits find: known parameters, their covariance, and what the data do not determine.
#include "optimization/small_fit.hpp"

#include <gmock/gmock.h>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::fit_test {
namespace {

using testing::distance_from_truth;
using testing::FitFolder;
using testing::kDamping;
using testing::kData;
using testing::kStiffness;
using testing::kTwo;

/// J of the closed form by central differences, for the covariance of its own.
Eigen::Matrix2d closed_covariance(double sigma, int samples = 100) {
  const auto angle = [](double k, double c, double time) {
    const double decay = c / 4.0, omega = std::sqrt(k / 2.0 - decay * decay);
    return 0.5 * std::exp(-decay * time) *
           (std::cos(omega * time) + decay / omega * std::sin(omega * time));
  };
  Eigen::Matrix2d information = Eigen::Matrix2d::Zero();
  for (int i = 1; i <= samples; ++i) {
    const double time = 0.1 * i, h = 1e-5;
    const Eigen::Vector2d slope(
        (angle(kStiffness + h, kDamping, time) - angle(kStiffness - h, kDamping, time)) / (2 * h),
        (angle(kStiffness, kDamping + h, time) - angle(kStiffness, kDamping - h, time)) / (2 * h));
    information += slope * slope.transpose() / (sigma * sigma);
  }
  return information.inverse();
}

TEST(Fit, FindsKnownParametersWithinTheirCovariance) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    const FitResult result = FitFolder(kData + kTwo, 0.001, seed).run();
    EXPECT_TRUE(result.converged) << result.message;
    // χ² of two degrees of freedom is below 18.4 in all but 1e-4 of cases
    EXPECT_LT(distance_from_truth(result), 18.4) << "seed " << seed;
    // cost is half a χ² of 98 degrees of freedom: 98 ± 14
    EXPECT_NEAR(2.0 * result.cost, 98.0, 70.0) << "seed " << seed;
  }
}

TEST(Fit, HasTheCovarianceOfTheClosedForm) {
  const FitResult result = FitFolder().run();
  const Eigen::Matrix2d expected = closed_covariance(0.001);
  // the closed form is differentiated at the truth, some deviations away
  EXPECT_LT((result.covariance - expected).norm(), 0.01 * expected.norm());
  EXPECT_NEAR(result.correlation(0, 1), expected(0, 1) / std::sqrt(expected(0, 0) * expected(1, 1)),
              0.01);
}

TEST(Fit, HasTheCovarianceOfDataThatEndSooner) {
  const FitResult result = FitFolder().run();
  const std::vector<FitCovariance>& all = result.covariance_over_time;
  ASSERT_GE(all.size(), 98U);
  EXPECT_EQ(all.back().time, 10.0);
  EXPECT_LT((all.back().matrix - result.covariance).norm(), 1e-10 * result.covariance.norm());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int samples = static_cast<int>(std::lround(all[i].time / 0.1));
    // a sample more never adds to a variance
    if (i > 0) {
      EXPECT_TRUE(
          (all[i].matrix.diagonal().array() <= (1.0 + 1e-9) * all[i - 1].matrix.diagonal().array())
              .all())
          << samples;
    }
    if (samples < 20) continue;  // the truth is some deviations away
    const Eigen::Matrix2d expected = closed_covariance(0.001, samples);
    EXPECT_LT((all[i].matrix - expected).norm(), 0.01 * expected.norm()) << samples;
  }
}

TEST(Fit, FindsTheTruthInDataWithoutNoise) {
  const FitResult result = FitFolder(kData + kTwo, 0.0).run();
  EXPECT_TRUE(result.converged) << result.message;
  // samples have six digits
  EXPECT_NEAR(result.values(0), kStiffness, 1e-4);
  EXPECT_NEAR(result.values(1), kDamping, 1e-4);
}

TEST(Fit, ShiftsTimesByTheOffsetAndKeepsTheFirstRowOfEachInterval) {
  FitFolder folder(
      "  data: [{file: data.csv, offset: 0.1, every: 0.5, columns: {angle_rad: {channel: "
      "joint_position, sigma: 0.001}}}]\n" +
      kTwo);
  folder.write("data.csv", testing::telemetry(0.001, 1, 0.1));
  const Fit fit = folder.load();
  const FitColumn& column = fit.settings().columns.front();
  ASSERT_EQ(column.times.size(), 20U);
  EXPECT_NEAR(column.times[0], 0.1, 1e-12);
  EXPECT_NEAR(column.times[1], 0.6, 1e-12);
  EXPECT_LT(distance_from_truth(run_fit(fit)), 18.4);
}

TEST(Fit, WithstandsOutliersWithARobustLoss) {
  for (const char* loss : {"huber: {width: 2}", "cauchy: {width: 2}"}) {
    FitFolder folder(kData + kTwo + "  loss: {" + loss + "}\n");
    std::string text = testing::telemetry(0.001, 3);
    // each tenth sample is wrong by 0.2 rad, 200 standard deviations
    std::string wrong;
    int line = 0;
    for (std::size_t at = 0; at < text.size(); ++line) {
      const std::size_t end = text.find('\n', at);
      std::string row = text.substr(at, end - at);
      if (line > 0 && line % 10 == 0) {
        const std::size_t comma = row.find(',');
        row = row.substr(0, comma + 1) + std::to_string(std::stod(row.substr(comma + 1)) + 0.2);
      }
      wrong += row + '\n';
      at = end + 1;
    }
    folder.write("data.csv", wrong);
    const FitResult result = folder.run();
    EXPECT_TRUE(result.converged) << loss << ": " << result.message;
    EXPECT_NEAR(result.values(0), kStiffness, 0.05) << loss;
    EXPECT_NEAR(result.values(1), kDamping, 0.05) << loss;
    folder.write("fit.yaml",
                 "spacedyn: 1\nfit:\n  name: study\n  scenario: ring_down.yaml\n" + kData + kTwo);
    EXPECT_GT(std::abs(folder.run().values(1) - kDamping), std::abs(result.values(1) - kDamping));
  }
}

TEST(Fit, TakesAPriorForWhatIsKnownBefore) {
  const FitResult free = FitFolder().run();
  const double deviation = free.standard_deviations(0);
  // a prior as exact as the data, one of their deviations away: half of both
  const std::string prior = R"(  parameters:
    - {key: model.links.disc.joint.stiffness, prior: {mean: )" +
                            std::to_string(free.values(0) + deviation) +
                            ", standard_deviation: " + std::to_string(deviation) + "}}\n" +
                            "    - {key: model.links.disc.joint.damping}\n";
  const FitResult held = FitFolder(kData + prior).run();
  EXPECT_NEAR(held.values(0), free.values(0) + 0.5 * deviation, 0.02 * deviation);
  EXPECT_NEAR(held.standard_deviations(0), deviation / std::sqrt(2.0), 0.02 * deviation);
}

TEST(Fit, StaysWithinBounds) {
  const FitResult result = FitFolder(kData + R"(  parameters:
    - {key: model.links.disc.joint.stiffness, from: 6, to: 7.5}
    - {key: model.links.disc.joint.damping}
)")
                               .run();
  EXPECT_TRUE(result.converged) << result.message;
  EXPECT_EQ(result.values(0), 7.5);
}

TEST(Fit, NamesParametersThatTheDataDoNotDetermine) {
  // stiffness and inertia act as their ratio, with damping as another one
  const FitResult result = FitFolder(kData + R"(  parameters:
    - {key: model.links.disc.joint.stiffness}
    - {key: model.links.disc.joint.damping}
    - {key: model.links.disc.inertia.2}
    - {key: initial.joints.hinge.position}
)")
                               .run();
  EXPECT_EQ(result.undetermined, (std::vector<std::size_t>{0, 1, 2}));
  for (int j = 0; j < 3; ++j) EXPECT_TRUE(std::isinf(result.standard_deviations(j)));
  EXPECT_TRUE(std::isfinite(result.standard_deviations(3)));
  EXPECT_TRUE(std::isnan(result.correlation(0, 1)));
  EXPECT_NEAR(result.values(0) / result.values(2), kStiffness / 2.0, 0.02);
  EXPECT_NEAR(result.values(3), 0.5, 0.01);
}

TEST(Fit, FollowsAValleyToItsFloor) {
  // bounds cut the long steps along which nothing changes
  const FitResult result = FitFolder(kData + R"(  parameters:
    - {key: model.links.disc.joint.stiffness, from: 4, to: 9}
    - {key: model.links.disc.joint.damping, from: 0.1, to: 1}
    - {key: model.links.disc.inertia.2, from: 1.5, to: 2.5}
)")
                               .run();
  EXPECT_TRUE(result.converged) << result.message;
  EXPECT_NEAR(2.0 * result.cost, 98.0, 70.0);
  EXPECT_EQ(result.undetermined.size(), 3U);
}

TEST(Fit, DoesNotDependOnTheNumberOfThreads) {
  const FitFolder folder;
  const Fit fit = folder.load();
  const FitResult one = run_fit(fit, {1, nullptr}), three = run_fit(fit, {3, nullptr});
  EXPECT_EQ(one.values, three.values);
  EXPECT_EQ(one.covariance, three.covariance);
  EXPECT_THROW(run_fit(fit, {-1, nullptr}), DomainError);
}

TEST(Fit, KeepsTheBestWhenItIsInterrupted) {
  class Impatient final : public SearchObserver {
   public:
    bool on_progress(const SearchProgress& progress) override { return progress.iterations < 2; }
  };
  Impatient observer;
  const FitResult result = run_fit(FitFolder().load(), {1, &observer});
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.converged);
  EXPECT_LT(std::abs(result.values(0) - kStiffness), 1.5);
  EXPECT_NE(result.values(0), 6.5);
}

TEST(Fit, WritesAScenarioWithTheBestValues) {
  const FitFolder folder;
  const Fit fit = folder.load();
  const FitResult result = run_fit(fit);
  const std::string out = folder / ".";
  const std::vector<std::string> files = write_fit(out, fit, result);
  ASSERT_EQ(files.size(), 5U);
  for (const std::string& file : files) EXPECT_FALSE(testing::read_text(file).empty()) << file;
  const Scenario scenario = load_scenario(folder / "study.yaml");
  const Scenario expected =
      load_scenario(folder / "ring_down.yaml",
                    {{"model.links.disc.joint.stiffness", std::to_string(result.values(0))}});
  EXPECT_EQ(scenario.setup.model->joint(1).stiffness, result.values(0));
  EXPECT_EQ(scenario.setup.model->joint(1).damping, result.values(1));
  EXPECT_EQ(scenario.sections, expected.sections);
  EXPECT_THAT(testing::read_text(files[2]), ::testing::HasSubstr("model.links.disc.joint.damping"));
}

}  // namespace
}  // namespace spacedyn::fit_test
