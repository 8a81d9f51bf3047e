#include <cmath>

#include "spacedyn/forces/applied_loads.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::centroid_path_test {
namespace {

/// Where the system centroid is and how fast, at all outputs.
class CentroidWatch final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    times.push_back(point.time);
    positions.push_back(center_of_mass(point.model, point.frames));
    velocities.push_back(center_of_mass_velocity(point.model, point.velocities));
  }

  std::vector<double> times;
  std::vector<Vector3> positions, velocities;
};

constexpr double kForce = 3.0;  // N
constexpr double kFrom = 0.95;  // s, when it begins to act, if it does

SimulationSetup tumbling_tree(IntegrationMethod method, bool pushed) {
  testing::RandomModels random(7);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{4, 2, 0.3, true}));
  // coarse, so that a method left to itself would err by much more than rounding
  setup.integrator =
      is_adaptive(method) ? testing::adaptive(method, 1e-4) : testing::fixed_step(method, 0.01);
  if (pushed) {
    Vector6 wrench = Vector6::Zero();
    wrench(0) = kForce;
    setup.forces = {std::make_shared<AppliedWrench>("push", Frame{}, WrenchAxes::inertial,
                                                    TimeTable::constant(wrench, kFrom))};
  }
  return setup;
}

class CentroidPathOf : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(CentroidPathOf, IsStraight) {
  const SimulationSetup setup = tumbling_tree(GetParam(), false);
  testing::RandomModels random(8);
  const State start = random.state(*setup.model);
  CentroidWatch watch;
  // outputs lie between the steps
  const SimulationResult result = Simulator(setup).run(start, 2.0, 0.0137, watch);
  const Vector3& v = watch.velocities.front();
  EXPECT_GT(v.norm(), 0.05);
  for (std::size_t i = 0; i < watch.times.size(); ++i) {
    const Vector3 expected = watch.positions.front() + watch.times[i] * v;
    // sums over five bodies some metres and metres per second apart
    EXPECT_LT((watch.positions[i] - expected).norm(), 1e-13);
    EXPECT_LT((watch.velocities[i] - v).norm(), 1e-13);
  }
  // what the method would have done to linear momentum is told all the same
  if (GetParam() != IntegrationMethod::variational) {
    EXPECT_GT(result.audit.linear_drift(), 1e-13);
  }
}

TEST_P(CentroidPathOf, EndsUnderForce) {
  const SimulationSetup setup = tumbling_tree(GetParam(), true);
  testing::RandomModels random(8);
  CentroidWatch watch;
  Simulator(setup).run(random.state(*setup.model), 1.5, 0.5, watch);
  const Vector3& v = watch.velocities.front();
  const double acceleration = kForce / setup.model->total_mass();
  for (std::size_t i = 0; i < watch.times.size(); ++i) {
    const double pushed = std::max(0.0, watch.times[i] - kFrom);
    const Vector3 expected = watch.positions.front() + watch.times[i] * v +
                             0.5 * acceleration * pushed * pushed * Vector3::UnitX();
    EXPECT_LT((watch.positions[i] - expected).norm(), watch.times[i] < kFrom ? 1e-13 : 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, CentroidPathOf,
    ::testing::Values(IntegrationMethod::dop853, IntegrationMethod::dopri5,
                      IntegrationMethod::euler, IntegrationMethod::midpoint, IntegrationMethod::rk4,
                      IntegrationMethod::cash_karp54, IntegrationMethod::fehlberg78,
                      IntegrationMethod::bulirsch_stoer, IntegrationMethod::adams_bashforth_moulton,
                      IntegrationMethod::rodas, IntegrationMethod::variational),
    [](const auto& method) { return std::string(to_string(method.param)); });

}  // namespace
}  // namespace spacedyn::centroid_path_test
