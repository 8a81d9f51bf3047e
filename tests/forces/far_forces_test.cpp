// Forces inside one robot, constraints and the audit far from the origin, where differences of
// places are rounding: 7e-9 m at 42,000 km.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/forces/tether.hpp"
#include "spacedyn/integration/events.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::far_forces_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Vector3 kFar = 4.2e7 * Vector3(0.6, -0.8, 0.0);

Frame point(int body, const Vector3& position) { return {"", body, position, Matrix3::Identity()}; }

/// Two links on a floating base, the second one a slide.
SimulationSetup arm() {
  LinkDescription upper = link_body("upper", "base", 10.0, {0.1, 1, 1}, {0.5, 0, 0}, {0.5, 0, 0.1});
  LinkDescription lower =
      link_body("lower", "upper", 5.0, {0.1, 0.5, 0.5}, {1.0, 0, 0}, {0.2, 0, 0.3});
  lower.joint.type = JointType::prismatic;
  lower.joint.axis = {0.6, 0, 0.8};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder("arm")
                                                  .set_base(base_body(100.0, {10, 12, 14}))
                                                  .add_link(upper)
                                                  .add_link(lower)
                                                  .build());
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  return setup;
}

State bent(const Model& model) {
  State state(model);
  state.omega_0 = {0.02, -0.01, 0.03};
  state.q << 0.5, 0.2;
  state.qd << -0.2, 0.1;
  return state;
}

/// Springs and dampers of all kinds between the base and the last link.
SimulationSetup sprung() {
  SimulationSetup setup = arm();
  const Frame from = point(0, {0, 0.6, 0.2}), to = point(2, {0.4, 0.1, 0});
  SpringDamper::Settings spring;
  spring.from = from;
  spring.to = to;
  spring.stiffness = 200.0;
  spring.damping = 20.0;
  spring.rest_length = 0.5;
  Bushing::Settings bushing;
  bushing.from = point(1, {0, 0.1, 0});
  bushing.to = to;
  bushing.stiffness << 30, 40, 50, 2, 3, 4;
  bushing.damping << 3, 4, 5, 0.2, 0.3, 0.4;
  Tether::Settings tether;
  tether.from = from;
  tether.via = {point(1, {0.3, 0.2, 0})};
  tether.to = to;
  tether.stiffness = 100.0;
  tether.damping = 5.0;
  tether.rest_length = 0.8;
  setup.forces = {std::make_shared<SpringDamper>("spring", spring),
                  std::make_shared<Bushing>("bushing", bushing),
                  std::make_shared<Tether>("tether", tether)};
  return setup;
}

TEST(FarForces, WithinARobotAreThoseNearby) {
  const SimulationSetup setup = sprung();
  State start = bent(*setup.model);
  const SimulationResult near = simulate(setup, start, 2.0);
  start.r_0 = kFar;
  start.v_0 = {0, 3000, 0};
  const SimulationResult far = simulate(setup, start, 2.0);
  // what rounding of velocities of 3 km/s leaves; by places in the world 1e-8, in 100 times as
  // many steps
  EXPECT_LE((far.state.q - near.state.q).norm(), 1e-11);
  EXPECT_LE((far.state.qd - near.state.qd).norm(), 1e-11);
  EXPECT_LE((far.state.omega_0 - near.state.omega_0).norm(), 1e-11);
  EXPECT_LE(far.statistics.steps, near.statistics.steps + 3);
  EXPECT_LE(far.audit.angular_drift(), 1e-10);
}

// a distance inside a robot passes a threshold at the instant at which it does nearby
TEST(FarForces, EventsOfDistancesAreThoseNearby) {
  SimulationSetup setup = arm();
  setup.events = {{"apart",
                   frame_distance_event(point(0, {0, 0.6, 0.2}), point(2, {0.4, 0.1, 0}), 1.75),
                   CrossingDirection::both,
                   {}}};
  State start = bent(*setup.model);
  const SimulationResult near = simulate(setup, start, 4.0);
  start.r_0 = kFar;
  const SimulationResult far = simulate(setup, start, 4.0);
  ASSERT_EQ(near.events.size(), 1U);
  ASSERT_EQ(far.events.size(), 1U);
  EXPECT_NEAR(far.events[0].time, near.events[0].time, 1e-11);
}

// gravity at each body and the arms about the centroid: 3e-4 of the spin when arms were
// differences of places
TEST(FarForces, TheAuditOfASlowTurnSeesNoRounding) {
  SimulationSetup setup = arm();
  const std::vector<CentralBody> earth{{"earth", 3.986004418e14}};
  setup.forces = {std::make_shared<CentralBodies>("gravity", earth)};
  State start = bent(*setup.model);
  start.qd.setZero();
  start.omega_0 = {0, 0, 1e-6};
  start.r_0 = {7e6, 0, 0};
  start.v_0 = {0, 7546.05, 0};
  EXPECT_LE(simulate(setup, start, 600.0).audit.angular_drift(), 1e-8);
}

/// A tow of changing length between two bodies that float.
SimulationSetup tow(double length) {
  LinkDescription load = link_body("load", "base", 3.0, {0.2, 0.3, 0.4}, {1, 0, 0}, {0, 0, 0});
  load.joint.type = JointType::free;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("pair").set_base(base_body(2.0, {0.5, 0.6, 0.7})).add_link(load).build());
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  const auto constant = std::make_shared<ConstantReference>(VectorX::Constant(1, length));
  setup.forces = {std::make_shared<RheonomicDistance>(
      "tow", RheonomicDistance::Settings{setup.model->frame("base"), setup.model->frame("load"),
                                         constant})};
  return setup;
}

TEST(FarForces, ConstraintsBeginAndHoldFarAway) {
  const SimulationSetup setup = tow(1.0);
  State start(*setup.model);
  start.qd(1) = 0.8;
  const SimulationResult near = simulate(setup, start, 2.0);
  start.r_0 = kFar;
  start.v_0 = {0, 3000, 0};
  const SimulationResult far = simulate(setup, start, 2.0);
  EXPECT_LE((far.state.q - near.state.q).norm(), 1e-10);
  EXPECT_LE(far.loops.position_residual, 1e-12);
}

// a plane at 42,000 km: a height of 7e-9 m above it is rounding, one of 1e-6 m is not
TEST(FarForces, AStartOnAFarConstraintMayBeRounded) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(single_body(1.0, Vector3::Ones()));
  const Vector3 normal(0, 0.28, 0.96);
  setup.forces = {std::make_shared<RollingConstraint>(
      "wheel",
      RollingConstraint::Settings{
          setup.model->frame("base"), 0.3, {}, std::make_shared<PlaneTerrain>(normal, 0.0)})};
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  State start(*setup.model);
  start.r_0 = 4.2e7 * Vector3(0.6, 0.8 * 0.96, -0.8 * 0.28) + 0.3 * normal;
  start.r_0.y() += 2e-8;
  EXPECT_NO_THROW(simulate(setup, start, 0.1));
  start.r_0.y() += 1e-6;
  EXPECT_THAT([&] { simulate(setup, start, 0.1); },
              ThrowsMessage<DomainError>(HasSubstr("violates constraint 'wheel'")));
}

// a connection must be as near far away as nearby; a millionth of 42,000 km was near enough
TEST(FarForces, AConnectionRefusesAGapOfAMetre) {
  SimulationSetup setup = tow(2.0);
  Connection connection;
  connection.loop.name = "tow";
  connection.active = false;
  connection.force = 0;
  setup.connections = {connection};
  setup.events = {{"hook", time_event(0.5), CrossingDirection::rising, {ConnectAction{0, false}}}};
  State start(*setup.model);
  start.r_0 = kFar;
  EXPECT_THAT([&] { simulate(setup, start, 1.0); },
              ThrowsMessage<NumericalError>(HasSubstr("its gap is 1 m")));
}

}  // namespace
}  // namespace spacedyn::testing::far_forces_test
