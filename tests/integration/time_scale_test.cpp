// Seconds mean nothing: a flight whose times are all scaled takes the same steps to the same
// events.
#include <gtest/gtest.h>

#include "spacedyn/integration/position_stops.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::time_scale_test {
namespace {

/// A slider that bounces on its impulsive stop until it rests, beside it a ball that bounces on the
/// ground, both along z.
SimulationSetup bouncing(double unit, IntegrationMethod method) {
  BaseDescription base = base_body(1.0, Vector3::Ones());
  ModelBuilder builder("bouncing");
  builder.set_base(base);
  for (const char* name : {"slider", "ball"}) {
    LinkDescription link =
        link_body(name, "base", 2.0, Vector3::Ones(), Vector3::Zero(), Vector3::Zero());
    link.joint.type = JointType::prismatic;
    builder.add_link(link);
  }
  ModelDescription description = builder.description();
  description.links[0].joint.position_lower = 0.0;
  description.links[1].collisions.push_back(sphere_shape("ball", 0.1));
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0, 0, -9.81 / (unit * unit)};
  setup.forces.push_back(
      std::make_shared<RigidContact>("ground", on_rigid_ground(*setup.model, rigid_law(0.5))));
  add_impulsive_stops(setup, 0.6);
  setup.events.push_back({"half", joint_position_event(1, 0.5), CrossingDirection::falling, {}});
  setup.integrator = adaptive(method, 1e-10);
  setup.integrator.step = 0.01 * unit;
  AbsoluteTolerance& absolute = setup.integrator.absolute_tolerance;
  absolute.linear_velocity = absolute.angular_velocity = absolute.joint_velocity = 1e-10 / unit;
  return setup;
}

TEST(TimeScale, DoesNotChangeStepsOrEvents) {
  for (const IntegrationMethod method : {IntegrationMethod::dop853, IntegrationMethod::dopri5}) {
    SCOPED_TRACE(to_string(method));
    SimulationResult usual;
    for (const double unit : {1.0, 1e-6, 1e-3, 1e3, 1e6}) {
      SCOPED_TRACE(unit);
      const SimulationSetup setup = bouncing(unit, method);
      State state(*setup.model);
      state.q << 1.0, 0.8;
      const SimulationResult result = simulate(setup, state, 3.0 * unit);
      if (unit == 1.0) usual = result;
      ASSERT_EQ(result.events.size(), usual.events.size());
      for (std::size_t i = 0; i < result.events.size(); ++i) {
        EXPECT_EQ(result.events[i].name, usual.events[i].name);
        // errors of steps at bounces add up
        EXPECT_NEAR(result.events[i].time, unit * usual.events[i].time, 1e-8 * unit);
      }
      EXPECT_NEAR(static_cast<double>(result.statistics.steps),
                  static_cast<double>(usual.statistics.steps), 2.0);
    }
    // two bounces of the ball and of the slider at least, and both at rest
    ASSERT_GT(usual.events.size(), 8U);
    EXPECT_LT(usual.final_energy.kinetic, 1e-15);
  }
}

// a ball that is thrown along a slope, slides and then rolls; the first step is as good in any unit
TEST(TimeScale, DoesNotChangeTheFirstStepOrTheLeast) {
  BaseDescription ball = base_body(1.0, Vector3::Constant(0.004));
  ball.collisions.push_back(sphere_shape("ball", 0.1));
  const Model model = ModelBuilder("ball").set_base(ball).build();
  SimulationResult usual;
  for (const double unit : {1.0, 0x1p-27, 0x1p-20, 0x1p20}) {
    SCOPED_TRACE(unit);
    SimulationSetup setup = rigid_setup(model, on_rigid_ground(model, rigid_law(0.5, 0.2)),
                                        Vector3(3.0, 0.0, -9.0) / (unit * unit));
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
    AbsoluteTolerance& absolute = setup.integrator.absolute_tolerance;
    absolute.linear_velocity = absolute.angular_velocity = 1e-9 / unit;
    State state(model);
    state.r_0.z() = 0.1;
    state.v_0 = Vector3(1.0, 0.1, 0.0) / unit;
    state.omega_0.z() = 2.0 / unit;
    const SimulationResult result = simulate(setup, state, 2.0 * unit);
    if (unit == 1.0) usual = result;
    EXPECT_NEAR(static_cast<double>(result.statistics.steps),
                static_cast<double>(usual.statistics.steps), 2.0);
    // roundings may choose other steps: their errors
    EXPECT_LT((result.state.r_0 - usual.state.r_0).norm(), 1e-8);
    EXPECT_LT((unit * result.state.v_0 - usual.state.v_0).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace spacedyn::testing::time_scale_test
