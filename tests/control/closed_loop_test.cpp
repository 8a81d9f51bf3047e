// Loops closed by controllers against their closed forms: poles, passivity, momentum.
#include <cmath>
#include <complex>

#include <Eigen/LU>

#include "driven_chain.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/control/steady_rates.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/integration/trajectory.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/contexts.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::closed_loop_test {
namespace {

using Roots = std::vector<std::complex<double>>;

/// Of m s² + d s + k, those with Im s ≥ 0.
Roots roots(double m, double d, double k) {
  const std::complex<double> root = std::sqrt(std::complex<double>(d * d - 4.0 * m * k));
  if (root.imag() != 0.0) return {(-d + root) / (2.0 * m)};
  return {(-d + root) / (2.0 * m), (-d - root) / (2.0 * m)};
}

/// Of the motion δq̈ = −K δq − D δq̇.
Roots roots(const MatrixX& K, const MatrixX& D) {
  const Eigen::Index n = K.rows();
  MatrixX A = MatrixX::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -K;
  A.bottomRightCorner(n, n) = -D;
  Roots all;
  for (const EigenMode& mode : eigenmodes(A)) all.push_back(mode.eigenvalue);
  return all;
}

/// Each is a pole of the closed loop, to 1e-6.
void expect_poles(const SimulationSetup& setup, const State& state, const Roots& expected) {
  const std::vector<EigenMode> found = eigenmodes(linearize(setup, state).A);
  for (const std::complex<double>& pole : expected) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const EigenMode& mode : found) {
      nearest = std::min(nearest, std::abs(mode.eigenvalue - pole));
    }
    EXPECT_LE(nearest, 1e-6 * std::abs(pole)) << pole;
  }
}

/// An arm of six driven joints with a tip, at rest.
struct Arm {
  explicit Arm(bool is_fixed) {
    RandomModels random(81);
    ModelDescription tree = random.description(TreeShape{6, 1, 0.0, true});
    tree.base.fixed = is_fixed;
    FrameDescription tip;
    tip.name = "tip";
    tip.link = tree.links.back().name;
    tip.origin.position = Vector3(0.2, -0.1, 0.3);
    tree.frames.push_back(tip);
    setup.model = std::make_shared<const Model>(ModelBuilder(tree).build());
    if (is_fixed) setup.base_mode = BaseMode::fixed;
    if (is_fixed) setup.gravity = {0.5, -3.0, -9.0};
    state = State(*setup.model);
    state.q << 0.4, -0.7, 0.9, 0.5, -0.6, 0.8;
    const Snapshot now(*setup.model, state);
    task = tip_task(setup.model->frame("tip"));
    task.pose = std::make_shared<HeldPose>(Pose{frame_position(now.frames(), task.frame),
                                                frame_orientation(now.frames(), task.frame)});
    settings.level = WholeBody::Level::torque;
    settings.joints = {1, 2, 3, 4, 5, 6};
    settings.known.base_floats = !is_fixed;
    settings.known.gravity = setup.gravity;
    settings.limits = {false, false, false};
  }
  const SimulationSetup& steered() {
    settings.tasks = {task};
    setup.controllers = {std::make_shared<WholeBody>("steer", settings)};
    return setup;
  }
  MatrixX tip_jacobian() const { return frame_jacobians(*setup.model, state, task.frame).J_m; }
  MatrixX joint_inertia() const {
    return inertia_matrix(*setup.model, state).bottomRightCorner(6, 6);
  }

  SimulationSetup setup;
  State state;
  Task task;
  WholeBody::Settings settings;
};

class ClosedLoop : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Bases, ClosedLoop, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "fixed" : "floating"; });

TEST_P(ClosedLoop, HasThePolesOfComputedTorque) {
  Arm arm(GetParam());
  ComputedTorque::Settings own;
  own.joints = arm.settings.joints;
  own.stiffness = VectorX::LinSpaced(6, 3.0, 9.0);
  own.damping = VectorX::LinSpaced(6, 1.0, 8.0);
  own.reference = std::make_shared<ConstantReference>(arm.state.q);
  own.surroundings = arm.settings.known;
  arm.setup.controllers = {std::make_shared<ComputedTorque>("track", *arm.setup.model, own)};
  for (Eigen::Index i = 0; i < 6; ++i) {
    expect_poles(arm.setup, arm.state, roots(1.0, own.damping(i), own.stiffness(i)));
  }
}

TEST_P(ClosedLoop, HasThePolesOfOperationalSpace) {
  Arm arm(GetParam());
  arm.task.damping = VectorX::LinSpaced(6, 1.0, 7.0);
  const SimulationSetup& setup = arm.steered();
  for (Eigen::Index i = 0; i < 6; ++i) {
    expect_poles(setup, arm.state, roots(1.0, arm.task.damping(i), arm.task.stiffness(i)));
  }
}

TEST_P(ClosedLoop, HasThePolesOfAnImpedance) {
  Arm arm(GetParam());
  const VectorX mass = VectorX::LinSpaced(6, 2.0, 12.0), K = VectorX::LinSpaced(6, 90.0, 30.0);
  const VectorX D = VectorX::LinSpaced(6, 5.0, 80.0);
  arm.task.mass = mass;
  arm.task.stiffness = K.cwiseQuotient(mass);
  arm.task.damping = D.cwiseQuotient(mass);
  const SimulationSetup& setup = arm.steered();
  for (Eigen::Index i = 0; i < 6; ++i) {
    expect_poles(setup, arm.state, roots(mass(i), D(i), K(i)));
  }
}

// H q̈ = −Jᵀ (K J δq + D J δq̇), gravity being held
TEST(ClosedLoopOnAFixedBase, HasThePolesOfACompliance) {
  Arm arm(true);
  arm.task.type = Task::Type::compliance;
  arm.task.joints = arm.settings.joints;
  arm.task.gain.resize(0);
  const MatrixX J = arm.tip_jacobian(), inverse = arm.joint_inertia().inverse();
  expect_poles(arm.steered(), arm.state,
               roots(inverse * J.transpose() * arm.task.stiffness.asDiagonal() * J,
                     inverse * J.transpose() * arm.task.damping.asDiagonal() * J));
}

// H q̈ = G (−J⁻¹ gain J δq − δq̇)
TEST(ClosedLoopOnAFixedBase, HasThePolesOfResolvedRates) {
  Arm arm(true);
  arm.setup.gravity.setZero();
  arm.settings.known.gravity.setZero();
  arm.settings.level = WholeBody::Level::rate;
  arm.settings.rate_gain = VectorX::LinSpaced(6, 20.0, 60.0);
  arm.task.gain = VectorX::LinSpaced(6, 0.5, 2.0);
  const MatrixX J = arm.tip_jacobian();
  const MatrixX rate = arm.joint_inertia().inverse() * arm.settings.rate_gain.asDiagonal();
  expect_poles(arm.steered(), arm.state,
               roots(rate * J.inverse() * arm.task.gain.asDiagonal() * J, rate));
}

// s (J s² + D s + K) + I = 0
TEST(ClosedLoopOnAFixedBase, HasThePolesOfAnIntegralTerm) {
  const double J = 2.0, D = 9.0, K = 20.0, I = 12.0;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("rotor")
          .set_base(base_body(1.0, {1.0, 1.0, 1.0}))
          .add_link(link_body("arm", "base", 1.0, {J, J, J}, Vector3::Zero(), Vector3::Zero()))
          .build());
  setup.base_mode = BaseMode::fixed;
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, K);
  pd.damping = VectorX::Constant(1, D);
  pd.integral = VectorX::Constant(1, I);
  pd.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  setup.controllers = {std::make_shared<JointPd>("pd", pd)};
  Eigen::Matrix3d companion;
  companion << -D / J, -K / J, -I / J, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
  Roots expected;
  for (const EigenMode& mode : eigenmodes(companion)) expected.push_back(mode.eigenvalue);
  expect_poles(setup, State(*setup.model), expected);
}

/// [e; ė] of the tip and its acceleration, where a controller acts and a wrench pushes.
struct Push {
  Push(const DrivenChain& rig, const Controller& law, const Vector6& wrench) {
    const Snapshot now(rig.model, rig.state);
    const Frame tip = rig.model.frame("tip");
    Loads loads(rig.model);
    const AppliedWrench push("push", tip, WrenchAxes::inertial, TimeTable::constant(wrench));
    push.apply(now.at(0.0), loads);
    VectorX command(law.command_size());
    law.command(now.at(0.0), command);
    law.apply(now.at(0.0), command, loads);
    loads.tau += passive_torque(rig.model, rig.state);
    loads.gravity = rig.settings.known.gravity;
    acceleration = forward_dynamics(rig.model, rig.state, loads);
    J = frame_jacobians(rig.model, rig.state, tip);
    twist = J.J_m * rig.state.qd + J.J_b * rig.state.velocity().head<6>();
    tip_acceleration = J.J_m * acceleration.tail(rig.model.joint_count()) +
                       J.J_b * acceleration.head<6>() + J.J_m_dot * rig.state.qd +
                       J.J_b_dot * rig.state.velocity().head<6>();
  }
  FrameJacobians J;
  VectorX acceleration;
  Vector6 twist, tip_acceleration;
};

/// Gains under which ½ eᵀ K e is the energy of a spring: alike about all axes.
void soften(Task& task, const Pose& rest) {
  task.stiffness << 300.0, 500.0, 200.0, 40.0, 40.0, 40.0;
  task.damping << 30.0, 10.0, 20.0, 3.0, 2.0, 5.0;
  task.pose = std::make_shared<HeldPose>(rest);
}

/// d/dt ½ eᵀ K e of a frame that moves from a pose, by differences.
double spring_power(const Task& task, const Pose& rest, const Pose& now, const Vector6& twist) {
  const auto energy = [&](double h) {
    Vector6 e;
    e << rest.position - now.position - h * twist.head<3>(),
        orientation_error(rest.rotation, exp_so3(h * twist.tail<3>()) * now.rotation);
    return 0.5 * e.dot(task.stiffness.cwiseProduct(e));
  };
  constexpr double h = 1e-3;
  return (8.0 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12.0 * h);
}

/// A state, a wrench at the tip and a pose at which the springs are at rest, near the tip.
struct Contact {
  explicit Contact(DrivenChain& rig)
      : state(rig.random.state(rig.model)),
        wrench(Vector6::NullaryExpr([&] { return rig.random.number(-50.0, 50.0); })) {
    if (rig.model.has_fixed_base()) {
      state.v_0.setZero();
      state.omega_0.setZero();
    }
    const Snapshot at(rig.model, state);
    const Frame tip = rig.model.frame("tip");
    now = {frame_position(at.frames(), tip), frame_orientation(at.frames(), tip)};
    const Vector3 shift = Vector3::NullaryExpr([&] { return rig.random.number(-0.3, 0.3); });
    const Vector3 turn = Vector3::NullaryExpr([&] { return rig.random.number(-0.8, 0.8); });
    rest = {now.position + shift, exp_so3(turn) * now.rotation};
  }
  State state;
  Vector6 wrench;
  Pose now, rest;
};

constexpr int kContacts = 10000;

// of ½ ẋᵀ M ẋ + ½ eᵀ K e: its rate is the power of the contact less ẋᵀ D ẋ
TEST(CartesianImpedance, IsPassiveInRandomContacts) {
  DrivenChain rig(91);
  rig.settings.level = WholeBody::Level::torque;
  rig.settings.limits = {false, false, false};
  const Frame tip = rig.model.frame("tip");
  const Vector6 mass = (Vector6() << 5.0, 9.0, 7.0, 1.0, 1.5, 0.8).finished();
  double most = 0.0;
  for (int contact = 0; contact < kContacts; ++contact) {
    const Contact random(rig);
    rig.state = random.state;
    Task task = tip_task(tip);
    soften(task, random.rest);
    const Task springs = task;
    task.mass = mass;
    task.stiffness = springs.stiffness.cwiseQuotient(mass);
    task.damping = springs.damping.cwiseQuotient(mass);
    rig.settings.tasks = {task};
    rig.settings.forces = {{std::make_shared<AppliedWrench>("push", tip, WrenchAxes::inertial,
                                                            TimeTable::constant(random.wrench)),
                            0}};
    const Push push(rig, WholeBody("soft", rig.settings), random.wrench);
    const double stored = push.twist.dot(mass.cwiseProduct(push.tip_acceleration)) +
                          spring_power(springs, random.rest, random.now, push.twist);
    const double given = push.twist.dot(random.wrench);
    const double lost = push.twist.dot(springs.damping.cwiseProduct(push.twist));
    const double scale = 1.0 + std::abs(given) + lost;
    most = std::max(most, std::abs(stored - given + lost) / scale);
    ASSERT_LE(stored, given + 1e-7 * scale) << contact;
  }
  // of the differences
  EXPECT_LE(most, 1e-7);
}

// without inertia shaping, of the kinetic energy and ½ eᵀ K e: gravity is held against
TEST(CartesianImpedance, IsPassiveWithoutAMassInRandomContacts) {
  DrivenChain rig(92, true);
  rig.settings.level = WholeBody::Level::torque;
  rig.settings.limits = {false, false, false};
  rig.settings.joints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const auto kinetic_power = [&](const VectorX& qdd) {
    const auto energy = [&](double h) {
      State moved = rig.state;
      moved.q += h * rig.state.qd + 0.5 * h * h * qdd;
      moved.qd += h * qdd;
      const MatrixX H = inertia_matrix(rig.model, moved).bottomRightCorner(10, 10);
      return 0.5 * moved.qd.dot(H * moved.qd);
    };
    constexpr double h = 1e-4;
    return (8.0 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12.0 * h);
  };
  double most = 0.0;
  for (int contact = 0; contact < kContacts; ++contact) {
    const Contact random(rig);
    rig.state = random.state;
    Task task = tip_task(rig.model.frame("tip"));
    task.type = Task::Type::compliance;
    task.joints = rig.settings.joints;
    task.gain.resize(0);
    soften(task, random.rest);
    rig.settings.tasks = {task};
    const Push push(rig, WholeBody("soft", rig.settings), random.wrench);
    const double stored = kinetic_power(push.acceleration.tail(10)) +
                          spring_power(task, random.rest, random.now, push.twist);
    const double given =
        push.twist.dot(random.wrench) + rig.state.qd.dot(passive_torque(rig.model, rig.state));
    const double lost = push.twist.dot(task.damping.cwiseProduct(push.twist));
    const double scale = 1.0 + std::abs(given) + lost + push.acceleration.norm();
    most = std::max(most, std::abs(stored - given + lost) / scale);
    ASSERT_LE(stored, given + 1e-6 * scale) << contact;
  }
  // of the differences
  EXPECT_LE(most, 1e-6);
}

// D q̇ of the driven joints stays as it is, and with it what they do to the base: the base keeps the
// share of the momentum and of the joints that are free
TEST(Momentum, IsLeftAloneByReactionlessMotion) {
  DrivenChain rig(93);
  for (const int joint : rig.settings.joints) rig.state.qd(joint - 1) = 0.0;
  rig.settings.level = WholeBody::Level::torque;
  Task reaction;
  reaction.type = Task::Type::base_reaction;
  reaction.axes = {3, 4, 5};
  Task motion;
  motion.type = Task::Type::posture;
  motion.priority = 2;
  motion.joints = rig.settings.joints;
  motion.reference = std::make_shared<SteadyRates>(VectorX::LinSpaced(7, 0.1, 0.4));
  motion.damping = VectorX::Constant(7, 2.0);
  rig.settings.tasks = {reaction, motion};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(rig.description).build());
  setup.controllers = {std::make_shared<WholeBody>("quiet", rig.settings)};
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(rig.state, 4.0, 0.25, trajectory);
  double moved = 0.0;
  for (const TrajectoryPoint& point : trajectory.points) {
    const Matrix6X D = base_response(*setup.model, point.state).D;
    Vector3 turn = Vector3::Zero();
    for (const int joint : rig.settings.joints) {
      turn += D.col(joint - 1).tail<3>() * point.state.qd(joint - 1);
      moved =
          std::max(moved, std::abs(D.col(joint - 1).tail<3>().norm() * point.state.qd(joint - 1)));
    }
    // tolerance of the method, grown over some hundred steps
    EXPECT_LE(turn.norm(), 5e-11) << point.time;
  }
  EXPECT_GT(moved, 1e-3) << "each joint alone would turn the base";
  EXPECT_LE(result.audit.momentum_drift(), 1e-12);
}

}  // namespace
}  // namespace spacedyn::testing::closed_loop_test
