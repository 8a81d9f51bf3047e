// Motions of systems with loops: closed forms, conservation, order, and what happens at instants.
#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::loop_simulation_test {
namespace {

constexpr double kGravity = 9.81;

/// Keeps outputs and checkpoints, and measures the loops at each output.
class LoopRecorder final : public Trajectory {
 public:
  void on_output(const SimulationPoint& point) override {
    Trajectory::on_output(point);
    position = std::max(position, position_residual(point.model, point.state).value);
    velocity = std::max(velocity, velocity_residual(point.model, point.state).value);
    multipliers = point.multipliers;
  }
  bool wants_checkpoint() override { return ++steps_ % 7 == 0; }
  void on_checkpoint(const Checkpoint& checkpoint) override { checkpoints.push_back(checkpoint); }

  double position = 0.0, velocity = 0.0;  // largest residuals
  VectorX multipliers;                    // of the last output
  std::vector<Checkpoint> checkpoints;

 private:
  int steps_ = 0;
};

SimulationSetup setup_of(const Model& model, const IntegratorOptions& options, bool falls) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.base_mode = model.has_fixed_base() ? BaseMode::fixed : BaseMode::floating;
  setup.integrator = options;
  if (falls) setup.gravity = {0.0, -kGravity, 0.0};
  return setup;
}

FourBar crank_rocker(bool fixed) {
  FourBar bar;
  bar.crank = 0.35;
  bar.coupler = 0.9;
  bar.rocker = 0.7;
  bar.fixed = fixed;
  return bar;
}

/// A crank–rocker that turns, on the loop in position and velocity.
State turning(const FourBar& bar, const Model& model) {
  State state = bar.state(model, 0.4);
  state.qd(0) = 3.0;
  state = assemble_loops(model, state, {1}).state;
  if (model.has_fixed_base()) return state;
  state.v_0 = {0.1, -0.2, 0.05};
  state.omega_0 = {0.3, -0.4, 0.6};
  return state;
}

/// The coupler of a parallelogram does not turn: θ̈ = −(6 g / 5 L) cos θ, the motion of a rod of
/// length 5 L / 4 on one pivot.
TEST(LoopSimulation, SwingsAParallelogramAsOneRod) {
  const double L = 0.8, theta = -0.5;
  FourBar bar;
  bar.crank = bar.rocker = L;
  const Model model = bar.model();
  ModelDescription rod_alone;
  rod_alone.name = "rod";
  rod_alone.base = base_body(1.0, {1.0, 1.0, 1.0});
  rod_alone.base.fixed = true;
  rod_alone.links = {rod("rod", "base", 2.0, 1.25 * L, Vector3::Zero())};
  const Model pendulum = ModelBuilder(rod_alone).build();
  State swings(pendulum);
  swings.q(0) = theta;

  const IntegratorOptions options = adaptive(IntegrationMethod::dop853, 1e-12);
  LoopRecorder closed;
  Trajectory open;
  const SimulationResult result = Simulator(setup_of(model, options, true))
                                      .run(bar.state(model, theta, -1.0), 5.0, 0.1, closed);
  Simulator(setup_of(pendulum, options, true)).run(swings, 5.0, 0.1, open);
  ASSERT_EQ(closed.points.size(), open.points.size());
  for (std::size_t i = 0; i < open.points.size(); ++i) {
    EXPECT_NEAR(closed.points[i].state.q(0), open.points[i].state.q(0), 1e-9);
    EXPECT_NEAR(closed.points[i].acceleration(6), open.points[i].acceleration(6), 1e-8);
  }
  EXPECT_LT(closed.position, 1e-12);
  EXPECT_LT(closed.velocity, 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
  EXPECT_EQ(result.loops.rows, 5);
  EXPECT_EQ(result.loops.rank, 2);
  EXPECT_LT(result.loops.position_residual, 1e-12);
  EXPECT_EQ(result.loops.redundant, std::vector<std::string>{"pin"});
}

/// The pin may be in any of the joints: the same mechanism cut elsewhere.
TEST(LoopSimulation, DoesNotDependOnWhereTheLoopIsCut) {
  const FourBar bar = crank_rocker(true);
  const Model model = bar.model();
  // cut at the ground end of the rocker instead, which then hangs on the coupler
  ModelDescription other = bar.description();
  other.links[2].parent = "coupler";
  other.links[2].joint.origin.position = {bar.coupler, 0.0, 0.0};
  other.frames = {point_on("rocker_foot", "rocker", {bar.rocker, 0.0, 0.0}),
                  point_on("pivot", "base", {bar.ground, 0.0, 0.0})};
  other.loops = {loop_between("pin", LoopType::revolute, "rocker_foot", "pivot")};
  const Model cut = ModelBuilder(other).build();
  const State start = turning(bar, model);
  State same(cut);
  same.q << start.q(0), start.q(1), start.q(2) - start.q(0) - start.q(1) + kPi;
  same.qd << start.qd(0), start.qd(1), start.qd(2) - start.qd(0) - start.qd(1);

  const IntegratorOptions options = adaptive(IntegrationMethod::dop853, 1e-12);
  LoopRecorder one, two;
  Simulator(setup_of(model, options, true)).run(start, 3.0, 0.1, one);
  Simulator(setup_of(cut, options, true)).run(same, 3.0, 0.1, two);
  for (std::size_t i = 0; i < one.points.size(); ++i) {
    EXPECT_NEAR(one.points[i].state.q(0), two.points[i].state.q(0), 1e-8);
    EXPECT_NEAR(one.points[i].state.qd(1), two.points[i].state.qd(1), 1e-7);
  }
}

class MethodsWithLoops : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(MethodsWithLoops, KeepThemClosed) {
  const FourBar bar = crank_rocker(false);
  const Model model = bar.model();
  const State start = turning(bar, model);
  const IntegratorOptions options =
      is_adaptive(GetParam()) ? adaptive(GetParam(), 1e-9) : fixed_step(GetParam(), 0.005);
  LoopRecorder recorder;
  const SimulationResult result =
      Simulator(setup_of(model, options, false)).run(start, 4.0, 0.13, recorder);
  EXPECT_LT(recorder.position, 1e-12);
  EXPECT_LT(recorder.velocity, 1e-11);
  EXPECT_GT((result.state.q - start.q).norm(), 1.0);
  EXPECT_EQ(result.loops.rank, 2);
  const MethodTraits& traits = method_traits(GetParam());
  if (traits.adaptive) {
    EXPECT_LT(result.audit.momentum_drift(), 1e-8);
    EXPECT_LT(result.audit.energy_residual(), 1e-7);
  }
}

std::vector<IntegrationMethod> methods_that_close_loops() {
  std::vector<IntegrationMethod> methods;
  for (const IntegrationMethod method : all_integration_methods()) {
    if (method_traits(method).closes_loops) methods.push_back(method);
  }
  return methods;
}

INSTANTIATE_TEST_SUITE_P(All, MethodsWithLoops, ::testing::ValuesIn(methods_that_close_loops()),
                         [](const auto& given) { return std::string(to_string(given.param)); });

/// Momentum that the method itself keeps is not lost by a projection.
TEST(LoopSimulation, ProjectsWithoutMomentum) {
  const FourBar bar = crank_rocker(false);
  const Model model = bar.model();
  // steps so large that each is projected by some 1e-4
  const SimulationResult result = simulate(
      setup_of(model, fixed_step(IntegrationMethod::rk4, 0.04), false), turning(bar, model), 8.0);
  SimulationSetup without = setup_of(model, fixed_step(IntegrationMethod::rk4, 0.04), false);
  without.integrator.constraints = LoopStabilization::none;
  const SimulationResult drifts = simulate(without, turning(bar, model), 8.0);
  EXPECT_LT(result.loops.position_residual, 1e-13);
  EXPECT_GT(drifts.loops.position_residual, 1e-6);
  // that of the method, which a lossy projection would raise by its own size
  EXPECT_LT(result.audit.momentum_drift(), 3.0 * drifts.audit.momentum_drift() + 1e-13);
}

/// Errors of runs at a step and its half.
double order_of(IntegrationMethod method, double step) {
  const FourBar bar = crank_rocker(false);
  const Model model = bar.model();
  const State start = turning(bar, model);
  const SimulationResult exact =
      simulate(setup_of(model, adaptive(IntegrationMethod::dop853, 1e-13), true), start, 1.0);
  const auto error = [&](double h) {
    const SimulationResult result =
        simulate(setup_of(model, fixed_step(method, h), true), start, 1.0);
    return (result.state.q - exact.state.q).norm() + (result.state.qd - exact.state.qd).norm();
  };
  return std::log2(error(step) / error(0.5 * step));
}

TEST(LoopSimulation, KeepsTheOrderOfMethods) {
  EXPECT_GT(order_of(IntegrationMethod::rk4, 0.02), 3.7);
  EXPECT_GT(order_of(IntegrationMethod::dopri5, 0.04), 4.6);
  EXPECT_GT(order_of(IntegrationMethod::dop853, 0.1), 6.8);
}

/// Its steps are chosen by the tolerance: errors follow that.
TEST(LoopSimulation, IsIntegratedByRodas) {
  const FourBar bar = crank_rocker(false);
  const Model model = bar.model();
  const State start = turning(bar, model);
  const SimulationResult exact =
      simulate(setup_of(model, adaptive(IntegrationMethod::dop853, 1e-12), true), start, 1.0);
  const auto error = [&](double tolerance) {
    const SimulationResult result =
        simulate(setup_of(model, adaptive(IntegrationMethod::rodas, tolerance), true), start, 1.0);
    EXPECT_LT(result.loops.position_residual, 1e-12);
    EXPECT_LT(result.loops.velocity_residual, 1e-11);
    return (result.state.q - exact.state.q).norm() + (result.state.qd - exact.state.qd).norm();
  };
  EXPECT_LT(error(1e-5), 1e-3);
  EXPECT_LT(error(1e-8), 1e-6);
}

TEST(LoopSimulation, ComparesWaysToKeepLoopsClosed) {
  const FourBar bar = crank_rocker(true);
  const Model model = bar.model();
  const auto residual = [&](LoopStabilization stabilization) {
    SimulationSetup setup = setup_of(model, rk4(0.01), true);
    setup.integrator.constraints = stabilization;
    return simulate(setup, turning(bar, model), 10.0).loops.position_residual;
  };
  const double none = residual(LoopStabilization::none);
  const double baumgarte = residual(LoopStabilization::baumgarte);
  EXPECT_GT(none, 1e-7);
  EXPECT_LT(baumgarte, 0.2 * none);
  EXPECT_LT(residual(LoopStabilization::projection), 1e-13);
}

TEST(LoopSimulation, ResumesBitForBit) {
  const FourBar bar = crank_rocker(false);
  const Model model = bar.model();
  const SimulationSetup setup = setup_of(model, adaptive(IntegrationMethod::dop853, 1e-9), true);
  LoopRecorder whole;
  const SimulationResult result = Simulator(setup).run(turning(bar, model), 3.0, 0.1, whole);
  ASSERT_GT(whole.checkpoints.size(), 2u);
  LoopRecorder rest;
  const SimulationResult resumed = Simulator(setup).resume(whole.checkpoints[1], rest);
  EXPECT_EQ(resumed.state.q, result.state.q);
  EXPECT_EQ(resumed.state.omega_0, result.state.omega_0);
  EXPECT_EQ(resumed.loops.position_residual, result.loops.position_residual);
  EXPECT_EQ(resumed.loops.velocity_residual, result.loops.velocity_residual);
  EXPECT_EQ(resumed.loops.redundant, result.loops.redundant);
  EXPECT_EQ(resumed.statistics.evaluations, result.statistics.evaluations);
}

/// One freedom: whichever joint stops, all stop, and the rest goes on as one body.
TEST(LoopSimulation, StopsAFourBarByLockingAnyOfItsJoints) {
  for (int joint = 1; joint <= 3; ++joint) {
    const FourBar bar = crank_rocker(false);
    const Model model = bar.model();
    SimulationSetup setup = setup_of(model, adaptive(IntegrationMethod::dop853, 1e-10), false);
    Event lock{"lock",
               [](const EvaluationContext& at) { return at.time - 0.5; },
               CrossingDirection::rising,
               {LockAction{joint}, LockAction{1 + joint % 3}}};
    setup.events = {lock};
    LoopRecorder recorder;
    const SimulationResult result = Simulator(setup).run(turning(bar, model), 1.5, 0.1, recorder);
    EXPECT_LT(result.state.qd.norm(), 1e-11) << joint;
    EXPECT_LT(recorder.position, 1e-12);
    EXPECT_LT(recorder.velocity, 1e-11);
    EXPECT_LT(result.audit.momentum_drift(), 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-8);
  }
}

/// The crank follows a reference; coupler and rocker follow the closed form.
TEST(LoopSimulation, FollowsAPrescribedCrank) {
  const FourBar bar = crank_rocker(true);
  const Model model = bar.model();
  SimulationSetup setup = setup_of(model, adaptive(IntegrationMethod::dop853, 1e-11), true);
  setup.prescribed_joints = {
      {1, std::make_shared<QuinticReference>(VectorX::Constant(1, 0.4), VectorX::Constant(1, 2.9),
                                             0.0, 2.0)}};
  LoopRecorder recorder;
  const SimulationResult result = Simulator(setup).run(bar.state(model, 0.4), 2.5, 0.1, recorder);
  for (const TrajectoryPoint& sample : recorder.points) {
    EXPECT_LT((sample.state.q - bar.angles(sample.state.q(0))).norm(), 1e-11);
  }
  EXPECT_NEAR(result.state.q(0), 2.9, 1e-12);
  EXPECT_LT(recorder.velocity, 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-8);
}

TEST(LoopSimulation, RefusesMethodsThatCannotByName) {
  const FourBar bar = crank_rocker(true);
  const Model model = bar.model();
  for (const auto method : {IntegrationMethod::newmark, IntegrationMethod::variational}) {
    const std::string name(to_string(method));
    EXPECT_EQ(message_of<DomainError>([&] {
                Simulator(setup_of(
                    model, is_adaptive(method) ? adaptive(method, 1e-6) : fixed_step(method, 0.01),
                    true));
              }),
              name + " cannot keep loops closed; model 'four_bar' needs another method");
  }
}

TEST(LoopSimulation, RefusesAStartOffItsLoops) {
  const FourBar bar = crank_rocker(true);
  const Model model = bar.model();
  const SimulationSetup setup = setup_of(model, rk4(0.01), true);
  State state = bar.state(model, 0.4);
  state.q(1) += 1e-8;
  const std::string open = message_of<DomainError>([&] { simulate(setup, state, 1.0); });
  EXPECT_EQ(open.substr(0, 33), "the start violates loop 'pin' by ") << open;
  state = bar.state(model, 0.4);
  state.qd(0) = 1.0;
  const std::string opens = message_of<DomainError>([&] { simulate(setup, state, 1.0); });
  EXPECT_NE(opens.find("m/s in velocity; assemble it"), std::string::npos) << opens;
}

/// Two joints of a mechanism of one freedom cannot both be driven.
TEST(LoopSimulation, SaysWhichLoopPrescribedMotionTearsApart) {
  const FourBar bar = crank_rocker(true);
  const Model model = bar.model();
  SimulationSetup setup = setup_of(model, rk4(0.01), false);
  setup.prescribed_joints = {
      {1, std::make_shared<QuinticReference>(VectorX::Constant(1, 0.4), VectorX::Constant(1, 2.9),
                                             0.0, 2.0)}};
  setup.locked_joints = {3};
  const State start = bar.state(model, 0.4);
  const std::string message = message_of<NumericalError>([&] { simulate(setup, start, 2.0); });
  EXPECT_NE(message.find("loop 'pin' cannot be closed"), std::string::npos) << message;
}

/// Rotors in gear for a million turns, driven: gears are kept to what such angles are rounded to.
TEST(LoopSimulation, KeepsRotorsInGearThatTurnForLong) {
  constexpr double kRatio = -2.3, kInertia = 0.1, kTorque = 0.01, kSpeed = 1e3, kDuration = 1e4;
  ModelDescription robot;
  robot.name = "gears";
  robot.base = base_body(1.0, Vector3::Ones());
  robot.base.fixed = true;
  for (const char* name : {"a", "b"}) {
    robot.links.push_back(link_body(name, "base", 1.0, Vector3::Constant(kInertia), Vector3::Zero(),
                                    Vector3::Zero()));
  }
  LoopDescription gear;
  gear.name = "gear";
  gear.type = LoopType::gear;
  gear.joints = {"a", "b"};
  gear.ratio = kRatio;
  robot.loops = {gear};
  const Model model = ModelBuilder(robot).build();
  SimulationSetup setup = setup_of(model, adaptive(IntegrationMethod::dop853, 1e-9), false);
  setup.forces = {std::make_shared<AppliedJointTorque>(
      "motor", 1, TimeTable::constant(VectorX::Constant(1, kTorque)))};
  State start(model);
  start.qd << kSpeed, kRatio * kSpeed;
  const State end = simulate(setup, start, kDuration).state;
  const double acceleration = kTorque / (kInertia * (1.0 + kRatio * kRatio));
  const double turned = kSpeed * kDuration + 0.5 * acceleration * kDuration * kDuration;
  EXPECT_NEAR(end.q(0), turned, 1e-12 * turned);
  EXPECT_NEAR(end.q(1), kRatio * end.q(0), 1e-15 * turned);
}

}  // namespace
}  // namespace spacedyn::testing::loop_simulation_test
