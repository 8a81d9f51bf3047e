// The blocks of H against what each of them means, on random trees.
#include "spacedyn/inertia/inertia_blocks.hpp"

#include <Eigen/Cholesky>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::inertia_blocks_test {
namespace {

// sums over twenty bodies, each rounded a few times
constexpr double kTolerance = 1e-13;

class InertiaBlocksTest : public ::testing::TestWithParam<unsigned> {
 protected:
  InertiaBlocksTest()
      : random_(GetParam()),
        model_(random_.model(TreeShape{20, 5, 0.3, true})),
        state_(random_.state(model_)),
        frames_(model_),
        velocities_(model_),
        blocks_(model_) {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
    JacobianWorkspace workspace(model_);
    compute_inertia_blocks(model_, frames_, workspace, blocks_);
  }

  RandomModels random_;
  Model model_;
  State state_;
  LinkFrames frames_;
  LinkVelocities velocities_;
  InertiaBlocks blocks_;
};

TEST_P(InertiaBlocksTest, FirstRowsGiveTheMomentum) {
  Vector6 base_twist, expected;
  base_twist << state_.v_0, state_.omega_0;
  const Momentum sums = momentum(model_, frames_, velocities_);
  expected << sums.linear, sums.angular_base;
  EXPECT_LE(relative_difference(blocks_.H_b * base_twist + blocks_.H_bm * state_.qd, expected),
            kTolerance);
}

TEST_P(InertiaBlocksTest, GiveTwiceTheKineticEnergy) {
  const MatrixX H = inertia_matrix(model_, state_);
  const VectorX u = state_.velocity();
  const double T = kinetic_energy(model_, frames_, velocities_);
  EXPECT_NEAR(0.5 * u.dot(H * u), T, kTolerance * T);
}

TEST_P(InertiaBlocksTest, IsSymmetricPositiveDefinite) {
  const MatrixX H = inertia_matrix(model_, state_);
  EXPECT_LE(relative_difference(H, H.transpose()), kTolerance);
  EXPECT_EQ(Eigen::LLT<MatrixX>(H).info(), Eigen::Success);
}

TEST_P(InertiaBlocksTest, NamedBlocksAreConsistent) {
  EXPECT_NEAR(blocks_.w, model_.total_mass(), kTolerance * blocks_.w);
  EXPECT_LE(relative_difference(blocks_.r_0g, center_of_mass(model_, frames_) - state_.r_0),
            kTolerance);
  const Matrix3 w_r_tilde = blocks_.w * tilde(blocks_.r_0g);
  EXPECT_LE(relative_difference(MatrixX(blocks_.H_b.bottomLeftCorner<3, 3>()), w_r_tilde),
            kTolerance);
  // J_Tg maps joint rates to the velocity of the system centroid, the base at rest
  State moving = state_;
  moving.v_0.setZero();
  moving.omega_0.setZero();
  compute_link_velocities(model_, moving, frames_, velocities_);
  EXPECT_LE(
      relative_difference(blocks_.J_Tg() * moving.qd, center_of_mass_velocity(model_, velocities_)),
      kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Seeds, InertiaBlocksTest, ::testing::Range(1u, 9u), NamedByValue());

TEST(InertiaBlocks, RefusesModelsTooLargeForADenseMatrix) {
  ModelDescription chain;
  chain.name = "chain";
  chain.base.name = "base";
  chain.base.mass = 1.0;
  chain.base.inertia = Matrix3::Identity();
  for (int i = 0; i <= Topology::kMaxDenseLinks; ++i) {
    LinkDescription link;
    link.name = "link_" + std::to_string(i);
    link.parent = i == 0 ? "base" : "link_" + std::to_string(i - 1);
    link.mass = 1.0;
    link.inertia = Matrix3::Identity();
    chain.links.push_back(link);
  }
  const Model model = ModelBuilder(chain).build();
  try {
    const InertiaBlocks blocks(model);
    FAIL() << "a dense matrix of " << blocks.H_m.rows() << " joints was formed";
  } catch (const DimensionError& error) {
    EXPECT_STREQ(error.what(),
                 "the inertia matrix of 2001 joints is not formed; the limit is 2000 joints");
  }
}

}  // namespace
}  // namespace spacedyn::testing::inertia_blocks_test
