// The O(n) algorithms against the paper's way, on every instruction set.
#include "spacedyn/dynamics/tree_dynamics.hpp"

#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/allocation_guard.hpp"
#include "support/conditioning.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::tree_dynamics_test {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A condition of 10 stands for the rounding of bias forces.
double acceleration_tolerance(const MatrixX& H) { return solution_tolerance(H, 10.0); }

/// A tree of seed − 1 links, a random state of it and all that drives it.
struct RandomCase {
  explicit RandomCase(unsigned seed)
      : RandomCase(seed, {int(seed) - 1, 1 + (int(seed) - 1) % 5, 0.3, true}) {}
  RandomCase(unsigned seed, const TreeShape& shape)
      : random(seed),
        model(random.model(shape)),
        state(random.state(model)),
        loads(random.loads(model)),
        given(random.vector(model.velocity_size())) {}

  RandomModels random;
  Model model;
  State state;
  Loads loads;
  VectorX given;  ///< accelerations
};

/// Every second joint and the base prescribed or not, as told.
Mobility some_prescribed(const Model& model, bool base_free) {
  std::vector<bool> joint_free(static_cast<std::size_t>(model.joint_count()));
  for (std::size_t i = 0; i < joint_free.size(); ++i) joint_free[i] = i % 2 == 0;
  return {base_free, joint_free};
}

/// Both ways at once.
struct Both {
  VectorX acceleration, forces;  ///< of the O(n) way
  VectorX paper_acceleration, paper_forces;
  MatrixX H;
};

Both solve(const Model& model, const State& state, const Loads& loads, const Mobility& mobility,
           const VectorX& given) {
  Both both{given, VectorX::Zero(given.size()), given, VectorX::Zero(given.size()), {}};
  TreeWorkspace workspace(model, mobility);
  EXPECT_EQ(forward_dynamics(state, loads, workspace, both.acceleration, both.forces),
            DynamicsStatus::ok);
  DynamicsWorkspace paper(model, mobility);
  update_kinematics(model, state, paper);
  EXPECT_EQ(hybrid_dynamics(model, state, loads, mobility, paper, both.paper_acceleration,
                            both.paper_forces),
            DynamicsStatus::ok);
  both.H = paper.H_free;
  return both;
}

Both solve(const RandomCase& tree, const Mobility& mobility) {
  return solve(tree.model, tree.state, tree.loads, mobility, tree.given);
}

void expect_agreement(const Both& both) {
  const double tolerance = acceleration_tolerance(both.H);
  EXPECT_LE(relative_difference(both.acceleration, both.paper_acceleration), tolerance);
  EXPECT_LE(relative_difference(both.forces, both.paper_forces), tolerance);
}

class OnEachSet : public ::testing::TestWithParam<InstructionSet> {
 protected:
  OnEachSet() { use_instruction_set(GetParam()); }
  ~OnEachSet() override { use_instruction_set(supported_instruction_sets().back()); }
};

TEST_P(OnEachSet, AgreesOnRandomTrees) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const RandomCase tree(seed);
    for (const Mobility& mobility : {Mobility(tree.model), some_prescribed(tree.model, true),
                                     some_prescribed(tree.model, false)}) {
      expect_agreement(solve(tree, mobility));
    }
  }
}

TEST_P(OnEachSet, AgreesOnShippedRobots) {
  for (const std::string& name : shipped_names("robots")) {
    const auto model = shipped_robot(name);
    RandomModels random(5);
    State state = random.state(*model);
    if (model->has_fixed_base()) state.v_0.setZero(), state.omega_0.setZero();
    const VectorX given = VectorX::Zero(model->velocity_size());
    SCOPED_TRACE(name);
    expect_agreement(solve(*model, state, random.loads(*model), Mobility(*model), given));
  }
}

TEST_P(OnEachSet, InverseDynamicsAgrees) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const auto& [random, model, state, loads, acceleration] = RandomCase(seed);
    TreeWorkspace workspace(model);
    VectorX forces(model.velocity_size());
    inverse_dynamics(state, acceleration, loads, workspace, forces);
    // both sum some ten terms per link, positions measured from different points
    EXPECT_LE(relative_difference(forces, inverse_dynamics(model, state, acceleration, loads)),
              1e-13 * seed);
  }
}

TEST_P(OnEachSet, LeavesNoResidualForce) {
  for (const TreeShape& shape : {TreeShape{100, 1, 0.0, true}, TreeShape{300, 3, 0.2, true},
                                 TreeShape{1000, 40, 0.2, true}, TreeShape{1000, 1, 0.1, true}}) {
    const auto& [random, model, state, loads, given] = RandomCase(9, shape);
    TreeWorkspace workspace(model);
    VectorX acceleration(model.velocity_size()), forces(model.velocity_size());
    ASSERT_EQ(forward_dynamics(state, loads, workspace, acceleration, forces), DynamicsStatus::ok);
    VectorX applied(model.velocity_size());
    applied << loads.F_b, loads.tau;
    // the scale is that of the forces that the accelerations cause row by row, bias included
    VectorX still(model.velocity_size());
    inverse_dynamics(state, acceleration, loads, workspace, forces);
    inverse_dynamics(state, VectorX::Zero(acceleration.size()), loads, workspace, still);
    const double scale =
        acceleration.cwiseAbs().maxCoeff() * model.total_mass() + still.cwiseAbs().maxCoeff();
    EXPECT_LE((forces - applied).cwiseAbs().maxCoeff(), 1e-12 * scale);
  }
}

TEST_P(OnEachSet, BalancesPowerAndMomentum) {
  RandomModels random(3);
  const Model model = random.model(TreeShape{30, 4, 0.3, true});
  const State state = random.state(model);
  Loads loads = random.loads(model);
  loads.gravity.setZero();
  TreeWorkspace workspace(model);
  VectorX acceleration(model.velocity_size()), forces(model.velocity_size());
  ASSERT_EQ(forward_dynamics(state, loads, workspace, acceleration, forces), DynamicsStatus::ok);

  LinkFrames frames(model);
  LinkVelocities velocities(model);
  LinkAccelerations accelerations(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  compute_link_accelerations(model, state, frames, velocities, acceleration, accelerations);
  // dP/dt is the sum of forces; dT/dt the power of everything
  Vector3 force = loads.F_b.head<3>(), momentum_rate = Vector3::Zero();
  double power = forces.dot(state.velocity()), energy_rate = 0.0;
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Matrix3 I = frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose();
    force += loads.force.col(body);
    power += loads.force.col(body).dot(velocities.v[i]) +
             loads.moment.col(body).dot(velocities.omega[i]);
    momentum_rate += model.body(body).mass * accelerations.vd[i];
    energy_rate += model.body(body).mass * velocities.v[i].dot(accelerations.vd[i]) +
                   velocities.omega[i].dot(I * accelerations.omegad[i]);
  }
  EXPECT_LE((momentum_rate - force).norm(), 1e-12 * model.total_mass() * acceleration.norm());
  EXPECT_NEAR(energy_rate, power, 1e-12 * model.total_mass() * acceleration.norm());
}

TEST_P(OnEachSet, ReportsASingularMatrix) {
  RandomModels random(3);
  ModelDescription description = random.description(TreeShape{4, 1, 0.0, true});
  description.links.back().mass = 0.0;
  description.links.back().inertia.setZero();
  const Model model = ModelBuilder(description).build();
  TreeWorkspace workspace(model);
  VectorX acceleration(model.velocity_size()), forces(model.velocity_size());
  EXPECT_EQ(forward_dynamics(random.state(model), Loads(model), workspace, acceleration, forces),
            DynamicsStatus::inertia_not_positive_definite);
}

TEST_P(OnEachSet, InertiaMatrixAgrees) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const auto& [random, model, state, loads, given] = RandomCase(seed);
    const int size = model.velocity_size();
    TreeWorkspace workspace(model);
    MatrixX H = MatrixX::Constant(size, size, NAN);
    composite_rigid_body(state, workspace, H);
    EXPECT_LE(relative_difference(H, inertia_matrix(model, state)), 1e-14 * seed);
    EXPECT_EQ(H, H.transpose());
    // H e_j = ID(e_j) − ID(0)
    MatrixX columns(size, size);
    VectorX still(size), moved(size);
    inverse_dynamics(state, VectorX::Zero(size), Loads(model), workspace, still);
    for (int j = 0; j < size; ++j) {
      inverse_dynamics(state, VectorX::Unit(size, j), Loads(model), workspace, moved);
      columns.col(j) = moved - still;
    }
    EXPECT_LE(relative_difference(H, columns), 1e-13 * seed);
  }
}

TEST_P(OnEachSet, MatrixMayBePartOfALargerOne) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const auto& [random, model, state, loads, given] = RandomCase(seed);
    TreeWorkspace workspace(model);
    MatrixX whole(model.velocity_size(), model.velocity_size());
    composite_rigid_body(state, workspace, whole);
    // with the base and without
    for (const int size : {model.velocity_size(), model.joint_count()}) {
      MatrixX H(size, size), larger = MatrixX::Constant(size + 16, size + 3, 7.0);
      composite_rigid_body(state, workspace, H);
      composite_rigid_body(state, workspace, larger.block(8, 1, size, size));
      // compilers fuse operations otherwise where numbers are not side by side
      EXPECT_LE(relative_difference(H, whole.bottomRightCorner(size, size)), 1e-15);
      EXPECT_LE(relative_difference(larger.block(8, 1, size, size), H), 1e-15);
      larger.block(8, 1, size, size).setConstant(7.0);
      EXPECT_EQ(larger, MatrixX::Constant(size + 16, size + 3, 7.0)) << "wrote beside it";
      // whole columns, so that blocks of rows may pass their ends
      MatrixX columns = MatrixX::Constant(size, size + 2, 7.0);
      composite_rigid_body(state, workspace, columns.middleCols(1, size));
      EXPECT_EQ(columns.middleCols(1, size), H);
      columns.middleCols(1, size).setConstant(7.0);
      EXPECT_EQ(columns, MatrixX::Constant(size, size + 2, 7.0)) << "wrote before or behind it";
    }
  }
}

TEST_P(OnEachSet, SolvesWithTheInertiaMatrix) {
  RandomModels random(8);
  const Model model = random.model(TreeShape{25, 4, 0.3, true});
  const State state = random.state(model);
  const MatrixX H = inertia_matrix(model, state);
  const VectorX wanted = random.vector(model.velocity_size());
  TreeWorkspace workspace(model);
  VectorX solution(model.velocity_size());
  ASSERT_EQ(solve_inertia(state, H * wanted, workspace, solution), DynamicsStatus::ok);
  EXPECT_LE(relative_difference(solution, wanted), acceleration_tolerance(H));
}

TEST_P(OnEachSet, KinematicsAgree) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const auto& [random, model, state, loads, given] = RandomCase(seed);
    LinkFrames frames(model), paper_frames(model);
    LinkVelocities velocities(model), paper_velocities(model);
    compute_link_frames(model, state, paper_frames);
    compute_link_velocities(model, state, paper_frames, paper_velocities);
    TreeWorkspace workspace(model);
    update_motion(state, VectorX::Zero(model.velocity_size()), workspace);
    export_motion(state, workspace, frames, velocities);
    const double tolerance = 20.0 * kEps * (9 + seed);  // one rounding per link and metre
    for (std::size_t i = 0; i < frames.r.size(); ++i) {
      EXPECT_LE((frames.A[i] - paper_frames.A[i]).norm(), tolerance);
      EXPECT_LE((frames.r[i] - paper_frames.r[i]).norm(), tolerance);
      EXPECT_LE((frames.o[i] - paper_frames.o[i]).norm(), tolerance);
      EXPECT_LE((velocities.v[i] - paper_velocities.v[i]).norm(), tolerance * 10.0);
      EXPECT_LE((velocities.omega[i] - paper_velocities.omega[i]).norm(), tolerance);
      if (i == 0) continue;
      EXPECT_LE((frames.p[i] - paper_frames.p[i]).norm(), tolerance);
      EXPECT_LE((frames.k[i] - paper_frames.k[i]).norm(), tolerance);
    }
    const Frame hand = model.frame("hand");
    Matrix6X J(6, model.joint_count()), paper_J(6, model.joint_count());
    frame_jacobian(model, paper_frames, hand, paper_J);
    update_poses(state, workspace);
    frame_jacobian(workspace, hand, J);
    EXPECT_LE((J - paper_J).norm(), tolerance);
  }
}

/// Frames on every body, each with axes and a place of its own.
std::vector<Frame> frames_everywhere(const Model& model, RandomModels& random) {
  std::vector<Frame> frames;
  for (int body = 0; body < model.body_count(); ++body) {
    frames.push_back({"frame", body, random.vector(3), random.rotation()});
  }
  return frames;
}

TEST_P(OnEachSet, OneFrameMovesAsAmongAll) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    auto [random, model, state, loads, given] = RandomCase(seed);
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const double tolerance = 20.0 * kEps * (9 + seed);  // one rounding per link and metre
    TreeWorkspace workspace(model);
    Matrix6X J(6, model.joint_count()), expected_J(6, model.joint_count());
    for (const Frame& frame : frames_everywhere(model, random)) {
      update_path_motion(state, frame.body, workspace);
      const FramePose pose = frame_pose(state, workspace, frame);
      EXPECT_LE((pose.position - frame_position(frames, frame)).norm(), tolerance);
      EXPECT_LE((pose.orientation - frame_orientation(frames, frame)).norm(), tolerance);
      EXPECT_LE((frame_velocity(state, workspace, frame) -
                 spacedyn::frame_velocity(frames, velocities, frame))
                    .norm(),
                10.0 * tolerance);
      frame_jacobian(model, frames, frame, expected_J);
      frame_jacobian(workspace, frame, J);
      EXPECT_LE((J - expected_J).norm(), tolerance);
      // poses alone have the same bits
      update_path_poses(state, frame.body, workspace);
      EXPECT_EQ(frame_pose(state, workspace, frame).position, pose.position);
      EXPECT_EQ(frame_pose(state, workspace, frame).orientation, pose.orientation);
    }
  }
}

TEST_P(OnEachSet, OneFrameReadsThePathToItAlone) {
  auto [random, model, state, loads, given] = RandomCase(4, {40, 20, 0.3, true});
  TreeWorkspace workspace(model);
  Matrix6X J(6, model.joint_count());
  for (const Frame& frame : frames_everywhere(model, random)) {
    State partial = state;  // nothing is known of joints off the path
    partial.q.setConstant(std::nan(""));
    partial.qd.setConstant(std::nan(""));
    for (int i = frame.body; i > 0; i = model.topology().connection(i)) {
      partial.q(i - 1) = state.q(i - 1);
      partial.qd(i - 1) = state.qd(i - 1);
    }
    update_path_motion(partial, frame.body, workspace);
    frame_jacobian(workspace, frame, J);
    EXPECT_TRUE(J.allFinite());
    EXPECT_TRUE(frame_pose(partial, workspace, frame).position.allFinite());
    EXPECT_TRUE(frame_velocity(partial, workspace, frame).allFinite());
  }
  // what one frame left behind does not matter to all bodies
  update_poses(state, workspace);
  frame_jacobian(workspace, model.frame("hand"), J);
  TreeWorkspace fresh(model);
  Matrix6X expected(6, model.joint_count());
  update_poses(state, fresh);
  frame_jacobian(fresh, model.frame("hand"), expected);
  EXPECT_EQ(J, expected);
}

TEST_P(OnEachSet, AllocatesNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer owns the heap";
  const auto& [random, model, state, loads, given] = RandomCase(3, {30, 4, 0.3, true});
  TreeWorkspace workspace(model);
  VectorX acceleration(model.velocity_size()), forces(model.velocity_size());
  MatrixX H(model.velocity_size(), model.velocity_size());
  Matrix6X J(6, model.joint_count());
  const Frame hand = model.frame("hand");
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  const long before = allocation_count();
  const DynamicsStatus status = forward_dynamics(state, loads, workspace, acceleration, forces);
  inverse_dynamics(state, acceleration, loads, workspace, forces);
  composite_rigid_body(state, workspace, H);
  frame_jacobian(workspace, hand, J);
  joint_twists(workspace, J);
  export_motion(state, workspace, frames, velocities);
  update_path_motion(state, hand.body, workspace);
  update_path_poses(state, hand.body, workspace);
  const FramePose pose = frame_pose(state, workspace, hand);
  const Vector6 twist = frame_velocity(state, workspace, hand);
  EXPECT_EQ(solve_inertia(state, forces, workspace, acceleration), DynamicsStatus::ok);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(status, DynamicsStatus::ok);
  EXPECT_TRUE(pose.position.allFinite() && twist.allFinite());
}

INSTANTIATE_TEST_SUITE_P(ArticulatedBody, OnEachSet,
                         ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(to_string(set.param)); });

}  // namespace
}  // namespace spacedyn::testing::tree_dynamics_test
