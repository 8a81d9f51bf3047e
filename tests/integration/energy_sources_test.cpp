// Who puts energy into a system, and what became of it.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::energy_sources_test {
namespace {

using testing::dopri5;
using ::testing::ElementsAre;
using testing::simulate;

/// Integrals are as good as the tolerance of 1e-12 times what flows, here at most 10 J.
constexpr double kTolerance = 1e-10;  // J

std::shared_ptr<const Model> two_links(double stiffness, double damping) {
  ModelDescription description;
  {
    ModelBuilder builder(testing::one_link_description());
    builder.add_link(
        testing::link_body("hand", "arm", 5.0, {1, 1, 1}, {1.5, 0, 0}, {0.5, 0.1, 0.0}));
    description = builder.description();
  }
  description.links[1].joint.stiffness = stiffness;
  description.links[1].joint.damping = damping;
  return std::make_shared<const Model>(ModelBuilder(description).build());
}

std::shared_ptr<const ForceElement> torque(const std::string& name, int joint, double value,
                                           double until = 1e9) {
  return std::make_shared<AppliedJointTorque>(
      name, joint, TimeTable::constant(VectorX::Constant(1, value), 0.0, until));
}

State tumbling(const Model& model) {
  State state(model);
  state.omega_0 = {0.1, -0.2, 0.3};
  state.q << 0.4, -0.3;
  state.qd << 0.2, 0.5;
  return state;
}

const SourceBudget& budget(const SimulationResult& result, const std::string& name) {
  for (const SourceBudget& source : result.sources) {
    if (source.name == name) return source;
  }
  throw std::runtime_error("no source " + name);
}

/// Everything that may put energy in, at once.
SimulationSetup busy_setup() {
  SimulationSetup setup;
  setup.model = two_links(20.0, 3.0);
  setup.gravity = {0.0, -0.3, 0.1};
  setup.integrator = dopri5(1e-12);
  setup.forces = {
      torque("motor", 1, 4.0, 1.5),
      std::make_shared<FunctionForce>("drag", [](const EvaluationContext& now, Loads& loads) {
        loads.force.col(2) -= 0.8 * now.velocities.v[2];
      })};
  setup.controllers = {std::make_shared<FunctionController>(
      "hold", 2,
      [](const EvaluationContext& now, VectorRef tau) {
        tau = -0.7 * now.state.q - 0.4 * now.state.qd;
      },
      0.05)};
  Event push{"push", time_event(1.0), CrossingDirection::rising, {}};
  push.actions = {ImpulseAction{setup.model->frame("hand"), {0.5, 1.0, -0.5}, Vector3::Zero()}};
  setup.events = {push};
  return setup;
}

TEST(EnergySources, AreAllThatActAndNothingElse) {
  SimulationSetup setup = busy_setup();
  const auto names = [&] {
    std::vector<std::string> list;
    for (const EnergySource& source : energy_sources(setup)) list.push_back(source.name);
    return list;
  };
  EXPECT_THAT(names(),
              ::testing::ElementsAreArray({"passive_joints", "motor", "drag", "hold", "events"}));
  EXPECT_EQ(energy_sources(setup)[2].kind, EnergySource::Kind::force);
  EXPECT_EQ(energy_sources(setup)[3].kind, EnergySource::Kind::controller);
  EXPECT_EQ(energy_sources(setup)[4].kind, EnergySource::Kind::events);

  setup.model = two_links(0.0, 0.0);
  setup.events.clear();
  setup.prescribed_joints = {{1, std::make_shared<ConstantReference>(VectorX::Zero(1))}};
  EXPECT_THAT(names(), ::testing::ElementsAreArray({"motor", "drag", "hold", "prescribed_motion"}));
  setup = SimulationSetup();
  setup.model = two_links(0.0, 0.0);
  EXPECT_TRUE(names().empty());
}

// W = τ (q_end − q_0), whatever else happens
TEST(EnergySources, WorkOfAConstantTorqueIsTorqueTimesAngle) {
  SimulationSetup setup = busy_setup();
  setup.forces[0] = torque("motor", 1, 4.0);
  const State start = tumbling(*setup.model);
  const SimulationResult result = simulate(setup, start, 3.0);
  EXPECT_NEAR(budget(result, "motor").end.work, 4.0 * (result.state.q(0) - start.q(0)), kTolerance);
  EXPECT_EQ(budget(result, "motor").end.dissipated, 0.0);
  EXPECT_EQ(budget(result, "motor").end.stored, 0.0);
}

// W = F · (r_end − r_0) of the point that a constant inertial force pulls at
TEST(EnergySources, WorkOfAConstantForceOnALinkIsForceTimesWay) {
  SimulationSetup setup = busy_setup();
  const Frame tip = setup.model->frame("hand");
  const Vector3 force(1.0, -2.0, 0.5);
  VectorX wrench = VectorX::Zero(6);
  wrench.head<3>() = force;
  setup.forces.push_back(std::make_shared<AppliedWrench>("tug", tip, WrenchAxes::inertial,
                                                         TimeTable::constant(wrench)));
  const State start = tumbling(*setup.model);
  const SimulationResult result = simulate(setup, start, 3.0);
  LinkFrames before(*setup.model), after(*setup.model);
  compute_link_frames(*setup.model, start, before);
  compute_link_frames(*setup.model, result.state, after);
  const Vector3 way = frame_position(after, tip) - frame_position(before, tip);
  EXPECT_NEAR(budget(result, "tug").end.work, force.dot(way), kTolerance);
}

// V = ½ K q²: the springs put nothing in, give back what they stored less what their dampers lost
TEST(EnergySources, SpringsStoreAndDampersDissipate) {
  const SimulationSetup setup = busy_setup();
  const State start = tumbling(*setup.model);
  const SimulationResult result = simulate(setup, start, 3.0);
  const SourceBudget& springs = budget(result, "passive_joints");
  EXPECT_NEAR(springs.start.stored, 10.0 * start.q(1) * start.q(1), 1e-15);
  EXPECT_NEAR(springs.end.stored, 10.0 * result.state.q(1) * result.state.q(1), 1e-14);
  EXPECT_GT(springs.end.dissipated, 0.1);
  EXPECT_NEAR(springs.end.work, 0.0, 1e-14);  // rounding only: zero at each instant
}

// the sampled law holds τ for a period each: W = Σ τ_k (q_{k+1} − q_k)
TEST(EnergySources, WorkOfASampledControllerIsTheSumOverItsPeriods) {
  const SimulationSetup setup = busy_setup();
  struct Samples : SimulationObserver {
    void on_output(const SimulationPoint& point) override {
      q.push_back(point.state.q);
      qd.push_back(point.state.qd);
    }
    std::vector<VectorX> q, qd;
  } samples;
  const SimulationResult result = Simulator(setup).run(tumbling(*setup.model), 2.0, 0.05, samples);
  double work = 0.0;
  // the impulse at 1 s is a sample instant: outputs there show the state just after it
  for (std::size_t i = 0; i + 1 < samples.q.size(); ++i) {
    const VectorX tau = -0.7 * samples.q[i] - 0.4 * samples.qd[i];
    work += tau.dot(samples.q[i + 1] - samples.q[i]);
  }
  EXPECT_NEAR(budget(result, "hold").end.work, work, kTolerance);
}

TEST(EnergySources, SwitchedOffControllerWorksNoMore) {
  SimulationSetup setup = busy_setup();
  Event off{"off", time_event(1.0), CrossingDirection::rising, {}};
  off.actions = {SwitchAction{"hold", false}};
  setup.events = {off};
  const State start = tumbling(*setup.model);
  const double until_then = budget(simulate(setup, start, 1.0), "hold").end.work;
  EXPECT_NEAR(budget(simulate(setup, start, 2.0), "hold").end.work, until_then, kTolerance);
  EXPECT_GT(std::abs(until_then), 1e-3);
}

// an impulse through the centroid of a resting body: ½ p²/m
TEST(EnergySources, EventsHoldTheEnergyOfImpulses) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(4.0, {1.0, 1.0, 1.0}));
  Event push{"push", time_event(0.5), CrossingDirection::rising, {}};
  push.actions = {ImpulseAction{setup.model->frame("base"), {0.0, 3.0, 0.0}, Vector3::Zero()}};
  setup.events = {push};
  const SimulationResult result = simulate(setup, State(*setup.model), 1.0);
  EXPECT_NEAR(budget(result, "events").end.work, 9.0 / 8.0, 1e-15);
}

TEST(EnergySources, PrescribedMotionHoldsWhatNobodyElsePutIn) {
  SimulationSetup setup;
  setup.model = two_links(0.0, 0.0);
  setup.integrator = dopri5(1e-12);
  setup.prescribed_joints = {
      {1, std::make_shared<QuinticReference>(VectorX::Constant(1, 0.4), VectorX::Constant(1, 1.4),
                                             0.0, 2.0)}};
  setup.forces = {torque("brake", 1, -3.0)};
  State start = tumbling(*setup.model);
  start.qd(0) = 0.0;
  const SimulationResult result = simulate(setup, start, 1.5);
  const double gained = result.final_energy.kinetic - result.initial_energy.kinetic;
  const double braked = -3.0 * (result.state.q(0) - 0.4);
  EXPECT_NEAR(budget(result, "brake").end.work, braked, kTolerance);
  EXPECT_NEAR(budget(result, "prescribed_motion").end.work, gained - braked, kTolerance);
}

class EnergySourcesOf : public ::testing::TestWithParam<IntegrationMethod> {};

// linear in the integrals, so true of every method to rounding
TEST_P(EnergySourcesOf, AddUp) {
  SimulationSetup setup = busy_setup();
  setup.integrator = testing::adaptive(GetParam(), 1e-6);
  setup.integrator.step = 0.01;
  struct Watch : SimulationObserver {
    void on_output(const SimulationPoint& point) override {
      double work = 0.0, dissipated = 0.0, stored = 0.0;
      for (const SourceEnergy& source : point.sources) {
        work += source.work;
        dissipated += source.dissipated;
        stored += source.stored;
      }
      EXPECT_NEAR(work, point.integrals.work, 1e-13);
      EXPECT_NEAR(dissipated, point.integrals.dissipated, 1e-13);
      EXPECT_NEAR(stored, point.energy.elastic, 1e-13);
      ++outputs;
    }
    int outputs = 0;
  } watch;
  const SimulationResult result = Simulator(setup).run(tumbling(*setup.model), 1.5, 0.03, watch);
  EXPECT_EQ(watch.outputs, 51);
  // first-order methods are off by some per cent at this step
  EXPECT_NEAR(budget(result, "motor").end.work, 4.0 * (result.state.q(0) - 0.4), 0.05);
}

INSTANTIATE_TEST_SUITE_P(Method, EnergySourcesOf, ::testing::ValuesIn(all_integration_methods()),
                         [](const auto& method) { return std::string(to_string(method.param)); });

TEST(AttitudeError, IsRounding) {
  SimulationSetup setup = busy_setup();
  const SimulationResult result = simulate(setup, tumbling(*setup.model), 3.0);
  EXPECT_LT(result.audit.attitude_error(), 1e-15 * 10.0);
  EXPECT_GT(result.audit.attitude_error(), 0.0);
}

TEST(AttitudeError, IsTheLargestOfAllSteps) {
  ConservationAudit audit;
  Matrix3 bent = Matrix3::Identity();
  bent(0, 1) = 1e-3;
  audit.update_attitude(bent);
  audit.update_attitude(Matrix3::Identity());
  EXPECT_NEAR(audit.attitude_error(), 1e-3, 1e-15);
}

}  // namespace
}  // namespace spacedyn::energy_sources_test
