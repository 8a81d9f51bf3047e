// Runs with sequences of events go on from checkpoints in the same bits.

#include <gtest/gtest.h>

#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::resumed_sequences_test {
namespace {

constexpr double kDuration = 6.0, kInterval = 0.1;

/// Keeps a checkpoint after each step.
class Keeper final : public Trajectory {
 public:
  bool wants_checkpoint() override { return true; }
  void on_checkpoint(const Checkpoint& checkpoint) override { checkpoints.push_back(checkpoint); }

  std::vector<Checkpoint> checkpoints;
};

std::shared_ptr<const Controller> stiffer(const Controller& now) {
  JointPd::Settings settings = dynamic_cast<const JointPd&>(now).settings();
  settings.stiffness *= 1.5;
  return std::make_shared<JointPd>(now.name(), settings);
}

/// An arm whose reference begins at an event, whose stiffness others set, and a thruster that
/// pulses open while two events with a delay are on their way.
SimulationSetup mission(IntegrationMethod method, double period) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, 30.0);
  pd.damping = VectorX::Constant(1, 4.0);
  pd.sample_period = period;
  pd.reference = std::make_shared<EventReference>(
      std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Ones(1), 0.0, 2.0), 0);
  setup.controllers = {std::make_shared<JointPd>("pd", pd)};
  Thruster jet;
  jet.name = "jet";
  jet.drive = {Vector3::UnitY(), 5.0};
  jet.drive.delay = 0.15;
  jet.drive.rise_time = jet.drive.fall_time = 0.1;
  setup.forces = {std::make_shared<ThrusterForce>("pulses", jet, std::size_t{0})};
  setup.awaited = {"go"};
  setup.events = {{"go", time_event(0.7), CrossingDirection::rising, {PulseAction{0, 0.4}}},
                  quantity_event("half", joint_position_quantity(*setup.model, 1), 0.5),
                  delayed_event("later", "half", 0.9),
                  delayed_event("last", "later", 0.45),
                  quantity_event("strained", joint_effort_quantity(*setup.model, 1), 1.0)};
  setup.events[2].actions = {SetAction{"pd", stiffer, "stiffness"}, PulseAction{0, 0.3}};
  setup.events[3].conditions = {{angular_momentum_quantity(), -1.0, 1e3}};
  setup.events[3].actions = {SetAction{"pd", stiffer, "stiffness"}};
  setup.events[4].after = "go";
  setup.integrator =
      is_adaptive(method) ? testing::adaptive(method, 1e-8) : testing::fixed_step(method, 0.02);
  return setup;
}

class ResumedSequence : public ::testing::TestWithParam<std::pair<IntegrationMethod, double>> {};

TEST_P(ResumedSequence, GoesOnInTheSameBits) {
  const SimulationSetup setup = mission(GetParam().first, GetParam().second);
  Keeper whole;
  const SimulationResult expected =
      Simulator(setup).run(State(*setup.model), kDuration, kInterval, whole);
  ASSERT_GE(expected.events.size(), 5U);
  EXPECT_GT(expected.integrals.impulse.norm(), 0.1);
  const std::size_t stride = std::max<std::size_t>(1, whole.checkpoints.size() / 25);
  for (std::size_t i = 0; i < whole.checkpoints.size(); i += stride) {
    Trajectory rest;
    const SimulationResult result = Simulator(setup).resume(whole.checkpoints[i], rest);
    EXPECT_EQ(result.state.q, expected.state.q) << whole.checkpoints[i].time;
    EXPECT_EQ(result.state.qd, expected.state.qd) << whole.checkpoints[i].time;
    EXPECT_EQ(result.state.v_0, expected.state.v_0) << whole.checkpoints[i].time;
    EXPECT_EQ(result.state.A_0, expected.state.A_0) << whole.checkpoints[i].time;
    ASSERT_EQ(result.events.size(), expected.events.size()) << whole.checkpoints[i].time;
    for (std::size_t k = 0; k < result.events.size(); ++k) {
      EXPECT_EQ(result.events[k].time, expected.events[k].time);
      EXPECT_EQ(result.events[k].name, expected.events[k].name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ResumedSequence,
                         ::testing::Values(std::pair{IntegrationMethod::dop853, 0.0},
                                           std::pair{IntegrationMethod::dop853, 0.04},
                                           std::pair{IntegrationMethod::rodas, 0.0},
                                           std::pair{IntegrationMethod::rk4, 0.04}),
                         [](const auto& instance) {
                           return std::string(to_string(instance.param.first)) +
                                  (instance.param.second > 0.0 ? "_sampled" : "_continuous");
                         });

}  // namespace
}  // namespace spacedyn::resumed_sequences_test
