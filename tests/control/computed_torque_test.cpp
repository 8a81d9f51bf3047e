// Computed torque: accelerations of the error in one state against the dense dynamics, and errors
// of a flight against their closed form; what a wrong model leaves.
#include <cmath>

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/contexts.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::computed_torque_test {
namespace {

/// A polynomial of each component, so that all derivatives count.
class Cubic final : public Reference {
 public:
  explicit Cubic(int size) : size_(size) {}
  int size() const override { return size_; }
  ReferenceValue evaluate(int i, double t) const override {
    const double a = 0.3 + 0.1 * i, b = 0.2 - 0.05 * i;
    return {a * t - b * t * t * t, a - 3.0 * b * t * t, -6.0 * b * t};
  }

 private:
  int size_;
};

ComputedTorque::Settings settings(const std::vector<int>& joints) {
  const auto size = static_cast<Eigen::Index>(joints.size());
  ComputedTorque::Settings own;
  own.joints = joints;
  own.stiffness = VectorX::LinSpaced(size, 3.0, 5.0);
  own.damping = VectorX::LinSpaced(size, 4.0, 2.0);
  own.reference = std::make_shared<Cubic>(static_cast<int>(size));
  return own;
}

/// ë + D ė + K e of the joints driven, with accelerations u̇.
VectorX residual(const ComputedTorque::Settings& own, const State& state, double time,
                 const VectorX& acceleration) {
  VectorX left(own.stiffness.size());
  for (Eigen::Index i = 0; i < left.size(); ++i) {
    const int joint = own.joints[static_cast<std::size_t>(i)];
    const ReferenceValue wanted = own.reference->evaluate(static_cast<int>(i), time);
    left(i) = wanted.acceleration - acceleration(joint + 5) +
              own.damping(i) * (wanted.velocity - state.qd(joint - 1)) +
              own.stiffness(i) * (wanted.position - state.q(joint - 1));
  }
  return left;
}

enum class Base { floating, fixed, moved };

class ComputedTorqueOn : public ::testing::TestWithParam<Base> {};

// another way to the same end: forces of all loads through the dense equations
TEST_P(ComputedTorqueOn, MakesTheErrorsLinear) {
  RandomModels random(71);
  for (int trial = 0; trial < 20; ++trial) {
    ModelDescription robot = random.description(TreeShape{7, 3, 0.3, true});
    for (LinkDescription& link : robot.links) {
      link.joint.stiffness = random.number(0.0, 20.0);
      link.joint.damping = random.number(0.0, 2.0);
    }
    const Model model = ModelBuilder(robot).build();
    const State state = random.state(model);
    const double time = 0.4;
    ComputedTorque::Settings own = settings({2, 3, 6});
    KnownSurroundings& known = own.surroundings;
    known.gravity = {0.3, -0.2, -9.8};
    known.locked = {5};
    known.base_floats = GetParam() == Base::floating;
    VectorX acceleration = VectorX::Zero(model.velocity_size());
    if (GetParam() == Base::moved) {
      PrescribedBase base;
      base.position = std::make_shared<Cubic>(3);
      base.axis = Vector3(1.0, 2.0, -2.0) / 3.0;
      base.angle = std::make_shared<Cubic>(1);
      known.base = base;
      State moved = state;
      Vector6 given;
      base.evaluate(time, moved, given);
      acceleration.head<6>() = given;
    }
    const ComputedTorque control("track", model, own);
    State now = state;
    if (known.base) {
      Vector6 unused;
      known.base->evaluate(time, now, unused);
    }
    const Snapshot snapshot(model, now);
    VectorX command(3);
    control.command(snapshot.at(time), command);
    Loads loads(model);
    loads.gravity = known.gravity;
    loads.tau = passive_torque(model, now);
    control.apply(snapshot.at(time), command, loads);
    std::vector<bool> free(static_cast<std::size_t>(model.joint_count()), true);
    free[4] = false;
    const Mobility mobility(known.base_floats, free);
    DynamicsWorkspace workspace(model, mobility);
    update_kinematics(model, now, workspace);
    VectorX forces(model.velocity_size());
    ASSERT_EQ(hybrid_dynamics(model, now, loads, mobility, workspace, acceleration, forces),
              DynamicsStatus::ok);
    // condition of H times rounding
    EXPECT_LE(residual(own, now, time, acceleration).norm(), 1e-9) << trial;
  }
}

std::string base_name(const ::testing::TestParamInfo<Base>& info) {
  const char* const names[] = {"floating", "fixed", "moved"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Bases, ComputedTorqueOn,
                         ::testing::Values(Base::floating, Base::fixed, Base::moved), base_name);

/// A floating arm of two joints, the first of them driven, the second on a spring.
SimulationSetup arm(const ComputedTorque::Settings& own) {
  ModelDescription robot = planar_two_link().description();
  robot.links[1].joint.stiffness = 3.0;
  robot.links[1].joint.damping = 0.5;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(robot).build());
  setup.controllers.push_back(std::make_shared<ComputedTorque>("track", *setup.model, own));
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return setup;
}

// [e; ė] = exp(t [0 1; −K −D]) [e_0; ė_0]
TEST(ComputedTorque, LetsErrorsDecayAsTheirGainsSay) {
  const ComputedTorque::Settings own = settings({1});
  const SimulationSetup setup = arm(own);
  State start(*setup.model);
  start.q << 0.5, -0.2;
  start.qd << -0.1, 0.3;
  Trajectory trajectory;
  Simulator(setup).run(start, 3.0, 0.25, trajectory);
  const auto error = [&](double time, const State& state) {
    const ReferenceValue wanted = own.reference->evaluate(0, time);
    return Eigen::Vector2d(wanted.position - state.q(0), wanted.velocity - state.qd(0));
  };
  Eigen::Matrix2d A;
  A << 0.0, 1.0, -own.stiffness(0), -own.damping(0);
  for (const TrajectoryPoint& point : trajectory.points) {
    const Eigen::Vector2d wanted = (point.time * A).exp() * error(0.0, start);
    // of the interpolation between steps
    EXPECT_LE((error(point.time, point.state) - wanted).norm(), 1e-9);
    EXPECT_LE(residual(own, point.state, point.time, point.acceleration).norm(), 1e-11);
  }
}

TEST(ComputedTorque, KnowsWhichJointsAreHeldNow) {
  SimulationSetup setup = arm(settings({1}));
  setup.events.push_back({"lock", time_event(1.0), CrossingDirection::rising, {LockAction{2}}});
  setup.events.push_back(
      {"release", time_event(2.0), CrossingDirection::rising, {ReleaseAction{2}}});
  Trajectory trajectory;
  State start(*setup.model);
  start.q << 0.5, -0.2;
  Simulator(setup).run(start, 3.0, 0.25, trajectory);
  const auto& control = static_cast<const ComputedTorque&>(*setup.controllers.front());
  for (const TrajectoryPoint& point : trajectory.points) {
    EXPECT_LE(residual(control.settings(), point.state, point.time, point.acceleration).norm(),
              1e-11)
        << point.time;
  }
}

// at rest m g b sin q = m' g b sin q + J' K e, about the pivot
TEST(ComputedTorque, LeavesTheErrorOfAWrongMass) {
  const ModelDescription robot = one_link_description();
  ModelDescription light = robot;
  light.links[0].mass = 7.0;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(robot).build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0.0, -9.81, 0.0};
  ComputedTorque::Settings own;
  own.joints = {1};
  own.stiffness = VectorX::Constant(1, 16.0);
  own.damping = VectorX::Constant(1, 8.0);
  own.reference = std::make_shared<ConstantReference>(VectorX::Constant(1, 0.4));
  own.believed = std::make_shared<const Model>(ModelBuilder(light).build());
  own.surroundings.base_floats = false;
  own.surroundings.gravity = setup.gravity;
  setup.controllers.push_back(std::make_shared<ComputedTorque>("track", *setup.model, own));
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  const double q = simulate(setup, State(*setup.model), 30.0).state.q(0);
  const double arm = 0.75, believed_inertia = 2.0 + 7.0 * arm * arm;
  EXPECT_NEAR(believed_inertia * 16.0 * (0.4 - q), 3.0 * 9.81 * arm * std::cos(q), 1e-8);
  EXPECT_GT(0.4 - q, 0.1);
}

TEST(ComputedTorque, CutsTorquesAtTheirLimits) {
  ComputedTorque::Settings own = settings({1});
  own.effort_limit = VectorX::Constant(1, 1e-3);
  const SimulationSetup setup = arm(own);
  State state(*setup.model);
  state.q << 3.0, 0.0;
  VectorX command(1);
  setup.controllers.front()->command(Snapshot(*setup.model, state).at(0.0), command);
  EXPECT_EQ(command(0), -1e-3);
}

TEST(ComputedTorque, RefusesWhatMakesNoSense) {
  const Model model = planar_two_link();
  const auto refusal = [&](const auto& change) {
    ComputedTorque::Settings own = settings({1});
    change(own);
    return message_of<Error>([&] { ComputedTorque("track", model, own); });
  };
  using Settings = ComputedTorque::Settings;
  EXPECT_EQ(refusal([](Settings& own) { own.damping(0) = -1.0; }),
            "'track': damping must not be negative");
  EXPECT_EQ(refusal([](Settings& own) { own.stiffness = VectorX::Ones(2); }),
            "'track': stiffness has 2 components, expected 1");
  EXPECT_EQ(refusal([](Settings& own) { own.reference = nullptr; }), "'track' has no reference");
  EXPECT_EQ(refusal([](Settings& own) { own.joints = {3}; }),
            "'track' acts on joint 3, but model 'two_link' has joints 1 to 2");
  EXPECT_EQ(refusal([](Settings& own) {
              own.surroundings.prescribed = {{1, own.reference}};
            }),
            "'track': joint 'upper' is prescribed");
  EXPECT_EQ(
      refusal([](Settings& own) { own.believed = std::make_shared<const Model>(one_link()); }),
      "'track': the model that it believes in must have as many joints as 'two_link' and the "
      "same kind of base");
  EXPECT_EQ(refusal([](Settings& own) {
              ModelDescription other = planar_two_link().description();
              other.links[1].name = "fore";
              own.believed = std::make_shared<const Model>(ModelBuilder(other).build());
            }),
            "'track': the model that it believes in has no joint 'lower' of the same type");
}

}  // namespace
}  // namespace spacedyn::testing::computed_torque_test
