// A box between two fingers, by fixed steps: how its weight is shared among the corners of the pads
// is not determined by rigid bodies, but it must not swing about one of them.
#include <gtest/gtest.h>

#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::held_box_test {
namespace {

constexpr double kG = 9.81, kMass = 0.5, kGrip = 10.0;

/// Fingers along y, their pads on the faces of a cube of 8 cm.
Model gripper(const Vector3& pad) {
  ModelBuilder builder("gripper");
  BaseDescription palm = base_body(1.0, Vector3::Ones());
  palm.fixed = true;
  builder.set_base(palm);
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0.0 ? "left" : "right";
    LinkDescription finger = link_body(name, "base", 0.1, Vector3::Constant(1e-4),
                                       {0.0, side * (0.04 + 0.5 * pad.y()), 0.0}, Vector3::Zero());
    finger.joint.type = JointType::prismatic;
    finger.joint.axis = -side * Vector3::UnitY();
    finger.collisions.push_back(shape_of(CollisionType::box, name, pad));
    builder.add_link(finger);
  }
  LinkDescription cube =
      link_body("cube", "base", kMass, Vector3::Constant(1e-3), Vector3::Zero(), Vector3::Zero());
  cube.joint.type = JointType::free;
  cube.collisions.push_back(shape_of(CollisionType::box, "cube", Vector3::Constant(0.08)));
  return builder.add_link(cube).build();
}

SimulationResult hold(const Vector3& pad, const Vector3& down, double step, double friction) {
  const Model model = gripper(pad);
  RigidContact::Settings law = rigid_law(0.0, friction);
  const std::vector<BodyShape> shapes = collision_shapes(model);
  law.pairs = {{shapes[0], shapes[2], false}, {shapes[1], shapes[2], false}};
  SimulationSetup setup = rigid_setup(model, law, kG * down);
  setup.base_mode = BaseMode::fixed;
  for (const int joint : {1, 2}) {
    setup.forces.push_back(std::make_shared<AppliedJointTorque>(
        "grip " + std::to_string(joint), joint, TimeTable::constant(VectorX::Constant(1, kGrip))));
  }
  setup.integrator = fixed_step(IntegrationMethod::time_stepping, step);
  setup.integrator.contact_tolerance = 1e-9;
  return simulate(setup, State(model), 0.5);
}

TEST(HeldBox, HangsStillInAGripThatBearsItWhateverTheStep) {
  // pads of different shapes, weights along and across the pads: friction bears 12 N of 4.9 N
  for (const Vector3& pad : {Vector3(0.03, 0.01, 0.03), Vector3(0.06, 0.02, 0.01)}) {
    for (const Vector3& down : {Vector3(0, 0, -1), Vector3(0.6, 0, -0.8)}) {
      for (const double step : {1e-3, 2e-3, 5e-3, 1e-2}) {
        SCOPED_TRACE(::testing::Message()
                     << pad.transpose() << ", " << down.transpose() << ", " << step);
        const SimulationResult end = hold(pad, down, step, 0.6);
        // it creeps by the tolerance of contacts at most, times the duration
        EXPECT_LT(end.state.q.lpNorm<Eigen::Infinity>(), 1e-8);
        EXPECT_LT(end.state.qd.lpNorm<Eigen::Infinity>(), 1e-7);
        ASSERT_EQ(end.contacts.size(), 1U);
        EXPECT_NEAR(end.contacts[0].largest_force, 2.0 * kGrip, 1e-5);
        EXPECT_LE(end.contacts[0].residual, 1e-9);
      }
    }
  }
}

// what the cone does not bear slides: 4 N of 4.9 N
TEST(HeldBox, SlidesInAGripThatDoesNotBearIt) {
  const SimulationResult end = hold({0.03, 0.01, 0.03}, {0, 0, -1}, 2e-3, 0.2);
  const double a = kG - 2.0 * 0.2 * kGrip / kMass;
  EXPECT_GT(end.contacts[0].energy_lost, 0.0);
  EXPECT_LT(end.state.q(4), -0.2 * a * 0.5 * 0.5);
}

}  // namespace
}  // namespace spacedyn::testing::held_box_test
