#include <cmath>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "support/recorders.hpp"
#include "support/reference_data.hpp"
#include "support/small_models.hpp"

namespace spacedyn::time_loop_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;

SimulationSetup free_body(const IntegratorOptions& integrator) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(4.0, {1.0, 2.0, 3.0}));
  setup.integrator = integrator;
  return setup;
}

State tumbling(const Model& model) {
  State state(model);
  state.omega_0 = {0.5, -1.0, 0.7};
  return state;
}

std::vector<double> output_times(const Trajectory& trajectory) {
  std::vector<double> times;
  for (const TrajectoryPoint& sample : trajectory.points) times.push_back(sample.time);
  return times;
}

class TimeLoop : public ::testing::TestWithParam<const char*> {
 protected:
  IntegratorOptions integrator() const {
    return std::string(GetParam()) == "rk4" ? testing::rk4(0.03) : testing::dopri5(1e-8);
  }
};

TEST_P(TimeLoop, PutsOutExactMultiples) {
  const SimulationSetup setup = free_body(integrator());
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(setup).run(tumbling(*setup.model), 0.75, 0.1, trajectory);
  EXPECT_THAT(output_times(trajectory),
              ElementsAre(0.0, 0.1, 2 * 0.1, 3 * 0.1, 4 * 0.1, 5 * 0.1, 6 * 0.1, 7 * 0.1, 0.75));
  EXPECT_EQ(result.time, 0.75);
  EXPECT_EQ(trajectory.step_times.back(), 0.75);
  EXPECT_FALSE(result.interrupted);
}

TEST_P(TimeLoop, LandsOnGivenOutputTimes) {
  const SimulationSetup setup = free_body(integrator());
  Trajectory trajectory;
  const std::vector<double> times{0.0, 0.1234, 0.5, 0.75};
  const SimulationResult result = Simulator(setup).run(tumbling(*setup.model), times, trajectory);
  EXPECT_EQ(output_times(trajectory), times);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_THAT(trajectory.step_times, Contains(times[i]));
    const SimulationResult alone = testing::simulate(setup, tumbling(*setup.model), times[i]);
    EXPECT_LE((trajectory.points[i].state.A_0 - alone.state.A_0).norm(), 1e-6) << times[i];
  }
  EXPECT_EQ(result.state.A_0, trajectory.points.back().state.A_0);
}

TEST(TimeLoopErrors, RefuseOutputTimesThatAreNoSchedule) {
  const SimulationSetup setup = free_body(testing::rk4(0.1));
  SimulationObserver observer;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& times :
       {std::vector<double>{}, {0.0}, {1.0, 0.5}, {0.5, 0.5}, {-1.0, 1.0}, {0.0, infinity}}) {
    try {
      Simulator(setup).run(State(*setup.model), times, observer);
      FAIL() << "was accepted";
    } catch (const DomainError& error) {
      EXPECT_STREQ(
          error.what(),
          "output times must be ascending, not negative and finite, the last one positive");
    }
  }
}

TEST_P(TimeLoop, PutsOutTheEndOnce) {
  const SimulationSetup setup = free_body(integrator());
  Trajectory trajectory;  // 3 · 0.1 is not 0.3
  Simulator(setup).run(tumbling(*setup.model), 0.3, 0.1, trajectory);
  EXPECT_THAT(output_times(trajectory), ::testing::ElementsAreArray({0.0, 0.1, 0.2, 0.3}));
}

TEST_P(TimeLoop, IntervalDoesNotChangeMotion) {
  SimulationSetup setup = free_body(integrator());
  setup.forces = {
      std::make_shared<AppliedWrench>("push", setup.model->frame("base"), WrenchAxes::body,
                                      TimeTable::constant(VectorX::Ones(6), 0.313, 1.77))};
  std::vector<VectorX> ends;
  for (const double interval : {0.0071, 0.5, 10.0}) {
    Trajectory trajectory;
    const SimulationResult result =
        Simulator(setup).run(tumbling(*setup.model), 5.0, interval, trajectory);
    VectorX end(24);
    end << result.state.r_0, result.state.A_0.reshaped(), result.state.velocity(),
        result.integrals.impulse, result.integrals.angular_impulse;
    ends.push_back(end);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST_P(TimeLoop, RepeatsItselfBitForBit) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      testing::reference_model(testing::reference("dual_arm").at("model")));
  setup.integrator = integrator();
  State initial(*setup.model);
  initial.qd.setConstant(0.4);
  Simulator simulator(setup);
  Trajectory first;
  Trajectory second;
  simulator.run(initial, 2.0, 0.1, first);
  simulator.run(initial, 2.0, 0.1, second);
  ASSERT_EQ(first.points.size(), second.points.size());
  for (std::size_t i = 0; i < first.points.size(); ++i) {
    EXPECT_EQ(first.points[i].state.q, second.points[i].state.q);
    EXPECT_EQ(first.points[i].state.A_0, second.points[i].state.A_0);
    EXPECT_EQ(first.points[i].forces, second.points[i].forces);
    EXPECT_EQ(first.points[i].energy.total(), second.points[i].energy.total());
  }
}

TEST_P(TimeLoop, SquarePulseGivesItsImpulse) {
  SimulationSetup setup = free_body(integrator());
  const Vector3 force(3.0, -1.0, 2.0);
  const double from = 0.3171;
  const double until = 0.9653;
  VectorX wrench(6);
  wrench << force, Vector3::Zero();
  setup.forces = {std::make_shared<AppliedWrench>("pulse", setup.model->frame("base"),
                                                  WrenchAxes::inertial,
                                                  TimeTable::constant(wrench, from, until))};
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(State(*setup.model), 2.0, 0.5, trajectory);
  const Vector3 impulse = (until - from) * force;
  // one rounding per step and stage: some 50 steps
  EXPECT_LT((4.0 * result.state.v_0 - impulse).norm(), 2e-14);
  EXPECT_LT((result.integrals.impulse - impulse).norm(), 2e-14);
  EXPECT_THAT(trajectory.step_times, Contains(from));
  EXPECT_THAT(trajectory.step_times, Contains(until));
  // position at the end: ½ a T² during the pulse, then coasting
  const double width = until - from;
  const Vector3 position = force / 4.0 * (0.5 * width * width + width * (2.0 - until));
  EXPECT_LT((result.state.r_0 - position).norm(), 1e-14);
}

TEST_P(TimeLoop, OutputShowsTheRightSide) {
  SimulationSetup setup = free_body(integrator());
  VectorX wrench = VectorX::Zero(6);
  wrench(0) = 8.0;
  setup.forces = {std::make_shared<AppliedWrench>("pulse", setup.model->frame("base"),
                                                  WrenchAxes::inertial,
                                                  TimeTable::constant(wrench, 0.5, 1.0))};
  Trajectory trajectory;
  Simulator(setup).run(State(*setup.model), 1.5, 0.25, trajectory);
  std::vector<double> accelerations;
  for (const TrajectoryPoint& sample : trajectory.points) {
    accelerations.push_back(sample.acceleration(0));
  }
  EXPECT_THAT(accelerations, ::testing::ElementsAreArray({0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0}));
}

TEST_P(TimeLoop, SamplesAtExactMultiples) {
  std::vector<double> instants;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.integrator = integrator();
  setup.controllers = {std::make_shared<FunctionController>(
      "clock", 1,
      [&](const EvaluationContext& now, VectorRef tau) {
        instants.push_back(now.time);
        tau(0) = static_cast<double>(instants.size());
      },
      0.1)};
  Trajectory trajectory;
  Simulator(setup).run(State(*setup.model), 0.45, 0.02, trajectory);
  EXPECT_THAT(instants, ElementsAre(0.0, 0.1, 2 * 0.1, 3 * 0.1, 4 * 0.1));
  for (const double instant : {0.1, 2 * 0.1, 3 * 0.1, 4 * 0.1}) {
    EXPECT_THAT(trajectory.step_times, Contains(instant));
  }
  for (const TrajectoryPoint& sample : trajectory.points) {
    EXPECT_EQ(sample.forces(6), 1.0 + std::floor(sample.time / 0.1 + 1e-9)) << sample.time;
  }
}

TEST_P(TimeLoop, MergesInstantsUpToRounding) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.integrator = integrator();
  int samples = 0;
  setup.controllers = {std::make_shared<FunctionController>(
      "clock", 1,
      [&](const EvaluationContext&, VectorRef tau) {
        ++samples;
        tau.setZero();
      },
      0.1)};
  setup.forces = {std::make_shared<AppliedJointTorque>(
      "pulse", 1, TimeTable::constant(VectorX::Ones(1), 0.3, 0.6))};  // neither is a multiple
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(State(*setup.model), 0.7, 0.7, trajectory);
  EXPECT_EQ(samples, 8);
  EXPECT_NEAR(result.integrals.work, result.final_energy.kinetic, 1e-10);
  double last = 0.0;
  std::vector<double> widths;
  for (const double time : trajectory.step_times) {
    widths.push_back(time - last);
    last = time;
  }
  EXPECT_THAT(widths, Each(Gt(1e-9)));
}

TEST_P(TimeLoop, StopsWhenTheObserverSaysSo) {
  SimulationSetup setup = free_body(integrator());
  setup.integrator.max_step = std::string(GetParam()) == "rk4" ? setup.integrator.max_step : 0.1;
  testing::StoppedTrajectory trajectory;
  trajectory.stop_at = 1.0;
  const SimulationResult result =
      Simulator(setup).run(tumbling(*setup.model), 5.0, 0.25, trajectory);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.time, trajectory.step_times.back());
  EXPECT_GE(result.time, 1.0);
  EXPECT_LT(result.time, 1.2);
  EXPECT_EQ(trajectory.points.back().time, 1.0);
  // the state handed back is that at the time reached
  const State again = testing::simulate(setup, tumbling(*setup.model), result.time).state;
  EXPECT_LT((again.A_0 - result.state.A_0).norm(), 1e-6);
}

TEST_P(TimeLoop, ReportsStepsBeforeOutputs) {
  class Order : public SimulationObserver {
   public:
    void on_output(const SimulationPoint& point) override {
      EXPECT_LE(point.time, last_step);
      EXPECT_TRUE(point.time >= last_output);
      last_output = point.time;
    }
    bool on_step(double time, const IntegratorStatistics& statistics) override {
      EXPECT_GT(time, last_step);
      EXPECT_EQ(statistics.steps, ++steps);
      last_step = time;
      return true;
    }
    double last_step = 0.0;
    double last_output = 0.0;
    long steps = 0;
  };
  const SimulationSetup setup = free_body(integrator());
  Order observer;
  const SimulationResult result = Simulator(setup).run(tumbling(*setup.model), 2.0, 0.01, observer);
  EXPECT_EQ(observer.steps, result.statistics.steps);
  EXPECT_EQ(observer.last_output, 2.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, TimeLoop, ::testing::Values("rk4", "dopri5"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(FixedSteps, LieOnTheGridAndTheLastIsShortened) {
  const SimulationSetup setup = free_body(testing::rk4(0.1));
  Trajectory trajectory;
  Simulator(setup).run(tumbling(*setup.model), 0.35, 1.0, trajectory);
  EXPECT_THAT(trajectory.step_times, ElementsAre(0.1, 2 * 0.1, 3 * 0.1, 0.35));
}

TEST(FixedSteps, ReturnToTheGridAfterADiscontinuity) {
  SimulationSetup setup = free_body(testing::rk4(0.1));
  setup.forces = {
      std::make_shared<AppliedWrench>("push", setup.model->frame("base"), WrenchAxes::inertial,
                                      TimeTable::constant(VectorX::Ones(6), 0.15, 0.2))};
  Trajectory trajectory;
  Simulator(setup).run(tumbling(*setup.model), 0.3, 1.0, trajectory);
  EXPECT_THAT(trajectory.step_times, ::testing::ElementsAreArray({0.1, 0.15, 0.2, 0.3}));
}

TEST(AdaptiveSteps, KeepTheirLimit) {
  SimulationSetup setup = free_body(testing::dopri5(1e-3));
  setup.integrator.max_step = 0.25;
  Trajectory trajectory;
  Simulator(setup).run(State(*setup.model), 10.0, 10.0, trajectory);
  double last = 0.0;
  for (const double time : trajectory.step_times) {
    EXPECT_LE(time - last, 0.25 * (1.0 + 1e-9));
    last = time;
  }
}

TEST(AdaptiveSteps, BeginWithTheStepAskedFor) {
  SimulationSetup setup = free_body(testing::dopri5(1e-3));
  setup.integrator.step = 0.125;
  Trajectory trajectory;
  Simulator(setup).run(State(*setup.model), 10.0, 10.0, trajectory);
  EXPECT_EQ(trajectory.step_times.front(), 0.125);
}

}  // namespace
}  // namespace spacedyn::time_loop_test
