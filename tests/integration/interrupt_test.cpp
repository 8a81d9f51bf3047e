// Runs that an observer ends inside a step: at once, and to be resumed to the same bytes.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "support/recorders.hpp"
#include "support/shipped.hpp"

namespace spacedyn::interrupt_test {
namespace {

/// Ends the run after so many outputs, or questions.
class Impatient final : public Trajectory {
 public:
  bool may_end_inside_steps() override { return true; }
  bool must_end_now() override {
    return points.size() >= most_outputs || ++questions >= most_questions;
  }
  void on_checkpoint(const Checkpoint& given) override { checkpoint = given; }

  std::size_t most_outputs = 1000000;
  long most_questions = 1000000000, questions = 0;
  Checkpoint checkpoint;
};

struct Flight {
  Scenario scenario = testing::shipped_scenario("ets7_arm_slew");

  explicit Flight(IntegrationMethod method) {
    IntegratorOptions options = testing::adaptive(method, 1e-6);
    if (!is_adaptive(method)) options = testing::fixed_step(method, 0.05);
    scenario.setup.integrator = options;
  }
  SimulationResult run(SimulationObserver& observer, double duration, double interval) const {
    return Simulator(scenario.setup).run(scenario.initial, duration, interval, observer);
  }
};

void expect_same(const std::vector<TrajectoryPoint>& a, const std::vector<TrajectoryPoint>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].time, b[i].time);
    ASSERT_EQ(a[i].state.r_0, b[i].state.r_0) << i;
    ASSERT_EQ(a[i].state.q, b[i].state.q) << i;
    ASSERT_EQ(a[i].state.qd, b[i].state.qd) << i;
    ASSERT_EQ(a[i].energy.kinetic, b[i].energy.kinetic) << i;
  }
}

class InsideAStep : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(InsideAStep, SameBytes) {
  const Flight flight(GetParam());
  constexpr double kDuration = 0.12, kInterval = 2e-4;  // 250 outputs in a step of 0.05 s
  Trajectory whole;
  const SimulationResult end = flight.run(whole, kDuration, kInterval);
  ASSERT_EQ(whole.points.size(), 601U);

  Impatient observer;
  observer.most_outputs = 333;
  const SimulationResult cut = flight.run(observer, kDuration, kInterval);
  EXPECT_TRUE(cut.interrupted);
  EXPECT_EQ(observer.points.size(), 333U);
  EXPECT_EQ(cut.time, observer.points.back().time);
  EXPECT_EQ(cut.state.q, observer.points.back().state.q);

  const auto kept = static_cast<std::size_t>(observer.checkpoint.outputs);
  ASSERT_LE(kept, 333U);
  Trajectory rest;
  const SimulationResult resumed =
      Simulator(flight.scenario.setup).resume(observer.checkpoint, rest);
  std::vector<TrajectoryPoint> all(observer.points.begin(),
                                   observer.points.begin() + static_cast<std::ptrdiff_t>(kept));
  all.insert(all.end(), rest.points.begin(), rest.points.end());
  expect_same(all, whole.points);
  EXPECT_EQ(resumed.audit.momentum_drift(), end.audit.momentum_drift());
  EXPECT_EQ(resumed.statistics.steps, end.statistics.steps);
  EXPECT_EQ(resumed.statistics.evaluations, end.statistics.evaluations);
}

TEST_P(InsideAStep, EndsBetween) {
  const Flight flight(GetParam());
  Checkpoint checkpoint;
  SimulationResult cut;
  // the trial step with which time stepping begins asks as well, before there is a checkpoint
  for (int most = 3; most < 20 && checkpoint.memory.empty(); ++most) {
    Impatient observer;
    observer.most_questions = most;
    cut = flight.run(observer, 1.0, 1.0);
    EXPECT_TRUE(cut.interrupted);
    EXPECT_EQ(observer.questions, most);
    checkpoint = observer.checkpoint;
  }
  EXPECT_LE(cut.time, 0.1);  // two steps of a method with one evaluation each
  Trajectory whole, rest;
  flight.run(whole, 1.0, 1.0);
  Simulator(flight.scenario.setup).resume(checkpoint, rest);
  // the first steps of a run that begins afresh may differ: to the tolerance it is the same
  EXPECT_LT((rest.points.back().state.q - whole.points.back().state.q).norm(), 1e-4);
}

std::string method_name(const ::testing::TestParamInfo<IntegrationMethod>& info) {
  return std::string(to_string(info.param));
}

INSTANTIATE_TEST_SUITE_P(Method, InsideAStep, ::testing::ValuesIn(all_integration_methods()),
                         method_name);

TEST(EventSearch, EndsWithoutWaitingForItsRoot) {
  Flight flight(IntegrationMethod::dop853);
  // a function that takes long to evaluate, as with large models
  const auto slow = [](const EvaluationContext& now) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return std::sin(50.0 * now.time) - 0.3;
  };
  flight.scenario.setup.events = {{"slow", slow, CrossingDirection::both, {}}};
  Impatient observer;
  observer.most_questions = 20;
  const SimulationResult cut = flight.run(observer, 10.0, 10.0);
  EXPECT_TRUE(cut.interrupted);
  EXPECT_EQ(observer.questions, 20);
}

TEST(Observers, ThatCanWaitAreNotAsked) {
  class Patient final : public Trajectory {
   public:
    bool must_end_now() override { return true; }
  };
  const Flight flight(IntegrationMethod::dop853);
  Patient observer;
  EXPECT_FALSE(flight.run(observer, 1.0, 0.1).interrupted);
}

}  // namespace
}  // namespace spacedyn::interrupt_test
