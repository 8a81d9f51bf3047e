// Connections between robots: what docking does to velocities, momentum and energy.
#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::connections_test {
namespace {

constexpr unsigned kSeed = 20260723;

std::shared_ptr<const Model> body(double mass, const Vector3& inertia, const Vector3& port) {
  ModelBuilder builder("body");
  builder.set_base(base_body(mass, inertia));
  FrameDescription frame;
  frame.name = "port";
  frame.link = "base";
  frame.origin.position = port;
  builder.add_frame(frame);
  return std::make_shared<const Model>(builder.build());
}

LoopDescription weld(const std::string& from, const std::string& to) {
  LoopDescription loop;
  loop.name = "grasp";
  loop.type = LoopType::weld;
  loop.from = from;
  loop.to = to;
  return loop;
}

Event at(double time, const std::string& name, std::vector<EventAction> actions) {
  Event event;
  event.name = name;
  event.value = time_event(time);
  event.actions = std::move(actions);
  return event;
}

/// Two bodies of 30 and 50 kg whose ports are made to meet.
class Docking : public ::testing::Test {
 protected:
  static constexpr double kMassA = 30.0, kMassB = 50.0;

  Docking() {
    const auto a = body(kMassA, {2.0, 3.0, 4.0}, {0.5, 0.0, 0.0});
    const auto b = body(kMassB, {5.0, 6.0, 7.0}, {-0.7, 0.0, 0.0});
    model_ = std::make_shared<const Model>(
        ModelBuilder(aggregate("pair", {{"a", a, true, {}}, {"b", b, true, {}}})).build());
    setup_.model = model_;
    setup_.base_mode = BaseMode::fixed;
    setup_.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  }

  void connect_at(double time, LoopDescription loop, bool snap) {
    setup_.connections.push_back(make_connection(*model_, loop, false));
    setup_.events.push_back(at(time, "docks", {ConnectAction{0, snap}}));
  }

  State start(const BaseMotion& a, const BaseMotion& b) const {
    State state(*model_);
    set_base_motion(*model_, model_->robots()[0], a, state);
    set_base_motion(*model_, model_->robots()[1], b, state);
    return state;
  }

  BaseMotion base(int robot, const State& state) const {
    return base_motion(*model_, model_->robots()[static_cast<std::size_t>(robot)], state);
  }

  std::shared_ptr<const Model> model_;
  SimulationSetup setup_;
};

// head-on, then at rest against each other: the perfectly plastic impact
TEST_F(Docking, HeadOnLosesTheEnergyOfTheRelativeMotion) {
  connect_at(1.0, weld("a.port", "b.port"), false);
  BaseMotion a, b;
  a.v_0 = {0.3, 0.0, 0.0};
  b.r_0 = {0.5 + 0.7 + 0.4, 0.0, 0.0};
  b.v_0 = {-0.1, 0.0, 0.0};
  const SimulationResult result = simulate(setup_, start(a, b), 2.0);
  const double reduced = kMassA * kMassB / (kMassA + kMassB), approach = 0.4;
  ASSERT_EQ(result.connections.size(), 1U);
  const ConnectionRecord& made = result.connections[0];
  EXPECT_EQ(made.name, "grasp");
  EXPECT_NEAR(made.time, 1.0, 1e-12);
  EXPECT_NEAR(made.impulse, reduced * approach, 1e-12);
  EXPECT_NEAR(made.angular_impulse, 0.0, 1e-12);
  EXPECT_NEAR(made.energy_lost, 0.5 * reduced * approach * approach, 1e-12);
  const double together = (kMassA * 0.3 - kMassB * 0.1) / (kMassA + kMassB);
  EXPECT_NEAR(base(0, result.state).v_0.x(), together, 1e-13);
  EXPECT_NEAR(base(1, result.state).v_0.x(), together, 1e-13);
  EXPECT_LT(result.audit.momentum_drift(), 1e-13);
  EXPECT_LT(result.audit.energy_residual(), 1e-12);
}

// what has triggered a connection is held at its limit by it, which is no event
TEST_F(Docking, AnEventThatConnectsHappensOnceUntilItIsUndone) {
  connect_at(1.0, weld("a.port", "b.port"), true);
  setup_.events[0].value =
      frame_distance_event(*model_->find_frame("a.port"), *model_->find_frame("b.port"), 0.1);
  setup_.events[0].direction = CrossingDirection::falling;
  setup_.events.push_back(at(6.0, "parts", {DisconnectAction{0}}));
  BaseMotion a, b;
  a.v_0 = {0.2, 0.0, 0.0};
  a.omega_0 = {0.0, 0.0, 0.02};
  b.r_0 = {0.5 + 0.7 + 0.4, 0.0, 0.0};
  b.omega_0 = {0.1, 0.03, 0.0};
  const SimulationResult result = simulate(setup_, start(a, b), 9.0);
  ASSERT_EQ(result.events.size(), 2U);
  EXPECT_EQ(result.events[0].name, "docks");
  EXPECT_EQ(result.events[1].name, "parts");
  EXPECT_EQ(result.connections.size(), 1U);
}

// spin and offset: afterwards one body with the momentum of both
TEST_F(Docking, MergedSpinIsThatOfOneBody) {
  connect_at(0.5, weld("a.port", "b.port"), true);
  RandomModels random(kSeed);
  BaseMotion a, b;
  a.omega_0 = {0.3, -0.2, 0.1};
  a.v_0 = {0.2, 0.1, -0.1};
  b.r_0 = {1.3, 0.2, 0.1};
  b.A_0 = random.rotation();
  b.omega_0 = {-0.1, 0.4, 0.2};
  const State initial = start(a, b);
  Trajectory seen;
  const SimulationResult result = Simulator(setup_).run(initial, {0.5, 1.0}, seen);
  // just after: one rigid body about the common centroid
  const State& docked = seen.points.front().state;
  const Momentum& momentum = seen.points.front().momentum;
  const BaseMotion at_a = base(0, docked), at_b = base(1, docked);
  const double mass = kMassA + kMassB;
  const Vector3 r_g = (kMassA * at_a.r_0 + kMassB * at_b.r_0) / mass;
  Matrix3 inertia = Matrix3::Zero();
  const auto add = [&](const BaseMotion& motion, double m, const Vector3& own) {
    const Vector3 arm = motion.r_0 - r_g;
    inertia += motion.A_0 * own.asDiagonal() * motion.A_0.transpose() +
               m * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
  };
  add(at_a, kMassA, {2.0, 3.0, 4.0});
  add(at_b, kMassB, {5.0, 6.0, 7.0});
  const Vector3 spin = inertia.inverse() * momentum.angular_centroid;
  EXPECT_LT((at_a.omega_0 - spin).norm(), 1e-12);
  EXPECT_LT((at_b.omega_0 - spin).norm(), 1e-12);
  const Vector3 v_g = momentum.linear / mass;
  EXPECT_LT((at_a.v_0 - v_g - spin.cross(at_a.r_0 - r_g)).norm(), 1e-12);
  // the momentum of before
  EXPECT_LT((momentum.linear - result.initial_momentum.linear).norm(),
            1e-13 * result.initial_momentum.linear.norm());
  const double scale = kMassA * 0.3 + kMassB * 0.5;  // sums of magnitudes, of which these cancel
  EXPECT_LT((momentum.angular_centroid - result.initial_momentum.angular_centroid).norm(),
            1e-12 * scale);
  EXPECT_GT(result.connections[0].energy_lost, 0.1);
  EXPECT_LT(result.audit.energy_residual(), 1e-11);
  EXPECT_LT(result.loops.position_residual, 1e-12);
  EXPECT_LT(result.loops.velocity_residual, 1e-11);
  // they keep the pose of that instant
  const BaseMotion end_a = base(0, result.state), end_b = base(1, result.state);
  const Matrix3 relative = at_a.A_0.transpose() * at_b.A_0;
  EXPECT_LT((end_a.A_0.transpose() * end_b.A_0 - relative).norm(), 1e-12);
}

TEST_F(Docking, OfPointsApartIsAnErrorThatGivesTheGap) {
  connect_at(1.0, weld("a.port", "b.port"), false);
  BaseMotion a, b;
  b.r_0 = {1.5, 0.0, 0.0};
  EXPECT_EQ(message_of<Error>([&] { simulate(setup_, start(a, b), 2.0); }),
            "connection 'grasp' cannot be made at t = 1 s: its points are 0.3 m apart; with "
            "'snap: true' it keeps the relative position of that instant");
}

TEST_F(Docking, SnapOfARevoluteKeepsThePositionAlone) {
  LoopDescription hinge = weld("a.port", "b.port");
  hinge.type = LoopType::revolute;
  connect_at(1.0, hinge, true);
  BaseMotion a, b;
  b.r_0 = {1.5, 0.0, 0.0};
  b.omega_0 = {0.1, 0.0, 0.0};
  EXPECT_NE(message_of<Error>([&] {
              simulate(setup_, start(a, b), 2.0);
            }).find("its points are 0 m apart and its axes 0.1 rad"),
            std::string::npos);
  b.omega_0 = {0.0, 0.0, 0.3};
  const SimulationResult result = simulate(setup_, start(a, b), 2.0);
  EXPECT_EQ(result.loops.rows, 5);
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
}

// let go while spinning: each goes on with the velocity it had
TEST_F(Docking, PartedBodiesFlyStraight) {
  setup_.connections.push_back(make_connection(*model_, weld("a.port", "b.port"), true));
  setup_.events.push_back(at(1.0, "parts", {DisconnectAction{0}}));
  BaseMotion a, b;
  const double rate = 0.7, distance = 1.2;
  const double arm = distance * kMassB / (kMassA + kMassB);
  a.omega_0 = b.omega_0 = {0.0, 0.0, rate};
  a.v_0 = {0.0, -rate * arm, 0.0};
  b.r_0 = {distance, 0.0, 0.0};
  b.v_0 = {0.0, rate * (distance - arm), 0.0};
  Trajectory seen;
  const SimulationResult result = Simulator(setup_).run(start(a, b), {1.0, 3.0}, seen);
  const BaseMotion then = base(0, seen.points[0].state), now = base(0, result.state);
  EXPECT_NEAR(then.v_0.norm(), rate * arm, 1e-12);
  EXPECT_LT((now.v_0 - then.v_0).norm(), 1e-13);
  EXPECT_LT((now.r_0 - then.r_0 - 2.0 * then.v_0).norm(), 1e-12);
  EXPECT_TRUE(result.connections.empty());
  EXPECT_LT(result.audit.momentum_drift(), 1e-12);
  EXPECT_LT(result.audit.energy_residual(), 1e-12);
}

TEST_F(Docking, ABushingComesAndGoesWithItsEnergy) {
  Bushing::Settings settings;
  settings.from = model_->frame("a.port");
  settings.to = model_->frame("b.port");
  settings.stiffness << 200.0, 200.0, 200.0, 20.0, 20.0, 20.0;
  settings.damping << 5.0, 5.0, 5.0, 1.0, 1.0, 1.0;
  setup_.forces.push_back(std::make_shared<Bushing>("latch", settings));
  Connection latch;
  latch.loop.name = "latch";
  latch.loop.from = settings.from;
  latch.loop.to = settings.to;
  latch.active = false;
  latch.force = 0;
  setup_.connections.push_back(latch);
  setup_.events.push_back(at(0.5, "on", {ConnectAction{0}}));
  setup_.events.push_back(at(1.0, "off", {DisconnectAction{0}}));
  BaseMotion a, b;
  b.r_0 = {1.3, 0.0, 0.0};
  b.v_0 = {0.0, 0.1, 0.0};
  Trajectory seen;
  const SimulationResult result = Simulator(setup_).run(start(a, b), {0.4, 0.7, 1.5}, seen);
  EXPECT_EQ(seen.points[0].energy.elastic, 0.0);
  EXPECT_GT(seen.points[1].energy.elastic, 0.1);
  EXPECT_EQ(seen.points[2].energy.elastic, 0.0);
  EXPECT_EQ(base(0, seen.points[0].state).v_0.norm(), 0.0);
  EXPECT_GT(base(0, seen.points[1].state).v_0.norm(), 0.01);
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-9);

  setup_.events[0].actions = {ConnectAction{0, true}};
  EXPECT_EQ(message_of<Error>([&] { simulate(setup_, start(a, b), 2.0); }),
            "event 'on' snaps connection 'latch', which is compliant");
  setup_.events[0].actions = {DisconnectAction{3}};
  EXPECT_EQ(message_of<Error>([&] { simulate(setup_, start(a, b), 2.0); }),
            "event 'on' acts on connection 3, but there are 1");
}

/// Stops at each checkpoint and goes on from it.
class Interrupting final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint&) override {}
  bool wants_checkpoint() override { return ++steps_ % 5 == 0; }
  void on_checkpoint(const Checkpoint& checkpoint) override { checkpoints.push_back(checkpoint); }
  std::vector<Checkpoint> checkpoints;

 private:
  int steps_ = 0;
};

TEST_F(Docking, GoesOnFromCheckpointsBitForBit) {
  connect_at(0.5, weld("a.port", "b.port"), true);
  setup_.events.push_back(at(1.5, "parts", {DisconnectAction{0}}));
  BaseMotion a, b;
  a.omega_0 = {0.3, -0.2, 0.1};
  b.r_0 = {1.3, 0.2, 0.1};
  b.omega_0 = {-0.1, 0.4, 0.2};
  setup_.integrator.max_step = 0.05;
  Interrupting observer;
  const SimulationResult whole = Simulator(setup_).run(start(a, b), 2.0, 0.1, observer);
  ASSERT_GT(observer.checkpoints.size(), 3U);
  for (const Checkpoint& checkpoint : observer.checkpoints) {
    SimulationObserver rest;
    const SimulationResult again = Simulator(setup_).resume(checkpoint, rest);
    EXPECT_EQ(again.state.q, whole.state.q) << checkpoint.time;
    EXPECT_EQ(again.state.qd, whole.state.qd) << checkpoint.time;
    ASSERT_EQ(again.connections.size(), 1U);
    EXPECT_EQ(again.connections[0].energy_lost, whole.connections[0].energy_lost);
  }
}

// the tree robot that attach() makes of the same parts
TEST(Connections, AWeldIsAFixedJoint) {
  RandomModels random(kSeed);
  TreeShape shape;
  shape.links = 3;
  shape.prismatic_fraction = 0.0;
  const ModelDescription arm = random.description(shape);
  const auto a = std::make_shared<const Model>(ModelBuilder(arm).build());
  const auto payload = body(4.0, {0.2, 0.3, 0.4}, {0.1, -0.2, 0.3});
  const std::string tip = arm.links.back().name;

  Attachment held;
  held.parent = tip;
  held.prefix = "payload_";
  // the port coincides with the frame of the tip
  held.joint.origin.position = {-0.1, 0.2, -0.3};
  const auto whole = std::make_shared<const Model>(
      ModelBuilder(attach(arm, payload->description(), held)).build());

  SimulationSetup tree;
  tree.model = whole;
  tree.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  const State start = random.state(*whole);
  const State expected = simulate(tree, start, 1.0).state;

  SimulationSetup pair;
  pair.model = std::make_shared<const Model>(
      ModelBuilder(aggregate("pair", {{"a", a, true, {}}, {"p", payload, true, {}}})).build());
  pair.base_mode = BaseMode::fixed;
  pair.integrator = tree.integrator;
  pair.connections.push_back(make_connection(*pair.model, weld("a." + tip, "p.port")));
  LinkFrames frames(*whole);
  LinkVelocities velocities(*whole);
  compute_link_frames(*whole, start, frames);
  compute_link_velocities(*whole, start, frames, velocities);
  const Frame center = whole->frame("payload_base.com");
  const Vector6 twist = frame_velocity(frames, velocities, center);
  State state(*pair.model);
  State own = start;
  set_robot_state(*pair.model, pair.model->robots()[0], own, state);
  set_base_motion(*pair.model, pair.model->robots()[1],
                  {frame_position(frames, center), frame_orientation(frames, center),
                   twist.head<3>(), twist.tail<3>()},
                  state);
  const SimulationResult result = simulate(pair, state, 1.0);
  const State now = robot_state(*pair.model, pair.model->robots()[0], result.state);
  EXPECT_LT((now.q - expected.q).norm(), 1e-9);
  EXPECT_LT((now.qd - expected.qd).norm(), 1e-9);
  EXPECT_LT((now.r_0 - expected.r_0).norm(), 1e-9);
  EXPECT_LT((now.A_0 - expected.A_0).norm(), 1e-9);
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.loops.position_residual, 1e-12);
  EXPECT_LT(result.loops.velocity_residual, 1e-11);
}

TEST(Connections, BadOnesAreRefused) {
  const auto a = body(1.0, {1.0, 1.0, 1.0}, {0.0, 0.0, 0.0});
  const Model model =
      ModelBuilder(aggregate("pair", {{"a", a, true, {}}, {"b", a, true, {}}})).build();
  EXPECT_NE(message_of<ModelError>([&] {
              make_connection(model, weld("a.port", "a.base"));
            }).find("expected a point of another body than 'a.port', got 'a.base'"),
            std::string::npos);
  EXPECT_NE(message_of<ModelError>([&] {
              make_connection(model, weld("a.port", "c.port"));
            }).find("got 'c.port'"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::testing::connections_test
