// Joints that are locked from the start, against the same robot with these joints welded.
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/model/locking.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::locked_joints_test {
namespace {

constexpr double kDuration = 2.0;

/// A chain of six links in which joints 3 and 5 are held, and the same with these welded.
struct Pair {
  Pair() {
    testing::RandomModels random(7);
    testing::TreeShape chain;
    chain.links = 6;
    chain.window = 1;
    const ModelDescription description = random.description(chain);
    setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
    start = random.state(*setup.model);
    start.qd(2) = start.qd(4) = 0.0;
    const auto name = [&](int joint) { return setup.model->joint(joint).name; };
    welded = setup;
    const JointPositions held{{name(3), start.q(2)}, {name(5), start.q(4)}};
    welded.model =
        std::make_shared<const Model>(ModelBuilder(lock_joints(description, held)).build());
    welded_start = State(*welded.model);
    welded_start.r_0 = start.r_0;
    welded_start.A_0 = start.A_0;
    welded_start.v_0 = start.v_0;
    welded_start.omega_0 = start.omega_0;
    welded_start.q = start.q(kept);
    welded_start.qd = start.qd(kept);
    setup.locked_joints = {3, 5};
    setup.gravity = welded.gravity = {0.3, -0.2, 0.5};
    setup.integrator = welded.integrator = testing::dopri5(1e-12);
    load(setup, 4);
    load(welded, 3);
  }

  /// A torque on the joint that is the fourth one of the whole chain.
  void load(SimulationSetup& of, int joint) const {
    of.forces.push_back(std::make_shared<AppliedJointTorque>(
        "motor", joint, TimeTable::constant(VectorX::Constant(1, 0.4))));
  }

  const std::vector<int> kept{0, 1, 3, 5};
  SimulationSetup setup, welded;
  State start, welded_start;
};

TEST(LockedJoints, MoveAsTheWeldedRobot) {
  for (const BaseMode mode : {BaseMode::floating, BaseMode::fixed}) {
    Pair two;
    two.setup.base_mode = two.welded.base_mode = mode;
    if (mode == BaseMode::fixed) {
      for (State* start : {&two.start, &two.welded_start}) {
        start->v_0.setZero();
        start->omega_0.setZero();
      }
    }
    const SimulationResult a = testing::simulate(two.setup, two.start, kDuration);
    const SimulationResult b = testing::simulate(two.welded, two.welded_start, kDuration);
    EXPECT_EQ(a.state.q(2), two.start.q(2));
    EXPECT_EQ(a.state.q(4), two.start.q(4));
    EXPECT_TRUE(a.state.qd(2) == 0.0 && a.state.qd(4) == 0.0);
    EXPECT_LT((a.state.q(two.kept) - b.state.q).norm(), 1e-10);
    EXPECT_LT((a.state.qd(two.kept) - b.state.qd).norm(), 1e-10);
    EXPECT_LT((a.state.r_0 - b.state.r_0).norm(), 1e-10);
    EXPECT_LT((a.state.A_0 - b.state.A_0).norm(), 1e-10);
    EXPECT_LT((a.state.omega_0 - b.state.omega_0).norm(), 1e-10);
    EXPECT_NEAR(a.final_energy.kinetic, b.final_energy.kinetic, 1e-10 * b.final_energy.kinetic);
    EXPECT_NEAR(a.integrals.work, b.integrals.work, 1e-10 * b.final_energy.kinetic);
    EXPECT_LT(a.audit.energy_residual(), 1e-11);
    EXPECT_LT(a.audit.momentum_drift(), 1e-11);
  }
}

TEST(LockedJoints, ReportTheTorqueThatHoldsThem) {
  const Pair pair;
  Trajectory trajectory;
  Simulator(pair.setup).run(pair.start, kDuration, 0.5, trajectory);
  ASSERT_EQ(trajectory.points.size(), 5U);
  for (const TrajectoryPoint& sample : trajectory.points) {
    EXPECT_EQ(sample.acceleration(8), 0.0);
    EXPECT_EQ(sample.acceleration(10), 0.0);
    Loads loads(*pair.setup.model);
    loads.gravity = pair.setup.gravity;
    const VectorX needed =
        inverse_dynamics(*pair.setup.model, sample.state, sample.acceleration, loads);
    EXPECT_GT(std::abs(needed(8)) + std::abs(needed(10)), 1e-3);
    EXPECT_LT((sample.forces - needed).norm(), 1e-12 * (1.0 + needed.norm()));
  }
}

TEST(LockedJoints, AreReleasedByAnEvent) {
  constexpr double kRelease = 0.7;
  Pair pair;
  const State held = testing::simulate(pair.setup, pair.start, kRelease).state;
  pair.setup.events = {{"go",
                        time_event(kRelease),
                        CrossingDirection::rising,
                        {ReleaseAction{3}, ReleaseAction{5}}}};
  const State through = testing::simulate(pair.setup, pair.start, kDuration).state;
  pair.setup.locked_joints.clear();
  pair.setup.events.clear();
  const State after = testing::simulate(pair.setup, held, kDuration - kRelease).state;
  EXPECT_GT(std::abs(after.q(2) - pair.start.q(2)), 1e-3);
  EXPECT_LT((through.q - after.q).norm(), 1e-10);
  EXPECT_LT((through.qd - after.qd).norm(), 1e-10);
  EXPECT_LT((through.A_0 - after.A_0).norm(), 1e-10);
}

TEST(LockedJoints, NeedNoInertiaOfTheirOwn) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::massless_tip());
  const State start(*setup.model);
  EXPECT_THROW(testing::simulate(setup, start, 1.0), NumericalError);
  setup.locked_joints = {1};
  EXPECT_EQ(testing::simulate(setup, start, 1.0).time, 1.0);
}

TEST(LockedJoints, AreHeldByEveryMethodThatCan) {
  for (const IntegrationMethod method : all_integration_methods()) {
    if (method == IntegrationMethod::variational) continue;
    SCOPED_TRACE(to_string(method));
    Pair pair;
    pair.setup.integrator =
        is_adaptive(method) ? testing::adaptive(method, 1e-8) : testing::fixed_step(method, 1e-3);
    const State end = testing::simulate(pair.setup, pair.start, 0.2).state;
    EXPECT_EQ(end.q(2), pair.start.q(2));
    EXPECT_EQ(end.qd(4), 0.0);
    EXPECT_NE(end.q(3), pair.start.q(3));
  }
}

TEST(LockedJoints, MustBeAtRestAtTheStart) {
  Pair pair;
  pair.start.qd(2) = 0.1;
  const std::string name = pair.setup.model->joint(3).name;
  EXPECT_EQ(
      testing::message_of<DomainError>([&] { testing::simulate(pair.setup, pair.start, 1.0); }),
      "joint '" + name + "' is locked but its initial velocity is not zero");
}

}  // namespace
}  // namespace spacedyn::locked_joints_test
