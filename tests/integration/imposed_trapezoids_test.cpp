// Imposed trapezoids whose instants do not round nicely, in methods that must land on them.
#include <cmath>

#include "spacedyn/control/reference.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::imposed_trapezoids_test {
namespace {

constexpr double kDuration = 0.8;
constexpr double kInterval = 0.0137;

/// A floating tree at rest but for one free joint; the others follow a trapezoid each.
struct Flight {
  SimulationSetup setup;
  State initial;
};

Flight random_flight(unsigned seed) {
  testing::RandomModels random(seed);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{3, 1, 0.2, true}));
  const int imposed = 1 + static_cast<int>(seed % 2);
  for (int joint = 1; joint <= imposed; ++joint) {
    const auto one = [](double value) { return VectorX::Constant(1, value); };
    // some cruise, some turn round on the way, one starts with the flight
    setup.prescribed_joints.push_back(
        {joint, std::make_shared<TrapezoidReference>(
                    one(random.number(-0.5, 0.5)), one(random.number(-0.5, 0.5)),
                    seed % 5 == 0 ? 0.0 : random.number(0.01, 0.3), one(random.number(0.3, 2.0)),
                    one(random.number(3.0, 30.0)))});
  }
  State initial(*setup.model);
  initial.qd(2) = random.number(-1.0, 1.0);
  return {std::move(setup), std::move(initial)};
}

IntegratorOptions options_of(IntegrationMethod method) {
  return is_adaptive(method) ? testing::adaptive(method, 1e-10) : testing::fixed_step(method, 1e-3);
}

struct Outcome {
  std::vector<TrajectoryPoint> points;
  double drift = 0.0;
};

Outcome fly(Flight flight, const IntegratorOptions& integrator) {
  flight.setup.integrator = integrator;
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(flight.setup).run(flight.initial, kDuration, kInterval, trajectory);
  return {trajectory.points, result.audit.momentum_drift()};
}

double distance(const State& a, const State& b) {
  return std::max({(a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(), (a.q - b.q).norm(),
                   (a.velocity() - b.velocity()).norm()});
}

using Case = std::tuple<IntegrationMethod, unsigned>;

class Trapezoids : public ::testing::TestWithParam<Case> {};

TEST_P(Trapezoids, KeepTheOrder) {
  const auto [method, seed] = GetParam();
  const Flight flight = random_flight(seed);
  const Outcome exact = fly(flight, testing::adaptive(IntegrationMethod::dop853, 1e-12));
  const Outcome actual = fly(flight, options_of(method));
  ASSERT_EQ(actual.points.size(), exact.points.size());
  double worst = 0.0, motion = 0.0;
  for (std::size_t i = 0; i < exact.points.size(); ++i) {
    const State& state = exact.points[i].state;
    worst = std::max(worst, distance(actual.points[i].state, state));
    motion = std::max(motion, distance(state, flight.initial));
  }
  EXPECT_GT(motion, 0.1);
  // one acceleration on the wrong side of its jump costs a step of 1 ms some 1e-3
  EXPECT_LT(worst, 1e-7);
  EXPECT_LT(actual.drift, 1e-7);
  EXPECT_LT(exact.drift, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(
    Seeds, Trapezoids,
    ::testing::Combine(::testing::Values(IntegrationMethod::rk4, IntegrationMethod::fehlberg78,
                                         IntegrationMethod::rodas,
                                         IntegrationMethod::adams_bashforth_moulton,
                                         IntegrationMethod::dop853),
                       ::testing::Range(1U, 13U)),
    [](const auto& instance) {
      return std::string(to_string(std::get<0>(instance.param))) + "_" +
             std::to_string(std::get<1>(instance.param));
    });

}  // namespace
}  // namespace spacedyn::imposed_trapezoids_test
