// Rigid contact while other things happen: blows, locks, joint stops, growing pulls; in any units.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/dice.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::rigid_contact_events_test {
namespace {

constexpr double kG = 9.81;

SimulationSetup flight(const Model& model, const RigidContact::Settings& settings,
                       double tolerance = 1e-10, const Vector3& gravity = {0, 0, -kG}) {
  SimulationSetup setup = rigid_setup(model, settings, gravity);
  setup.integrator = adaptive(IntegrationMethod::dop853, tolerance);
  return setup;
}

Event at_time(double time, EventAction action) {
  return {"at " + std::to_string(time), time_event(time), CrossingDirection::rising, {action}};
}

Event joint_stop(int joint, double position, bool is_upper, double restitution) {
  return {is_upper ? "upper" : "lower",
          joint_position_event(joint, position),
          is_upper ? CrossingDirection::rising : CrossingDirection::falling,
          {BounceAction{joint, restitution, true}}};
}

TEST(RigidContactEvents, ABallThatIsStruckSlidesUntilItRolls) {
  // slides from v to 5 v/7 in 2 v/(7 μ g), over 12 v²/(49 μ g)
  const Model model = ball(1.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.1};
  const double mu = 0.3, time = 2.0 / (7.0 * mu * kG);
  for (const double angle : {0.0, 1.0, 2.5, 4.0}) {
    const Vector3 along(std::cos(angle), std::sin(angle), 0.0);
    SimulationSetup setup = flight(model, on_rigid_ground(model, rigid_law(0.0, mu)));
    setup.events = {at_time(0.5, ImpulseAction{Frame(), along, Vector3::Zero()})};
    const SimulationResult end = simulate(setup, state, 1.0);
    const double way = 12.0 / (49.0 * mu * kG) + 5.0 / 7.0 * (0.5 - time);
    // steps to 1e-10
    EXPECT_NEAR(end.state.r_0.dot(along), way, 1e-10);
    EXPECT_NEAR((end.state.v_0 - 5.0 / 7.0 * along).norm(), 0.0, 1e-10);
    EXPECT_NEAR(end.contacts[0].friction_work, -1.0 / 7.0, 1e-10);
    EXPECT_LE(end.audit.energy_residual(), 1e-11);
    EXPECT_LE(end.audit.linear_drift(), 1e-11);
  }
}

TEST(RigidContactEvents, ABlowFromAboveMeetsItsImpulseOfFriction) {
  // the ground answers N downwards with N upwards and friction up to μ N, which rolling needs less
  // of than 2/7 of the blow along it: P − F = m v, F r = 0.4 m r² ω, v = ω r
  const Model model = ball(2.0, 0.1);
  State state(model);
  state.r_0 = {0, 0, 0.1};
  for (const double mu : {0.5, 0.1}) {
    SimulationSetup setup = flight(model, on_rigid_ground(model, rigid_law(0.0, mu)));
    setup.events = {at_time(0.1, ImpulseAction{Frame(), {1.0, 0, -1.0}, Vector3::Zero()})};
    const SimulationResult end = simulate(setup, state, 0.1 + 1e-9);
    const double friction = std::min(mu, 2.0 / 7.0);
    EXPECT_NEAR(end.state.v_0.x(), (1.0 - friction) / 2.0, 1e-8) << mu;  // 1e-9 s of friction
    EXPECT_NEAR(end.state.omega_0.y(), friction / (0.4 * 2.0 * 0.1), 1e-7) << mu;
    EXPECT_NEAR(end.state.v_0.z(), 0.0, 1e-14) << mu;
  }
}

TEST(RigidContactEvents, ASmallHopDoesNotMakeAFootStick) {
  // A body tips about one foot, with friction, until the other one, without, strikes the ground.
  // The first foot stands next to the centre of percussion: it hops by 1e-14 m, and slides.
  const double b = 0.5, h = 0.1, radius = 0.01, e = 0.5, inertia = b * b * (1.0 + 1e-6);
  BaseDescription base = base_body(1.0, {inertia, inertia, inertia});
  base.collisions = {sphere_shape("foot", radius, {-b, 0, -h}),
                     sphere_shape("toe", radius, {b, 0, -h})};
  const Model model = ModelBuilder("body").set_base(base).build();
  const RigidContact::Settings both = on_rigid_ground(model, rigid_law(e));
  RigidContact::Settings foot = both, toe = both;
  foot.friction = foot.static_friction = 2.0;
  foot.pairs = {both.pairs[0]};
  toe.pairs = {both.pairs[1]};
  SimulationSetup setup = flight(model, foot);
  setup.forces.push_back(std::make_shared<RigidContact>("toe", toe));
  State state(model);
  state.A_0 = exp_so3(Vector3(0, -0.05, 0));
  state.r_0.z() = radius - (state.A_0 * Vector3(-b, 0, -h)).z();
  const SimulationResult end = simulate(setup, state, 0.15);
  // ω of the fall about the foot, which rolls; the impulse of the toe along the normal alone
  const double low = h + radius;
  const double omega2 = 2.0 * kG * (state.r_0.z() - low) / (inertia + b * b + low * low);
  const double speed2 = omega2 * 4.0 * b * b, response = 1.0 + b * b / inertia;
  ASSERT_EQ(end.contacts[1].count, 1);
  EXPECT_NEAR(end.contacts[1].energy_lost, 0.5 * (1.0 - e * e) * speed2 / response, 1e-9);
  EXPECT_NEAR(end.contacts[0].energy_lost, 0.0, 1e-9);  // it was 1e-2 J
  EXPECT_LE(end.audit.energy_residual(), 1e-9);
}

/// A block of 1 kg on slides up and along x, on the ground at one point or at eight.
Model block_on_slides(CollisionType type) {
  LinkDescription up =
      link_body("up", "base", 0.5, Vector3::Constant(0.01), {0, 0, 0.1}, Vector3::Zero());
  LinkDescription along =
      link_body("along", "up", 0.5, Vector3::Constant(0.01), Vector3::Zero(), Vector3::Zero());
  up.joint.type = along.joint.type = JointType::prismatic;
  up.joint.axis = Vector3::UnitZ();
  along.joint.axis = Vector3::UnitX();
  const Vector3 size = type == CollisionType::sphere ? Vector3(0.1, 0, 0) : Vector3(0.4, 0.3, 0.2);
  along.collisions.push_back(shape_of(type, "block", size));
  return ModelBuilder("block")
      .set_base(base_body(1.0, Vector3::Ones()))
      .add_link(up)
      .add_link(along)
      .build();
}

TEST(RigidContactEvents, APullThatGrowsMovesABlockWhenFrictionEnds) {
  // at rest until k t = μ m g, then x = k (t − t_0)³/6 m_x
  const double mu = 0.3;
  for (const CollisionType type : {CollisionType::sphere, CollisionType::box}) {
    const Model model = block_on_slides(type);
    for (const double rate : {3.0, -1.6, 100.0}) {
      SimulationSetup setup = flight(model, on_rigid_ground(model, rigid_law(0.0, mu)));
      setup.base_mode = BaseMode::fixed;
      setup.forces.push_back(std::make_shared<AppliedJointTorque>(
          "pull", 2, TimeTable({0.0, 2.0}, Eigen::RowVector2d(0.0, 2.0 * rate))));
      const SimulationResult end = simulate(setup, State(model), 2.0);
      const double start = mu * kG / std::abs(rate), sliding = 2.0 - start;
      const double way = rate * sliding * sliding * sliding / (6.0 * 0.5);
      // the instant is found to 1e-12 s and parts of force of 1e-12
      EXPECT_NEAR(end.state.q(1), way, 1e-9 * std::abs(way)) << rate;
      EXPECT_LE(end.audit.energy_residual(), 1e-9) << rate;
      EXPECT_LE(end.statistics.steps, 200) << rate;
    }
  }
}

TEST(RigidContactEvents, AStoneThatRollsLosesNothing) {
  // a flat ellipsoid of 1 kg rocks on its side without slipping
  const Model model = body_with(shape_of(CollisionType::ellipsoid, "stone", {0.2, 0.03, 0.02}), 1.0,
                                {0.0003, 0.006, 0.006});
  State state(model);
  state.r_0 = {0, 0, 0.02};
  state.omega_0 = {1.0, 0.3, 0.0};
  state.v_0 = state.omega_0.cross(state.r_0);
  const SimulationResult end =
      simulate(flight(model, on_rigid_ground(model, rigid_law(0.0, 2.0)), 1e-8), state, 1.0);
  const double kinetic = 0.5 * (0.0003 + 0.0004 + 0.09 * (0.006 + 0.0004));
  EXPECT_NEAR(end.contacts[0].friction_work, 0.0, 1e-12 * kinetic);
  EXPECT_NEAR(end.integrals.dissipated, 0.0, 1e-12 * kinetic);
  // some hundred steps to 1e-8
  EXPECT_LE(end.audit.energy_residual(), 1e-6);
}

/// A body of a box with two arms, each a ball at its end: it stands or lies on the ground.
Model crawler(Dice& dice) {
  BaseDescription base = base_body(dice.number(2.0, 8.0), {0.2, 0.3, 0.4});
  base.collisions.push_back(shape_of(CollisionType::box, "body", {0.5, 0.4, 0.3}));
  ModelBuilder builder("crawler");
  builder.set_base(base);
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0.0 ? "left" : "right";
    LinkDescription arm = link_body(name, "base", dice.number(0.5, 3.0), {0.05, 0.04, 0.06},
                                    {0.1, side * 0.25, 0.0}, {0.3, 0.0, 0.0});
    arm.joint.axis = dice.vector(1.0).normalized();
    arm.collisions.push_back(sphere_shape(name, dice.number(0.05, 0.15), {0.4, 0.0, 0.0}));
    builder.add_link(arm);
  }
  return builder.build();
}

State thrown(const Model& model, Dice& dice) {
  State state(model);
  state.r_0 = {0, 0, 1.0};
  state.A_0 = exp_so3(dice.vector(2.0));
  state.v_0 = dice.vector(0.5);
  state.omega_0 = dice.vector(1.0);
  state.qd = Eigen::Vector2d(dice.number(-1, 1), dice.number(-1, 1));
  return state;
}

/// T + V of a state alone.
double energy_of(const Model& model, const State& state) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  return kinetic_energy(model, frames, velocities) + gravity_potential(model, frames, {0, 0, -kG});
}

TEST(RigidContactEvents, BlowsLocksAndStopsKeepTheBalanceOfEnergy) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Dice dice(seed);
    const Model model = crawler(dice);
    const State state = thrown(model, dice);
    const RigidContact::Settings law = rigid_law(seed % 3 == 0 ? 0.4 : 0.0, dice.number(0.1, 0.9));
    std::vector<Event> events = {
        at_time(dice.number(0.6, 0.8), LockAction{1}),
        at_time(dice.number(0.8, 0.9), ImpulseAction{Frame(), dice.vector(4.0), dice.vector(0.3)}),
        at_time(dice.number(0.9, 1.0), ReleaseAction{1})};
    if (seed % 2 == 0) {
      events.push_back(joint_stop(2, dice.number(0.1, 0.5), true, 0.3));
      events.push_back(joint_stop(2, -dice.number(0.1, 0.5), false, 0.3));
    }
    for (const double tolerance : {1e-8, 1e-10}) {
      SimulationSetup setup = flight(model, on_rigid_ground(model, law), tolerance);
      setup.events = events;
      const SimulationResult end = simulate(setup, state, 1.2);
      const double lost = end.integrals.dissipated - end.integrals.work;
      const double scale = std::abs(energy_of(model, state));
      // errors of some hundred steps
      EXPECT_NEAR(energy_of(model, end.state), energy_of(model, state) - lost,
                  300.0 * tolerance * scale)
          << seed << ' ' << tolerance;
      // three points that slide slowly are turned in steps in proportion to their speed
      EXPECT_LE(end.statistics.steps, 5000) << seed;
    }
  }
}

TEST(RigidContactEvents, FallingBoxesComeToRestAtAnyTolerance) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    Dice dice(seed);
    const Vector3 size(dice.number(0.1, 0.5), dice.number(0.1, 0.5), dice.number(0.1, 0.5));
    const Vector3 squares = size.cwiseProduct(size);
    const Vector3 inertia = (Vector3::Constant(squares.sum()) - squares) / 12.0;
    const Model model = body_with(shape_of(CollisionType::box, "box", size), 1.0, inertia);
    State state(model);
    state.r_0 = {0, 0, dice.number(0.6, 1.2)};
    state.A_0 = exp_so3(dice.vector(3.0));
    state.v_0 = dice.vector(1.0);
    state.omega_0 = dice.vector(2.0);
    const RigidContact::Settings law = rigid_law(0.1 * (seed % 8), dice.number(0.1, 0.8));
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
      const SimulationResult end =
          simulate(flight(model, on_rigid_ground(model, law), tolerance), state, 3.0);
      EXPECT_LE(end.audit.energy_residual(), std::max(100.0 * tolerance, 1e-10))
          << seed << ' ' << tolerance;
      EXPECT_NEAR(end.state.v_0.norm(), 0.0, 1e-9) << seed << ' ' << tolerance;
    }
  }
}

/// A factor on each unit.
struct Units {
  double mass, length, time;
};

struct Landing {
  long steps;
  State state;
};

/// A box with an arm that falls, bounces, slides and is struck where it lies.
Landing land(const Units& units) {
  const double l = units.length, v = units.length / units.time;
  const double inertia = units.mass * l * l;
  BaseDescription base = base_body(3.0 * units.mass, inertia * Vector3(0.1, 0.12, 0.14));
  base.collisions.push_back(shape_of(CollisionType::box, "box", l * Vector3(0.4, 0.3, 0.2)));
  LinkDescription arm = link_body("arm", "base", units.mass, inertia * Vector3(0.02, 0.03, 0.02),
                                  l * Vector3(0.2, 0, 0), l * Vector3(0.2, 0, 0));
  arm.joint.axis = Vector3::UnitY();
  arm.collisions.push_back(sphere_shape("hand", 0.08 * l, l * Vector3(0.3, 0, 0)));
  const Model model = ModelBuilder("body").set_base(base).add_link(arm).build();
  State state(model);
  state.r_0 = l * Vector3(0, 0, 0.5);
  state.A_0 = exp_so3(Vector3(0.3, 0.2, 0.1));
  state.v_0 = v * Vector3(1.0, 0.2, 0);
  state.omega_0 = Vector3(0.5, 0, 1.0) / units.time;
  SimulationSetup setup = flight(model, on_rigid_ground(model, rigid_law(0.3, 0.4)), 1e-9,
                                 {0, 0, -kG * v / units.time});
  AbsoluteTolerance& absolute = setup.integrator.absolute_tolerance;
  absolute.position *= l;
  absolute.linear_velocity *= v;
  absolute.angular_velocity /= units.time;
  absolute.joint_velocity /= units.time;
  setup.events = {
      at_time(0.9 * units.time,
              ImpulseAction{Frame(), units.mass * v * Vector3(0, 3, 0), Vector3::Zero()})};
  const SimulationResult end = simulate(setup, state, 1.5 * units.time);
  Landing landing{end.statistics.steps, end.state};
  landing.state.r_0 /= l;
  landing.state.v_0 /= v;
  landing.state.omega_0 *= units.time;
  landing.state.qd *= units.time;
  return landing;
}

TEST(RigidContactEvents, NoUnitOfMassLengthOrTimeMatters) {
  const Landing usual = land({1, 1, 1});
  for (const Units& units :
       {Units{1, 1, 30}, Units{1, 1, 1e3}, Units{1, 1, 1e4}, Units{1, 1, 0.01}, Units{1e3, 1, 1},
        Units{1e-6, 1, 1}, Units{1, 10, 1}, Units{1, 1e3, 1}, Units{1, 0.01, 1}, Units{1, 1e-4, 1},
        Units{1e5, 100, 1e3}, Units{1e-6, 0.01, 0.1}, Units{1e4, 10, 30}}) {
    const Landing landing = land(units);
    const std::string where = std::to_string(units.mass) + ' ' + std::to_string(units.length) +
                              ' ' + std::to_string(units.time);
    // instants are found to 1e-12 s, whatever the unit, and slow points slide among errors of steps
    EXPECT_NEAR(static_cast<double>(landing.steps), static_cast<double>(usual.steps), 35.0)
        << where;
    EXPECT_NEAR((landing.state.r_0 - usual.state.r_0).norm(), 0.0, 1e-8) << where;
    EXPECT_NEAR((landing.state.A_0 - usual.state.A_0).norm(), 0.0, 1e-8) << where;
    EXPECT_NEAR((landing.state.v_0 - usual.state.v_0).norm(), 0.0, 1e-8) << where;
    EXPECT_NEAR((landing.state.qd - usual.state.qd).norm(), 0.0, 1e-8) << where;
  }
}

}  // namespace
}  // namespace spacedyn::testing::rigid_contact_events_test
