#include <algorithm>
#include <cmath>
#include <deque>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "support/interrupted_run.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"
#include "support/small_models.hpp"

namespace spacedyn::digital_control_test {
namespace {

constexpr double kMass = 2.0;
constexpr double kStiffness = 30.0;
constexpr double kDamping = 8.0;

/// A mass on a slider that a sampled controller draws to zero.
SimulationSetup servo(double period, const Digitization& digitization,
                      const IntegratorOptions& options) {
  SimulationSetup setup = testing::slider_setup("servo", kMass);
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, kStiffness);
  pd.damping = VectorX::Constant(1, kDamping);
  pd.effort_limit = VectorX::Constant(1, 1e9);
  pd.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  pd.sample_period = period;
  pd.digitization = digitization;
  setup.controllers = {std::make_shared<JointPd>("pd", pd)};
  setup.integrator = options;
  return setup;
}

double rounded(double value, double step) {
  return step > 0.0 ? step * std::round(value / step) : value;
}

/// The same in closed form: under a held force the mass flies a parabola from one instant to the
/// next, whether a sample is taken there or a command takes effect.
struct Parabolas {
  double q, qd, time = 0.0, force = 0.0;

  void fly_to(double instant) {
    const double h = instant - time;
    q += h * qd + 0.5 * h * h * force / kMass;
    qd += h * force / kMass;
    time = instant;
  }
};

Parabolas closed_form(double q, double period, const Digitization& digital, double end) {
  Parabolas mass{q, 0.0};
  std::deque<std::pair<double, double>> on_their_way;  // instant, force
  for (int k = 0;; ++k) {
    const double sample = k * period;
    while (!on_their_way.empty() && on_their_way.front().first < std::min(sample, end)) {
      mass.fly_to(on_their_way.front().first);
      mass.force = on_their_way.front().second;
      on_their_way.pop_front();
    }
    if (sample >= end) break;
    mass.fly_to(sample);
    const double force = -kStiffness * rounded(mass.q, digital.position_resolution) -
                         kDamping * rounded(mass.qd, digital.velocity_resolution);
    on_their_way.emplace_back(sample + digital.delay, rounded(force, digital.command_resolution));
    if (digital.delay == 0.0) {
      mass.force = on_their_way.back().second;
      on_their_way.clear();
    }
  }
  mass.fly_to(end);
  return mass;
}

void expect_parabolas(double period, const Digitization& digital,
                      const IntegratorOptions& options) {
  constexpr double kEnd = 1.93;
  const SimulationSetup setup = servo(period, digital, options);
  State start(*setup.model);
  start.q(0) = 0.7;
  const SimulationResult result = testing::simulate(setup, start, kEnd);
  const Parabolas expected = closed_form(0.7, period, digital, kEnd);
  // some hundred parabolas, each exact to rounding
  EXPECT_NEAR(result.state.q(0), expected.q, 1e-13);
  EXPECT_NEAR(result.state.qd(0), expected.qd, 1e-12);
  EXPECT_GT(std::abs(expected.q - 0.7), 0.1);
}

TEST(DigitalControl, IsAHeldCommandWithADelay) {
  for (const IntegratorOptions& options : {testing::dopri5(1e-3), testing::rk4(0.037)}) {
    for (const double delay : {0.0, 0.004, 0.02, 0.05, 0.123}) {
      SCOPED_TRACE(delay);
      Digitization digital;
      digital.delay = delay;
      expect_parabolas(0.02, digital, options);
    }
  }
}

TEST(DigitalControl, ReadsAndCommandsMultiplesOfItsResolutions) {
  Digitization digital;
  digital.delay = 0.013;
  digital.position_resolution = 0.01;
  digital.velocity_resolution = 0.05;
  digital.command_resolution = 0.5;
  expect_parabolas(0.02, digital, testing::dopri5(1e-3));
}

TEST(DigitalControl, LandsOnTheInstantsAtWhichCommandsTakeEffect) {
  Digitization digital;
  digital.delay = 0.007;
  const SimulationSetup setup = servo(0.02, digital, testing::dopri5(1e-3));
  State start(*setup.model);
  start.q(0) = 0.7;
  Trajectory trajectory;
  Simulator(setup).run(start, 0.1, 0.1, trajectory);
  for (const double instant : {0.007, 0.02, 0.027, 0.04, 0.047, 0.06, 0.067, 0.08, 0.087, 0.1}) {
    EXPECT_TRUE(std::any_of(trajectory.step_times.begin(), trajectory.step_times.end(),
                            [&](double time) { return std::abs(time - instant) < 1e-15; }))
        << instant;
  }
}

TEST(DigitalControl, IsForgottenWhenTheControllerIsSwitchedOff) {
  Digitization digital;
  digital.delay = 0.05;
  SimulationSetup setup = servo(0.02, digital, testing::dopri5(1e-6));
  setup.events = {
      {"off", time_event(0.03), CrossingDirection::rising, {SwitchAction{"pd", false}}}};
  State start(*setup.model);
  start.q(0) = 0.7;
  // what was commanded at 0 and 0.02 s never arrives
  EXPECT_EQ(testing::simulate(setup, start, 1.0).state.q(0), 0.7);
}

/// PID by a function that remembers its integral.
std::shared_ptr<const Controller> remembering_law(double period, double integral) {
  FunctionController::Memory memory;
  memory.size = 1;
  memory.update = [period](const EvaluationContext& context, VectorRef z) {
    z(0) = context.auxiliary(0) - period * context.state.q(0);
  };
  return std::make_shared<FunctionController>(
      "pid", 1,
      [integral](const EvaluationContext& context, VectorRef tau) {
        tau(0) = -kStiffness * context.state.q(0) - kDamping * context.state.qd(0) +
                 integral * context.auxiliary(0);
      },
      period, memory);
}

TEST(DigitalControl, IsAFunctionThatRemembers) {
  SimulationSetup setup = servo(0.02, {}, testing::dopri5(1e-10));
  JointPd::Settings pid = static_cast<const JointPd&>(*setup.controllers[0]).settings();
  pid.integral = VectorX::Constant(1, 40.0);
  setup.controllers = {std::make_shared<JointPd>("pid", pid)};
  State start(*setup.model);
  start.q(0) = 0.7;
  const State expected = testing::simulate(setup, start, 1.5).state;
  setup.controllers = {remembering_law(0.02, 40.0)};
  SimulationObserver whole;
  const State found = Simulator(setup).run(start, 1.5, 0.1, whole).state;
  // roundings of sums in another order
  EXPECT_NEAR(found.q(0), expected.q(0), 1e-13);
  EXPECT_NEAR(found.qd(0), expected.qd(0), 1e-12);
  testing::InterruptedAt interrupted(0.73);
  Simulator(setup).run(start, 1.5, 0.1, interrupted);
  EXPECT_EQ(Simulator(setup).resume(interrupted.kept, whole).state.q(0), found.q(0));
}

TEST(DigitalControl, RefusesAMemoryThatCannotBe) {
  const auto law = [](const EvaluationContext&, VectorRef) {};
  const auto refused = [&](double period, const FunctionController::Memory& memory) {
    return testing::message_of<DomainError>(
        [&] { FunctionController("law", 1, law, period, memory); });
  };
  const auto update = [](const EvaluationContext&, VectorRef) {};
  EXPECT_EQ(refused(0.1, {2, {}}), "'law': memory needs a positive size and an update");
  EXPECT_EQ(refused(0.1, {0, update}), "'law': memory needs a positive size and an update");
  EXPECT_EQ(refused(0.0, {1, update}), "'law': memory needs a sample_period");
}

std::string refusal(double period, const Digitization& digital) {
  try {
    Simulator(servo(period, digital, testing::dopri5(1e-6)));
  } catch (const DomainError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DigitalControl, RefusesWhatCannotBe) {
  Digitization digital;
  digital.delay = 0.01;
  EXPECT_EQ(refusal(0.0, digital), "delay and resolutions of 'pd' need a sample period");
  digital.delay = 21.0;
  EXPECT_EQ(refusal(0.02, digital), "the delay of 'pd' is longer than 1000 sample periods");
  digital.delay = -0.01;
  EXPECT_EQ(refusal(0.02, digital),
            "delay and resolutions of 'pd' must be finite and not negative");
  digital = {};
  digital.command_resolution = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(0.02, digital),
            "delay and resolutions of 'pd' must be finite and not negative");
}

}  // namespace
}  // namespace spacedyn::digital_control_test
