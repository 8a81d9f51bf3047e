// Controllers in shared objects against the built-in laws, and what is refused of them.
#include "spacedyn/control/plugin_controller.hpp"

#include <gmock/gmock.h>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/contexts.hpp"
#include "support/interrupted_run.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::plugin_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

PluginController::Settings plugin(const std::string& file, double period = 0.0) {
  PluginController::Settings settings;
  settings.file = std::string(SPACEDYN_TEST_PLUGINS) + "/" + file;
  settings.joints = {1};
  settings.sample_period = period;
  return settings;
}

SimulationSetup with(std::shared_ptr<const Controller> controller) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(one_link());
  setup.controllers = {std::move(controller)};
  setup.integrator = dopri5(1e-9);
  return setup;
}

std::shared_ptr<const Controller> odd(const std::string& file, double fault = 0.0) {
  PluginController::Settings settings = plugin(file, 0.02);
  settings.parameters = {{"fault", fault}};
  return std::make_shared<PluginController>("law", settings);
}

State lifted(const SimulationSetup& setup) {
  State start(*setup.model);
  start.q(0) = 0.7;
  return start;
}

TEST(PluginController, FliesLikeTheBuiltInLawBitForBit) {
  for (const double period : {0.0, 0.05}) {
    JointPd::Settings pd;
    pd.joints = {1};
    pd.stiffness = VectorX::Constant(1, 20.0);
    pd.damping = VectorX::Constant(1, 6.0);
    pd.effort_limit = VectorX::Constant(1, 3.0);
    pd.velocity_limit = VectorX::Constant(1, std::numeric_limits<double>::infinity());
    pd.sample_period = period;
    pd.reference = std::make_shared<ConstantReference>(VectorX::Constant(1, 0.1));
    PluginController::Settings own = plugin("joint_pd.so", period);
    own.parameters = {{"d", 6.0}, {"k", 20.0}, {"position", 0.1}};
    own.effort_limit = pd.effort_limit;
    const SimulationSetup built_in = with(std::make_shared<JointPd>("pd", pd));
    const SimulationSetup loaded = with(std::make_shared<PluginController>("pd", own));
    const State expected = simulate(built_in, lifted(built_in), 2.0).state;
    const State found = simulate(loaded, lifted(loaded), 2.0).state;
    EXPECT_EQ(found.q(0), expected.q(0)) << period;
    EXPECT_EQ(found.qd(0), expected.qd(0)) << period;
    EXPECT_NE(found.q(0), 0.7);
  }
}

TEST(PluginController, RemembersFromSampleToSampleAndGoesOn) {
  JointPd::Settings pid;
  pid.joints = {1};
  pid.stiffness = VectorX::Constant(1, 20.0);
  pid.damping = VectorX::Constant(1, 6.0);
  pid.integral = VectorX::Constant(1, 40.0);
  pid.velocity_limit = VectorX::Constant(1, std::numeric_limits<double>::infinity());
  pid.sample_period = 0.02;
  pid.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  const SimulationSetup built_in = with(std::make_shared<JointPd>("pid", pid));
  const State expected = simulate(built_in, lifted(built_in), 1.5).state;
  for (const char* file : {"stored.so", "hidden.so"}) {
    const SimulationSetup setup = with(odd(file));
    SimulationObserver whole;
    const State found = Simulator(setup).run(lifted(setup), 1.5, 0.1, whole).state;
    // roundings of sums in another order
    EXPECT_NEAR(found.q(0), expected.q(0), 1e-13) << file;
    EXPECT_NEAR(found.qd(0), expected.qd(0), 1e-12) << file;
    // each run begins anew
    EXPECT_EQ(Simulator(setup).run(lifted(setup), 1.5, 0.1, whole).state.q(0), found.q(0)) << file;
    InterruptedAt interrupted(0.73);
    Simulator(setup).run(lifted(setup), 1.5, 0.1, interrupted);
    // as in another program: the objects of this controller are not those of the first part
    const SimulationSetup later = with(odd(file));
    const auto resume = [&] { return Simulator(later).resume(interrupted.kept, whole).state; };
    if (std::string(file) == "stored.so") {
      EXPECT_EQ(resume().q(0), found.q(0));
    } else {
      EXPECT_THAT(resume,
                  Throws<NumericalError>(Property(&NumericalError::what,
                                                  HasSubstr("'law': the plug-in cannot go on"))));
    }
  }
}

TEST(PluginController, SeesBaseAndReadings) {
  PluginController::Settings settings = plugin("stored.so");
  settings.parameters = {{"fault", 4.0}};
  settings.reading_count = 2;
  const PluginController law("law", settings);
  const Model model = one_link();
  State state(model);
  state.r_0 = Vector3(3.0, 1.0, 2.0);
  state.A_0 = matrix_from_quaternion(Quaternion(-0.8, -0.6, 0.0, 0.0));
  state.v_0 = Vector3(1.0, 2.0, 5.0);
  state.omega_0 = Vector3(1.0, 7.0, 2.0);
  state.q(0) = 0.25;
  state.qd(0) = 0.5;
  const Snapshot now(model, state);
  const VectorX readings = Eigen::Vector2d(0.25, 0.5);
  EvaluationContext seen = now.at(0.0);
  seen.readings = &readings;
  VectorX torque(1);
  law.command(seen, torque);
  // rounding of the quaternion
  EXPECT_NEAR(torque(0), 3.0 + 6.0 + 500.0 + 7000.0 + 2e4 + 1e5 * 0.25 + 2e5 * 0.5, 1e-9);
}

TEST(PluginController, RefusesWhatIsNoPlugin) {
  const auto refused = [](const char* file, const char* text) {
    try {
      PluginController("law", plugin(file));
      ADD_FAILURE() << file;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(text)) << file;
    }
  };
  refused("absent.so", "'law': there is no plug-in '");
  refused("other_version.so", "'law': the plug-in is of version 2 of the interface, not 1");
  refused("without_destroy.so", "'law': the plug-in has no function 'spacedyn_plugin_destroy'");
  refused("../CMakeLists.txt", "'law': ");
  EXPECT_THAT([] { odd("hidden.so", 1.0); },
              Throws<DomainError>(Property(
                  &DomainError::what, HasSubstr("'law': the plug-in creates nothing: asked to"))));
  PluginController::Settings none = plugin("joint_pd.so");
  none.joints = {};
  EXPECT_THROW(PluginController("law", none), DomainError);
}

TEST(PluginController, EndsARunWhereItFails) {
  const auto fails = [](double fault, const char* text) {
    const SimulationSetup setup = with(odd("hidden.so", fault));
    EXPECT_THAT([&] { simulate(setup, lifted(setup), 1.0); },
                Throws<NumericalError>(Property(&NumericalError::what, HasSubstr(text))));
  };
  fails(2.0, "'law': a torque of the plug-in is not finite");
  fails(3.0, "'law': the plug-in failed with 7: no more");
}

}  // namespace
}  // namespace spacedyn::testing::plugin_test
