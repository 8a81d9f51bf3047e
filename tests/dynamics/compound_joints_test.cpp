// Joints with several coordinates, spherical ones above all: kinematics against differences,
// dynamics against Lagrange's equations in quasi-velocities and between algorithms.
#include <string>

#include <gtest/gtest.h>

#include "dynamics/derivative_checks.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/dynamics/recursive_newton_euler.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/configuration.hpp"
#include "support/conditioning.hpp"
#include "support/dense_dynamics.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "textbook/canonical_forms.hpp"

namespace spacedyn::testing::compound_joints_test {
namespace {

/// Extrapolated differences reach some 11 digits of the largest element.
constexpr double kDifferences = 1e-9;

/// From this seed on branches slide on the base: they are computed about origins of their own.
constexpr unsigned kFirstOfSlides = 9;

Model random_robot(RandomModels& random, unsigned seed) {
  constexpr JointType kTypes[] = {JointType::spherical,   JointType::universal, JointType::revolute,
                                  JointType::cylindrical, JointType::planar,    JointType::free,
                                  JointType::prismatic,   JointType::screw};
  ModelDescription robot = random.description(TreeShape{7, 2, 0.0, true});
  const bool slides = seed >= kFirstOfSlides;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    JointDescription& joint = robot.links[i].joint;
    joint.type = kTypes[(i * (seed % 3 + 1) + seed) % 8];
    if (slides && robot.links[i].parent == robot.base.name) {
      joint.type = (i + seed / 2) % 2 == 0 ? JointType::free : JointType::planar;
    }
    if (joint.type == JointType::screw) joint.pitch = i % 2 == 0 ? 2.5 : -1.5;
    joint.second_axis = joint.axis.cross(Vector3(random.vector(3)));
  }
  return ModelBuilder(robot).build();
}

class CompoundJoints : public ::testing::TestWithParam<unsigned> {
 protected:
  CompoundJoints()
      : random_(GetParam()),
        model_(random_robot(random_, GetParam())),
        state_(random_.state(model_)),
        loads_(random_.loads(model_)),
        acceleration_(random_.vector(model_.velocity_size(), 3.0)) {
    state_.q = random_.vector(model_.joint_count(), 1.4);
  }

  /// The state on a curve with the velocity of the state and the acceleration given.
  State along(double t) const {
    State result = moved(state_, acceleration_, t);
    result.q = state_.q;
    displace_joints(model_, t * state_.qd, result.q);
    return result;
  }

  State displaced(int row, double t) const {
    if (row < 6) return with_perturbed_configuration(state_, row, t);
    State result = state_;
    displace_joints(model_, t * VectorX::Unit(model_.joint_count(), row - 6), result.q);
    return result;
  }

  NumericalDerivative by_configuration(const StateFunction& f) const {
    NumericalDerivative all{MatrixX(f(state_).size(), model_.velocity_size()), 0.0};
    for (int row = 0; row < model_.velocity_size(); ++row) {
      const auto one = derivative([&](double t) -> MatrixX { return f(displaced(row, t)); });
      all.value.col(row) = one.value;
      all.error = std::max(all.error, one.error);
    }
    return all;
  }

  double kinetic_energy(const State& state) const {
    const VectorX u = state.velocity();
    return 0.5 * u.dot(inertia_matrix(model_, state) * u);
  }

  RandomModels random_;
  Model model_;
  State state_;
  Loads loads_;
  VectorX acceleration_;
};

void expect_near(const MatrixX& actual, const MatrixX& expected, double tolerance,
                 const char* what) {
  EXPECT_LE(relative_difference(actual, expected), tolerance) << what;
}

TEST_P(CompoundJoints, MoveFramesAsDifferencesSay) {
  const Frame hand = model_.frame("hand");
  LinkFrames frames(model_);
  LinkVelocities velocities(model_);
  LinkAccelerations accelerations(model_);
  compute_link_frames(model_, state_, frames);
  compute_link_velocities(model_, state_, frames, velocities);
  compute_link_accelerations(model_, state_, frames, velocities, acceleration_, accelerations);
  const auto position = derivative([&](double t) -> MatrixX {
    LinkFrames there(model_);
    compute_link_frames(model_, along(t), there);
    return frame_position(there, hand);
  });
  const auto turn = derivative([&](double t) -> MatrixX {
    LinkFrames there(model_);
    compute_link_frames(model_, along(t), there);
    return frame_orientation(there, hand) * frame_orientation(frames, hand).transpose();
  });
  const auto twist = derivative([&](double t) -> MatrixX {
    LinkFrames there(model_);
    LinkVelocities moving(model_);
    const State state = along(t);
    compute_link_frames(model_, state, there);
    compute_link_velocities(model_, state, there, moving);
    return frame_velocity(there, moving, hand);
  });
  const Vector6 velocity = frame_velocity(frames, velocities, hand);
  expect_near(velocity.head<3>(), position.value, kDifferences, "velocity");
  expect_near(tilde(velocity.tail<3>()), turn.value, kDifferences, "angular velocity");
  expect_near(frame_acceleration(frames, velocities, accelerations, hand), twist.value,
              kDifferences, "acceleration");

  Matrix6X rate(6, model_.joint_count());
  frame_jacobian_derivative(model_, frames, velocities, hand, rate);
  const auto jacobian = derivative([&](double t) -> MatrixX {
    LinkFrames there(model_);
    compute_link_frames(model_, along(t), there);
    Matrix6X J(6, model_.joint_count());
    frame_jacobian(model_, there, hand, J);
    return J;
  });
  expect_near(rate, jacobian.value, kDifferences, "Jacobian rate");
}

TEST_P(CompoundJoints, ExportTheSameFramesFromTheKernels) {
  TreeWorkspace workspace(model_);
  LinkFrames frames(model_), expected(model_);
  LinkVelocities velocities(model_), expected_velocities(model_);
  update_motion(state_, acceleration_, workspace);
  export_motion(state_, workspace, frames, velocities);
  compute_link_frames(model_, state_, expected);
  compute_link_velocities(model_, state_, expected, expected_velocities);
  for (std::size_t i = 0; i < frames.A.size(); ++i) {
    EXPECT_LE((frames.A[i] - expected.A[i]).norm(), 1e-13) << i;
    EXPECT_LE((frames.r[i] - expected.r[i]).norm(), 1e-13) << i;
    EXPECT_LE((velocities.v[i] - expected_velocities.v[i]).norm(), 1e-12) << i;
  }
  update_path_motion(state_, model_.frame("hand").body, workspace);
  EXPECT_LE((frame_velocity(state_, workspace, model_.frame("hand")) -
             frame_velocity(expected, expected_velocities, model_.frame("hand")))
                .norm(),
            1e-12);
}

TEST_P(CompoundJoints, HaveAllJacobiansInOneMatrix) {
  for (const InstructionSet set : supported_instruction_sets()) {
    use_instruction_set(set);
    TreeWorkspace workspace(model_);
    update_poses(state_, workspace);
    const int n = model_.joint_count();
    Matrix6X S(6, n), J(6, n);
    joint_twists(workspace, S);
    for (int body = 1; body < model_.body_count(); ++body) {
      const Frame frame{"", body, Vector3(random_.vector(3)), Matrix3::Identity()};
      const Vector3 arm = frame_pose(state_, workspace, frame).position - state_.r_0;
      Matrix6X expected = Matrix6X::Zero(6, n);
      for (int joint = body; joint > 0; joint = model_.topology().connection(joint)) {
        const Vector3 w = S.col(joint - 1).tail<3>();
        expected.col(joint - 1) << S.col(joint - 1).head<3>() + w.cross(arm), w;
      }
      frame_jacobian(workspace, frame, J);
      // branches that slide have origins of their own: one subtraction of some metres more
      EXPECT_LE((J - expected).norm(), 1e-14 * (1.0 + arm.norm())) << body;
    }
  }
}

TEST_P(CompoundJoints, HaveTheSumsOfTheirFrames) {
  LinkFrames frames(model_);
  LinkVelocities velocities(model_);
  compute_link_frames(model_, state_, frames);
  compute_link_velocities(model_, state_, frames, velocities);
  const Momentum expected = momentum(model_, frames, velocities);
  const MomentumScale scale = momentum_scale(model_, frames, velocities);
  const double kinetic = spacedyn::kinetic_energy(model_, frames, velocities);
  for (const InstructionSet set : supported_instruction_sets()) {
    use_instruction_set(set);
    TreeWorkspace workspace(model_);
    update_motion(state_, acceleration_, workspace);
    TreeWorkspace::Memory& memory = workspace.memory();
    KernelSums sums;
    memory.kernels.sum_motion(memory.tree, memory.scratch, state_.v_0.data(), sums);
    const auto near = [](const double* found, const Vector3& wanted, double size) {
      // some ten terms for each of seven bodies
      EXPECT_LE((Vector3(found[0], found[1], found[2]) - wanted).norm(), 1e-13 * size);
    };
    near(sums.r_g, center_of_mass(model_, frames) - state_.r_0, 1.0 + state_.r_0.norm());
    near(sums.v_g, center_of_mass_velocity(model_, velocities) - state_.v_0, 1.0 + scale.linear);
    near(sums.linear, expected.linear, scale.linear);
    near(sums.angular_centroid, expected.angular_centroid, scale.angular);
    near(sums.angular_base, expected.angular_base, expected.angular_base.norm() + scale.angular);
    EXPECT_NEAR(sums.linear_size, scale.linear, 1e-13 * scale.linear);
    EXPECT_NEAR(sums.angular_size, scale.angular, 1e-13 * scale.angular);
    EXPECT_NEAR(0.5 * sums.twice_energy, kinetic, 1e-13 * kinetic);
  }
}

TEST_P(CompoundJoints, KeepLagrangesEquations) {
  // d/dt ∂T/∂u − ∂T/∂δ, and of the spherical joints ω × ∂T/∂ω besides: no recursion in it
  Loads none(model_);
  const VectorX forces = inverse_dynamics(model_, state_, acceleration_, none);
  const auto momentum_rate = derivative([&](double t) -> MatrixX {
    const State there = along(t);
    return inertia_matrix(model_, there) * there.velocity();
  });
  const auto gradient = by_configuration(
      [&](const State& state) -> VectorX { return VectorX::Constant(1, kinetic_energy(state)); });
  const int n = model_.joint_count();
  VectorX expected = momentum_rate.value.reshaped().tail(n) -
                     VectorX(gradient.value.transpose().reshaped()).tail(n);
  const VectorX momentum = inertia_matrix(model_, state_) * state_.velocity();
  for (const int first : model_.spherical_joints()) {
    const Vector3 omega = state_.qd.segment<3>(first - 1);
    expected.segment<3>(first - 1) += omega.cross(Vector3(momentum.segment<3>(5 + first)));
  }
  expect_near(forces.tail(n), expected, kDifferences, "joint forces");
}

TEST_P(CompoundJoints, HaveOneDynamicsInAllAlgorithms) {
  const VectorX forces = inverse_dynamics(model_, state_, acceleration_, loads_);
  VectorX spatial(model_.velocity_size()), kernel(model_.velocity_size());
  SpatialMotion motion(model_);
  recursive_newton_euler(model_, link_inertias(model_), state_, acceleration_, loads_, motion,
                         spatial);
  TreeWorkspace workspace(model_);
  inverse_dynamics(state_, acceleration_, loads_, workspace, kernel);
  expect_near(spatial, forces, 1e-12, "spatial");
  expect_near(kernel, forces, 1e-12, "kernel");

  Loads driven = loads_;
  driven.F_b = forces.head<6>();
  driven.tau = forces.tail(model_.joint_count());
  VectorX acceleration = VectorX::Zero(model_.velocity_size()), rest(model_.velocity_size());
  ASSERT_EQ(forward_dynamics(state_, driven, workspace, acceleration, rest), DynamicsStatus::ok);
  // the condition of H takes digits
  expect_near(acceleration, acceleration_, 1e-9, "forward dynamics inverts inverse dynamics");
  expect_near(forward_dynamics(model_, state_, driven),
              dense_forward_dynamics(model_, state_, driven), 1e-9, "inertia matrix");
}

TEST_P(CompoundJoints, HaveTheInverseOfTheInertiaMatrix) {
  const MatrixX H = inertia_matrix(model_, state_);
  EXPECT_LE(relative_difference(inverse_inertia(model_, state_), H.inverse()),
            solution_tolerance(H));
}

TEST_P(CompoundJoints, HaveTheRateOfTheInertiaMatrix) {
  const auto rate = derivative([&](double t) { return inertia_matrix(model_, along(t)); });
  expect_near(inertia_matrix_derivative(model_, state_), rate.value, kDifferences, "rate of H");
  // C u is the bias, Ḣ − 2 C is not skew where u is no derivative, but uᵀ (Ḣ − 2 C) u = 0
  const VectorX u = state_.velocity();
  const MatrixX C = coriolis_matrix(model_, state_);
  expect_near(C * u, bias_forces(model_, state_, Vector3::Zero()), 1e-12, "bias");
  EXPECT_LE(std::abs(u.dot(rate.value * u - 2.0 * C * u)), kDifferences * kinetic_energy(state_));
}

TEST_P(CompoundJoints, HaveDerivativesOfInverseDynamics) {
  const auto forces = [&](const State& state) {
    return inverse_dynamics(model_, state, acceleration_, loads_);
  };
  const auto actual = inverse_dynamics_derivatives(model_, state_, acceleration_, loads_);
  expect_near(actual.configuration, by_configuration(forces).value, kDifferences, "configuration");
  expect_near(actual.velocity, differences(state_, with_perturbed_velocity, forces).value,
              kDifferences, "velocity");
  expect_near(actual.acceleration, inertia_matrix(model_, state_), 1e-12, "H");
}

TEST_P(CompoundJoints, HaveDerivativesOfForwardDynamics) {
  const auto accelerations = [&](const State& state) -> VectorX {
    TreeWorkspace workspace(model_);
    VectorX acceleration = VectorX::Zero(model_.velocity_size()), forces(model_.velocity_size());
    EXPECT_EQ(forward_dynamics(state, loads_, workspace, acceleration, forces), DynamicsStatus::ok);
    return acceleration;
  };
  const auto actual = forward_dynamics_derivatives(model_, state_, loads_);
  // accelerations of light links are large: the differences lose digits
  expect_near(actual.configuration, by_configuration(accelerations).value, 1e-8, "configuration");
  expect_near(actual.velocity, differences(state_, with_perturbed_velocity, accelerations).value,
              1e-8, "velocity");
}

TEST_P(CompoundJoints, HaveCanonicalFormsThatIntegrate) {
  CanonicalForm form(model_, AttitudeCoordinates::rotation_vector);
  const VectorX position = form.position(state_);
  const auto rate = derivative([&](double t) -> MatrixX { return form.position(along(t)); });
  expect_near(form.qdfn(position, state_.velocity()), rate.value, kDifferences, "position rate");
  expect_near(form.Q(position) * state_.velocity(), rate.value, kDifferences, "Q α");
}

TEST_P(CompoundJoints, SolvesWithTheInertiaAnywhere) {
  TreeWorkspace workspace(model_);
  MatrixX H(model_.velocity_size(), model_.velocity_size());
  composite_rigid_body(state_, workspace, H);
  VectorX solution(model_.velocity_size());
  ASSERT_EQ(solve_inertia(state_, H * acceleration_, workspace, solution), DynamicsStatus::ok);
  EXPECT_LE((solution - acceleration_).norm(), 1e-9 * acceleration_.norm());
}

INSTANTIATE_TEST_SUITE_P(Robots, CompoundJoints, ::testing::Range(0u, 15u),
                         [](const auto& seed) { return "seed_" + std::to_string(seed.param); });

TEST(CompoundJoint, AreChainsOfJointsWithOneCoordinate) {
  ModelDescription robot = RandomModels(5).description(TreeShape{1, 1, 0.0, true});
  robot.links[0].joint.type = JointType::planar;
  robot.links[0].joint.axis = Vector3(0.0, 0.0, 2.0);
  const Model model = ModelBuilder(robot).build();
  ASSERT_EQ(model.joint_count(), 3);
  EXPECT_EQ(model.joint(1).name, "link_1_x");
  EXPECT_EQ(model.joint(3).name, "link_1_angle");
  EXPECT_EQ(model.body(3).name, "link_1");
  EXPECT_TRUE(model.is_carrier(1));
  EXPECT_FALSE(model.is_carrier(3));
  ASSERT_TRUE(model.find_compound_joint("link_1"));
  EXPECT_EQ(model.find_compound_joint("link_1")->size, 3);

  // slides across the normal, then turns about it: the joint frame moved by hand
  State state(model);
  state.q << 0.3, -0.2, 0.7;
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  const Pose& origin = robot.links[0].joint.origin;
  const Vector3 at = origin.position + origin.rotation * Vector3(0.3, -0.2, 0.0);
  const Frame link = model.frame("link_1");
  const Vector3 base = frames.o[0];
  EXPECT_LE((frame_position(frames, link) - base - at).norm(), 1e-14);
  EXPECT_LE((frame_orientation(frames, link) - origin.rotation * rotation_z(0.7)).norm(), 1e-14);
}

TEST(CompoundJoint, DisplacesByTheShorterTurn) {
  ModelDescription robot = RandomModels(5).description(TreeShape{1, 1, 0.0, true});
  robot.links[0].joint.type = JointType::spherical;
  const Model model = ModelBuilder(robot).build();
  VectorX q = Vector3(0.0, 0.0, 3.0);
  const VectorX start = q;
  displace_joints(model, Vector3(0.0, 0.0, 0.5), q);
  EXPECT_NEAR(q(2), 3.5 - 2.0 * 3.14159265358979323846, 1e-14);
  EXPECT_NEAR(joint_difference(model, start, q)(2), 0.5, 1e-14);
}

}  // namespace
}  // namespace spacedyn::testing::compound_joints_test
