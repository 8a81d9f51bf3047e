// Constraints that a program gives as functions of joint positions.
#include <gtest/gtest.h>

#include <cmath>

#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "textbook/assembly_procedure.hpp"

namespace spacedyn::testing::constraint_function_test {
namespace {

/// An eccentric cam lifts its follower by a (1 − cos q): φ = x − a (1 − cos q), joints (q, x).
class Cam final : public ConstraintFunction {
 public:
  explicit Cam(double eccentricity) : a_(eccentricity) {}
  double value(ConstVectorRef q) const noexcept override {
    return q(1) - a_ * (1.0 - std::cos(q(0)));
  }
  void gradient(ConstVectorRef q, VectorRef gradient) const noexcept override {
    gradient << -a_ * std::sin(q(0)), 1.0;
  }
  double curvature(ConstVectorRef q, ConstVectorRef qd) const noexcept override {
    return -a_ * std::cos(q(0)) * qd(0) * qd(0);
  }

 private:
  double a_;
};

/// Σ c_k q_k, which files know as `linear`.
class Sum final : public ConstraintFunction {
 public:
  explicit Sum(VectorX c) : c_(std::move(c)) {}
  double value(ConstVectorRef q) const noexcept override { return c_.dot(q); }
  void gradient(ConstVectorRef, VectorRef gradient) const noexcept override { gradient = c_; }
  double curvature(ConstVectorRef, ConstVectorRef) const noexcept override { return 0.0; }

 private:
  VectorX c_;
};

/// sin q_0 cos q_1 + q_2³.
class Waves final : public ConstraintFunction {
 public:
  double value(ConstVectorRef q) const noexcept override {
    return std::sin(q(0)) * std::cos(q(1)) + std::pow(q(2), 3);
  }
  void gradient(ConstVectorRef q, VectorRef gradient) const noexcept override {
    gradient << std::cos(q(0)) * std::cos(q(1)), -std::sin(q(0)) * std::sin(q(1)), 3 * q(2) * q(2);
  }
  double curvature(ConstVectorRef q, ConstVectorRef qd) const noexcept override {
    return -std::sin(q(0)) * std::cos(q(1)) * (qd(0) * qd(0) + qd(1) * qd(1)) -
           2.0 * std::cos(q(0)) * std::sin(q(1)) * qd(0) * qd(1) + 6.0 * q(2) * qd(2) * qd(2);
  }
};

LoopDescription function_of(std::shared_ptr<const ConstraintFunction> function,
                            std::vector<std::string> joints, double offset = 0.0) {
  LoopDescription loop;
  loop.name = "law";
  loop.type = LoopType::function;
  loop.function = std::move(function);
  loop.joints = std::move(joints);
  loop.offset = offset;
  return loop;
}

/// Name of the joint of a link that comes as a number.
std::string coordinate_of(const ModelDescription& robot, std::size_t link) {
  const LinkDescription& each = robot.links[link];
  return each.joint.name.empty() ? each.name : each.joint.name;
}

constexpr double kEccentricity = 0.3, kInertia = 0.2, kMass = 1.5;  // m, kg m², kg

/// A cam on the base, and a follower that slides along x.
ModelDescription cam_drive(bool fixed) {
  ModelDescription robot;
  robot.name = "cam_drive";
  robot.base = base_body(5.0, {1.0, 2.0, 3.0});
  robot.base.fixed = fixed;
  LinkDescription cam =
      link_body("cam", "base", 0.7, {0.1, 0.1, kInertia}, Vector3::Zero(), Vector3::Zero());
  LinkDescription follower =
      link_body("follower", "base", kMass, Vector3::Ones(), {0.5, 0.0, 0.0}, Vector3::Zero());
  follower.joint.type = JointType::prismatic;
  follower.joint.axis = Vector3::UnitX();
  robot.links = {cam, follower};
  robot.loops = {function_of(std::make_shared<Cam>(kEccentricity), {"cam", "follower"})};
  return robot;
}

/// On the cam in position and velocity.
State on_cam(const Model& model, double q, double qd) {
  State state(model);
  state.q << q, kEccentricity * (1.0 - std::cos(q));
  state.qd << qd, kEccentricity * std::sin(q) * qd;
  return state;
}

/// With x = γ(q): (I + m γ'²) q̈ + m γ' γ'' q̇² = τ + γ' F, [RBDA] (3.21).
TEST(ConstraintFunction, IsACamAsLagrangeSays) {
  const Model model = ModelBuilder(cam_drive(true)).build();
  const double q = 0.8, qd = 2.5;
  Loads loads(model);
  loads.tau << 0.4, -1.1;
  const double slope = kEccentricity * std::sin(q), bend = kEccentricity * std::cos(q);
  const double qdd = (loads.tau(0) + slope * loads.tau(1) - kMass * slope * bend * qd * qd) /
                     (kInertia + kMass * slope * slope);
  const double xdd = slope * qdd + bend * qd * qd;
  const ConstrainedMotion motion = constrained_motion(model, on_cam(model, q, qd), loads);
  // some ten operations of rounding
  EXPECT_NEAR(motion.acceleration(6), qdd, 1e-14 * std::abs(qdd));
  EXPECT_NEAR(motion.acceleration(7), xdd, 1e-14 * std::abs(xdd));
  EXPECT_NEAR(motion.multipliers(0), kMass * xdd - loads.tau(1), 1e-13);
  EXPECT_EQ(motion.degrees_of_freedom, 1);
}

TEST(ConstraintFunction, MovesWithMomentumAndEnergyKept) {
  const Model model = ModelBuilder(cam_drive(false)).build();
  State start = on_cam(model, 0.8, 2.5);
  start.omega_0 = {0.2, -0.3, 0.4};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(start, 10.0, 0.1, trajectory);
  for (const auto& sample : trajectory.points) {
    const VectorX& at = sample.state.q;
    EXPECT_NEAR(at(1), kEccentricity * (1.0 - std::cos(at(0))), 1e-12);
  }
  EXPECT_LT(result.loops.position_residual, 1e-12);
  EXPECT_LT(result.loops.velocity_residual, 1e-11);
  // what the tolerance of 1e-11 leaves over a hundred steps
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
  EXPECT_LT(result.audit.momentum_drift(), 1e-12);
}

TEST(ConstraintFunction, OfASumIsALinearCoupling) {
  RandomModels random(31);
  ModelDescription robot = random.description({9, 2, 0.2, false});
  const std::vector<std::string> joints{coordinate_of(robot, 1), coordinate_of(robot, 4),
                                        coordinate_of(robot, 7)};
  const VectorX c = random.vector(3);
  LoopDescription linear = function_of(nullptr, joints, 0.2);
  linear.type = LoopType::linear;
  linear.coefficients.assign(c.begin(), c.end());
  robot.loops = {linear};
  const Model known = ModelBuilder(robot).build();
  robot.loops = {function_of(std::make_shared<Sum>(c), joints, 0.2)};
  const Model own = ModelBuilder(robot).build();
  const State state = assemble_loops(own, random.state(own), {}).state;
  const Loads loads = random.loads(own);
  const ConstrainedMotion a = constrained_motion(known, state, loads);
  const ConstrainedMotion b = constrained_motion(own, state, loads);
  // the same operations in the same order
  EXPECT_EQ(a.acceleration, b.acceleration);
  EXPECT_EQ(a.multipliers, b.multipliers);
}

class FunctionProcedures : public ::testing::TestWithParam<AssemblyProcedure> {};

TEST_P(FunctionProcedures, Agree) {
  RandomModels random(32);
  ModelDescription robot = random.description({8, 1, 0.2, false});
  robot.loops = {function_of(
      std::make_shared<Waves>(),
      {coordinate_of(robot, 1), coordinate_of(robot, 3), coordinate_of(robot, 6)}, 0.1)};
  const Model model = ModelBuilder(robot).build();
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  const ConstrainedMotion reference =
      constrained_motion(model, state, loads, AssemblyProcedure::spanning_tree);
  EXPECT_LT((reference.K * reference.acceleration - reference.k).norm(), 1e-12);
  const ConstrainedMotion motion = constrained_motion(model, state, loads, GetParam());
  const double size = reference.acceleration.norm();
  EXPECT_LT((motion.acceleration - reference.acceleration).norm(), 1e-10 * size);
  EXPECT_LT((motion.multipliers - reference.multipliers).norm(),
            1e-10 * reference.multipliers.norm());
}

INSTANTIATE_TEST_SUITE_P(All, FunctionProcedures, ::testing::ValuesIn(all_assembly_procedures()),
                         [](const auto& each) { return std::string(to_string(each.param)); });

/// K̇ u by differences along the motion.
TEST(ConstraintFunction, HasTheBiasOfItsRow) {
  const Model model = ModelBuilder(cam_drive(true)).build();
  const State state = on_cam(model, 0.8, 2.5);
  const auto row_times_rate = [&](double t) {
    State moved = state;
    moved.q += t * state.qd;
    LoopMotion motion(model);
    motion.compute(model, moved);
    const LoopEquations equations(model);
    MatrixX K_T(model.velocity_size(), 1);
    equations.jacobian(motion.frames, motion.state, K_T);
    return K_T.col(0).dot(state.velocity());
  };
  LoopMotion motion(model);
  motion.compute(model, state);
  VectorX k(1);
  LoopEquations(model).bias(motion.frames, motion.velocities, motion.state, k);
  constexpr double h = 1e-4;
  // differences of order 2 leave h² of the third derivative, about 5
  EXPECT_NEAR(k(0), -(row_times_rate(h) - row_times_rate(-h)) / (2.0 * h), 1e-7);
}

TEST(ConstraintFunction, HasDerivativesOfItsMotion) {
  const Model model = ModelBuilder(cam_drive(false)).build();
  const State state = on_cam(model, 0.8, 2.5);
  const ConstrainedDerivatives found = constrained_derivatives(model, state, Loads(model));
  const auto acceleration = [&](double t) {
    State moved = state;
    moved.q(0) += t;
    return constrained_motion(model, moved, Loads(model)).acceleration;
  };
  constexpr double h = 1e-3;
  const VectorX difference = (8.0 * (acceleration(h) - acceleration(-h)) -
                              (acceleration(2.0 * h) - acceleration(-2.0 * h))) /
                             (12.0 * h);
  // differences of order 4 leave h⁴ of the fifth derivative
  EXPECT_LT((found.motion.configuration.col(6) - difference).norm(), 1e-8 * difference.norm());
}

/// Path and message of each problem of a cam drive with one change.
template <typename Change>
std::string problems_after(const Change& change) {
  ModelDescription robot = cam_drive(true);
  change(robot.loops[0]);
  std::string text;
  for (const Problem& problem : ModelBuilder(robot).validate()) {
    text += problem.path + ": " + problem.message + '\n';
  }
  return text;
}

TEST(ConstraintFunction, IsRefusedWhereItIsMissing) {
  EXPECT_EQ(problems_after([](LoopDescription& loop) { loop.function.reset(); }),
            "loops.0.function: expected a function, got none\n");
}

TEST(ConstraintFunction, IsRefusedOfJointsThatAreNotThere) {
  EXPECT_EQ(problems_after([](LoopDescription& loop) { loop.joints[1] = "folower"; }),
            "loops.0.joints.1: expected the name of a moving joint, got 'folower', did you mean "
            "'follower'?\n");
}

TEST(ConstraintFunction, IsRefusedOfTooManyJoints) {
  RandomModels random(33);
  ModelDescription robot = random.description({17, 1, 0.0, true});
  std::vector<std::string> joints;
  for (std::size_t i = 0; i < 17; ++i) joints.push_back(coordinate_of(robot, i));
  robot.loops = {function_of(std::make_shared<Sum>(VectorX::Ones(17)), joints)};
  const std::vector<Problem> problems = ModelBuilder(robot).validate();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message, "expected at most 16 joints of one function, got 17");
}

TEST(ConstraintFunction, IsInNoFile) {
  const Model model = ModelBuilder(cam_drive(true)).build();
  EXPECT_EQ(message_of<DomainError>([&] { write_model(model); }),
            "model 'cam_drive' cannot be written: 'law' is a function of a program, which no file "
            "holds");
  const std::vector<LoopType>& in_files = all_loop_types();
  EXPECT_EQ(std::count(in_files.begin(), in_files.end(), LoopType::function), 0);
}

}  // namespace
}  // namespace spacedyn::testing::constraint_function_test
