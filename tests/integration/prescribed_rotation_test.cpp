// Imposed rotations: spherical and free joints that follow attitudes and poses.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/control/rotation_reference.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::prescribed_rotation_test {
namespace {

using ::testing::HasSubstr;

const double kPi = std::acos(-1.0);
const Vector3 kInertia(0.4, 0.7, 0.9), kCentroid(0.3, -0.1, 0.2), kGravity(0.5, -2.0, -9.0);
constexpr double kMass = 3.0;

/// A body on a spherical or a free joint that is turned against its parent.
std::shared_ptr<const Model> held_body(JointType type, bool fixed) {
  BaseDescription base = base_body(20.0, {4, 5, 6});
  base.fixed = fixed;
  LinkDescription body = link_body("body", "base", kMass, kInertia, {0.4, 0.1, 0.2}, kCentroid);
  body.joint.name = "ball";
  body.joint.type = type;
  body.joint.origin.rotation = exp_so3({0.4, -0.3, 0.8});
  return std::make_shared<const Model>(ModelBuilder("held").set_base(base).add_link(body).build());
}

/// Three angles that swing at three frequencies, farther than half a turn.
std::shared_ptr<const Reference> swinging(double size) {
  HarmonicReference::Oscillation swing;
  swing.amplitude = size * Vector3(2.0, 1.5, -2.5);
  swing.frequency = Vector3(0.31, 0.23, 0.17);
  swing.phase = Vector3(0.3, 1.1, -0.4);
  swing.offset = size * Vector3(0.5, -0.2, 1.0);
  return std::make_shared<HarmonicReference>(swing, 0.0);
}

SimulationSetup setup_of(const std::shared_ptr<const Model>& model,
                         const std::shared_ptr<const PoseReference>& pose) {
  SimulationSetup setup;
  setup.model = model;
  setup.base_mode = model->has_fixed_base() ? BaseMode::fixed : BaseMode::floating;
  setup.integrator = dopri5(1e-12);
  setup.prescribed_joints = prescribed_joints(*model->find_compound_joint("ball"), pose);
  return setup;
}

/// About the joint, link axes.
Matrix3 inertia_about_joint() {
  const Matrix3 c =
      kCentroid.squaredNorm() * Matrix3::Identity() - kCentroid * kCentroid.transpose();
  return Matrix3(kInertia.asDiagonal()) + kMass * c;
}

TEST(RotationPath, TurnsAsTheDerivativesOfItsExponential) {
  // differences of sixth order of attitudes and of angular velocities; rotation vectors near zero,
  // beyond half a turn and near a whole one
  for (const double size : {1e-9, 1e-3, 0.3, 1.0, 2.4}) {
    const RotationPath path(swinging(size), exp_so3({0.1, 0.9, -0.4}));
    for (const double time : {0.2, 1.3, 2.9, 7.7}) {
      constexpr double kStep = 2e-3;
      const PoseMotion now = path.evaluate(time, {});
      Vector3 omega = Vector3::Zero(), alpha = Vector3::Zero();
      const double weights[] = {0.75, -0.15, 1.0 / 60.0};
      for (int k = 1; k <= 3; ++k) {
        const PoseMotion ahead = path.evaluate(time + k * kStep, {});
        const PoseMotion behind = path.evaluate(time - k * kStep, {});
        omega += weights[k - 1] / kStep *
                 (log_so3(ahead.rotation * now.rotation.transpose()) -
                  log_so3(behind.rotation * now.rotation.transpose()));
        alpha += weights[k - 1] / kStep * Vector3((ahead.velocity - behind.velocity).tail<3>());
      }
      // rounding of attitudes over the step, and the next order of a motion at 2 rad/s
      EXPECT_LT((now.velocity.tail<3>() - omega).norm(), 2e-12 + 1e-11 * size) << size;
      EXPECT_LT((now.acceleration.tail<3>() - alpha).norm(), 1e-11 * size) << size;
      EXPECT_LT(orthogonality_error(now.rotation), 1e-15);
    }
  }
}

TEST(RotationVectors, LeadThroughWholeTurns) {
  // 500 deg about one axis in ten rows: a natural spline through them turns at one rate
  const Vector3 axis = Vector3(1, -2, 2) / 3.0;
  std::vector<double> times;
  std::vector<Matrix3> attitudes;
  for (int k = 0; k < 10; ++k) {
    times.push_back(0.5 * k);
    attitudes.push_back(exp_so3({0.2, 0.1, 0.7}) * exp_so3(k * (500.0 / 9.0) * kPi / 180.0 * axis));
  }
  const auto table = std::make_shared<TableReference>(times, rotation_vectors(attitudes),
                                                      TableReference::Interpolation::cubic);
  const RotationPath path(table, attitudes.front());
  const double rate = 500.0 * kPi / 180.0 / 4.5;
  for (const double time : {0.1, 1.7, 3.3, 4.4}) {
    const PoseMotion motion = path.evaluate(time, {});
    EXPECT_LT((motion.rotation - attitudes.front() * exp_so3(rate * time * axis)).norm(), 1e-14);
    EXPECT_LT((motion.velocity.tail<3>() - attitudes.front() * axis * rate).norm(), 1e-14);
    EXPECT_LT(motion.acceleration.norm(), 1e-13);
  }
}

TEST(PrescribedRotation, NeedsTheTorqueOfEulersEquations) {
  const auto model = held_body(JointType::spherical, true);
  const auto path = std::make_shared<RotationPath>(swinging(1.0));
  SimulationSetup setup = setup_of(model, path);
  setup.gravity = kGravity;
  const Trajectory flight = simulate(setup, State(*model), 6.0, 0.1);
  const Matrix3 mount = exp_so3({0.4, -0.3, 0.8});
  for (const TrajectoryPoint& point : flight.points) {
    const PoseMotion motion = path->evaluate(point.time, {});
    EXPECT_LT((exp_so3(point.state.q) - motion.rotation).norm(), 4e-15);
    EXPECT_LE(point.state.q.norm(), kPi + 1e-15);
    // I ω̇ + ω × I ω = τ + c × m Aᵀ g about the joint, link axes
    const Matrix3& A = motion.rotation;
    const Vector3 omega = A.transpose() * motion.velocity.tail<3>();
    const Vector3 alpha = A.transpose() * motion.acceleration.tail<3>();
    EXPECT_LT((point.state.qd - omega).norm(), 1e-15 * (1.0 + omega.norm()) * 8.0);
    const Matrix3 I = inertia_about_joint();
    const Vector3 weight = kMass * (mount * A).transpose() * kGravity;
    const Vector3 expected = I * alpha + omega.cross(I * omega) - kCentroid.cross(weight);
    EXPECT_LT((point.forces.tail<3>() - expected).norm(), 2e-13 * (10.0 + expected.norm()))
        << point.time;
  }
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-10);
}

TEST(PrescribedRotation, ReactsOnAFloatingBase) {
  const auto model = held_body(JointType::spherical, false);
  const SimulationSetup setup = setup_of(model, std::make_shared<RotationPath>(swinging(0.7)));
  State start(*model);
  start.omega_0 = {0.1, -0.2, 0.05};
  const Trajectory flight = simulate(setup, start, 8.0, 0.25);
  EXPECT_LT(flight.result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-10);
  for (const TrajectoryPoint& point : flight.points) {
    // nothing holds the base, and the joint has the torque of inverse dynamics
    const VectorX forces = inverse_dynamics(*model, point.state, point.acceleration, Loads(*model));
    EXPECT_LT(forces.head<6>().norm(), 1e-12);
    EXPECT_LT((forces.tail<3>() - point.forces.tail<3>()).norm(), 1e-12);
  }
}

TEST(PrescribedRotation, OfAFreeJointMovesAFreeBody) {
  const auto model = held_body(JointType::free, true);
  const Pose from{{0.1, 0.2, -0.3}, exp_so3({0.3, 0.2, 0.1})};
  std::vector<PosePath::Stop> stops{{2.0, Vector3(1.0, 0.5, 0.2), exp_so3({-1.0, 2.0, 0.4})},
                                    {5.0, Vector3(-0.5, 0.1, 0.9), exp_so3({2.0, 1.0, 2.0})}};
  const auto path = std::make_shared<PosePath>(from, stops, 0.0);
  SimulationSetup setup = setup_of(model, path);
  setup.gravity = kGravity;
  const Trajectory flight = simulate(setup, State(*model), 5.0, 0.1);
  const Matrix3 mount = exp_so3({0.4, -0.3, 0.8});
  for (const TrajectoryPoint& point : flight.points) {
    const PoseMotion motion = path->evaluate(point.time, {});
    EXPECT_EQ(Vector3(point.state.q.head<3>()), motion.position);
    // Newton and Euler of the body alone, in the axes of the joint frame and of the link
    const Matrix3& A = motion.rotation;
    const Vector3 omega = motion.velocity.tail<3>(), alpha = motion.acceleration.tail<3>();
    const Vector3 arm = A * kCentroid;
    const Vector3 a =
        Vector3(motion.acceleration.head<3>()) + alpha.cross(arm) + omega.cross(omega.cross(arm));
    const Vector3 force = kMass * (a - mount.transpose() * kGravity);
    EXPECT_LT((point.forces.segment<3>(6) - force).norm(), 1e-12 * (10.0 + force.norm()));
    const Matrix3 I = A * kInertia.asDiagonal() * A.transpose();
    const Vector3 torque = I * alpha + omega.cross(I * omega) + arm.cross(force);
    EXPECT_LT((point.forces.tail<3>() - A.transpose() * torque).norm(),
              1e-12 * (10.0 + torque.norm()));
  }
}

TEST(PrescribedRotation, IsFollowedByEveryMethodThatImposesMotions) {
  const auto model = held_body(JointType::spherical, false);
  const auto path = std::make_shared<RotationPath>(swinging(0.7));
  for (const IntegrationMethod method : all_integration_methods()) {
    const MethodTraits traits = method_traits(method);
    SimulationSetup setup = setup_of(model, path);
    setup.integrator = fixed_step(method, 0.01);
    if (!traits.imposes_motion || !traits.turns_spherical_joints) {
      EXPECT_THROW(simulate(setup, State(*model), 1.0), DomainError) << traits.name;
      continue;
    }
    const State end = simulate(setup, State(*model), 1.0).state;
    const PoseMotion motion = path->evaluate(1.0, {});
    EXPECT_LT((exp_so3(end.q) - motion.rotation).norm(), 4e-15) << traits.name;
  }
}

TEST(PrescribedRotation, BadUseIsRefused) {
  const auto model = held_body(JointType::spherical, false);
  const auto path = std::make_shared<RotationPath>(swinging(0.7));
  SimulationSetup setup = setup_of(model, path);
  setup.prescribed_joints.pop_back();
  const auto message = [&](const auto& function) { return message_of<Error>(function); };
  EXPECT_THAT(message([&] { Simulator{setup}; }), HasSubstr("the prescribed joints"));
  EXPECT_THAT(message([] { RotationPath{nullptr}; }), HasSubstr("needs a reference"));
  EXPECT_THAT(message([] { RotationPath{std::make_shared<ConstantReference>(VectorX::Zero(2))}; }),
              HasSubstr("3"));
  EXPECT_THAT(message([&] { RotationPath(swinging(1.0), 2.0 * Matrix3::Identity()); }),
              HasSubstr("no rotation"));
  EXPECT_THAT(message([] { rotation_vectors({}); }), HasSubstr("no rows"));
  const Matrix3 half = exp_so3({kPi, 0, 0});
  EXPECT_THAT(message([&] {
                rotation_vectors({Matrix3::Identity(), half});
              }),
              HasSubstr("attitudes 1 and 2 are half a turn or more apart"));
  CompoundJoint planar;
  planar.type = JointType::planar;
  EXPECT_THAT(message([&] { prescribed_joints(planar, path); }), HasSubstr("has no pose"));
  EXPECT_THAT(message([&] { PoseCoordinates(nullptr, {}); }), HasSubstr("needs one"));
}

}  // namespace
}  // namespace spacedyn::testing::prescribed_rotation_test
