// Batched dynamics against the inertia matrix and the recursions of single states.
#include "spacedyn/batch/batch_dynamics.hpp"

#include <gtest/gtest.h>

#include "batch/batch_robots.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/allocation_guard.hpp"
#include "support/conditioning.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::batch_dynamics_test {
namespace {

const Vector3 kGravity{0.3, -0.2, -9.81};

double tolerance(const Model& model, const State& state) {
  return solution_tolerance(inertia_matrix(model, state));
}

class BatchDynamicsOn : public ::testing::TestWithParam<InstructionSet> {
 protected:
  void compare(unsigned seed, const TreeShape& shape, int count) {
    const UsedInstructionSet used(GetParam());
    RandomBatch batch(seed, shape, count);
    BatchDynamics dynamics(batch.model, {1, kGravity});
    EXPECT_EQ(dynamics.instruction_set(), GetParam());
    const int size = batch.model->velocity_size();
    TiledVectors acceleration(size, count), required(size, count);
    dynamics.forward_dynamics(batch.states, batch.forces, acceleration);
    dynamics.inverse_dynamics(batch.states, acceleration, required);
    for (int k = 0; k < count; ++k) {
      const State state = batch.states.get(k);
      Loads loads = batch.loads(k);
      loads.gravity = kGravity;
      EXPECT_LE(
          relative_difference(acceleration.get(k), forward_dynamics(*batch.model, state, loads)),
          tolerance(*batch.model, state))
          << "seed " << seed << ", state " << k;
      // independent of the condition: a recursion against a recursion
      EXPECT_LE(relative_difference(required.get(k), inverse_dynamics(*batch.model, state,
                                                                      acceleration.get(k), loads)),
                1e-12)
          << "seed " << seed << ", state " << k;
    }
  }
};

TEST_P(BatchDynamicsOn, ChainsAgreeWithSingle) {
  for (unsigned seed = 1; seed <= 5; ++seed) compare(seed, {9, 1, 0.0, true}, 11);
}
TEST_P(BatchDynamicsOn, PrismaticAgreeWithSingle) {
  for (unsigned seed = 11; seed <= 20; ++seed) compare(seed, {25, 4, 0.4, true}, 9);
}
TEST_P(BatchDynamicsOn, ScrewsAgreeWithSingle) {
  for (unsigned seed = 51; seed <= 54; ++seed) compare(seed, {12, 1, 0.0, true, 1.0}, 5);
  for (unsigned seed = 61; seed <= 68; ++seed) compare(seed, {25, 4, 0.3, true, 0.5}, 9);
  for (unsigned seed = 71; seed <= 73; ++seed) compare(seed, {12, 3, 0.2, false, 0.5}, 3);
}
TEST_P(BatchDynamicsOn, BushesAgreeWithSingle) {
  for (unsigned seed = 21; seed <= 25; ++seed) compare(seed, {20, 20, 0.3, true}, 5);
}
TEST_P(BatchDynamicsOn, ParallelAgreeWithSingle) {
  // joint rotations about z only: the twist of every link vanishes
  for (unsigned seed = 31; seed <= 33; ++seed) compare(seed, {12, 3, 0.3, false}, 3);
}
TEST_P(BatchDynamicsOn, OneBodyAndNoStateAtAll) {
  compare(41, {0, 1, 0.0, true}, 3);
  compare(42, {3, 1, 0.0, true}, 0);
}

TEST_P(BatchDynamicsOn, AlignedAxesLoseNothing) {
  // links along z whose joint frames are turned by 0, π/2 and π: twists of exactly 0 and π
  const UsedInstructionSet used(GetParam());
  ModelBuilder builder("aligned");
  builder.set_base(base_body(50.0, {3.0, 4.0, 5.0}));
  std::string parent = "base";
  int number = 0;
  for (const Vector3& axis : {Vector3(0, 0, 1), Vector3(0, 0, -1), Vector3(1, 0, 0),
                              Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(0, -1, 0)}) {
    LinkDescription link = link_body("l" + std::to_string(++number), parent, 2.0, {0.1, 0.2, 0.15},
                                     {0.1, 0.2, 0.3}, {0.05, 0.02, 0.2});
    link.joint.axis = axis;
    builder.add_link(link);
    parent = link.name;
  }
  const auto model = std::make_shared<const Model>(builder.build());
  RandomModels random(7);
  BatchStates states(*model, 1);
  states.set(0, random.state(*model));
  TiledVectors forces(model->velocity_size(), 1), acceleration(model->velocity_size(), 1);
  BatchDynamics(model).forward_dynamics(states, forces, acceleration);
  const State state = states.get(0);
  EXPECT_LE(
      relative_difference(acceleration.get(0), forward_dynamics(*model, state, Loads(*model))),
      tolerance(*model, state));
}

TEST_P(BatchDynamicsOn, FixedBasesKeepStill) {
  const UsedInstructionSet used(GetParam());
  RandomModels random(3);
  ModelDescription description = random.description({8, 3, 0.3, true});
  description.base.fixed = true;
  const auto model = std::make_shared<const Model>(ModelBuilder(description).build());
  BatchStates states(*model, 3);
  TiledVectors forces(model->velocity_size(), 3), acceleration(model->velocity_size(), 3);
  for (int k = 0; k < 3; ++k) {
    State state = random.state(*model);
    state.v_0.setZero();
    state.omega_0.setZero();
    states.set(k, state);
    forces.set(k, random.vector(model->velocity_size()));
  }
  BatchDynamics(model, {1, kGravity}).forward_dynamics(states, forces, acceleration);
  for (int k = 0; k < 3; ++k) {
    Loads loads(*model);
    loads.gravity = kGravity;
    loads.tau = forces.get(k).tail(model->joint_count());
    EXPECT_LE(
        relative_difference(acceleration.get(k), forward_dynamics(*model, states.get(k), loads)),
        tolerance(*model, states.get(k)));
    EXPECT_EQ(acceleration.get(k).head<6>().norm(), 0.0);
  }
}

TEST_P(BatchDynamicsOn, ManyTurnsAreExact) {
  const UsedInstructionSet used(GetParam());
  RandomBatch batch(5, {4, 1, 0.0, true}, 4);
  BatchDynamics dynamics(batch.model);
  TiledVectors acceleration(10, 4);
  State state = batch.states.get(1);
  state.q(2) += 1e5 * 2.0 * 3.14159265358979323846;
  batch.states.set(1, state);
  dynamics.forward_dynamics(batch.states, batch.forces, acceleration);
  EXPECT_LE(relative_difference(acceleration.get(1),
                                forward_dynamics(*batch.model, state, batch.loads(1))),
            tolerance(*batch.model, state));
}

TEST_P(BatchDynamicsOn, BitsAreTheSameForAllThreads) {
  const UsedInstructionSet used(GetParam());
  constexpr int kCount = 37;
  RandomBatch batch(8, {14, 3, 0.2, true}, kCount);
  const int size = batch.model->velocity_size();
  TiledVectors all(size, kCount), threaded(size, kCount), one(size, 1);
  BatchDynamics(batch.model).forward_dynamics(batch.states, batch.forces, all);
  BatchDynamics(batch.model, {3, Vector3::Zero()})
      .forward_dynamics(batch.states, batch.forces, threaded);
  BatchDynamics single(batch.model);
  for (int k = 0; k < kCount; ++k) {
    EXPECT_EQ(all.get(k), threaded.get(k)) << k;
    // alone, in lane 0 of a batch of one
    BatchStates state(*batch.model, 1);
    TiledVectors force(size, 1);
    state.rows().set(0, batch.states.rows().get(k));
    force.set(0, batch.forces.get(k));
    single.forward_dynamics(state, force, one);
    EXPECT_EQ(one.get(0), all.get(k)) << k;
  }
}

TEST_P(BatchDynamicsOn, AllocatesNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
  const UsedInstructionSet used(GetParam());
  RandomBatch batch(8, {14, 3, 0.2, true}, 20);
  BatchDynamics dynamics(batch.model);
  TiledVectors acceleration(batch.model->velocity_size(), 20);
  const long before = allocation_count();
  dynamics.forward_dynamics(batch.states, batch.forces, acceleration);
  dynamics.inverse_dynamics(batch.states, acceleration, batch.forces);
  EXPECT_EQ(dynamics.integrate(batch.states, batch.forces, {0.0, 1e-3, 5, nullptr}), 0);
  EXPECT_EQ(allocation_count(), before);
}

TEST_P(BatchDynamicsOn, ANotFiniteStateSpoilsNoOther) {
  const UsedInstructionSet used(GetParam());
  RandomBatch batch(9, {5, 2, 0.2, true}, 8);
  BatchDynamics dynamics(batch.model);
  TiledVectors clean(11, 8), spoilt(11, 8);
  dynamics.forward_dynamics(batch.states, batch.forces, clean);
  batch.forces(7, 3) = std::numeric_limits<double>::quiet_NaN();
  dynamics.forward_dynamics(batch.states, batch.forces, spoilt);
  for (int k = 0; k < 8; ++k) {
    if (k == 3) continue;
    EXPECT_EQ(clean.get(k), spoilt.get(k)) << k;
  }
  EXPECT_FALSE(spoilt.get(3).allFinite());
}

INSTANTIATE_TEST_SUITE_P(AllSets, BatchDynamicsOn,
                         ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(BatchDynamics, RefusesWhatDoesNotFit) {
  RandomBatch batch(1, {3, 1, 0.0, true}, 4);
  BatchDynamics dynamics(batch.model);
  TiledVectors narrow(8, 4), few(9, 3), right(9, 4);
  const auto solve = [&](const TiledVectors& forces, TiledVectors& acceleration) {
    return message_of<DimensionError>(
        [&] { dynamics.forward_dynamics(batch.states, forces, acceleration); });
  };
  EXPECT_EQ(solve(narrow, right), "forces must be 4 vectors of 9 components, got 4 of 8");
  EXPECT_EQ(solve(right, few), "acceleration must be 4 vectors of 9 components, got 3 of 9");
  RandomBatch other(2, {5, 1, 0.0, true}, 4);
  EXPECT_EQ(message_of<DimensionError>(
                [&] { dynamics.forward_dynamics(other.states, other.forces, right); }),
            "the states have 5 joints, the model 'random' has 3");
  EXPECT_EQ(message_of<DomainError>([&] {
              BatchDynamics(batch.model, {-1, Vector3::Zero()});
            }),
            "threads must not be negative, got -1");
  EXPECT_EQ(message_of<DomainError>([&] {
              BatchDynamics(batch.model, {1, {0.0, std::numeric_limits<double>::infinity(), 0.0}});
            }),
            "gravity must be finite");
}

TEST(BatchDynamics, RefusesDriveTrains) {
  ModelDescription robot = RandomModels(1).description({2, 1, 0.0, true});
  robot.links[1].joint.rotor_inertia = 0.1;
  const auto geared = std::make_shared<const Model>(ModelBuilder(robot).build());
  EXPECT_EQ(message_of<DomainError>([&] { BatchDynamics{geared}; }),
            "batches cannot take model 'random': the geared rotor of joint 'link_2' is not "
            "supported in them");
}

}  // namespace
}  // namespace spacedyn::testing::batch_dynamics_test
