#include <cmath>
#include <limits>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::failure_test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A unit mass on a slider along z with a force that depends on its position.
SimulationSetup slider(std::function<double(double time, double q)> force) {
  LinkDescription mass =
      testing::link_body("slider", "base", 1.0, {1.0, 1.0, 1.0}, Vector3::Zero(), Vector3::Zero());
  mass.joint.type = JointType::prismatic;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("sled")
                                        .set_base(testing::base_body(1.0, {1.0, 1.0, 1.0}))
                                        .add_link(mass)
                                        .build());
  setup.base_mode = BaseMode::fixed;
  setup.controllers = {std::make_shared<FunctionController>(
      "law", 1, [force](const EvaluationContext& now, VectorRef tau) {
        tau(0) = force(now.time, now.state.q(0));
      })};
  return setup;
}

/// The error that a run ends in, and the outputs before it.
struct Outcome {
  std::string message, quantity;
  double time = -1.0;
  long step = -1;
  std::vector<TrajectoryPoint> outputs;
};

Outcome outcome(const SimulationSetup& setup, const State& initial, double duration = 10.0) {
  Outcome result;
  Trajectory trajectory;
  try {
    Simulator(setup).run(initial, duration, 0.01, trajectory);
  } catch (const NumericalError& error) {
    result = {error.what(), error.quantity(), error.time(), error.step(), {}};
  }
  result.outputs = trajectory.points;
  return result;
}

void expect_everything_before_was_put_out(const Outcome& outcome) {
  ASSERT_FALSE(outcome.outputs.empty());
  EXPECT_LE(outcome.outputs.back().time, outcome.time);
  EXPECT_GT(outcome.outputs.back().time, outcome.time - 0.0100001);
  for (const TrajectoryPoint& sample : outcome.outputs) {
    EXPECT_TRUE(sample.state.q.allFinite() && sample.acceleration.allFinite());
  }
}

TEST(NumericalFailure, NamesTheTorqueThatIsNotFinite) {
  SimulationSetup setup = slider([](double time, double) { return time < 1.0 ? 1.0 : kNan; });
  const State initial(*setup.model);
  Outcome adaptive = outcome(setup, initial);
  EXPECT_THAT(adaptive.message, MatchesRegex("integration stopped at t = .* s after [0-9]+ steps: "
                                             "torque of joint 'slider' is not finite"));
  EXPECT_EQ(adaptive.quantity, "torque of joint 'slider'");
  EXPECT_NEAR(adaptive.time, 1.0, 1e-12);
  EXPECT_LT(adaptive.time, 1.0);
  expect_everything_before_was_put_out(adaptive);

  setup.integrator = testing::rk4(0.25);
  EXPECT_EQ(outcome(setup, initial).message,
            "integration stopped at t = 0.75 s after 3 steps: torque of joint 'slider' is not "
            "finite");
}

TEST(NumericalFailure, NamesTheLoadThatIsNotFinite) {
  SimulationSetup setup = slider([](double, double) { return 0.0; });
  setup.forces = {std::make_shared<FunctionForce>(
      "wind", [](const EvaluationContext&, Loads& loads) { loads.moment(1, 1) = kNan; })};
  EXPECT_EQ(outcome(setup, State(*setup.model)).message,
            "integration stopped at t = 0 s after 0 steps: external load on 'slider' is not "
            "finite");
  setup.forces = {std::make_shared<FunctionForce>(
      "wind", [](const EvaluationContext&, Loads& loads) { loads.F_b(1) = kNan; })};
  EXPECT_EQ(outcome(setup, State(*setup.model)).message,
            "integration stopped at t = 0 s after 0 steps: force or moment on the base is not "
            "finite");
}

TEST(NumericalFailure, StopsWhereASolutionEndsInFiniteTime) {
  // q̈ = 2 q³ with q(0) = q̇(0) = 1 is solved by 1 / (1 − t)
  const SimulationSetup setup = slider([](double, double q) { return 2.0 * q * q * q; });
  State initial(*setup.model);
  initial.q(0) = 1.0;
  initial.qd(0) = 1.0;
  const Outcome result = outcome(setup, initial);
  EXPECT_NEAR(result.time, 1.0, 1e-6);
  EXPECT_THAT(result.quantity, HasSubstr("joint 'slider'"));
  EXPECT_GT(result.step, 10);
  expect_everything_before_was_put_out(result);
}

TEST(NumericalFailure, EndsADivergingLoopThatSpinsEverFaster) {
  // the exact solution never ends, but each moment costs more steps than the one before
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.controllers = {std::make_shared<FunctionController>(
      "unstable", 1, [](const EvaluationContext& now, VectorRef tau) {
        tau(0) = 1e4 * now.state.q(0) + 1e4 * now.state.qd(0);
      })};
  setup.integrator = testing::dopri5(1e-6);
  State initial(*setup.model);
  initial.q(0) = 0.01;
  const Outcome result = outcome(setup, initial, 1e4);
  EXPECT_THAT(result.message,
              MatchesRegex("integration stopped at t = 0.0.* s after [0-9]+ steps: .* needs steps "
                           "so small that the end is out of reach; the motion diverges or the "
                           "tolerance is too tight"));
}

TEST(NumericalFailure, EndsAnExplodingFixedStepRun) {
  SimulationSetup setup = slider([](double, double q) { return -1e6 * q; });
  setup.integrator = testing::rk4(0.01);  // ten times the stability limit
  State initial(*setup.model);
  initial.q(0) = 1.0;
  const Outcome result = outcome(setup, initial);
  EXPECT_THAT(result.message, HasSubstr("joint 'slider' is not finite"));
  EXPECT_LT(result.time, 2.0);
  expect_everything_before_was_put_out(result);
}

TEST(NumericalFailure, SaysThatATurnIsTooLargeForAFixedStep) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(1.0, {1.0, 1.0, 1.0}));
  setup.integrator = testing::rk4(0.5);
  State initial(*setup.model);
  initial.omega_0.z() = 20.0;
  EXPECT_EQ(outcome(setup, initial).message,
            "integration stopped at t = 0 s after 0 steps: attitude of the base turns by more than "
            "270° in one step; a smaller step is needed");
}

TEST(NumericalFailure, SaysWhichToleranceCannotBeMet) {
  SimulationSetup setup = slider([](double, double q) { return -q; });
  setup.integrator = testing::dopri5(1e-3);
  setup.integrator.relative_tolerance = 0.0;
  setup.integrator.absolute_tolerance.joint = 1e-30;
  State initial(*setup.model);
  initial.q(0) = 1.0;
  EXPECT_THAT(outcome(setup, initial, 1e4).message,
              HasSubstr("position of joint 'slider' needs steps so small that the end is out of "
                        "reach"));
}

TEST(NumericalFailure, NamesWhatMovesWithoutResistance) {
  LinkDescription light =
      testing::link_body("light", "base", 0.0, Vector3::Zero(), Vector3::Zero(), Vector3::Zero());
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("weak")
                                        .set_base(testing::base_body(1.0, {1.0, 1.0, 1.0}))
                                        .add_link(light)
                                        .build());
  EXPECT_EQ(outcome(setup, State(*setup.model)).message,
            "the inertia matrix is not positive definite at the start: joint 'light' can move "
            "without resistance");
}

TEST(NumericalFailure, NamesAnAuxiliaryState) {
  class Growth : public Controller {
   public:
    Growth() : Controller("growth") {}
    int command_size() const override { return 0; }
    int auxiliary_size() const override { return 1; }
    void auxiliary_initial(VectorRef z) const override { z(0) = 1.0; }
    void auxiliary_rate(const EvaluationContext& now, VectorRef zd) const override {
      zd(0) = now.auxiliary(0) * now.auxiliary(0);  // ends at t = 1
    }
    void command(const EvaluationContext&, VectorRef) const override {}
    void apply(const EvaluationContext&, ConstVectorRef, Loads&) const override {}
  };
  SimulationSetup setup = slider([](double, double) { return 0.0; });
  setup.controllers = {std::make_shared<Growth>()};
  const Outcome result = outcome(setup, State(*setup.model));
  EXPECT_EQ(result.quantity, "state 1 of 'growth'");
  EXPECT_NEAR(result.time, 1.0, 1e-6);
}

}  // namespace
}  // namespace spacedyn::failure_test
