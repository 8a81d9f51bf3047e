// Steps of rodas, whose derivatives are analytic, against a dense Rosenbrock method by differences.
#include "integration/dense_rosenbrock.hpp"
#include "spacedyn/control/base_pd.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::rodas_jacobian_test {
namespace {

constexpr int kJoints = 6, kSteps = 24;
constexpr double kStep = 0.01;

/// A lagging tether from the hand to the inertial origin: ż = (10 |r_h| − z)/0.05, nothing of which
/// it differentiates itself.
class Tether final : public ForceElement {
 public:
  explicit Tether(Frame hand) : ForceElement("tether"), hand_(std::move(hand)) {}
  int auxiliary_size() const override { return 1; }
  void auxiliary_rate(const EvaluationContext& at, VectorRef zd) const override {
    zd(0) = (10.0 * frame_position(at.frames, hand_).norm() - at.auxiliary(0)) / 0.05;
  }
  void apply(const EvaluationContext& at, Loads& loads) const override {
    const Vector3 p = frame_position(at.frames, hand_);
    loads.add_wrench(hand_.body, at.frames.r[static_cast<std::size_t>(hand_.body)], p,
                     -at.auxiliary(0) * p.normalized() * (1.0 + 0.2 * std::sin(3.0 * at.time)),
                     Vector3::Zero());
  }

 private:
  Frame hand_;
};

/// 50 lags z_i of the hand's speed that pull at it, behind a state that drives them all.
class Lags final : public ForceElement {
 public:
  explicit Lags(Frame hand) : ForceElement("lags"), hand_(std::move(hand)) {}
  int auxiliary_size() const override { return 51; }
  void auxiliary_rate(const EvaluationContext& at, VectorRef zd) const override {
    const Vector6 v = frame_velocity(at.frames, at.velocities, hand_);
    zd(0) = std::sin(2.0 * at.time) - at.auxiliary(0) * at.auxiliary(0);
    for (int i = 1; i <= 50; ++i) {
      zd(i) = 0.4 * i * (v(i % 3) + at.auxiliary(0) - at.auxiliary(i));
    }
  }
  void apply(const EvaluationContext& at, Loads& loads) const override {
    Vector3 pull = Vector3::Zero();
    for (int i = 1; i <= 50; ++i) pull(i % 3) -= 0.02 * at.auxiliary(i);
    loads.add_wrench(hand_.body, at.frames.r[static_cast<std::size_t>(hand_.body)],
                     frame_position(at.frames, hand_), pull, Vector3::Zero());
  }

 private:
  Frame hand_;
};

struct Rig {
  explicit Rig(unsigned seed) : random(seed) {
    ModelDescription robot = random.description(TreeShape{kJoints, 3, 0.3, true});
    for (LinkDescription& link : robot.links) {
      link.joint.stiffness = random.number(0.0, 20.0);
      link.joint.damping = random.number(0.0, 2.0);
    }
    setup.model = std::make_shared<const Model>(ModelBuilder(robot).build());
    setup.gravity = {0.0, 0.4, -1.0};
    add_forces();
    add_controllers();
    start = random.state(*setup.model);
    start.omega_0 = {3.0, -4.0, 2.0};  // the chart reaches 1 rad and is moved along
    start.q(2) = 0.5;                  // pressed against its stop
    start.z = (VectorX(2) << 0.02, 8.0).finished();
  }

  void add_forces() {
    const Frame hand = setup.model->frame("hand");
    JointBrake::Settings brake;
    brake.joint = 2;
    brake.torque = 1.5;
    brake.from = -1.0;  // differences in time look to both sides of the start
    brake.presliding = 0.5;
    const MatrixX ramp = (MatrixX(6, 2) << 1, 2, -2, 1, 3, 0, 0.5, 1, -1, 2, 1, 4).finished();
    setup.forces = {
        std::make_shared<JointBrake>("brake", brake), std::make_shared<Tether>(hand),
        std::make_shared<AppliedWrench>("push", hand, WrenchAxes::body,
                                        TimeTable({-1.0, 9.0}, ramp)),
        std::make_shared<JointStop>("stop", JointStop::Settings{3, -9.0, -2.0, 20.0, 6.0})};
  }

  void add_controllers() {
    JointPd::Settings pd;
    pd.joints = {1, 4};
    pd.stiffness = pd.damping = VectorX::Constant(2, 5.0);
    pd.effort_limit = VectorX::Constant(2, 1e3);
    pd.reference =
        std::make_shared<QuinticReference>(VectorX::Zero(2), VectorX::Ones(2), -1.0, 9.0);
    setup.controllers.push_back(std::make_shared<JointPd>("hold", pd));
    setup.controllers.push_back(std::make_shared<FunctionController>(
        "law", kJoints, [](const EvaluationContext& at, VectorRef tau) {
          tau = -0.3 * at.state.qd.array().cube() + std::cos(2.0 * at.time);
        }));
  }

  void add_pilot() {
    BasePd::Settings pilot;
    pilot.position = {20.0, 5.0};
    pilot.attitude = {3.0, 4.0};
    pilot.motion.initial_attitude = start.A_0;  // half a turn away would be a singularity
    setup.controllers.push_back(std::make_shared<BasePd>("pilot", pilot));
  }

  std::shared_ptr<const Reference> sweep(int size) {
    return std::make_shared<QuinticReference>(VectorX::Zero(size), VectorX::Constant(size, 0.6),
                                              -1.0, 3.0);
  }

  RandomModels random;
  SimulationSetup setup;
  State start;
};

void expect_same_motion(const State& a, const State& b) {
  // errors of differences, ten digits or more, times h² and the number of steps
  constexpr double kTolerance = 1e-10;
  EXPECT_LE((a.r_0 - b.r_0).norm(), kTolerance);
  EXPECT_LE((a.A_0 - b.A_0).norm(), kTolerance);
  EXPECT_LE((a.q - b.q).norm(), kTolerance);
  EXPECT_LE((a.velocity() - b.velocity()).norm(), 10.0 * kTolerance);
  EXPECT_LE((a.z - b.z).norm(), 10.0 * kTolerance);
}

void compare(Rig& rig, const Mobility& mobility) {
  rig.setup.integrator = fixed_step(IntegrationMethod::rodas, kStep);
  const SimulationResult result = simulate(rig.setup, rig.start, kSteps * kStep);
  ASSERT_EQ(result.statistics.steps, kSteps);
  // Jacobian, five stages, two for the audit and the end; the derivatives at both ends
  const int each = rig.setup.prescribed_joints.empty() ? 9 : 11;
  EXPECT_EQ(result.statistics.evaluations, 2 + each * kSteps);
  DenseRosenbrock dense(rig.setup, mobility);
  expect_same_motion(result.state, dense.fly(rig.start, rig.start.A_0, 0.0, kStep, kSteps));
}

TEST(RodasJacobian, IsRightForAFloatingBase) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    Rig rig(seed);
    rig.add_pilot();
    compare(rig, Mobility(true, std::vector<bool>(kJoints, true)));
  }
}

TEST(RodasJacobian, IsRightForManyStatesThatActOnThemselvesAlone) {
  Rig rig(7);
  rig.setup.forces.push_back(std::make_shared<Lags>(rig.setup.model->frame("hand")));
  const VectorX others = rig.start.z;  // brake, tether
  rig.start.z.resize(others.size() + 51);
  rig.start.z << others, VectorX::LinSpaced(51, 0.5, -0.5);
  compare(rig, Mobility(true, std::vector<bool>(kJoints, true)));
}

TEST(RodasJacobian, IsRightForAFixedBase) {
  Rig rig(4);
  rig.setup.base_mode = BaseMode::fixed;
  rig.start.v_0.setZero();
  rig.start.omega_0.setZero();
  compare(rig, Mobility(false, std::vector<bool>(kJoints, true)));
}

TEST(RodasJacobian, IsRightForPrescribedBaseAndJoint) {
  Rig rig(5);
  rig.setup.base_mode = BaseMode::prescribed;
  rig.setup.prescribed_base = PrescribedBase{};
  rig.setup.prescribed_base->position = rig.sweep(3);
  rig.setup.prescribed_base->angle = rig.sweep(1);
  rig.setup.prescribed_joints = {{3, rig.sweep(1)}};
  compare(rig, Mobility(false, {true, true, false, true, true, true}));
}

TEST(RodasJacobian, IsRightForLockedJoints) {
  Rig rig(6);
  constexpr double kLock = 0.095;
  rig.setup.events = {{"lock", time_event(kLock), CrossingDirection::rising, {LockAction{2}}}};
  rig.setup.integrator = fixed_step(IntegrationMethod::rodas, kStep);
  Trajectory trajectory;
  const std::vector<double> times{kLock, kLock + kSteps * kStep};
  Simulator(rig.setup).run(rig.start, times, trajectory);
  const State& locked = trajectory.points.at(0).state;
  ASSERT_EQ(locked.qd(1), 0.0);
  DenseRosenbrock dense(rig.setup, Mobility(true, {true, false, true, true, true, true}));
  expect_same_motion(trajectory.points.at(1).state,
                     dense.fly(locked, rig.start.A_0, kLock, kStep, kSteps));
}

}  // namespace
}  // namespace spacedyn::testing::rodas_jacobian_test
