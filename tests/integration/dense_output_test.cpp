#include "support/random_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::dense_output_test {
namespace {

constexpr double kDuration = 1.0;
constexpr double kInterval = kDuration / 499.0;  // many places in each step

class DenseOutput : public ::testing::TestWithParam<IntegrationMethod> {
 protected:
  static Trajectory fly(const IntegratorOptions& integrator, double interval) {
    testing::RandomModels random(11);
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{4, 2, 0.3, true}));
    setup.integrator = integrator;
    Trajectory trajectory;
    Simulator(setup).run(random.state(*setup.model), kDuration, interval, trajectory);
    return trajectory;
  }

  static IntegratorOptions options() {
    return is_adaptive(GetParam()) ? testing::adaptive(GetParam(), 1e-7)
                                   : testing::fixed_step(GetParam(), 0.01);
  }
};

double distance(const State& a, const State& b) {
  return std::max({(a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(), (a.q - b.q).norm(),
                   (a.velocity() - b.velocity()).norm()});
}

TEST_P(DenseOutput, MatchesTheSteps) {
  const Trajectory exact = fly(testing::dopri5(1e-13), kInterval);
  const Trajectory actual = fly(options(), kInterval);
  ASSERT_EQ(actual.points.size(), exact.points.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < exact.points.size(); ++i) {
    worst = std::max(worst, distance(actual.points[i].state, exact.points[i].state));
  }
  const double at_the_end = distance(actual.points.back().state, exact.points.back().state);
  // errors of free motion grow with time; cubic interpolation of a rate adds h⁴/384 |x⁗|
  EXPECT_LT(worst, 20.0 * at_the_end + 1e-8);
  EXPECT_LT(worst, is_adaptive(GetParam()) ? 1e-5 : 1.0);
}

TEST_P(DenseOutput, KeepsTheMotion) {
  const Trajectory often = fly(options(), kInterval);
  const Trajectory never = fly(options(), kDuration);
  EXPECT_EQ(often.step_times, never.step_times);
  EXPECT_EQ(often.points.back().state.q, never.points.back().state.q);
  EXPECT_EQ(often.points.back().state.A_0, never.points.back().state.A_0);
  EXPECT_EQ(often.points.back().state.qd, never.points.back().state.qd);
}

INSTANTIATE_TEST_SUITE_P(Methods, DenseOutput, ::testing::ValuesIn(all_integration_methods()),
                         [](const auto& instance) {
                           return std::string(to_string(instance.param));
                         });

}  // namespace
}  // namespace spacedyn::dense_output_test
