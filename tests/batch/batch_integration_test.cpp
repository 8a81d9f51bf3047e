// Batched integration against the Simulator's rk4 and its invariants.
#include <gtest/gtest.h>

#include "batch/batch_robots.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/recorders.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::batch_integration_test {
namespace {

class BatchIntegrationOn : public ::testing::TestWithParam<InstructionSet> {};

double difference(const State& a, const State& b) {
  double worst = (a.r_0 - b.r_0).lpNorm<Eigen::Infinity>();
  worst = std::max(worst, (a.A_0 - b.A_0).cwiseAbs().maxCoeff());
  worst = std::max(worst, relative_difference(a.q, b.q));
  return std::max(worst, relative_difference(a.velocity(), b.velocity()));
}

/// A state moved as a whole so that its centroid is where that of a reference is, and as fast: the
/// Simulator keeps the centroid on its straight path, batches leave it to the method.
State on_path_of(const State& reference, const Model& model, State state) {
  const auto centroid = [&](const State& at, Vector3& r_g, Vector3& v_g) {
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, at, frames);
    compute_link_velocities(model, at, frames, velocities);
    r_g = center_of_mass(model, frames);
    v_g = center_of_mass_velocity(model, velocities);
  };
  Vector3 r_here, v_here, r_there, v_there;
  centroid(state, r_here, v_here);
  centroid(reference, r_there, v_there);
  EXPECT_LT((r_there - r_here).norm(), 1e-3);
  state.r_0 += r_there - r_here;
  state.v_0 += v_there - v_here;
  return state;
}

/// A state of ETS-VII with its paddles bent and its base turning fast enough to re-centre often.
State turning_state(const Model& model, int k) {
  RandomModels random(50 + static_cast<unsigned>(k));
  State state = random.state(model);
  state.q = random.vector(model.joint_count(), 0.05);
  state.qd = random.vector(model.joint_count(), 0.1);
  state.omega_0 = Vector3(0.4 + 0.1 * k, -0.3, 0.2 * k);
  return state;
}

TEST_P(BatchIntegrationOn, TakesTheStepsOfTheSimulator) {
  const UsedInstructionSet used(GetParam());
  const auto model = shipped_robot("ets7_paddles");
  constexpr int kCount = 5;
  BatchStates states(*model, kCount);
  for (int k = 0; k < kCount; ++k) states.set(k, turning_state(*model, k));
  const BatchStates start = states;
  const TiledVectors forces(model->velocity_size(), kCount);
  // 6 s at up to 0.9 rad/s: the chart moves several times
  EXPECT_EQ(BatchDynamics(model).integrate(states, forces, {0.0, 0.02, 300, nullptr}), 0);
  for (int k = 0; k < kCount; ++k) {
    SimulationSetup setup;
    setup.model = model;
    setup.integrator = rk4(0.02);
    const State expected = simulate(setup, start.get(k), 6.0).state;
    // the same method in another order of operations: rounding errors of 300 steps
    EXPECT_LE(difference(on_path_of(expected, *model, states.get(k)), expected), 1e-10) << k;
    EXPECT_GT((expected.A_0 - start.get(k).A_0).norm(), 0.5) << k;
    EXPECT_LE(orthogonality_error(states.get(k).A_0), 1e-14) << k;
  }
}

TEST_P(BatchIntegrationOn, FollowsReferences) {
  const UsedInstructionSet used(GetParam());
  const auto model = shipped_robot("planar_2r");
  JointPd::Settings settings;
  settings.joints = {2, 1};
  settings.stiffness = VectorX::Constant(2, 150.0);
  settings.damping = VectorX::Constant(2, 80.0);
  settings.effort_limit = Eigen::Vector2d(2.0, 20.0);  // the first one saturates
  settings.reference =
      std::make_shared<QuinticReference>(VectorX::Zero(2), Eigen::Vector2d(1.0, -0.7), 0.0, 4.0);
  const auto control = std::make_shared<const JointPd>("reach", settings);
  BatchStates states(*model, 3);
  for (int k = 0; k < 3; ++k) {
    State state(*model);
    state.q(0) = 0.1 * k;
    states.set(k, state);
  }
  const BatchStates start = states;
  TiledVectors forces(model->velocity_size(), 3);
  BatchDynamics dynamics(model);
  // in two runs, the second longer than one table of references
  EXPECT_EQ(dynamics.integrate(states, forces, {0.0, 0.01, 100, control}), 0);
  EXPECT_EQ(dynamics.integrate(states, forces, {1.0, 0.01, 500, control}), 0);
  for (int k = 0; k < 3; ++k) {
    SimulationSetup setup;
    setup.model = model;
    setup.integrator = rk4(0.01);
    setup.controllers = {control};
    const State expected = simulate(setup, start.get(k), 6.0).state;
    EXPECT_LE(difference(on_path_of(expected, *model, states.get(k)), expected), 1e-11) << k;
    EXPECT_GT((expected.q - start.get(k).q).norm(), 0.5) << k;
  }
}

TEST_P(BatchIntegrationOn, KeepsMomentumAndBits) {
  const UsedInstructionSet used(GetParam());
  RandomBatch batch(6, {12, 3, 0.3, true}, 21);
  BatchStates one = batch.states, three = batch.states;
  const TiledVectors none(batch.model->velocity_size(), 21);
  const BatchRun run{0.0, 1e-3, 100, nullptr};
  EXPECT_EQ(BatchDynamics(batch.model).integrate(one, none, run), 0);
  EXPECT_EQ(BatchDynamics(batch.model, {3, Vector3::Zero()}).integrate(three, none, run), 0);
  const auto linear_momentum = [&](const State& state) {
    LinkFrames frames(*batch.model);
    LinkVelocities velocities(*batch.model);
    compute_link_frames(*batch.model, state, frames);
    compute_link_velocities(*batch.model, state, frames, velocities);
    return momentum(*batch.model, frames, velocities).linear;
  };
  for (int k = 0; k < 21; ++k) {
    for (int i = 0; i < one.rows().components(); ++i) {
      EXPECT_EQ(one.rows()(i, k), three.rows()(i, k)) << i << ", " << k;
    }
    const Vector3 before = linear_momentum(batch.states.get(k));
    // truncation of order h⁴ at speeds of some rad/s
    EXPECT_LE((linear_momentum(one.get(k)) - before).norm(), 1e-8 * before.norm()) << k;
  }
}

TEST_P(BatchIntegrationOn, ReportsStatesThatAreLost) {
  const UsedInstructionSet used(GetParam());
  RandomBatch batch(6, {2, 1, 0.0, true}, 10);
  State wild = batch.states.get(4);
  wild.omega_0 = {0.0, 0.0, 500.0};  // half a radian per millisecond, five per step
  batch.states.set(4, wild);
  EXPECT_EQ(
      BatchDynamics(batch.model).integrate(batch.states, batch.forces, {0.0, 0.01, 1, nullptr}), 1);
  EXPECT_FALSE(batch.states.is_finite(4));
  EXPECT_TRUE(batch.states.is_finite(5));
}

INSTANTIATE_TEST_SUITE_P(AllSets, BatchIntegrationOn,
                         ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(BatchIntegration, RefusesWhatCannotBeDone) {
  RandomBatch batch(1, {2, 1, 0.0, true}, 1);
  BatchDynamics dynamics(batch.model);
  const auto refusal = [&](const BatchRun& run) -> std::string {
    try {
      dynamics.integrate(batch.states, batch.forces, run);
    } catch (const DomainError& error) {
      return error.what();
    }
    return "no exception";
  };
  EXPECT_EQ(refusal({0.0, 0.0, 1, nullptr}),
            "the step of a batch must be positive and its start finite");
  EXPECT_EQ(refusal({0.0, 0.1, -1, nullptr}), "steps must not be negative, got -1");
  JointPd::Settings settings;
  settings.joints = {1};
  settings.stiffness = settings.damping = settings.effort_limit = VectorX::Ones(1);
  settings.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  settings.sample_period = 0.1;
  EXPECT_EQ(refusal({0.0, 0.1, 1, std::make_shared<JointPd>("sampled", settings)}),
            "'sampled' is sampled; batches integrate continuous control only: sample_period 0");
  settings.sample_period = 0.0;
  settings.velocity_limit = VectorX::Ones(1);
  EXPECT_EQ(refusal({0.0, 0.1, 1, std::make_shared<JointPd>("motor", settings)}),
            "'motor' has a velocity_limit; batches know effort limits only");
  settings.velocity_limit.resize(0);
  settings.integral = VectorX::Ones(1);
  EXPECT_EQ(refusal({0.0, 0.1, 1, std::make_shared<JointPd>("pid", settings)}),
            "'pid' has an integral; batches know PD control only");
}

}  // namespace
}  // namespace spacedyn::testing::batch_integration_test
