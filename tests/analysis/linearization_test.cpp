// Linear models against differences of the nonlinear one, closed forms and simulated motion.
#include "spacedyn/analysis/linearization.hpp"

#include <unsupported/Eigen/MatrixFunctions>

#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/reference_data.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::linearization_test {
namespace {

/// A torque that follows the joint angle late: ż = (−k q − z)/T, τ = z.
class LaggingSpring final : public ForceElement {
 public:
  LaggingSpring() : ForceElement("lag") {}
  int auxiliary_size() const override { return 1; }
  void auxiliary_rate(const EvaluationContext& at, VectorRef zd) const override {
    zd(0) = (-8.0 * at.state.q(0) - at.auxiliary(0)) / 0.2;
  }
  void apply(const EvaluationContext& at, Loads& loads) const override {
    loads.tau(0) += at.auxiliary(0);
  }
};

std::shared_ptr<const Controller> pd(const Model& model, double K, double D) {
  JointPd::Settings settings;
  for (int i = 1; i <= model.joint_count(); ++i) settings.joints.push_back(i);
  settings.stiffness = VectorX::Constant(model.joint_count(), K);
  settings.damping = VectorX::Constant(model.joint_count(), D);
  settings.effort_limit = VectorX::Constant(model.joint_count(), 1e6);
  settings.reference = std::make_shared<ConstantReference>(VectorX::Zero(model.joint_count()));
  return std::make_shared<JointPd>("hold", settings);
}

/// A random robot with springs, gravity, control, a wrench in body axes and a lagging spring.
struct Rig {
  explicit Rig(unsigned seed, bool base_free) : random(seed) {
    ModelDescription description = random.description(TreeShape{7, 3, 0.3, true});
    for (LinkDescription& link : description.links) {
      link.joint.stiffness = random.number(0.0, 20.0);
      link.joint.damping = random.number(0.0, 2.0);
    }
    const auto model = std::make_shared<const Model>(ModelBuilder(description).build());
    system.model = model;
    system.base_mode = base_free ? BaseMode::floating : BaseMode::fixed;
    system.locked_joints = {5};
    system.gravity = random.vector(3, 5.0);
    system.forces.push_back(std::make_shared<AppliedWrench>(
        "push", model->frame("hand"), WrenchAxes::body, TimeTable::constant(random.vector(6))));
    system.forces.push_back(std::make_shared<LaggingSpring>());
    system.controllers.push_back(pd(*model, 5.0, 2.0));
    state = random.state(*model);
    state.z = random.vector(1);
    acceleration = random.vector(model->velocity_size());
  }

  RandomModels random;
  ForcedSystem system;
  State state;
  VectorX acceleration;
};

/// A floating model under some controllers.
ForcedSystem free_system(std::shared_ptr<const Model> model,
                         std::vector<std::shared_ptr<const Controller>> controllers = {}) {
  ForcedSystem system;
  system.model = std::move(model);
  system.controllers = std::move(controllers);
  return system;
}

/// The state moved by δx of the linear model.
State perturbed(const ForcedSystem& system, const State& state, const VectorX& delta) {
  const std::vector<int> free = start_mobility(system).free();
  const auto f = static_cast<Eigen::Index>(free.size());
  VectorX x = VectorX::Zero(system.model->velocity_size()), u = x;
  x(free) = delta.head(f);
  u(free) = delta.segment(f, f);
  State moved = state;
  moved.r_0 += x.head<3>();
  moved.A_0 = exp_so3(x.segment<3>(3)) * state.A_0;
  moved.q += x.tail(system.model->joint_count());
  moved.v_0 += u.head<3>();
  moved.omega_0 += u.segment<3>(3);
  moved.qd += u.tail(system.model->joint_count());
  moved.z += delta.tail(state.z.size());
  return moved;
}

class LinearizationOf : public ::testing::TestWithParam<bool> {};

TEST_P(LinearizationOf, AnythingIsTheDerivativeOfItsMotion) {
  Rig rig(31, GetParam());
  const Linearization linear = linearize(rig.system, rig.state, 0.5, rig.acceleration);
  const auto f = static_cast<Eigen::Index>(start_mobility(rig.system).free().size());
  ASSERT_EQ(linear.A.rows(), 2 * f + 1);
  ASSERT_EQ(linear.B.cols(), f);
  EXPECT_TRUE(linear.rough.empty());

  // differences of accelerations and ż; velocities of positions have their own rows
  const double h = 1e-3;
  const auto rate = [&](Eigen::Index column, double t) -> VectorX {
    const State moved =
        perturbed(rig.system, rig.state, t * VectorX::Unit(linear.A.rows(), column));
    return linearize(rig.system, moved, 0.5, rig.acceleration).rate.tail(f + 1);
  };
  MatrixX differences(f + 1, linear.A.cols());
  for (Eigen::Index j = 0; j < linear.A.cols(); ++j) {
    const VectorX wide = (rate(j, h) - rate(j, -h)) / (2.0 * h);
    const VectorX narrow = (rate(j, 0.5 * h) - rate(j, -0.5 * h)) / h;
    differences.col(j) = (4.0 * narrow - wide) / 3.0;
  }
  EXPECT_LE(relative_difference(linear.A.bottomRows(f + 1), differences), 1e-8);  // h⁴
  EXPECT_TRUE(linear.A.block(0, f, f, f).isIdentity(0.0));
}

TEST_P(LinearizationOf, AnythingHasTheSecondOrderFormAsWell) {
  // δu̇ = H⁻¹ (B-less part): H A_u + [K, D] = 0 for the free rows
  Rig rig(32, GetParam());
  const Linearization linear = linearize(rig.system, rig.state, 0.5, rig.acceleration);
  const std::vector<int> free = start_mobility(rig.system).free();
  const auto f = static_cast<Eigen::Index>(free.size());
  const MatrixX H = linear.H(free, free);
  const MatrixX by_configuration = H * linear.A.block(f, 0, f, f);
  const MatrixX by_velocity = H * linear.A.block(f, f, f, f);
  EXPECT_LE(relative_difference(by_configuration, -linear.K(free, free)), 1e-11);
  EXPECT_LE(relative_difference(by_velocity, -linear.D(free, free)), 1e-11);
  EXPECT_LE(relative_difference(H * linear.B.middleRows(f, f), MatrixX::Identity(f, f)), 1e-12);
}

TEST_P(LinearizationOf, FramesDifferentiatePoseAndTwist) {
  Rig rig(33, GetParam());
  const Model& model = *rig.system.model;
  const Frame hand = model.frame("hand");
  const Linearization linear = linearize(rig.system, rig.state, 0.5, rig.acceleration);
  ASSERT_EQ(linear.C.rows(), 12);
  const auto outputs = [&](const State& state, const Matrix3& reference) {
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    VectorX y(12);
    y << frame_position(frames, hand),
        log_so3(frame_orientation(frames, hand) * reference.transpose()),
        frame_velocity(frames, velocities, hand);
    return y;
  };
  LinkFrames frames(model);
  compute_link_frames(model, rig.state, frames);
  const Matrix3 reference = frame_orientation(frames, hand);
  const double h = 1e-5;
  for (Eigen::Index j = 0; j < linear.C.cols(); ++j) {
    const VectorX delta = h * VectorX::Unit(linear.C.cols(), j);
    const VectorX difference = (outputs(perturbed(rig.system, rig.state, delta), reference) -
                                outputs(perturbed(rig.system, rig.state, -delta), reference)) /
                               (2.0 * h);
    EXPECT_LE((linear.C.col(j) - difference).norm(), 1e-8) << linear.state_names[std::size_t(j)];
  }
}

INSTANTIATE_TEST_SUITE_P(Bases, LinearizationOf, ::testing::Values(true, false),
                         [](const auto& is_free) { return is_free.param ? "free" : "fixed"; });

TEST(Linearization, NamesStatesInputsAndOutputs) {
  ModelDescription description = one_link_description();
  FrameDescription tip;
  tip.name = "tip";
  tip.link = "arm";
  description.frames.push_back(tip);
  ForcedSystem system;
  system.model = std::make_shared<const Model>(ModelBuilder(description).build());
  system.forces = {std::make_shared<LaggingSpring>()};
  const Linearization linear = linearize(system, State(*system.model));
  EXPECT_THAT(
      linear.state_names,
      ::testing::ElementsAreArray(
          {"base.position.x", "base.position.y", "base.position.z", "base.rotation.x",
           "base.rotation.y", "base.rotation.z", "arm.position", "base.velocity.x",
           "base.velocity.y", "base.velocity.z", "base.angular_velocity.x",
           "base.angular_velocity.y", "base.angular_velocity.z", "arm.velocity", "lag.state_1"}));
  EXPECT_THAT(
      linear.input_names,
      ::testing::ElementsAreArray({"base.force.x", "base.force.y", "base.force.z", "base.torque.x",
                                   "base.torque.y", "base.torque.z", "arm.torque"}));
  EXPECT_EQ(linear.output_names.size(), 12u);
  EXPECT_EQ(linear.output_names.front(), "tip.position.x");
  EXPECT_EQ(linear.output_names.back(), "tip.angular_velocity.z");
}

TEST(Linearization, PredictsTheMotionNearAnEquilibrium) {
  const auto model = std::make_shared<const Model>(planar_two_link());
  const ForcedSystem system = free_system(model, {pd(*model, 40.0, 6.0)});
  const Linearization linear = linearize(system, State(*model));
  EXPECT_LE(linear.rate.norm(), 0.0);

  VectorX delta = VectorX::Zero(linear.A.rows());
  delta(6) = 1e-5;
  delta(7) = -2e-5;
  delta(8) = 1e-5;   // base drifts
  delta(13) = 1e-5;  // base turns
  SimulationSetup setup;
  setup.model = model;
  setup.controllers = system.controllers;
  setup.integrator = dopri5(1e-13);
  Trajectory trajectory;
  Simulator(setup).run(perturbed(system, State(*model), delta), 2.0, 2.0, trajectory);
  const State& end = trajectory.points.back().state;
  const VectorX predicted = (2.0 * linear.A).exp() * delta;
  VectorX actual(linear.A.rows());
  actual << end.r_0, log_so3(end.A_0), end.q, end.v_0, end.omega_0, end.qd;
  EXPECT_LE((predicted - actual).norm(), 1e-9);  // second order in 1e-5, times some factor
}

TEST(Linearization, OfAPdControlledJointIsAnOscillator) {
  // the free one-link robot at q = 0: reduced inertia h(0) = 4.055241682360
  const auto model = std::make_shared<const Model>(one_link());
  const ForcedSystem system = free_system(model, {pd(*model, 50.0, 3.0)});
  const std::vector<EigenMode> modes = eigenmodes(linearize(system, State(*model)).A);
  ASSERT_EQ(modes.size(), 13u);  // twelve zeros and one pair
  for (std::size_t i = 0; i < 12; ++i) EXPECT_TRUE(modes[i].is_rigid());
  const double h = 4.055241682360;
  EXPECT_NEAR(modes[12].omega, std::sqrt(50.0 / h), 1e-11);
  EXPECT_NEAR(modes[12].damping_ratio, 3.0 / (2.0 * std::sqrt(50.0 * h)), 1e-11);
}

TEST(Linearization, LeavesOutAControllerThatIsOff) {
  const auto model = std::make_shared<const Model>(one_link());
  const ForcedSystem system = free_system(model, {pd(*model, 50.0, 3.0)});
  DiscreteState discrete(system);
  switch_controller(system, "hold", false, 0.0, discrete);
  const State state(*model);
  const VectorX rest = VectorX::Zero(model->velocity_size());
  const Linearization off = linearize(system, state, 1.5, rest, discrete);
  EXPECT_EQ(off.A, linearize(free_system(model), state).A);
  EXPECT_NE(off.A, linearize(system, state).A);
}

TEST(Linearization, HoldsAJointThatIsLocked) {
  const auto model = std::make_shared<const Model>(planar_two_link());
  const ForcedSystem system = free_system(model);
  DiscreteState discrete(system);
  discrete.locked[1] = true;
  const VectorX rest = VectorX::Zero(model->velocity_size());
  const Linearization linear = linearize(system, State(*model), 0.0, rest, discrete);
  EXPECT_EQ(linear.state_names.size(), 2U * 7U);
  ForcedSystem locked = system;
  locked.locked_joints = {2};
  EXPECT_EQ(linear.A, linearize(locked, State(*model)).A);
}

TEST(Linearization, OfASpinningBallTurnsItsError) {
  // δθ̇ = ω × δθ: eigenvalues ±iω
  const auto model = std::make_shared<const Model>(single_body(2.0, {1.0, 1.0, 1.0}));
  const ForcedSystem system = free_system(model);
  State state(*model);
  state.omega_0 = Vector3(0.0, 0.0, 0.7);
  const std::vector<EigenMode> modes = eigenmodes(linearize(system, state).A);
  EXPECT_NEAR(modes.back().omega, 0.7, 1e-12);
  EXPECT_NEAR(modes.back().damping_ratio, 0.0, 1e-12);
}

TEST(Linearization, AgreesWithTheModesOfSprings) {
  Rig rig(34, true);
  rig.system.forces.clear();
  rig.system.controllers.clear();
  rig.system.gravity.setZero();
  State rest(*rig.system.model);
  rest.q = rig.state.q;
  // held in place by constant torques: about an equilibrium
  rig.system.forces.push_back(
      std::make_shared<FunctionForce>("hold", [](const EvaluationContext& at, Loads& loads) {
        for (int i = 1; i <= at.model.joint_count(); ++i) {
          const Joint& joint = at.model.joint(i);
          loads.tau(i - 1) += joint.stiffness * 0.3;
        }
      }));
  rest.q.setConstant(0.3);
  const Linearization linear = linearize(rig.system, rest);
  EXPECT_LE(linear.rate.norm(), 1e-11);
  const Modes modes = compute_modes(*rig.system.model, rest, start_mobility(rig.system));
  const Modes same = compute_modes(linear.H, linear.D, linear.K, start_mobility(rig.system));
  ASSERT_EQ(modes.modes.size(), same.modes.size());
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    EXPECT_NEAR(modes.modes[i].omega, same.modes[i].omega, 1e-6);
  }
}

TEST(Linearization, TellsWhereALoadHasAKink) {
  const auto model = std::make_shared<const Model>(one_link());
  ForcedSystem system = free_system(model);
  system.forces.push_back(
      std::make_shared<FunctionForce>("stop", [](const EvaluationContext& at, Loads& loads) {
        loads.tau(0) -= 100.0 * std::max(0.0, at.state.q(0));
      }));
  EXPECT_THAT(linearize(system, State(*model)).rough, ::testing::ElementsAre("arm.position"));
  State inside(*model);
  inside.q(0) = 0.1;
  EXPECT_TRUE(linearize(system, inside).rough.empty());
}

TEST(LinearizationErrors, NameWhatIsWrong) {
  const auto model = std::make_shared<const Model>(one_link());
  ForcedSystem system = free_system(model);
  const auto message = [&](const State& state) -> std::string {
    try {
      linearize(system, state);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  State state(*model);
  state.z = VectorX::Zero(2);
  EXPECT_EQ(message(state), "z has 2 elements, expected 0, those of the forces and controllers");
  EXPECT_THROW(linearize(system, State(*model), 0.0, VectorX::Zero(3)), DimensionError);
  system.forces.push_back(std::make_shared<FunctionForce>(
      "bad", [](const EvaluationContext&, Loads& loads) { loads.tau(0) = std::nan(""); }));
  EXPECT_EQ(message(State(*model)), "a load is not finite at this state");
  system.forces = {
      std::make_shared<AppliedJointTorque>("far", 9, TimeTable::constant(VectorX::Ones(1)))};
  EXPECT_THROW(linearize(system, State(*model)), DomainError);
  EXPECT_THROW(eigenmodes(MatrixX::Zero(2, 3)), DomainError);
}

}  // namespace
}  // namespace spacedyn::testing::linearization_test
