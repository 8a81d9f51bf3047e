// The O(n) maps of momentum against the paper's way, on every instruction set.
#include "spacedyn/dynamics/momentum_maps.hpp"

#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/allocation_guard.hpp"
#include "support/conditioning.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::momentum_maps_test {
namespace {

class MomentumMaps : public ::testing::TestWithParam<InstructionSet> {
 protected:
  MomentumMaps() { use_instruction_set(GetParam()); }
  ~MomentumMaps() override { use_instruction_set(supported_instruction_sets().back()); }
};

/// A tree of seed − 1 links at a random state, its poses updated.
struct Posed {
  explicit Posed(unsigned seed)
      : random(seed),
        model(random.model({int(seed) - 1, 1 + (int(seed) - 1) % 5, 0.3, true})),
        state(random.state(model)),
        workspace(model) {
    update_poses(state, workspace);
  }
  RandomModels random;
  Model model;
  State state;
  TreeWorkspace workspace;
};

TEST_P(MomentumMaps, MomentumMatricesAreThoseOfThePaper) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Posed robot(seed);
    const int size = robot.model.velocity_size();
    Matrix6X A_0(6, size), A_g(6, size);
    momentum_matrix(robot.workspace, A_0);
    centroidal_momentum_matrix(robot.workspace, A_g);
    EXPECT_LE(relative_difference(A_0, inertia_matrix(robot.model, robot.state).topRows<6>()),
              1e-14 * seed);
    EXPECT_LE(relative_difference(A_g, centroidal_quantities(robot.model, robot.state).A_g),
              1e-14 * seed);
    // and momentum itself
    LinkFrames frames(robot.model);
    LinkVelocities velocities(robot.model);
    compute_link_frames(robot.model, robot.state, frames);
    compute_link_velocities(robot.model, robot.state, frames, velocities);
    const Momentum sums = momentum(robot.model, frames, velocities);
    Vector6 about_base, about_centroid;
    about_base << sums.linear, sums.angular_base;
    about_centroid << sums.linear, sums.angular_centroid;
    const VectorX u = robot.state.velocity();
    EXPECT_LE(relative_difference(A_0 * u, about_base), 1e-13 * seed);
    EXPECT_LE(relative_difference(A_g * u, about_centroid), 1e-13 * seed);
  }
}

TEST_P(MomentumMaps, ResponsesAreThoseOfThePaper) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Posed robot(seed);
    const BaseResponse paper = base_response(robot.model, robot.state);
    const Frame hand = robot.model.frame("hand");
    BaseResponse response(robot.model);
    Matrix6X J_star(6, robot.model.joint_count());
    ASSERT_EQ(compute_base_response(robot.workspace, response), InertiaStatus::ok);
    ASSERT_EQ(generalized_jacobian(robot.workspace, hand, J_star), InertiaStatus::ok);
    const double tolerance =
        seed * solution_tolerance(inertia_matrix(robot.model, robot.state).topLeftCorner<6, 6>());
    EXPECT_LE(relative_difference(response.H_b_inverse, paper.H_b_inverse), tolerance);
    EXPECT_LE(relative_difference(response.D, paper.D), tolerance);
    EXPECT_LE(relative_difference(J_star, generalized_jacobian(robot.model, robot.state, hand)),
              tolerance);
  }
}

TEST_P(MomentumMaps, ABaseThatIsHeldDoesNotRespond) {
  RandomModels random(4);
  const Model model = random.model({8, 2, 0.3, true});
  const State state = random.state(model);
  const int n = model.joint_count();
  TreeWorkspace workspace(model, {false, std::vector<bool>(static_cast<std::size_t>(n), true)});
  update_poses(state, workspace);
  const Frame hand = model.frame("hand");
  Matrix6X J_m(6, n), J_star(6, n);
  BaseResponse response(model);
  frame_jacobian(workspace, hand, J_m);
  ASSERT_EQ(generalized_jacobian(workspace, hand, J_star), InertiaStatus::ok);
  ASSERT_EQ(compute_base_response(workspace, response), InertiaStatus::ok);
  EXPECT_EQ(J_star, J_m);
  EXPECT_TRUE(response.D.isZero(0.0));
  EXPECT_TRUE(response.H_b_inverse.isZero(0.0));
}

TEST_P(MomentumMaps, ReportASingularBaseAsThePaperDoes) {
  // all mass on one line, through the base centroid and along x
  const Model rod = ModelBuilder("rod")
                        .set_base(base_body(1.0, {0.0, 1.0, 1.0}))
                        .add_link(link_body("tip", "base", 1.0, {0.0, 1.0, 1.0}, {1.0, 0.0, 0.0},
                                            {0.0, 0.0, 0.0}))
                        .build();
  TreeWorkspace workspace(rod);
  const State state(rod);
  update_poses(state, workspace);
  LinkFrames frames(rod);
  InertiaBlocks blocks(rod);
  JacobianWorkspace jacobians(rod);
  compute_link_frames(rod, state, frames);
  compute_inertia_blocks(rod, frames, jacobians, blocks);
  BaseResponse response(rod);
  Matrix6X J_star(6, 1);
  EXPECT_EQ(compute_base_response(rod, blocks, response), InertiaStatus::singular_base_inertia);
  EXPECT_EQ(compute_base_response(workspace, response), InertiaStatus::singular_base_inertia);
  EXPECT_TRUE(response.D.isZero(0.0));
  EXPECT_EQ(generalized_jacobian(workspace, {"", 1, Vector3::Zero(), Matrix3::Identity()}, J_star),
            InertiaStatus::singular_base_inertia);
}

TEST_P(MomentumMaps, AllocateNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer owns the heap";
  Posed robot(31);
  Matrix6X A(6, robot.model.velocity_size()), J_star(6, robot.model.joint_count());
  BaseResponse response(robot.model);
  const Frame hand = robot.model.frame("hand");
  const long before = allocation_count();
  momentum_matrix(robot.workspace, A);
  centroidal_momentum_matrix(robot.workspace, A);
  const InertiaStatus first = compute_base_response(robot.workspace, response);
  const InertiaStatus second = generalized_jacobian(robot.workspace, hand, J_star);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(first, InertiaStatus::ok);
  EXPECT_EQ(second, InertiaStatus::ok);
}

INSTANTIATE_TEST_SUITE_P(Sets, MomentumMaps, ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(to_string(set.param)); });

}  // namespace
}  // namespace spacedyn::testing::momentum_maps_test
