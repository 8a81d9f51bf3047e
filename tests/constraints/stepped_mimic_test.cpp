// Joints that follow others by methods that solve for the end of a step: flights against an
// adaptive method, a grasp against statics.
#include <gtest/gtest.h>

#include "random_mimic.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::stepped_mimic_test {
namespace {

State end_of(const SimulationSetup& setup, const State& start, const IntegratorOptions& method,
             double duration) {
  SimulationSetup own = setup;
  own.integrator = method;
  return simulate(own, start, duration, duration).result.state;
}

class SteppedMimicBy : public ::testing::TestWithParam<IntegrationMethod> {};
INSTANTIATE_TEST_SUITE_P(Methods, SteppedMimicBy,
                         ::testing::Values(IntegrationMethod::time_stepping,
                                           IntegrationMethod::newmark,
                                           IntegrationMethod::variational),
                         [](const auto& each) { return std::string(to_string(each.param)); });

// Implicit loads of a controller and of springs as well: of order 2, and exactly where the
// relation says.
TEST_P(SteppedMimicBy, FliesWithOrderTwo) {
  for (const unsigned seed : {2u, 5u}) {
    const RandomMimic robot(seed);
    RandomModels random(seed + 10);
    SimulationSetup setup;
    setup.model = robot.model;
    JointPd::Settings pd;
    pd.joints = {1, 3};
    pd.stiffness = pd.damping = VectorX::Constant(2, 2.0);
    pd.reference = std::make_shared<ConstantReference>(VectorX::Zero(2));
    setup.controllers = {std::make_shared<JointPd>("pd", pd)};
    const State start = robot.state(random);
    const State exact = end_of(setup, start, adaptive(IntegrationMethod::dop853, 1e-11), 0.4);
    double last = 0.0;
    for (const double h : {2e-3, 1e-3}) {
      setup.integrator = fixed_step(GetParam(), h);
      const SimulationResult result = simulate(setup, start, 0.4);
      const State& end = result.state;
      for (const Follower& each : robot.model->followers()) {
        EXPECT_EQ(end.q(each.joint - 1), each.ratio * end.q(each.followed - 1) + each.offset);
      }
      const double error = (end.q - exact.q).norm() + (end.qd - exact.qd).norm();
      if (last > 0.0) EXPECT_NEAR(last / error, 4.0, 0.4) << "seed " << seed;
      last = error;
      // which carries momenta from step to step
      if (GetParam() == IntegrationMethod::variational) {
        EXPECT_LT(result.audit.momentum_drift(), 1e-13);
      }
    }
  }
}

LinkDescription finger(const std::string& name, double y, double way) {
  LinkDescription link = link_body(name, "base", 0.2, {1e-3, 1e-3, 1e-3}, {0, y, 0}, {0, 0, 0});
  link.joint.type = JointType::prismatic;
  link.joint.axis = {0, way, 0};
  link.collisions.push_back(shape_of(CollisionType::box, name, {0.06, 0.02, 0.06}));
  return link;
}

// A drive of F closes two fingers, one of which moves ratio times as far, on a block that floats:
// each presses with F/(1 + ratio), and friction carries the block.
TEST(SteppedMimic, GripsABlock) {
  constexpr double kForce = 30.0, kGravity = 9.81, kBlock = 0.5;
  for (const double ratio : {1.0, 2.5}) {
    BaseDescription base = base_body(1.0, {1, 1, 1});
    base.fixed = true;
    LinkDescription block =
        link_body("block", "base", kBlock, {2e-4, 2e-4, 2e-4}, {0, 0, 0}, {0, 0, 0});
    block.joint.type = JointType::free;
    block.collisions.push_back(shape_of(CollisionType::box, "block", {0.04, 0.04, 0.04}));
    // faces 1 mm and ratio · 1 mm from those of the block
    LinkDescription right = finger("right", -0.03 - ratio * 1e-3, 1.0);
    right.joint.mimic = MimicDescription{"left", ratio, 0.0};
    const Model model = ModelBuilder("gripper")
                            .set_base(base)
                            .add_link(finger("left", 0.031, -1.0))
                            .add_link(right)
                            .add_link(block)
                            .build();
    const std::vector<BodyShape> shapes = collision_shapes(model);
    ASSERT_EQ(shapes.size(), 3u);
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(model);
    setup.base_mode = BaseMode::fixed;
    setup.gravity = {0, 0, -kGravity};
    for (int i = 0; i < 2; ++i) {
      RigidContact::Settings law = rigid_law(0.0, 0.9);
      law.pairs.push_back({shapes[static_cast<std::size_t>(i)], shapes[2], false});
      setup.forces.push_back(std::make_shared<RigidContact>(i == 0 ? "l" : "r", law));
    }
    setup.forces.push_back(std::make_shared<AppliedJointTorque>(
        "drive", *model.find_joint("left"), TimeTable::constant(VectorX::Constant(1, kForce))));
    setup.integrator = fixed_step(IntegrationMethod::time_stepping, 1e-3);
    setup.integrator.contact_tolerance = 1e-11;
    setup.integrator.contact_iterations = 2000;
    struct Last final : SimulationObserver {
      void on_output(const SimulationPoint& point) override { contacts = point.rigid_contacts; }
      std::vector<ContactReading> contacts;
    } last;
    State start(model);
    const SimulationResult result = Simulator(setup).run(start, 0.5, 0.5, last);
    // the block falls until the fingers meet it, then rests
    const State& end = result.state;
    EXPECT_NEAR(end.q(0), 1e-3, 1e-6) << ratio;
    EXPECT_EQ(end.q(1), ratio * end.q(0));
    EXPECT_LE(end.qd.norm(), 1e-9) << ratio;
    EXPECT_LE(end.q.tail(6).norm(), 1e-3) << ratio;
    ASSERT_EQ(last.contacts.size(), 2u);
    for (const ContactReading& contact : last.contacts) {
      EXPECT_NEAR(contact.normal_force, kForce / (1.0 + ratio), 1e-6) << ratio;
    }
    EXPECT_LE(result.audit.energy_residual(), 1e-8) << ratio;
  }
}

}  // namespace
}  // namespace spacedyn::testing::stepped_mimic_test
