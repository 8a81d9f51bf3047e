// Units mean nothing: a flight whose times are all scaled takes the same steps to the same events,
// and in units of powers of two, which round nothing, it is the same to the last bit.
#include <gtest/gtest.h>

#include "spacedyn/integration/position_stops.hpp"
#include "support/loop_models.hpp"
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

/// Units of a flight, each a power of two.
struct Units {
  double mass = 1.0, length = 1.0, time = 1.0;

  double inertia() const { return mass * length * length; }
  double speed() const { return length / time; }
};
constexpr Units kUnits[] = {{0x1p20, 1.0, 1.0},
                            {1.0, 0x1p-10, 1.0},
                            {1.0, 0x1p10, 1.0},
                            {1.0, 1.0, 0x1p-20},
                            {1.0, 1.0, 0x1p20}};

/// Velocities and positions of joints in usual units; the second joint slides.
VectorX in_usual_units(const State& state, const Units& unit) {
  VectorX all(2 * state.q.size() + 6);
  all << state.q, unit.time * state.qd, state.v_0 / unit.speed(), unit.time * state.omega_0;
  all(1) /= unit.length;
  all(state.q.size() + 1) /= unit.length;
  return all;
}

/// A body that floats and carries an elastic arm with a slide.
State fly_arm(const Units& unit, IntegrationMethod method) {
  ModelBuilder builder("arm");
  builder.set_base(base_body(8.0 * unit.mass, unit.inertia() * Vector3(1.0, 2.0, 1.5)));
  std::string parent = "base";
  for (const char* name : {"upper", "slide", "lower"}) {
    LinkDescription link =
        link_body(name, parent, 2.0 * unit.mass, unit.inertia() * Vector3(0.1, 0.2, 0.25),
                  unit.length * Vector3(0.5, 0.25, 0.0), unit.length * Vector3(0.25, 0.0, 0.125));
    const bool slides = parent == "upper";
    if (slides) link.joint.type = JointType::prismatic;
    link.joint.axis = Vector3::UnitX();
    const double stiffness = 10.0 * unit.mass / (unit.time * unit.time);
    link.joint.stiffness = stiffness * (slides ? 1.0 : unit.length * unit.length);
    builder.add_link(link);
    parent = name;
  }
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(builder.build());
  setup.integrator = fixed_step(method, 0x1p-7 * unit.time);
  State start(*setup.model);
  start.q << 0.25, 0.125 * unit.length, -0.5;
  start.qd << 1.0 / unit.time, 0.5 * unit.speed(), -0.75 / unit.time;
  start.omega_0 = Vector3(0.5, -0.25, 0.75) / unit.time;
  return simulate(setup, start, unit.time).state;
}

TEST(UnitsOfTwo, ChangeNoBitOfFixedSteps) {
  for (const IntegrationMethod method : all_integration_methods()) {
    if (is_adaptive(method) || method == IntegrationMethod::time_stepping) continue;
    SCOPED_TRACE(to_string(method));
    const VectorX usual = in_usual_units(fly_arm({}, method), {});
    for (const Units& unit : kUnits) {
      EXPECT_EQ(in_usual_units(fly_arm(unit, method), unit), usual)
          << unit.mass << ' ' << unit.length << ' ' << unit.time;
    }
  }
}

/// A crank whose rod moves a slider.
State turn_crank(const Units& unit) {
  ModelDescription robot;
  robot.name = "press";
  robot.base = base_body(unit.mass, unit.inertia() * Vector3::Ones());
  robot.base.fixed = true;
  const double size = unit.length;
  robot.links = {rod("crank", "base", unit.mass, 0.25 * size, Vector3::Zero()),
                 link_body("slider", "base", unit.mass, unit.inertia() * Vector3::Ones(),
                           Vector3::Zero(), Vector3::Zero()),
                 rod("rod", "crank", unit.mass, size, {0.25 * size, 0.0, 0.0})};
  robot.links[1].joint.type = JointType::prismatic;
  robot.links[1].joint.axis = Vector3::UnitX();
  robot.frames = {point_on("pin", "rod", {size, 0.0, 0.0})};
  robot.loops = {loop_between("pin", LoopType::revolute, "pin", "slider")};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(robot).build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = Vector3(0.0, -8.0, 0.0) * (unit.speed() / unit.time);
  setup.integrator = fixed_step(IntegrationMethod::rk4, 0x1p-7 * unit.time);
  State start(*setup.model);
  start.q << 0.0, 1.25 * size, 0.0;
  return simulate(setup, start, 4.0 * unit.time).state;
}

TEST(UnitsOfTwo, ChangeNoBitOfLoops) {
  const VectorX usual = in_usual_units(turn_crank({}), {});
  for (const Units& unit : kUnits) {
    EXPECT_EQ(in_usual_units(turn_crank(unit), unit), usual)
        << unit.mass << ' ' << unit.length << ' ' << unit.time;
  }
}

}  // namespace
}  // namespace spacedyn::testing::time_scale_test
