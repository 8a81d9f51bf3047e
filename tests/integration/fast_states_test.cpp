// Auxiliary states that are faster than the steps of a method of fixed steps: taken implicitly, or
// named at the end.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "support/contact_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::fast_states_test {
namespace {

constexpr double kCoulomb = 0.5, kPresliding = 1e-3, kInertia = 0.1;

/// A rotor on a fixed base that turns with 6 rad/s, and nothing but dry friction slows it down.
SimulationSetup rubbing_rotor(double breakaway = kCoulomb) {
  LinkDescription link = link_body("rotor", "base", 1.0, Vector3::Constant(kInertia),
                                   Vector3::Zero(), Vector3::Zero());
  link.joint.friction = {kCoulomb, breakaway, 0.01, kPresliding};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("rotor").set_base(base_body(1.0, Vector3::Ones())).add_link(link).build());
  setup.base_mode = BaseMode::fixed;
  return setup;
}

State turning(const SimulationSetup& setup) {
  State state(*setup.model);
  state.qd(0) = 6.0;
  return state;
}

SimulationResult fly(SimulationSetup setup, const IntegratorOptions& integrator, double duration) {
  setup.integrator = integrator;
  return simulate(setup, turning(setup), duration);
}

class ImplicitFriction : public ::testing::TestWithParam<double> {};

// While the bristle bends, the torque is less than F_c for about z_c: the angle is behind that of
// Coulomb friction by less than z_c · t F_c/(J v), so 1 % of it, and errors of h² are less.
TEST_P(ImplicitFriction, SlidesAsCoulombHasIt) {
  const SimulationResult result =
      fly(rubbing_rotor(), fixed_step(IntegrationMethod::time_stepping, GetParam()), 1.0);
  const double slowing = kCoulomb / kInertia;
  EXPECT_NEAR(result.state.q(0), 6.0 - 0.5 * slowing, 2.0 * kPresliding);
  EXPECT_NEAR(result.state.qd(0), 6.0 - slowing, 2.0 * kPresliding);
  EXPECT_TRUE(result.events.empty());
  // velocities are known to 1e-6
  EXPECT_LT(result.audit.energy_residual(), 1e-6);
}

// It stops after 1.2 s, and the bristle holds it: what is left of its deflection is less than z_c.
TEST_P(ImplicitFriction, StopsAndHolds) {
  const SimulationResult result =
      fly(rubbing_rotor(0.7), fixed_step(IntegrationMethod::time_stepping, GetParam()), 2.0);
  const SimulationResult exact =
      fly(rubbing_rotor(0.7), adaptive(IntegrationMethod::rodas, 1e-10), 2.0);
  EXPECT_NEAR(result.state.q(0), exact.state.q(0), 3.0 * kPresliding);
  EXPECT_LT(result.audit.energy_residual(), 1e-6);
  EXPECT_TRUE(result.events.empty());
}

// h |v|/z_c from 0.6 to 60
INSTANTIATE_TEST_SUITE_P(Step, ImplicitFriction, ::testing::Values(1e-4, 2.5e-4, 5e-4, 1e-3, 1e-2),
                         [](const auto& step) {
                           return std::to_string(std::lround(1e6 * step.param)) + "_us";
                         });

// the same bristle as a brake
TEST(FastStates, OfABrakeSlowDownAsCoulombHasIt) {
  SimulationSetup setup = rubbing_rotor();
  ModelDescription description = setup.model->description();
  description.links[0].joint.friction = {};
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  JointBrake::Settings brake;
  brake.joint = 1;
  brake.torque = kCoulomb;
  brake.presliding = kPresliding;
  setup.forces = {std::make_shared<JointBrake>("brake", brake)};
  for (const double step : {2.5e-4, 1e-3, 1e-2}) {
    const SimulationResult result =
        fly(setup, fixed_step(IntegrationMethod::time_stepping, step), 1.0);
    EXPECT_NEAR(result.state.q(0), 3.5, 2.0 * kPresliding) << step;
    EXPECT_NEAR(result.state.qd(0), 1.0, 2.0 * kPresliding) << step;
    EXPECT_TRUE(result.events.empty());
  }
}

/// A ball that slides along x and does not turn, on compliant ground whose bristle is as fast as
/// k/c = 1e4 1/s.
SimulationSetup sliding_ball() {
  LinkDescription lift =
      link_body("lift", "base", 0.1, Vector3::Constant(0.01), Vector3::Zero(), Vector3::Zero());
  lift.joint.type = JointType::prismatic;
  LinkDescription ball =
      link_body("ball", "lift", 0.9, Vector3::Constant(0.01), Vector3::Zero(), Vector3::Zero());
  ball.joint.type = JointType::prismatic;
  ball.joint.axis = Vector3::UnitX();
  ball.collisions.push_back(sphere_shape("ball", 0.1));
  const Model model = ModelBuilder("slide")
                          .set_base(base_body(1.0, Vector3::Ones()))
                          .add_link(lift)
                          .add_link(ball)
                          .build();
  SimulationSetup setup = contact_setup(
      model, on_ground(model, linear_law(1e4, 100.0), bristle(0.4, 1e5, 10.0)), {0.0, 0.0, -10.0});
  setup.base_mode = BaseMode::fixed;
  return setup;
}

// of 1 kg under 10 m/s² with μ = 0.4; the bristle yields at 0.04 mm
TEST(FastStates, OfAContactSlowDownAsCoulombHasIt) {
  SimulationSetup setup = sliding_ball();
  for (const double step : {1e-4, 1e-3, 5e-3}) {
    setup.integrator = fixed_step(IntegrationMethod::time_stepping, step);
    State state(*setup.model);
    state.q(0) = 0.1 - 1e-3;
    state.qd(1) = 3.0;
    const SimulationResult result = simulate(setup, state, 0.5);
    // 4 N slow down 0.9 kg
    const double slowing = 4.0 / 0.9;
    EXPECT_NEAR(result.state.qd(1), 3.0 - 0.5 * slowing, 1e-3) << step;
    EXPECT_NEAR(result.state.q(1), 1.5 - 0.125 * slowing, 1e-3) << step;
    for (const EventRecord& event : result.events) EXPECT_FALSE(event.is_warning) << event.name;
  }
}

/// A torque behind a lag, T ż = u − z, that says or does not say its derivatives.
class Lag final : public ForceElement {
 public:
  Lag(double lag, bool says) : ForceElement("lag"), lag_(lag), says_(says) {}

  void apply(const EvaluationContext& now, Loads& loads) const override {
    loads.tau(0) += now.auxiliary(0);
  }
  int auxiliary_size() const override { return 1; }
  void auxiliary_rate(const EvaluationContext& now, VectorRef zd) const override {
    zd(0) = (kTorque - now.auxiliary(0)) / lag_;
  }
  bool differentiate(const EvaluationContext&, LoadDerivatives& derivatives) const override {
    if (!says_) return false;
    derivatives.force_auxiliary(LoadDerivatives::joint(1), derivatives.slice) += 1.0;
    derivatives.rate_auxiliary(derivatives.slice, derivatives.slice) -= 1.0 / lag_;
    return true;
  }
  static constexpr double kTorque = 0.3;

 private:
  double lag_;
  bool says_;
};

SimulationSetup lagging_rotor(double lag, bool says) {
  SimulationSetup setup = rubbing_rotor();
  ModelDescription description = setup.model->description();
  description.links[0].joint.friction = {};
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  setup.forces = {std::make_shared<Lag>(lag, says)};
  return setup;
}

// a torque that follows within a hundredth of a step is there at once, to the lag times its rate
TEST(FastStates, FollowTheirEquilibriumWithoutSwinging) {
  for (const bool says : {false, true}) {
    const double lag = 1e-5;
    const SimulationResult result =
        fly(lagging_rotor(lag, says), fixed_step(IntegrationMethod::time_stepping, 1e-3), 1.0);
    EXPECT_NEAR(result.state.z(0), Lag::kTorque, 1e-9);
    EXPECT_NEAR(result.state.qd(0), 6.0 + Lag::kTorque / kInertia, 1e-3 * Lag::kTorque / kInertia);
    EXPECT_TRUE(result.events.empty());
  }
}

// where the lag takes some steps it is that of the midpoint rule: order 2
TEST(FastStates, ThatStepsResolveKeepTheOrderOfTheMethod) {
  const double lag = 0.1;
  const auto error = [&](double step) {
    const SimulationResult result =
        fly(lagging_rotor(lag, true), fixed_step(IntegrationMethod::time_stepping, step), 0.5);
    return std::abs(result.state.z(0) - Lag::kTorque * (1.0 - std::exp(-0.5 / lag)));
  };
  EXPECT_NEAR(error(0.02) / error(0.01), 4.0, 0.2);
}

enum class Outcome { right, named, stopped };

template <typename IsRight>
Outcome outcome_of(const SimulationSetup& setup, const char* element, IntegrationMethod method,
                   const IsRight& is_right) {
  try {
    const SimulationResult result = fly(setup, fixed_step(method, 5e-4), 1.0);
    if (!result.events.empty()) {
      EXPECT_TRUE(result.events[0].is_warning);
      EXPECT_TRUE(result.limited_by_stability);
      EXPECT_THAT(result.events[0].name, ::testing::HasSubstr(element));
      return Outcome::named;
    }
    EXPECT_TRUE(is_right(result.state)) << result.state.q(0) << ' ' << result.state.qd(0);
    return Outcome::right;
  } catch (const NumericalError&) {
    return Outcome::stopped;
  }
}

// the rates of the states times the step are 3 and 5
TEST(FastStates, AreRightOrNamedWithEveryMethodOfFixedSteps) {
  const SimulationSetup rubbing = rubbing_rotor(), lagging = lagging_rotor(1e-4, true);
  for (const IntegrationMethod method : all_integration_methods()) {
    if (is_adaptive(method)) continue;
    SCOPED_TRACE(to_string(method));
    const Outcome friction = outcome_of(rubbing, "dry_friction", method, [](const State& state) {
      return std::abs(state.q(0) - 3.5) < 2e-3 && std::abs(state.qd(0) - 1.0) < 2e-3;
    });
    const Outcome lag = outcome_of(lagging, "lag", method, [](const State& state) {
      return std::abs(state.qd(0) - 9.0) < 1e-3;
    });
    const bool is_implicit = method == IntegrationMethod::time_stepping;
    EXPECT_EQ(friction == Outcome::right, is_implicit);
    EXPECT_EQ(lag == Outcome::right, is_implicit);
  }
}

// of steps that resolve them nothing is said; iterations of newmark and variational may not pass
// the place where the bristle yields, and say so
TEST(FastStates, ThatStepsResolveAreNotNamed) {
  const SimulationSetup rubbing = rubbing_rotor(0.7), lagging = lagging_rotor(1e-3, true);
  for (const IntegrationMethod method : all_integration_methods()) {
    if (is_adaptive(method)) continue;
    SCOPED_TRACE(to_string(method));
    for (const SimulationSetup& setup : {rubbing, lagging}) {
      try {
        const SimulationResult result = fly(setup, fixed_step(method, 2e-5), 0.02);
        EXPECT_TRUE(result.events.empty());
        EXPECT_FALSE(result.limited_by_stability);
      } catch (const NumericalError&) {
        EXPECT_TRUE(method == IntegrationMethod::newmark ||
                    method == IntegrationMethod::variational);
      }
    }
  }
}

}  // namespace
}  // namespace spacedyn::testing::fast_states_test
