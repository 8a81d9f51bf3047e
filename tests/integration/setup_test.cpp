#include <cmath>
#include <functional>
#include <limits>

#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::setup_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const Reference> constant(int size) {
  return std::make_shared<ConstantReference>(VectorX::Zero(size));
}

SimulationSetup good_setup() {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::planar_two_link());
  return setup;
}

struct BadSetup {
  const char* message;
  std::function<void(SimulationSetup&)> spoil;
};

class SetupRefusal : public ::testing::TestWithParam<BadSetup> {};

TEST_P(SetupRefusal, SaysWhatIsWrong) {
  SimulationSetup setup = good_setup();
  GetParam().spoil(setup);
  try {
    Simulator simulator(setup);
    FAIL() << "accepted; expected: " << GetParam().message;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

/// A joint_pd and a controller that drives its joints alone.
void contest(SimulationSetup& setup) {
  JointPd::Settings pd;
  pd.joints = {1, 2};
  pd.stiffness = pd.damping = VectorX::Ones(2);
  pd.reference = constant(2);
  ComputedTorque::Settings track;
  track.joints = {2};
  track.stiffness = track.damping = VectorX::Ones(1);
  track.reference = constant(1);
  setup.controllers = {std::make_shared<JointPd>("pd", pd),
                       std::make_shared<ComputedTorque>("track", *setup.model, track)};
}

TEST(Simulator, LetsControllersShareAJointThatEventsSwitch) {
  SimulationSetup setup = good_setup();
  contest(setup);
  setup.events.push_back(
      {"over", time_event(1.0), CrossingDirection::rising, {SwitchAction{"pd", false}}});
  Simulator simulator(setup);
}

const BadSetup kBadSetups[] = {
    {"'pd' and 'track' both drive joint 'lower': controllers that events turn on and off may share "
     "it",
     contest},
    {"a simulation needs a model", [](auto& setup) { setup.model = nullptr; }},
    {"gravity is not finite", [](auto& setup) { setup.gravity.z() = kNan; }},
    {"rk4 needs a positive, finite step",
     [](auto& setup) { setup.integrator.method = IntegrationMethod::rk4; }},
    {"rk4 needs a positive, finite step",
     [](auto& setup) { setup.integrator = testing::rk4(kInfinity); }},
    {"max_step belongs to adaptive methods; rk4 has a step",
     [](auto& setup) {
       setup.integrator = testing::rk4(0.1);
       setup.integrator.max_step = 1.0;
     }},
    {"the first step must be finite and not negative",
     [](auto& setup) { setup.integrator.step = -1.0; }},
    {"max_step must be positive", [](auto& setup) { setup.integrator.max_step = 0.0; }},
    {"absolute tolerances must be positive and finite",
     [](auto& setup) { setup.integrator.absolute_tolerance.joint = 0.0; }},
    {"the relative tolerance must be at least 0 and less than 1",
     [](auto& setup) { setup.integrator.relative_tolerance = kNan; }},
    {"a force element or controller is missing (null pointer)",
     [](auto& setup) { setup.forces.push_back(nullptr); }},
    {"'hum' acts on joint 3, but model 'two_link' has joints 1 to 2",
     [](auto& setup) {
       setup.forces.push_back(
           std::make_shared<AppliedJointTorque>("hum", 3, TimeTable::constant(VectorX::Ones(1))));
     }},
    {"joint 3 is prescribed, but model 'two_link' has joints 1 to 2",
     [](auto& setup) {
       setup.prescribed_joints = {{3, constant(1)}};
     }},
    {"joint 'upper' is prescribed twice",
     [](auto& setup) {
       setup.prescribed_joints = {{1, constant(1)}, {1, constant(1)}};
     }},
    {"joint 0 is locked, but model 'two_link' has joints 1 to 2",
     [](auto& setup) { setup.locked_joints = {0}; }},
    {"joint 'lower' is locked twice",
     [](auto& setup) {
       setup.locked_joints = {2, 2};
     }},
    {"joint 'upper' is both prescribed and locked",
     [](auto& setup) {
       setup.prescribed_joints = {{1, constant(1)}};
       setup.locked_joints = {1};
     }},
    {"variational cannot lock joints; locked joints need another method",
     [](auto& setup) {
       setup.integrator = testing::fixed_step(IntegrationMethod::variational, 0.1);
       setup.locked_joints = {1};
     }},
    {"the prescribed joint 'lower' has no reference",
     [](auto& setup) {
       setup.prescribed_joints = {{2, nullptr}};
     }},
    {"the reference of the prescribed joint 'lower' has 2 components, expected 1",
     [](auto& setup) {
       setup.prescribed_joints = {{2, constant(2)}};
     }},
    {"prescribed_base is given exactly if the base mode is prescribed",
     [](auto& setup) { setup.base_mode = BaseMode::prescribed; }},
    {"prescribed_base is given exactly if the base mode is prescribed",
     [](auto& setup) { setup.prescribed_base = PrescribedBase{}; }},
    {"the axis of a prescribed base must have length 1",
     [](auto& setup) {
       setup.base_mode = BaseMode::prescribed;
       setup.prescribed_base = PrescribedBase{};
       setup.prescribed_base->axis = {1.0, 1.0, 0.0};
     }},
    {"the reference of the position of the prescribed base has 1 components, expected 3",
     [](auto& setup) {
       setup.base_mode = BaseMode::prescribed;
       setup.prescribed_base = PrescribedBase{};
       setup.prescribed_base->position = constant(1);
     }},
};

INSTANTIATE_TEST_SUITE_P(Each, SetupRefusal, ::testing::ValuesIn(kBadSetups),
                         [](const auto& instance) { return std::to_string(instance.index); });

struct BadRun {
  const char* message;
  std::function<void(SimulationSetup&, State&, double& duration, double& interval)> spoil;
};

class RunRefusal : public ::testing::TestWithParam<BadRun> {};

TEST_P(RunRefusal, SaysWhatIsWrong) {
  SimulationSetup setup = good_setup();
  State initial(*setup.model);
  double duration = 1.0;
  double interval = 0.1;
  GetParam().spoil(setup, initial, duration, interval);
  SimulationObserver observer;
  Simulator simulator(setup);
  try {
    simulator.run(initial, duration, interval, observer);
    FAIL() << "accepted; expected: " << GetParam().message;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

const BadRun kBadRuns[] = {
    {"the duration must be positive and finite",
     [](auto&, auto&, double& duration, double&) { duration = 0.0; }},
    {"the duration must be positive and finite",
     [](auto&, auto&, double& duration, double&) { duration = kInfinity; }},
    {"the output interval must be positive and finite",
     [](auto&, auto&, double&, double& interval) { interval = kNan; }},
    {"q has 3 elements, expected 2, one per joint",
     [](auto&, State& initial, double&, double&) { initial.q = VectorX::Zero(3); }},
    {"omega_0 is not finite",
     [](auto&, State& initial, double&, double&) { initial.omega_0.y() = kNan; }},
    {"z has 2 elements, expected 0 or none",
     [](auto&, State& initial, double&, double&) { initial.z = VectorX::Zero(2); }},
    {"the base is fixed but its initial velocity is not zero",
     [](SimulationSetup& setup, State& initial, double&, double&) {
       setup.base_mode = BaseMode::fixed;
       initial.v_0.x() = 1.0;
     }},
    {"the prescribed joint 'upper' jumps in position or velocity at t = 0.5 s; imposed motion "
     "needs a continuous velocity, for instance a cubic table with ends at rest",
     [](SimulationSetup& setup, State&, double&, double&) {
       setup.prescribed_joints = {
           {1, std::make_shared<TableReference>(std::vector<double>{0.0, 0.5, 2.0},
                                                (MatrixX(1, 3) << 0.0, 1.0, 0.0).finished(),
                                                TableReference::Interpolation::linear)}};
     }},
};

INSTANTIATE_TEST_SUITE_P(Each, RunRefusal, ::testing::ValuesIn(kBadRuns),
                         [](const auto& instance) { return std::to_string(instance.index); });

TEST(Simulator, MayBeMoved) {
  Simulator first(good_setup());
  Simulator second(std::move(first));
  Trajectory trajectory;
  EXPECT_EQ(second.run(State(*second.setup().model), 1.0, 0.5, trajectory).time, 1.0);
  EXPECT_EQ(trajectory.points.size(), 3U);
}

}  // namespace
}  // namespace spacedyn::setup_test
