// Linear covariance against closed forms and against the flights of the sweep itself.
#include "spacedyn/study/linear_covariance.hpp"

#include <gmock/gmock.h>

#include "spacedyn/integration/sensitivities.hpp"
#include "study/small_sweep.hpp"
#include "support/message_of.hpp"

namespace spacedyn::linear_covariance_test {
namespace {

using ::testing::HasSubstr;
using testing::message_of;
using testing::SweepFolder;

constexpr double kInertia = 2.0, kStiffness = 8.0, kDamping = 0.4, kStart = 0.5;

/// Of the oscillator of the folder, at a time.
long double position(long double start, long double stiffness, long double damping,
                     long double time) {
  const long double decay = damping / (2.0L * kInertia);
  const long double omega = std::sqrt(stiffness / kInertia - decay * decay);
  return start * std::exp(-decay * time) *
         (std::cos(omega * time) + decay / omega * std::sin(omega * time));
}

const std::string kNormals = R"(  seed: 3
  runs: 500
  parameters:
    - {key: initial.joints.hinge.position, normal: {mean: 0.5, standard_deviation: 0.01}}
    - {key: model.links.disc.joint.stiffness, normal: {mean: 8, standard_deviation: 0.1}}
    - {key: model.links.disc.joint.damping, uniform: [0.38, 0.42]}
  correlation:
    keys: [initial.joints.hinge.position, model.links.disc.joint.stiffness]
    matrix: [[1, 0.6], [0.6, 1]]
  collect:
    - {name: last, channel: joint_position}
    - {name: speed, channel: joint_velocity, at: {time: 1.5}}
)";

TEST(LinearCovariance, HasTheDerivativesOfTheClosedForm) {
  const LinearCovariance linear = linear_covariance(SweepFolder(kNormals).load());
  const long double h = 1e-5L, end = 2.0L;
  const auto at = [&](long double q, long double k, long double c) {
    return position(kStart + q, kStiffness + k, kDamping + c, end);
  };
  const std::vector<long double> by{(at(h, 0, 0) - at(-h, 0, 0)) / (2 * h),
                                    (at(0, h, 0) - at(0, -h, 0)) / (2 * h),
                                    (at(0, 0, h) - at(0, 0, -h)) / (2 * h)};
  // steps of 10 ms of order 4 are some 1e-9 wrong
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(linear.by(0, j), static_cast<double>(by[static_cast<std::size_t>(j)]), 2e-8) << j;
  }
  EXPECT_NEAR(linear.parameters(2, 2), 0.04 * 0.04 / 12.0, 1e-15);
  EXPECT_NEAR(linear.parameters(0, 1), 0.6 * 0.01 * 0.1, 1e-15);
}

// Of N = 500 rows a standard deviation is √(1/2N) uncertain: four of these are 13 %.
TEST(LinearCovariance, AgreesWithRowsOfTheSweepWithinTheirConfidence) {
  const Sweep sweep = SweepFolder(kNormals).load();
  const LinearCovariance linear = linear_covariance(sweep);
  testing::Keeper keeper;
  run_sweep(sweep, {1, &keeper});
  const double count = static_cast<double>(keeper.rows.size());
  ASSERT_EQ(count, 500.0);
  for (std::size_t i = 0; i < 2; ++i) {
    double mean = 0.0, variance = 0.0;
    for (const SweepRow& row : keeper.rows) mean += row.collected[i] / count;
    for (const SweepRow& row : keeper.rows) {
      variance += (row.collected[i] - mean) * (row.collected[i] - mean) / (count - 1.0);
    }
    const auto own = static_cast<Eigen::Index>(i);
    const double deviation = std::sqrt(linear.covariance(own, own));
    EXPECT_NEAR(std::sqrt(variance) / deviation, 1.0, 4.0 / std::sqrt(2.0 * count)) << i;
    EXPECT_NEAR(mean, linear.collected[i], 4.0 * deviation / std::sqrt(count) + 1e-4) << i;
  }
}

TEST(LinearCovariance, FollowsTheStatesAlongTheFlight) {
  const LinearCovariance linear = linear_covariance(SweepFolder(kNormals).load());
  ASSERT_EQ(linear.states.times.size(), 21U);
  const auto hinge =
      std::find(linear.states.states.begin(), linear.states.states.end(), "hinge.position") -
      linear.states.states.begin();
  EXPECT_NEAR(linear.state_deviations(0, hinge), 0.01, 1e-12);
  EXPECT_NEAR(linear.state_deviations(20, hinge), std::sqrt(linear.covariance(0, 0)), 1e-9);
}

TEST(LinearCovariance, NamesWhatHasNoDerivative) {
  const auto message = [](const std::string& keys) {
    return message_of<DomainError>([&] { linear_covariance(SweepFolder(keys).load()); });
  };
  EXPECT_THAT(message(testing::kThreeParameters),
              HasSubstr("the parameter 'duration' takes 2 single values"));
  EXPECT_THAT(message(R"(  runs: 1
  parameters: [{key: integrator.step, uniform: [0.01, 0.02]}]
  collect: [{name: last, channel: joint_position}]
)"),
              HasSubstr("'integrator.step' decides how the flight is integrated"));
}

TEST(ScenarioSensitivities, OfAKeyWithoutANumberAreRefusedByName) {
  const SweepFolder folder(kNormals);
  const std::string path = folder / "oscillator.yaml";
  EXPECT_EQ(message_of<DomainError>([&] { scenario_sensitivities(path, {"name"}); }),
            "expected a key with a number in the scenario, got 'name'");
  const ScenarioSensitivities found =
      scenario_sensitivities(path, {"initial.joints.hinge.velocity"});
  EXPECT_EQ(found.states.size(), 14U);
  EXPECT_EQ(found.by.front()(13, 0), 1.0);
}

}  // namespace
}  // namespace spacedyn::linear_covariance_test
