// Units of mass, length and time mean nothing: the same flight in twenty of them comes to the same
// numbers. (time_scale_test.cpp: powers of two, to the last bit.)
#include <gtest/gtest.h>

#include "spacedyn/math/so3.hpp"
#include "support/rigid_heaps.hpp"
#include "support/units.hpp"

namespace spacedyn::testing::unit_scales_test {
namespace {

constexpr int kScalings = 20;

/// Of a robot with one slide, in usual units.
VectorX in_usual_units(const State& state, const Units& unit) {
  VectorX all(14);
  all << state.r_0 / unit.length, state.v_0 / unit.speed(), unit.time * state.omega_0,
      state.A_0.col(0), state.q(0) / unit.length, state.qd(0) / unit.speed();
  return all;
}

/// A ball that is thrown onto compliant ground and carries a mass that swings past its limits.
SimulationResult throw_ball(const Units& unit, const ContactFriction& friction) {
  BaseDescription ball = base_body(2.0 * unit.mass, Vector3::Constant(0.008 * unit.inertia()));
  ball.collisions.push_back(sphere_shape("ball", 0.1 * unit.length));
  LinkDescription mass =
      link_body("mass", "base", 0.5 * unit.mass, Vector3::Constant(0.001 * unit.inertia()),
                unit.length * Vector3(0.0, 0.02, 0.0), Vector3::Zero());
  mass.joint.type = JointType::prismatic;
  mass.joint.axis = Vector3::UnitX();
  mass.joint.stiffness = 300.0 * unit.mass / (unit.time * unit.time);
  mass.joint.position_lower = -0.02 * unit.length;
  mass.joint.position_upper = 0.02 * unit.length;
  const Model model = ModelBuilder("thrown").set_base(ball).add_link(mass).build();
  const NormalContact::Settings law =
      linear_law(2e4 * unit.mass / (unit.time * unit.time), 20.0 * unit.mass / unit.time);
  SimulationSetup setup = contact_setup(model, on_ground(model, law, friction),
                                        Vector3(0.0, 0.0, -9.81 * unit.acceleration()));
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  scale(setup.integrator.absolute_tolerance, unit, true);
  State state(model);
  state.r_0.z() = 0.3 * unit.length;
  state.v_0 = Vector3(1.0, 0.2, 0.0) * unit.speed();
  state.omega_0 = Vector3(0.0, 3.0, 1.0) / unit.time;
  state.q(0) = 0.01 * unit.length;
  state.qd(0) = 0.4 * unit.speed();
  return simulate(setup, state, 0.5 * unit.time);
}

void expect_same(const SimulationResult& result, const Units& unit, const SimulationResult& usual) {
  // roundings choose the sizes of some steps otherwise
  EXPECT_NEAR(static_cast<double>(result.statistics.steps),
              static_cast<double>(usual.statistics.steps), 12.0);
  const VectorX difference = in_usual_units(result.state, unit) - in_usual_units(usual.state, {});
  EXPECT_LT(difference.lpNorm<Eigen::Infinity>(), 1e-8);
  ASSERT_EQ(result.events.size(), usual.events.size());
  for (std::size_t i = 0; i < usual.events.size(); ++i) {
    EXPECT_EQ(result.events[i].name, usual.events[i].name);
    EXPECT_NEAR(result.events[i].time / unit.time, usual.events[i].time, 1e-9);
  }
}

// friction is smooth below half the speed: where it is stiff the sizes of steps, and errors, depend
// on roundings
TEST(UnitScales, ChangeNoCompliantContactOrPassageOfALimit) {
  const auto friction = [](const Units& unit) { return coulomb(0.3, 0.5 * unit.speed()); };
  const SimulationResult usual = throw_ball({}, friction({}));
  // a touch and passages at least
  ASSERT_GT(usual.events.size(), 3U);
  for (const Units& unit : random_units(kScalings)) {
    SCOPED_TRACE(::testing::Message() << unit.mass << ' ' << unit.length << ' ' << unit.time);
    expect_same(throw_ball(unit, friction(unit)), unit, usual);
  }
}

/// A box falls onto the ground askew and slides, by fixed steps.
VectorX drop_box(const Units& unit) {
  BaseMotion start;
  start.r_0 = unit.length * Vector3(0.0, 0.0, 0.12);
  start.A_0 = exp_so3({0.2, 0.1, 0.0});
  start.v_0 = unit.speed() * Vector3(0.5, 0.0, 0.0);
  Heap heap({heap_box(unit.length * Vector3(0.3, 0.2, 0.1), 2.0 * unit.mass, start)},
            rigid_law(0.3, 0.4), 2e-3 * unit.time, 9.81 * unit.acceleration());
  heap.setup.integrator.contact_tolerance = 1e-10 * unit.speed();
  heap.setup.integrator.contact_iterations = 2000;
  const SimulationResult result = simulate(heap.setup, heap.start, 0.3 * unit.time);
  return result.state.q;
}

TEST(UnitScales, ChangeNoSteppedContact) {
  const VectorX usual = drop_box({});
  for (const Units& unit : random_units(kScalings)) {
    SCOPED_TRACE(::testing::Message() << unit.mass << ' ' << unit.length << ' ' << unit.time);
    VectorX q = drop_box(unit);
    // of each free body places, then angles
    for (Eigen::Index first = 0; first < q.size(); first += 6) {
      q.segment<3>(first) /= unit.length;
    }
    EXPECT_LT((q - usual).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

}  // namespace
}  // namespace spacedyn::testing::unit_scales_test
