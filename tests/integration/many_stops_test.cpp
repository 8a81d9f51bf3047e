// Several impulsive stops whose joints excite each other.
#include <gmock/gmock.h>

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/case_name.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::many_stops_test {
namespace {

/// A planar arm under constant torques, each joint between two stops.
struct Arm {
  SimulationSetup setup;
  std::vector<std::array<double, 2>> limits;

  void add(int joint, double torque, double lower, double upper, double restitution) {
    limits.push_back({lower, upper});
    const std::string name = std::to_string(joint);
    setup.forces.push_back(std::make_shared<AppliedJointTorque>(
        "torque " + name, joint, TimeTable::constant(VectorX::Constant(1, torque))));
    const BounceAction bounce{joint, restitution, true};
    setup.events.push_back({"lower " + name,
                            joint_position_event(joint, lower),
                            CrossingDirection::falling,
                            {bounce}});
    setup.events.push_back(
        {"upper " + name, joint_position_event(joint, upper), CrossingDirection::rising, {bounce}});
  }
};

LinkDescription planar_link(int index, double mass, double center, double inertia, double from) {
  LinkDescription link;
  link.name = "link " + std::to_string(index);
  link.parent = index == 1 ? "base" : "link " + std::to_string(index - 1);
  link.mass = mass;
  link.center_of_mass = {center, 0.0, 0.0};
  link.inertia = Vector3(0.4 * inertia, 0.8 * inertia, inertia).asDiagonal();
  link.joint.name = "joint " + std::to_string(index);
  link.joint.origin.position = {from, 0.0, 0.0};
  return link;
}

ModelBuilder arm_on(bool fixed) {
  BaseDescription base;
  base.name = "base";
  base.mass = 100.0;
  base.inertia = Vector3(10.0, 12.0, 14.0).asDiagonal();
  base.fixed = fixed;
  return ModelBuilder("arm").set_base(base);
}

Arm random_arm(unsigned seed, bool fixed) {
  testing::RandomModels random(seed);
  ModelBuilder builder = arm_on(fixed);
  Arm arm;
  const int joints = 2 + static_cast<int>(seed % 3);
  double length = 0.0;
  for (int i = 1; i <= joints; ++i) {
    const double mass = random.number(0.5, 6.0), from = length;
    length = random.number(0.3, 1.0);
    builder.add_link(planar_link(i, mass, length * random.number(0.3, 0.7),
                                 mass * length * length * random.number(0.02, 0.12), from));
    arm.add(i, random.number(-2.0, 2.0), -random.number(0.05, 0.5), random.number(0.05, 0.5),
            seed % 4 == 0 ? 0.0 : random.number(0.0, 0.9));
  }
  arm.setup.model = std::make_shared<const Model>(builder.build());
  arm.setup.base_mode = fixed ? BaseMode::fixed : BaseMode::floating;
  arm.setup.integrator.max_steps = 3000;
  return arm;
}

/// Joints that rest do so on their stops, to the last bit.
class RestWatch final : public SimulationObserver {
 public:
  explicit RestWatch(const Arm& arm) : arm_(arm) {}
  void on_output(const SimulationPoint& point) override {
    for (int joint = 1; joint <= point.model.joint_count(); ++joint) {
      const auto [lower, upper] = arm_.limits[static_cast<std::size_t>(joint - 1)];
      const double q = point.state.q(joint - 1);
      EXPECT_GE(q, lower - 1e-11) << point.time;
      EXPECT_LE(q, upper + 1e-11) << point.time;
      if (point.mobility.joint_free(joint)) continue;
      ++resting;
      EXPECT_EQ(point.state.qd(joint - 1), 0.0) << point.time;
      EXPECT_TRUE(q == lower || q == upper) << point.time;
    }
  }
  int resting = 0;

 private:
  const Arm& arm_;
};

class RandomArm : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomArm, ComesToRestOnItsStops) {
  for (const bool fixed : {true, false}) {
    const Arm arm = random_arm(GetParam(), fixed);
    RestWatch watch(arm);
    const SimulationResult result =
        Simulator(arm.setup).run(State(*arm.setup.model), 4.0, 0.02, watch);
    EXPECT_GT(watch.resting, 0);
    // the tolerance of 1e-9, and that of the lift of what comes to rest
    EXPECT_LT(result.audit.energy_residual(), 1e-8);
    EXPECT_LT(result.audit.momentum_drift(), 1e-7);
  }
}

/// Stops push on the joints that rest, also where their forces have fallen through zero.
class PushWatch final : public SimulationObserver {
 public:
  explicit PushWatch(const Arm& arm) : arm_(arm) {}
  void on_output(const SimulationPoint& point) override {
    for (int joint = 1; joint <= point.model.joint_count(); ++joint) {
      if (point.mobility.joint_free(joint)) continue;
      const bool is_lower = point.state.q(joint - 1) == arm_.limits[joint - 1U][0];
      const double push = point.forces(joint + 5) * (is_lower ? 1.0 : -1.0);
      EXPECT_GE(push, -1e-11) << point.time;  // roundings of some N m
      ++resting;
    }
  }
  int resting = 0;

 private:
  const Arm& arm_;
};

TEST(RandomArms, AreNotPulledByTheStopsOnWhichTheyRest) {
  int resting = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomModels random(seed);
    Arm arm = random_arm(4 * seed, false);  // without restitution
    arm.setup.forces.clear();
    State start(*arm.setup.model);
    for (double& rate : start.qd) rate = random.number(-2.0, 2.0);
    start.omega_0 = random.vector(3);
    PushWatch watch(arm);
    Simulator(arm.setup).run(start, 1.0, 0.05, watch);
    resting += watch.resting;
  }
  EXPECT_GT(resting, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomArm, ::testing::Range(1U, 9U), testing::NamedByValue());

Arm two_joints(double torque_1, double torque_2, double restitution_1, double restitution_2) {
  Arm arm;
  arm.setup.model = std::make_shared<const Model>(arm_on(true)
                                                      .add_link(planar_link(1, 5.0, 0.4, 0.3, 0.0))
                                                      .add_link(planar_link(2, 2.0, 0.2, 0.03, 0.8))
                                                      .build());
  arm.setup.base_mode = BaseMode::fixed;
  arm.add(1, torque_1, -0.2, 0.3, restitution_1);
  arm.add(2, torque_2, -0.2, 0.1, restitution_2);
  arm.setup.integrator.max_steps = 3000;
  return arm;
}

TEST(TwoStops, ExcitingEachOtherDissipateTheWorkOfTheTorques) {
  for (const auto& [torques, restitutions] :
       std::vector<std::pair<std::array<double, 2>, std::array<double, 2>>>{
           {{1.5, -0.85}, {0.0, 0.3}}, {{1.2, 1.2}, {0.3, 0.3}}, {{1.5, -0.85}, {0.8, 0.9}}}) {
    SCOPED_TRACE(::testing::PrintToString(torques));
    Arm arm = two_joints(torques[0], torques[1], restitutions[0], restitutions[1]);
    RestWatch watch(arm);
    const SimulationResult result =
        Simulator(arm.setup).run(State(*arm.setup.model), 30.0, 0.5, watch);
    const double end = torques[1] > 0.0 ? 0.1 : -0.2;
    EXPECT_EQ(result.state.q(0), 0.3);
    EXPECT_EQ(result.state.q(1), end);
    EXPECT_TRUE(result.state.qd.isZero(0.0));
    EXPECT_NEAR(result.integrals.dissipated, torques[0] * 0.3 + torques[1] * end, 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-9);
  }
}

TEST(TwoStops, LetEveryMethodFlyOnWhenAllIsAtRest) {
  for (const IntegrationMethod method : all_integration_methods()) {
    if (method == IntegrationMethod::variational) continue;  // it cannot lock joints
    SCOPED_TRACE(std::string(to_string(method)));
    Arm arm = two_joints(1.5, -0.85, 0.3, 0.3);
    arm.setup.integrator =
        is_adaptive(method) ? testing::adaptive(method, 1e-9) : testing::fixed_step(method, 2e-3);
    RestWatch watch(arm);
    const SimulationResult result =
        Simulator(arm.setup).run(State(*arm.setup.model), 12.0, 0.7003, watch);  // inside steps
    EXPECT_EQ(result.state.q(0), 0.3);
    EXPECT_EQ(result.state.q(1), -0.2);
    EXPECT_TRUE(result.state.qd.isZero(0.0));
  }
}

TEST(TwoStops, EndWithTheirNamesWhereNothingComesToRest) {
  Arm arm;
  arm.setup.model = std::make_shared<const Model>(
      arm_on(true).add_link(planar_link(1, 5.0, 0.4, 0.3, 0.0)).build());
  arm.setup.base_mode = BaseMode::fixed;
  arm.add(1, 0.0, 0.0, 1e-5, 1.0);
  State start(*arm.setup.model);
  start.qd(0) = 1e7;  // 1e-12 s from stop to stop
  EXPECT_THAT(
      testing::message_of<NumericalError>([&] { testing::simulate(arm.setup, start, 1.0); }),
      ::testing::AllOf(::testing::HasSubstr("the joints at 'lower 1', 'upper 1' strike"),
                       ::testing::HasSubstr("again and again")));
}

TEST(NewmarkOnStops, RestsOnAFloatingBaseToo) {
  Arm arm = random_arm(4, false);
  arm.setup.integrator = testing::fixed_step(IntegrationMethod::newmark, 0.005);
  RestWatch watch(arm);
  Simulator(arm.setup).run(State(*arm.setup.model), 3.0, 0.05, watch);
  EXPECT_GT(watch.resting, 0);
}

}  // namespace
}  // namespace spacedyn::many_stops_test
