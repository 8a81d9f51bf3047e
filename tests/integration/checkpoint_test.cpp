#include <cmath>
#include <cstring>

#include "integration/equations/archive.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::checkpoint_test {
namespace {

constexpr double kDuration = 3.0;
constexpr double kInterval = 0.05;

/// Keeps outputs, and a checkpoint after every so many steps.
class Keeper final : public testing::StoppedTrajectory {
 public:
  explicit Keeper(int every = 0) : every_(every) {}

  bool wants_checkpoint() override { return every_ > 0 && ++steps_ % every_ == 0; }
  void on_checkpoint(const Checkpoint& checkpoint) override { checkpoints.push_back(checkpoint); }

  std::vector<Checkpoint> checkpoints;

 private:
  int every_;
  int steps_ = 0;
};

LinkDescription arm(const std::string& name, const std::string& parent) {
  LinkDescription link =
      testing::link_body(name, parent, 5.0, {0.2, 0.3, 0.4}, {0.6, 0.0, 0.1}, {0.5, 0.0, 0.0});
  link.joint.friction.coulomb = 0.05;
  link.joint.friction.breakaway = 0.06;
  link.joint.friction.presliding = 0.2;  // soft: methods with fixed steps must resolve it
  link.joint.damping = 0.02;
  return link;
}

/// Two or three of its commands are always on their way.
JointPd::Settings late_servo() {
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = pd.damping = VectorX::Constant(1, 0.3);
  pd.effort_limit = VectorX::Constant(1, 10.0);
  pd.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  pd.integral = VectorX::Constant(1, 0.1);
  pd.sample_period = 0.04;
  pd.digitization.delay = 0.11;
  pd.digitization.position_resolution = 0.01;
  return pd;
}

/// A tumbling two-arm robot whose base turns far, with friction, a continuous and three sampled
/// controllers, and events that bounce, push, switch and lock.
SimulationSetup busy_setup(const IntegratorOptions& options) {
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("busy")
                                        .set_base(testing::base_body(40.0, {3.0, 4.0, 5.0}))
                                        .add_link(arm("upper", "base"))
                                        .add_link(arm("lower", "upper"))
                                        .build());
  const auto damp = [](const EvaluationContext& now, VectorRef tau) { tau = -0.3 * now.state.qd; };
  const auto swing = [](const EvaluationContext& now, VectorRef tau) {
    tau << std::sin(3.0 * now.time) - now.state.q(0), -now.state.q(1);
  };
  setup.controllers = {
      std::make_shared<FunctionController>("damp", 2, damp),
      std::make_shared<FunctionController>("swing", 2, swing, 0.03),
      std::make_shared<FunctionController>("brake", 2, damp, 0.1),
      std::make_shared<JointPd>("late", late_servo()),
  };
  Frame grip;
  grip.position = {0.1, 0.2, 0.0};
  setup.events = {
      {"stop", joint_position_event(2, 0.2), CrossingDirection::rising, {BounceAction{2, 0.7}}},
      {"floor", joint_position_event(2, -0.2), CrossingDirection::falling, {BounceAction{2, 0.7}}},
      {"calm", time_event(1.27), CrossingDirection::rising, {SwitchAction{"brake", false}}},
      {"kick",
       time_event(0.77),
       CrossingDirection::rising,
       {ImpulseAction{grip, {1.0, -0.5, 0.2}, Vector3::Zero()}}}};
  if (options.method != IntegrationMethod::variational) {
    setup.events.push_back({"hold", time_event(0.9), CrossingDirection::rising, {LockAction{1}}});
    setup.events.push_back({"go", time_event(1.6), CrossingDirection::rising, {ReleaseAction{1}}});
  }
  setup.integrator = options;
  return setup;
}

State busy_start(const Model& model) {
  State state(model);
  state.omega_0 = {0.7, -1.1, 0.4};
  state.v_0 = {0.1, 0.0, -0.2};
  state.q << 0.3, 0.1;
  state.qd << 0.2, 0.6;
  return state;
}

SimulationResult run(const SimulationSetup& setup, SimulationObserver& observer) {
  return Simulator(setup).run(busy_start(*setup.model), kDuration, kInterval, observer);
}

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.r_0, b.r_0);
  EXPECT_EQ(a.A_0, b.A_0);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v_0, b.v_0);
  EXPECT_EQ(a.omega_0, b.omega_0);
  EXPECT_EQ(a.qd, b.qd);
  EXPECT_EQ(a.z, b.z);
}

void expect_same(const SimulationResult& a, const SimulationResult& b) {
  expect_same(a.state, b.state);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.integrals.work, b.integrals.work);
  EXPECT_EQ(a.integrals.dissipated, b.integrals.dissipated);
  EXPECT_EQ(a.integrals.throughput, b.integrals.throughput);
  EXPECT_EQ(a.integrals.angular_impulse, b.integrals.angular_impulse);
  EXPECT_EQ(a.initial_momentum.angular_base, b.initial_momentum.angular_base);
  EXPECT_EQ(a.initial_energy.total(), b.initial_energy.total());
  EXPECT_EQ(a.audit.momentum_drift(), b.audit.momentum_drift());
  EXPECT_EQ(a.audit.energy_residual(), b.audit.energy_residual());
  EXPECT_EQ(a.audit.attitude_error(), b.audit.attitude_error());
  ASSERT_EQ(a.sources.size(), b.sources.size());
  for (std::size_t i = 0; i < a.sources.size(); ++i) {
    EXPECT_EQ(a.sources[i].name, b.sources[i].name);
    EXPECT_EQ(a.sources[i].start.stored, b.sources[i].start.stored);
    EXPECT_EQ(a.sources[i].end.work, b.sources[i].end.work);
    EXPECT_EQ(a.sources[i].end.dissipated, b.sources[i].end.dissipated);
    EXPECT_EQ(a.sources[i].end.stored, b.sources[i].end.stored);
  }
  EXPECT_EQ(a.statistics.steps, b.statistics.steps);
  EXPECT_EQ(a.statistics.rejected, b.statistics.rejected);
  EXPECT_EQ(a.statistics.evaluations, b.statistics.evaluations);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].time, b.events[i].time);
    EXPECT_EQ(a.events[i].name, b.events[i].name);
  }
}

void expect_same_tail(const Keeper& whole, long first, const Keeper& rest) {
  ASSERT_EQ(whole.points.size(), static_cast<std::size_t>(first) + rest.points.size());
  for (std::size_t i = 0; i < rest.points.size(); ++i) {
    const TrajectoryPoint& a = whole.points[static_cast<std::size_t>(first) + i];
    const TrajectoryPoint& b = rest.points[i];
    ASSERT_EQ(a.time, b.time);
    expect_same(a.state, b.state);
    EXPECT_EQ(a.acceleration, b.acceleration);
    EXPECT_EQ(a.forces, b.forces);
  }
}

class CheckpointOf : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(CheckpointOf, ContinuesExactly) {
  const IntegrationMethod method = GetParam();
  IntegratorOptions options =
      is_adaptive(method) ? testing::adaptive(method, 1e-7) : testing::fixed_step(method, 0.01);
  options.project_momentum = method == IntegrationMethod::rk4;
  const SimulationSetup setup = busy_setup(options);
  Keeper whole(7);
  const SimulationResult expected = run(setup, whole);
  EXPECT_GE(expected.events.size(), 3U);
  ASSERT_GE(whole.checkpoints.size(), 8U);
  const std::size_t stride = whole.checkpoints.size() / 8;
  for (std::size_t i = 0; i < whole.checkpoints.size(); i += stride) {
    SCOPED_TRACE(whole.checkpoints[i].time);
    Keeper rest;
    expect_same(Simulator(setup).resume(whole.checkpoints[i], rest), expected);
    expect_same_tail(whole, whole.checkpoints[i].outputs, rest);
  }
}

/// The contents of a checkpoint with other bytes, and the sum that belongs to them.
std::string forged(std::string memory, std::size_t at, std::string_view bytes) {
  constexpr std::size_t kHead = sizeof(int) + sizeof(std::uint64_t);
  memory.replace(std::min(kHead + at, memory.size() - bytes.size()), bytes.size(), bytes);
  const std::uint64_t sum = checksum(std::string_view(memory).substr(kHead));
  std::memcpy(memory.data() + sizeof(int), &sum, sizeof(sum));
  return memory;
}

/// Ends a run whose outputs have been forged to be countless.
struct Impatient final : SimulationObserver {
  void on_output(const SimulationPoint& /*point*/) override {
    if (++outputs > 100) throw IoError("too many outputs");
  }
  int outputs = 0;
};

TEST_P(CheckpointOf, ForgedIsHarmless) {
  const IntegrationMethod method = GetParam();
  SimulationSetup setup = busy_setup(is_adaptive(method) ? testing::adaptive(method, 1e-5)
                                                         : testing::fixed_step(method, 0.01));
  Keeper whole(7);
  run(setup, whole);
  const Checkpoint good = whole.checkpoints[whole.checkpoints.size() / 2];
  setup.integrator.max_steps = good.statistics.steps + 2;
  Simulator simulator(setup);
  const std::string_view numbers[] = {{"\xff\xff\xff\xff\xff\xff\xff\x7f", 8},
                                      {"\0\0\0\0\0\0\0\x80", 8},
                                      {"\x05\0\0\0\0\0\0\0", 8}};
  int refused = 0;
  for (std::size_t i = 0; i < good.memory.size(); i += 3) {
    Checkpoint damaged = good;
    damaged.memory = forged(good.memory, i, numbers[i % 9 / 3]);
    Impatient observer;
    try {
      simulator.resume(damaged, observer);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

INSTANTIATE_TEST_SUITE_P(Methods, CheckpointOf, ::testing::ValuesIn(all_integration_methods()),
                         [](const auto& method) { return std::string(to_string(method.param)); });

TEST(Checkpoint, IsGivenWhenARunIsStopped) {
  const SimulationSetup setup = busy_setup(testing::dopri5(1e-8));
  Keeper whole;
  const SimulationResult expected = run(setup, whole);
  EXPECT_TRUE(whole.checkpoints.empty());
  Keeper first;
  first.stop_at = 1.0;
  EXPECT_TRUE(run(setup, first).interrupted);
  ASSERT_EQ(first.checkpoints.size(), 1U);
  EXPECT_EQ(first.checkpoints[0].time, first.step_times.back());
  EXPECT_EQ(first.checkpoints[0].outputs, static_cast<long>(first.points.size()));
  Keeper rest;
  expect_same(Simulator(setup).resume(first.checkpoints[0], rest), expected);
  expect_same_tail(whole, first.checkpoints[0].outputs, rest);
}

TEST(Checkpoint, StaysAtAnEndThatAnEventHasSet) {
  SimulationSetup setup = busy_setup(testing::dopri5(1e-8));
  setup.events.push_back({"enough", time_event(2.0), CrossingDirection::rising, {StopAction{}}});
  Keeper whole(1);
  const SimulationResult expected = run(setup, whole);
  EXPECT_EQ(expected.stopped_by, "enough");
  Keeper rest;
  const SimulationResult again = Simulator(setup).resume(whole.checkpoints.back(), rest);
  expect_same(again, expected);
  EXPECT_EQ(again.stopped_by, "enough");
}

TEST(Checkpoint, LetsAStepLimitBeRaised) {
  SimulationSetup setup = busy_setup(testing::dopri5(1e-8));
  Keeper whole;
  const SimulationResult expected = run(setup, whole);
  setup.integrator.max_steps = 20;
  Keeper first;
  try {
    run(setup, first);
    FAIL() << "the limit was not kept";
  } catch (const NumericalError& error) {
    EXPECT_THAT(error.what(),
                ::testing::MatchesRegex("integration stopped at t = .* s after 20 "
                                        "steps: number of steps has reached max_steps"));
    EXPECT_EQ(error.step(), 20);
  }
  ASSERT_EQ(first.checkpoints.size(), 1U);
  setup.integrator.max_steps = 1000000;
  Keeper rest;
  expect_same(Simulator(setup).resume(first.checkpoints[0], rest), expected);
}

TEST(Checkpoint, OfAFailedRunContinuesWithOtherOptions) {
  // steps too large for the attitude chart: each turns the base by more than 270°
  SimulationSetup setup = busy_setup(testing::rk4(0.5));
  setup.controllers.clear();
  setup.events.clear();
  State start = busy_start(*setup.model);
  start.omega_0 = {0.0, 0.0, 20.0};
  Keeper first;
  EXPECT_THROW(Simulator(setup).run(start, kDuration, kInterval, first), NumericalError);
  ASSERT_EQ(first.checkpoints.size(), 1U);
  EXPECT_EQ(first.checkpoints[0].time, 0.0);
  setup.integrator = testing::rk4(0.001);
  Keeper rest, whole;
  const SimulationResult saved = Simulator(setup).resume(first.checkpoints[0], rest);
  const SimulationResult expected = Simulator(setup).run(start, kDuration, kInterval, whole);
  EXPECT_EQ(saved.time, kDuration);
  EXPECT_EQ(first.points.size() + rest.points.size(), whole.points.size());
  expect_same(saved.state, expected.state);
}

TEST(Checkpoint, LetsTheMethodBeChangedOnTheWay) {
  SimulationSetup setup = busy_setup(testing::dopri5(1e-9));
  Keeper whole(20);
  const SimulationResult expected = run(setup, whole);
  const Checkpoint& middle = whole.checkpoints[whole.checkpoints.size() / 2];
  for (const IntegratorOptions& options :
       {testing::adaptive(IntegrationMethod::fehlberg78, 1e-9), testing::rk4(0.001)}) {
    setup.integrator = options;
    Keeper rest;
    const SimulationResult result = Simulator(setup).resume(middle, rest);
    ASSERT_EQ(result.events.size(), expected.events.size());
    // both errors are some 1e-8, times what bounces and tumbling make of them in a second
    EXPECT_NEAR((result.state.r_0 - expected.state.r_0).norm(), 0.0, 1e-5);
    EXPECT_NEAR((result.state.qd - expected.state.qd).norm(), 0.0, 1e-4);
    EXPECT_EQ(middle.outputs + static_cast<long>(rest.points.size()),
              static_cast<long>(whole.points.size()));
  }
}

TEST(Checkpoint, KeepsJointsThatAreLockedFromTheStart) {
  SimulationSetup setup = busy_setup(testing::dopri5(1e-8));
  setup.locked_joints = {1};
  const auto run_locked = [&](Keeper& keeper) {
    State start = busy_start(*setup.model);
    start.qd(0) = 0.0;
    return Simulator(setup).run(start, kDuration, kInterval, keeper);
  };
  Keeper whole(10);
  const SimulationResult expected = run_locked(whole);
  EXPECT_NE(expected.state.q(0), 0.3);  // 'go' has released it
  for (std::size_t i = 0; i < whole.checkpoints.size(); i += whole.checkpoints.size() / 5) {
    Keeper rest;
    expect_same(Simulator(setup).resume(whole.checkpoints[i], rest), expected);
    expect_same_tail(whole, whole.checkpoints[i].outputs, rest);
  }
}

std::string refusal(const SimulationSetup& setup, const Checkpoint& checkpoint) {
  Keeper rest;
  try {
    Simulator(setup).resume(checkpoint, rest);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Checkpoint, RefusesAnotherSystem) {
  SimulationSetup setup = busy_setup(testing::dopri5(1e-8));
  Keeper first(10);
  run(setup, first);
  SimulationSetup other = setup;
  other.base_mode = BaseMode::fixed;
  EXPECT_EQ(
      refusal(other, first.checkpoints[0]),
      "the checkpoint is of another system: it has a floating base where this one has a fixed "
      "base");
  other = setup;
  other.locked_joints = {1};
  EXPECT_EQ(refusal(other, first.checkpoints[0]),
            "the checkpoint is of another system: it has controller 'damp' of 2 commands each 0 s "
            "where this one has the locked joint 'upper'");
  other = setup;
  other.events.pop_back();
  EXPECT_EQ(refusal(other, first.checkpoints[0]),
            "the checkpoint is of another system: it has event 'go' where this one has state 1 of "
            "'dry_friction'");
}

TEST(Checkpoint, RefusesDamage) {
  const SimulationSetup setup = busy_setup(testing::dopri5(1e-8));
  Keeper first(10);
  run(setup, first);
  Checkpoint damaged = first.checkpoints[0];
  damaged.memory.resize(damaged.memory.size() - 1);
  const std::string wrong_sum =
      "the checkpoint is damaged: its check sum is not that of its contents";
  EXPECT_EQ(refusal(setup, damaged), wrong_sum);
  damaged.memory = first.checkpoints[0].memory + 'x';
  EXPECT_EQ(refusal(setup, damaged), wrong_sum);
  damaged.memory = "nonsense";
  EXPECT_EQ(refusal(setup, damaged),
            "the checkpoint is of another version of spacedyn, or it is damaged");
  damaged.memory.clear();
  EXPECT_EQ(refusal(setup, damaged), "the checkpoint is damaged: it ends too early");
}

TEST(Checkpoint, ShowsDamageToAnyByte) {
  const SimulationSetup setup = busy_setup(testing::dopri5(1e-6));
  Keeper first(10);
  run(setup, first);
  const Checkpoint good = first.checkpoints[0];
  for (std::size_t i = 0; i < good.memory.size(); ++i) {
    Checkpoint damaged = good;
    damaged.memory[i] = static_cast<char>(damaged.memory[i] ^ (1 << (i % 8)));
    Keeper rest;
    EXPECT_THROW(Simulator(setup).resume(damaged, rest), IoError) << i;
    damaged.memory = good.memory.substr(0, i);
    EXPECT_THROW(Simulator(setup).resume(damaged, rest), IoError) << i;
  }
}

}  // namespace
}  // namespace spacedyn::checkpoint_test
