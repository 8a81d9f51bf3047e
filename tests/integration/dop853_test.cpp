#include <cmath>

#include "spacedyn/integration/dop853_coefficients.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"
#include "support/small_models.hpp"

namespace spacedyn::dop853_test {
namespace {

/// Coefficients of up to 43.5 cancel in the sums: ten roundings of that size.
constexpr double kRounding = 10.0 * 43.5 * 2.2e-16;

/// Σ weight · value(stage).
template <std::size_t N, typename Function>
double sum(const dop853::Row<N>& row, const Function& value) {
  double total = 0.0;
  for (const dop853::Term& term : row) total += term.weight * value(term.stage);
  return total;
}

/// c^power of a stage.
auto node(int power) {
  return [power](std::size_t stage) { return std::pow(dop853::kNode[stage], power); };
}

/// Σ_j a_ij c_j^power of a stage i.
double inner(std::size_t stage, int power) {
  using namespace dop853;
  const auto f = node(power);
  switch (stage) {
    case 1:
      return sum(kStage1, f);
    case 2:
      return sum(kStage2, f);
    case 3:
      return sum(kStage3, f);
    case 4:
      return sum(kStage4, f);
    case 5:
      return sum(kStage5, f);
    case 6:
      return sum(kStage6, f);
    case 7:
      return sum(kStage7, f);
    case 8:
      return sum(kStage8, f);
    case 9:
      return sum(kStage9, f);
    case 10:
      return sum(kStage10, f);
    case 11:
      return sum(kStage11, f);
    case 12:
      return sum(kStep, f);
    case 13:
      return sum(kStage13, f);
    case 14:
      return sum(kStage14, f);
    case 15:
      return sum(kStage15, f);
    default:
      return 0.0;
  }
}

TEST(Dop853, StagesLieWhereTheirWeightsSumTo) {
  for (std::size_t stage = 0; stage < dop853::kStages; ++stage) {
    EXPECT_NEAR(inner(stage, 0), dop853::kNode[stage], kRounding) << stage;
  }
}

TEST(Dop853, StagesOfTheStepAreOfOrderThreeFromTheSixthOn) {
  for (std::size_t stage = 5; stage < dop853::kStages; ++stage) {
    for (int power = 1; power <= 2; ++power) {
      EXPECT_NEAR(inner(stage, power), node(power + 1)(stage) / (power + 1), kRounding) << stage;
    }
  }
}

TEST(Dop853, FulfilsConditionsOfOrderEight) {
  for (int order = 1; order <= 8; ++order) {
    EXPECT_NEAR(sum(dop853::kStep, node(order - 1)), 1.0 / order, kRounding) << order;
  }
  EXPECT_GT(std::abs(sum(dop853::kStep, node(8)) - 1.0 / 9.0), 1e-6);
  // Σ b_i c_i^m Σ a_ij c_j^k = 1 / ((k + 1) (m + k + 2))
  for (int k = 1; k <= 6; ++k) {
    for (int m = 0; m + k + 2 <= 8; ++m) {
      const double found =
          sum(dop853::kStep, [&](std::size_t stage) { return node(m)(stage) * inner(stage, k); });
      EXPECT_NEAR(found, 1.0 / ((k + 1) * (m + k + 2)), kRounding) << m << ' ' << k;
    }
  }
}

TEST(Dop853, ErrorEstimatesAreOfOrdersThreeAndFive) {
  for (int order = 1; order <= 3; ++order) {
    EXPECT_NEAR(sum(dop853::kThirdOrder, node(order - 1)), 1.0 / order, kRounding) << order;
  }
  EXPECT_GT(std::abs(sum(dop853::kThirdOrder, node(3)) - 0.25), 1e-3);
  for (int order = 1; order <= 5; ++order) {
    EXPECT_NEAR(sum(dop853::kFifthOrderError, node(order - 1)), 0.0, kRounding) << order;
  }
  EXPECT_GT(std::abs(sum(dop853::kFifthOrderError, node(5))), 1e-4);
}

/// The largest error of outputs between the ends of steps, which lie at other places.
double error_between_steps(double steps) {
  constexpr double kDuration = 1.0;
  testing::RandomModels random(11);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{4, 2, 0.3, true}));
  const State start = random.state(*setup.model);
  const auto fly = [&](const IntegratorOptions& integrator) {
    setup.integrator = integrator;
    Trajectory trajectory;
    Simulator(setup).run(start, kDuration, kDuration / 37.0, trajectory);
    return trajectory;
  };
  const Trajectory exact = fly(testing::adaptive(IntegrationMethod::fehlberg78, 1e-14));
  const Trajectory actual = fly(testing::fixed_step(IntegrationMethod::dop853, kDuration / steps));
  double worst = 0.0;
  for (std::size_t i = 0; i < exact.points.size(); ++i) {
    const State &a = actual.points[i].state, &b = exact.points[i].state;
    worst = std::max({worst, (a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(), (a.q - b.q).norm(),
                      (a.velocity() - b.velocity()).norm()});
  }
  return worst;
}

TEST(Dop853, DenseOutputIsOfOrderSeven) {
  // local errors of h⁸ between the steps, global ones of h⁸ at their ends
  const double coarse = error_between_steps(4), fine = error_between_steps(13);
  EXPECT_GT(fine, 1e-13) << "round-off";
  const double slope = std::log(coarse / fine) / std::log(13.0 / 4.0);
  // outputs lie at other places in steps of another size, so the slope is no more than near it
  EXPECT_GT(slope, 7.0) << coarse << ' ' << fine;
  EXPECT_LT(slope, 8.5) << coarse << ' ' << fine;
}

/// A slider on a fixed base whose damper limits the steps, drawn to and fro by its spring.
TEST(Dop853, DenseOutputIsAsGoodAsTheStepsWhereStabilityLimitsThem) {
  SimulationSetup setup = testing::slider_setup("damped", 1.0, 100.0, 200.0);
  constexpr double kTolerance = 1e-8;
  setup.integrator = testing::adaptive(IntegrationMethod::dop853, kTolerance);
  State start(*setup.model);
  start.q(0) = 1.0;
  Trajectory trajectory;
  Simulator(setup).run(start, 10.0, 0.0017, trajectory);
  // roots of s² + 200 s + 100 = 0; q = (s₂ e^{s₁t} − s₁ e^{s₂t}) / (s₂ − s₁)
  const double fast = -100.0 - std::sqrt(9900.0), slow = 100.0 / fast;
  double worst = 0.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double velocity =
        slow * fast * (std::exp(slow * sample.time) - std::exp(fast * sample.time)) / (fast - slow);
    worst = std::max(worst, std::abs(sample.state.qd(0) - velocity));
  }
  EXPECT_LT(worst, 5.0 * kTolerance);
}

}  // namespace
}  // namespace spacedyn::dop853_test
