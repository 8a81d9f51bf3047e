// Momentum of robots and of what they form together by fixed steps: conservation to rounding, from
// the recorded states and from the audit.
#include <gtest/gtest.h>

#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/rigid_heaps.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::stepped_momentum_test {
namespace {

constexpr double kSteps[] = {2.5e-4, 1e-3, 4e-3};

SimulationSetup stepped(SimulationSetup setup, double step) {
  setup.integrator = fixed_step(IntegrationMethod::time_stepping, step);
  setup.integrator.contact_tolerance = 1e-11;
  setup.integrator.contact_iterations = 2000;
  return setup;
}

TEST(SteppedMomentum, OfRobotsIsKeptToRounding) {
  // a base whose centroid is not its origin, with an arm that swings on a spring and a wheel of
  // which only the spin counts
  BaseDescription base = base_body(1.0, {0.01, 0.02, 0.03});
  base.center_of_mass = {0.1, 0, -0.05};
  LinkDescription arm =
      link_body("arm", "base", 0.5, Vector3::Constant(0.01), {0.2, 0, 0}, {0.1, 0.2, 0});
  arm.joint.stiffness = 5.0;
  const LinkDescription wheel =
      link_body("wheel", "base", 0.0, {0, 0, 0.01}, Vector3::Zero(), {0.1, 0, 0});
  const auto one = std::make_shared<const Model>(
      ModelBuilder("one").set_base(base).add_link(arm).add_link(wheel).build());
  const auto model = std::make_shared<const Model>(
      ModelBuilder(aggregate("two", {{"a", one, true, {}}, {"b", one, true, {}}})).build());
  SimulationSetup setup;
  setup.model = model;
  setup.base_mode = BaseMode::fixed;
  // and a stiff spring between them, which is implicit
  SpringDamper::Settings tie;
  tie.from = model->frame("a.base");
  tie.to = model->frame("b.base");
  tie.stiffness = 1e6;
  tie.damping = 1e4;
  tie.rest_length = 1.0;
  State state(*model);
  for (std::size_t i = 0; i < 2; ++i) {
    BaseMotion motion;
    motion.r_0 = {0, 1.01 * static_cast<double>(i), 0};
    motion.v_0 = {1, 0, 0};
    motion.omega_0 = {1, 2, 3.0 * static_cast<double>(i)};
    set_base_motion(*model, model->robots()[i], motion, state);
    state.qd(model->robots()[i].first_joint() - 1) = 4.0;
    state.qd(model->robots()[i].first_joint()) = 10.0;
  }
  for (const bool tied : {false, true}) {
    setup.forces.clear();
    if (tied) setup.forces.push_back(std::make_shared<SpringDamper>("tie", tie));
    for (const double h : kSteps) {
      const SimulationResult end = simulate(stepped(setup, h), state, 2.0);
      EXPECT_LE(end.audit.linear_drift(), 1e-12) << tied << " " << h;
      // rounding of some thousand steps; 2e-8 to 2e-5 by the rule of the midpoint alone
      EXPECT_LE(end.audit.angular_drift(), 1e-12) << tied << " " << h;
      EXPECT_LE(end.audit.energy_residual(), tied ? 1e-2 : 1e3 * h * h) << tied << " " << h;
    }
  }
}

// a top, which moves in one piece: by the rule of the midpoint alone 5e-6 of it are lost with steps
// of 1 ms
TEST(SteppedMomentum, ATopKeepsItsAngularMomentum) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(single_body(1.0, {0.01, 0.02, 0.03}));
  State start(*setup.model);
  start.omega_0 = {1.0, 3.0, -2.0};
  const Vector3 expected = setup.model->body(0).inertia_L * start.omega_0;
  const double energy = 0.5 * start.omega_0.dot(expected);
  for (const double h : kSteps) {
    const State end = simulate(stepped(setup, h), start, 2.0).state;
    const Vector3 omega = end.A_0.transpose() * end.omega_0;
    const Vector3 spin = setup.model->body(0).inertia_L * omega;
    EXPECT_LE((end.A_0 * spin - expected).norm(), 1e-12 * expected.norm()) << h;
    EXPECT_NEAR(0.5 * omega.dot(spin), energy, 20.0 * h * h * energy) << h;
  }
}

// two robots with arms that swing meet: from the recorded states, what the pair has stays
TEST(SteppedMomentum, RobotsThatCollideKeepTheMomentumOfThePair) {
  BaseDescription base = base_body(2.0, {0.02, 0.03, 0.04});
  base.center_of_mass = {0.05, 0, 0.02};
  base.collisions.push_back(shape_of(CollisionType::box, "hull", {0.4, 0.3, 0.2}));
  const auto one = std::make_shared<const Model>(
      ModelBuilder("one")
          .set_base(base)
          .add_link(
              link_body("arm", "base", 0.5, Vector3::Constant(0.01), {0.2, 0, 0}, {0.1, 0.2, 0}))
          .build());
  const auto model = std::make_shared<const Model>(
      ModelBuilder(aggregate("two", {{"a", one, true, {}}, {"b", one, true, {}}})).build());
  RigidContact::Settings contact = rigid_law(0.5, 0.3);
  const std::vector<BodyShape> hulls = collision_shapes(*model);
  contact.pairs = {{hulls[0], hulls[1], false}};
  SimulationSetup setup = rigid_setup(*model, contact);
  setup.base_mode = BaseMode::fixed;
  State start(*model);
  for (std::size_t i = 0; i < 2; ++i) {
    BaseMotion motion;
    motion.r_0 = {0.7 * static_cast<double>(i), 0.05 * static_cast<double>(i), 0};
    motion.v_0 = {i == 0 ? 0.5 : -0.3, 0.1, 0};
    motion.omega_0 = {0.3, 1.0, -0.5 * static_cast<double>(i)};
    set_base_motion(*model, model->robots()[i], motion, start);
    start.qd(model->robots()[i].first_joint() - 1) = 2.0;
  }
  const auto momentum_of = [&](const State& state) {
    LinkFrames frames(*model);
    LinkVelocities velocities(*model);
    compute_link_frames(*model, state, frames);
    compute_link_velocities(*model, state, frames, velocities);
    return momentum(*model, frames, velocities).angular_centroid;
  };
  for (const double h : {1e-3, 4e-3}) {
    const SimulationResult end = simulate(stepped(setup, h), start, 1.5);
    ASSERT_GT(end.contacts.front().impulse, 0.1) << h;
    EXPECT_LE((momentum_of(end.state) - momentum_of(start)).norm(), 1e-11) << h;
    EXPECT_LE(end.audit.angular_drift(), 1e-11) << h;
  }
}

}  // namespace
}  // namespace spacedyn::testing::stepped_momentum_test
