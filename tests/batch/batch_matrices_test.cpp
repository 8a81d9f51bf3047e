// Inertia matrices, their inverses and derivatives of batches, against those of single states.
#include <gtest/gtest.h>

#include <limits>

#include "batch/batch_robots.hpp"
#include "spacedyn/batch/state_rows.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/followers.hpp"
#include "support/allocation_guard.hpp"
#include "support/conditioning.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::batch_matrices_test {
namespace {

const Vector3 kGravity{0.3, -0.2, -9.81};

enum class Kind { floating, fixed, ball, follower };

/// Revolute, prismatic and screw joints, of which the second branches.
std::shared_ptr<const Model> robot(unsigned seed, int links, Kind kind) {
  RandomModels random(seed);
  ModelDescription description = random.description({links, 3, 0.3, true});
  description.base.fixed = kind == Kind::fixed;
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    JointDescription& joint = description.links[i].joint;
    joint.name = "j" + std::to_string(i);
    if (i % 4 == 2) {
      joint.type = JointType::screw;
      joint.pitch = 0.4;
    }
    if (kind == Kind::ball && i == 1) joint.type = JointType::spherical;
    if (kind == Kind::follower && i == 1) {
      joint.type = JointType::revolute;
      joint.mimic = MimicDescription{description.links[0].joint.name, -0.7, 0.3};
    }
  }
  return std::make_shared<const Model>(ModelBuilder(description).build());
}

struct Rows {
  Rows(std::shared_ptr<const Model> robot, int count, unsigned seed)
      : model(std::move(robot)), size(model->velocity_size()) {
    RandomModels random(seed);
    states.resize(count, state_row_size(*model));
    forces.resize(count, size);
    for (int k = 0; k < count; ++k) {
      State state = random.state(*model);
      follow(*model, state);
      if (model->has_fixed_base()) {
        state.v_0.setZero();
        state.omega_0.setZero();
      }
      states.row(k) = state_row(state).transpose();
      forces.row(k) = random.vector(model->velocity_size(), 3.0).transpose();
    }
  }
  State state(int k) const { return state_from_row(*model, states.row(k).transpose()); }
  Loads loads(int k) const {
    Loads loads(*model);
    loads.gravity = kGravity;
    loads.F_b = forces.row(k).head<6>().transpose();
    loads.tau = forces.row(k).tail(model->joint_count()).transpose();
    return loads;
  }
  RowMatrixX matrices(double value = 3.0) const {
    return RowMatrixX::Constant(states.rows(), size * size, value);
  }
  /// The matrix of a state.
  MatrixX at(const RowMatrixX& rows, int k) const {
    return Eigen::Map<const MatrixX>(rows.row(k).data(), size, size);
  }

  std::shared_ptr<const Model> model;
  Eigen::Index size;
  RowMatrixX states, forces;
};

/// Elements beside the roots of those on the diagonal: one composition against another, and
/// attitudes of rows by two formulas.
void expect_equal_inertia(const MatrixX& found, const MatrixX& expected) {
  const VectorX scale = expected.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixX difference = scale.asDiagonal() * (found - expected) * scale.asDiagonal();
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-13);
}

struct Derivatives {
  explicit Derivatives(const Rows& rows)
      : acceleration(rows.forces),
        configuration(rows.matrices()),
        velocity(rows.matrices()),
        force(rows.matrices()) {}
  BatchDerivatives out() { return {acceleration, configuration, velocity, force}; }
  RowMatrixX acceleration, configuration, velocity, force;
};

class BatchMatricesOn : public ::testing::TestWithParam<InstructionSet> {};

TEST_P(BatchMatricesOn, InertiaIsThatOfSingleStates) {
  const UsedInstructionSet used(GetParam());
  for (const Kind kind : {Kind::floating, Kind::fixed}) {
    for (const int links : {1, 2, 3, 5, 8, 12}) {
      const Rows rows(robot(static_cast<unsigned>(links), links, kind), 8 + links, 70);
      BatchDynamics dynamics(rows.model, {1, kGravity});
      RowMatrixX H = rows.matrices();
      dynamics.inertia_matrix(rows.states, H);
      TreeWorkspace workspace(*rows.model);
      MatrixX expected(rows.size, rows.size);
      for (int k = 0; k < rows.states.rows(); ++k) {
        composite_rigid_body(rows.state(k), workspace, expected);
        const MatrixX found = rows.at(H, k);
        EXPECT_EQ(found, MatrixX(found.transpose()));
        expect_equal_inertia(found, expected);
      }
    }
  }
}

TEST_P(BatchMatricesOn, InertiaDoesNotDependOnTheNeighbours) {
  const UsedInstructionSet used(GetParam());
  const Rows rows(robot(5, 6, Kind::floating), 19, 71);
  BatchDynamics dynamics(rows.model, {1, kGravity}), two_threads(rows.model, {2, kGravity});
  RowMatrixX H = rows.matrices(), threaded = H;
  dynamics.inertia_matrix(rows.states, H);
  two_threads.inertia_matrix(rows.states, threaded);
  EXPECT_EQ(H, threaded);
  for (int k = 0; k < 19; k += 5) {
    RowMatrixX alone(1, H.cols());
    dynamics.inertia_matrix(rows.states.row(k), alone);
    EXPECT_EQ(alone.row(0), H.row(k));
  }
}

TEST_P(BatchMatricesOn, InverseTimesInertiaIsTheIdentity) {
  const UsedInstructionSet used(GetParam());
  for (const Kind kind : {Kind::floating, Kind::fixed}) {
    for (const int links : {0, 1, 2, 3, 5, 8, 12}) {
      if (links == 0 && kind == Kind::fixed) continue;
      const Rows rows(robot(static_cast<unsigned>(links), links, kind), 8 + links, 78);
      BatchDynamics dynamics(rows.model, {1, kGravity});
      RowMatrixX H = rows.matrices(), H_inverse = H;
      dynamics.inverse_inertia(rows.states, H_inverse);
      dynamics.inertia_matrix(rows.states, H);
      const Eigen::Index held = kind == Kind::fixed ? 6 : 0, free = rows.size - held;
      for (int k = 0; k < rows.states.rows(); ++k) {
        const MatrixX found = rows.at(H_inverse, k);
        const MatrixX own = rows.at(H, k).bottomRightCorner(free, free);
        EXPECT_EQ(found, MatrixX(found.transpose()));
        EXPECT_TRUE(found.leftCols(held).isZero(0.0));
        const MatrixX product = own * found.bottomRightCorner(free, free);
        EXPECT_LE((product - MatrixX::Identity(free, free)).norm(), solution_tolerance(own));
        const MatrixX single = inverse_inertia(*rows.model, rows.state(k));
        EXPECT_LE((found - single).norm(), solution_tolerance(own) * single.norm());
      }
    }
  }
}

TEST_P(BatchMatricesOn, InverseDoesNotDependOnTheNeighbours) {
  const UsedInstructionSet used(GetParam());
  const Rows rows(robot(5, 6, Kind::floating), 19, 79);
  BatchDynamics dynamics(rows.model, {1, kGravity}), two_threads(rows.model, {2, kGravity});
  RowMatrixX H = rows.matrices(), inverse = H, again = H, threaded = H;
  dynamics.inertia_matrix(rows.states, H);
  dynamics.inverse_inertia(rows.states, inverse);
  two_threads.inverse_inertia(rows.states, threaded);
  EXPECT_EQ(inverse, threaded);
  dynamics.inertia_matrix(rows.states, again);  // neither writes over what the other one keeps
  EXPECT_EQ(H, again);
  for (int k = 0; k < 19; k += 5) {
    RowMatrixX alone(1, H.cols());
    dynamics.inverse_inertia(rows.states.row(k), alone);
    EXPECT_EQ(alone.row(0), inverse.row(k));
  }
}

/// A base that holds two links, the first of which may have neither mass nor inertia.
std::shared_ptr<const Model> two_tips(double mass, bool is_fixed) {
  BaseDescription base = base_body(1.0, {1.0, 1.0, 1.0});
  base.fixed = is_fixed;
  const Vector3 ones(1.0, 1.0, 1.0), x(0.5, 0.0, 0.0);
  return std::make_shared<const Model>(
      ModelBuilder("two_tips")
          .set_base(base)
          .add_link(link_body("light", "base", mass, mass * ones, x, mass * x))
          .add_link(link_body("heavy", "base", 2.0, ones, -x, x))
          .build());
}

TEST_P(BatchMatricesOn, InverseIsNanWhereAJointMovesNothing) {
  const UsedInstructionSet used(GetParam());
  for (const bool is_fixed : {false, true}) {
    for (const double mass : {0.0, 1.0}) {
      const Rows rows(two_tips(mass, is_fixed), 9, 80);
      RowMatrixX inverse = rows.matrices();
      BatchDynamics(rows.model, {1, kGravity}).inverse_inertia(rows.states, inverse);
      EXPECT_EQ(inverse.array().isNaN().all(), mass == 0.0);
      EXPECT_EQ(inverse.allFinite(), mass == 1.0);
    }
  }
}

TEST(BatchMatrices, InertiaKnowsJointsThatLanesDoNot) {
  for (const Kind kind : {Kind::ball, Kind::follower}) {
    const Rows rows(robot(9, 5, kind), 11, 72);
    BatchDynamics dynamics(rows.model, {1, kGravity});
    RowMatrixX H = rows.matrices(), H_inverse = H;
    dynamics.inertia_matrix(rows.states, H);
    dynamics.inverse_inertia(rows.states, H_inverse);
    TreeWorkspace workspace(*rows.model);
    MatrixX expected(rows.size, rows.size);
    for (int k = 0; k < 11; ++k) {
      composite_rigid_body(rows.state(k), workspace, expected);
      expect_equal_inertia(rows.at(H, k), expected);
      EXPECT_LE((rows.at(H_inverse, k) * expected - MatrixX::Identity(rows.size, rows.size)).norm(),
                solution_tolerance(expected));
    }
  }
}

TEST(BatchMatrices, DerivativesAreThoseOfSingleStates) {
  for (const Kind kind : {Kind::floating, Kind::fixed, Kind::ball}) {
    const Rows rows(robot(7, 6, kind), 11, 73);
    BatchDynamics dynamics(rows.model, {2, kGravity});
    Derivatives found(rows);
    dynamics.forward_dynamics_derivatives(rows.states, rows.forces, found.out());
    for (int k = 0; k < 11; ++k) {
      const auto expected = forward_dynamics_derivatives(*rows.model, rows.state(k), rows.loads(k));
      // attitudes come from quaternions of rows by another formula, which rounds differently
      const auto compare = [&](const MatrixX& one, const MatrixX& other) {
        EXPECT_LE((one - other).norm(), 1e-11 * other.norm()) << k;
      };
      compare(found.acceleration.row(k).transpose(), expected.acceleration);
      compare(rows.at(found.configuration, k), expected.configuration);
      compare(rows.at(found.velocity, k), expected.velocity);
      compare(rows.at(found.force, k), expected.force);
    }
  }
}

TEST_P(BatchMatricesOn, FramesAreThoseOfSingleStates) {
  const UsedInstructionSet used(GetParam());
  for (const Kind kind : {Kind::floating, Kind::fixed}) {
    const Rows rows(robot(12, 12, kind), 9, 81);
    const Model& model = *rows.model;
    const Eigen::Index n = model.joint_count();
    BatchDynamics dynamics(rows.model, {1, kGravity});
    RowMatrixX J(9, 6 * n), J_star(9, 6 * n), position(9, 3), orientation(9, 9);
    for (int body = 0; body <= n; ++body) {
      const Frame frame{"tool", body, {0.3, -0.2, 0.4}, rotation_z(0.7)};
      dynamics.frame_jacobians(rows.states, frame, BatchJacobian::generalized, J_star);
      dynamics.frame_jacobians(rows.states, frame, BatchJacobian::of_joints, J);
      dynamics.frame_poses(rows.states, frame, position, orientation);
      for (int k = 0; k < 9; ++k) {
        LinkFrames frames(model);
        compute_link_frames(model, rows.state(k), frames);
        const Vector3 p = frame_position(frames, frame);
        EXPECT_LE((position.row(k).transpose() - p).norm(), 1e-14 * (10.0 + p.norm()));
        EXPECT_LE((orientation.row(k).reshaped(3, 3) - frame_orientation(frames, frame)).norm(),
                  1e-14);
        Matrix6X expected(6, n);
        frame_jacobian(model, frames, frame, expected);
        const Matrix6X star = generalized_jacobian(model, rows.state(k), frame);
        // H_b⁻¹ at condition numbers of some hundreds
        EXPECT_LE((J.row(k).reshaped(6, n) - expected).norm(), 1e-13 * (1.0 + expected.norm()));
        EXPECT_LE((J_star.row(k).reshaped(6, n) - star).norm(), 1e-12 * (1.0 + star.norm()));
      }
    }
  }
}

TEST_P(BatchMatricesOn, JacobianIsNanWhereNothingHasMass) {
  const UsedInstructionSet used(GetParam());
  const Vector3 none = Vector3::Zero();
  const Rows rows(
      std::make_shared<const Model>(ModelBuilder("none")
                                        .set_base(base_body(0.0, none))
                                        .add_link(link_body("tip", "base", 0.0, none, none, none))
                                        .build()),
      3, 82);
  RowMatrixX J_star(3, 6);
  BatchDynamics(rows.model, {1, kGravity})
      .frame_jacobians(rows.states, Frame{"tip", 1, none, Matrix3::Identity()},
                       BatchJacobian::generalized, J_star);
  EXPECT_TRUE(J_star.array().isNaN().all());
}

INSTANTIATE_TEST_SUITE_P(Sets, BatchMatricesOn, ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& of) { return std::string(to_string(of.param)); });

TEST(BatchMatrices, FramesAreThoseOfSingleStates) {
  for (const Kind kind : {Kind::floating, Kind::fixed, Kind::ball, Kind::follower}) {
    const Rows rows(robot(8, 6, kind), 11, 77);
    const Model& model = *rows.model;
    const Eigen::Index n = model.joint_count();
    BatchDynamics dynamics(rows.model, {2, kGravity});
    const Frame frame{"tool", 5, {0.3, -0.2, 0.4}, rotation_z(0.7) * rotation_x(-0.4)};
    RowMatrixX position(11, 3), orientation(11, 9), J(11, 6 * n), J_star(11, 6 * n);
    dynamics.frame_poses(rows.states, frame, position, orientation);
    dynamics.frame_jacobians(rows.states, frame, BatchJacobian::of_joints, J);
    dynamics.frame_jacobians(rows.states, frame, BatchJacobian::generalized, J_star);
    const auto at = [&](const RowMatrixX& matrices, int k) {
      return MatrixX(Eigen::Map<const MatrixX>(matrices.row(k).data(), 6, n));
    };
    for (int k = 0; k < 11; ++k) {
      const State state = rows.state(k);
      LinkFrames frames(model);
      compute_link_frames(model, state, frames);
      // attitudes of rows by two formulas; H_b⁻¹ at condition numbers of some hundreds
      EXPECT_LE((position.row(k).transpose() - frame_position(frames, frame)).norm(), 1e-13);
      EXPECT_LE(
          (orientation.row(k).transpose().reshaped(3, 3) - frame_orientation(frames, frame)).norm(),
          1e-14);
      Matrix6X expected(6, n);
      frame_jacobian(model, frames, frame, expected);
      EXPECT_LE((at(J, k) - expected).norm(), 1e-13 * expected.norm());
      EXPECT_LE((at(J_star, k) - generalized_jacobian(model, state, frame)).norm(),
                1e-12 * expected.norm());
    }
  }
}

TEST(BatchMatrices, AllocateInTheFirstCallOnly) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
  const Rows rows(robot(7, 6, Kind::floating), 11, 74);
  BatchDynamics dynamics(rows.model, {1, kGravity});
  Derivatives found(rows);
  RowMatrixX H = rows.matrices(), J(11, 6 * rows.model->joint_count());
  const Frame frame{"tool", 3, Vector3::Zero(), Matrix3::Identity()};
  const auto evaluate = [&] {
    dynamics.inertia_matrix(rows.states, H);
    dynamics.inverse_inertia(rows.states, H);
    dynamics.frame_jacobians(rows.states, frame, BatchJacobian::generalized, J);
    dynamics.forward_dynamics_derivatives(rows.states, rows.forces, found.out());
  };
  evaluate();
  const long before = allocation_count();
  evaluate();
  EXPECT_EQ(allocation_count(), before);
}

TEST(BatchMatrices, RefuseWhatDoesNotFit) {
  Rows rows(robot(7, 3, Kind::floating), 4, 75);
  BatchDynamics dynamics(rows.model, {1, kGravity});
  RowMatrixX small = RowMatrixX::Zero(4, 9);
  EXPECT_EQ(message_of<DimensionError>([&] { dynamics.inertia_matrix(rows.states, small); }),
            "H: expected 4 rows of 81 numbers, got 4 of 9");
  EXPECT_EQ(message_of<DimensionError>([&] { dynamics.inverse_inertia(rows.states, small); }),
            "H_inverse: expected 4 rows of 81 numbers, got 4 of 9");
  Derivatives found(rows);
  EXPECT_EQ(message_of<DimensionError>([&] {
              dynamics.forward_dynamics_derivatives(
                  rows.states, rows.forces,
                  {found.acceleration, found.configuration, small, found.force});
            }),
            "velocity: expected 4 rows of 81 numbers, got 4 of 9");
  rows.states(2, 8) = std::numeric_limits<double>::quiet_NaN();
  RowMatrixX H = rows.matrices();
  EXPECT_NE(message_of<DomainError>([&] { dynamics.inertia_matrix(rows.states, H); }).find("row 2"),
            std::string::npos);
  EXPECT_NE(
      message_of<DomainError>([&] { dynamics.inverse_inertia(rows.states, H); }).find("row 2"),
      std::string::npos);
  const Rows followers(robot(9, 5, Kind::follower), 4, 76);
  BatchDynamics gripper(followers.model, {1, kGravity});
  Derivatives none(followers);
  EXPECT_NE(message_of<DomainError>([&] {
              gripper.forward_dynamics_derivatives(followers.states, followers.forces, none.out());
            }).find("follows another"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::testing::batch_matrices_test
