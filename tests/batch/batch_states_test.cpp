#include "spacedyn/batch/batch_states.hpp"

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::batch_states_test {
namespace {

TEST(TiledVectors, KeepComponentsOfNeighboursTogether) {
  TiledVectors vectors(3, 10);
  EXPECT_EQ(vectors.tile_count(), 2);
  vectors.set(9, Vector3(1.0, 2.0, 3.0));
  EXPECT_EQ(vectors.tile(1)[2 * 8 + 1], 3.0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(vectors.tile(1)) % 64, 0u);
  EXPECT_EQ(vectors.get(9), VectorX(Vector3(1.0, 2.0, 3.0)));
  EXPECT_EQ(vectors.get(8).norm(), 0.0);
}

TEST(TiledVectors, AreValues) {
  TiledVectors first(2, 3);
  first(1, 2) = 5.0;
  TiledVectors second = first;
  second(1, 2) = 6.0;
  EXPECT_EQ(first(1, 2), 5.0);
  first = second;
  EXPECT_EQ(first(1, 2), 6.0);
  first = TiledVectors(4, 20);
  EXPECT_EQ(first.components(), 4);
}

TEST(TiledVectors, RefuseWhatDoesNotFit) {
  EXPECT_EQ(message_of<DimensionError>([] { TiledVectors(-1, 2); }),
            "a batch cannot have 2 vectors of -1 components");
  TiledVectors vectors(3, 2);
  EXPECT_EQ(message_of<DimensionError>([&] { vectors.get(2); }), "a batch of 2 has no element 2");
  EXPECT_EQ(message_of<DimensionError>([&] { vectors.set(0, VectorX::Zero(4)); }),
            "vectors of this batch have 3 components, got 4");
}

TEST(BatchStates, GiveBackWhatTheyWereGiven) {
  RandomModels random(4);
  const Model model = random.model({6, 2, 0.3, true});
  BatchStates states(model, 11);
  const State state = random.state(model);
  states.set(10, state);
  const State back = states.get(10);
  EXPECT_EQ(back.velocity(), state.velocity());
  EXPECT_EQ(back.q, state.q);
  EXPECT_EQ(back.r_0, state.r_0);
  EXPECT_LE((back.A_0 - state.A_0).norm(), 1e-15);  // made orthonormal
  EXPECT_EQ(states.rows()(states.joint_row(2), 10), state.q(1));
  EXPECT_EQ(states.rows()(states.rate_row(2), 10), state.qd(1));
  EXPECT_EQ(states.get(3).A_0, Matrix3::Identity());
  EXPECT_TRUE(states.is_finite(10));
}

TEST(BatchStates, RefuseWhatIsNoState) {
  RandomModels random(4);
  const Model model = random.model({2, 2, 0.0, true});
  BatchStates states(model, 2);
  State state(model);
  EXPECT_EQ(message_of<DimensionError>([&] { states.set(2, state); }),
            "a batch of 2 states has no state 2");
  state.q(1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of<DomainError>([&] { states.set(1, state); }),
            "state 1 of a batch must be finite and its A_0 a rotation to 1e-6");
  state = State(model);
  state.A_0(0, 0) = 1.1;
  EXPECT_EQ(message_of<DomainError>([&] { states.set(1, state); }),
            "state 1 of a batch must be finite and its A_0 a rotation to 1e-6");
  state = State(model);
  state.z = VectorX::Zero(1);
  EXPECT_EQ(message_of<DimensionError>([&] { states.set(1, state); }),
            "states of this batch have 2 joints and no auxiliary states, got 2 positions, 2 "
            "velocities and 1 auxiliary states");
}

}  // namespace
}  // namespace spacedyn::testing::batch_states_test
