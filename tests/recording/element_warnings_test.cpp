// Warnings about wheels that never touch the ground, and that have stalled.
#include "spacedyn/recording/run_watches.hpp"

#include <gmock/gmock.h>

#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::element_warnings_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kRadius = 0.09, kWeight = 6.6 * 9.8;

std::shared_ptr<const Terrain> level() {
  return std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
}

/// A floating base with a wheel at its centroid; together 6.6 kg.
std::shared_ptr<const Model> one_wheel() {
  LinkDescription wheel =
      link_body("wheel", "base", 1.2, {0.004, 0.005, 0.004}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = Vector3::UnitY();
  return std::make_shared<const Model>(
      ModelBuilder("one_wheel").set_base(base_body(5.4, {0.1, 0.1, 0.1})).add_link(wheel).build());
}

SimulationSetup on_soil() {
  WheelForce::Settings settings;
  settings.link = 1;
  settings.wheel = rover_wheel();
  settings.soil = regolith_simulant();
  settings.terrain = level();
  settings.gravity = 9.8;
  SimulationSetup setup;
  setup.model = one_wheel();
  setup.forces.push_back(std::make_shared<WheelForce>("left", settings));
  setup.integrator.relative_tolerance = 1e-7;
  return setup;
}

State at_height(const SimulationSetup& setup, double z) {
  State state(*setup.model);
  state.r_0.z() = z;
  return state;
}

std::vector<std::string> warnings_of(const SimulationSetup& setup, const State& start,
                                     double duration) {
  return element_warnings(setup, start, fly(setup, start, duration));
}

TEST(WheelWarnings, TellOfAWheelThatNeverTouches) {
  const SimulationSetup setup = on_soil();  // without gravity
  EXPECT_THAT(
      warnings_of(setup, at_height(setup, 0.12), 0.5),
      ElementsAre("wheel 'left' never touches the ground: at the end it is 0.03 m above it"));
}

TEST(WheelWarnings, AreSilentAboutAWheelThatTouchesForAWhile) {
  SimulationSetup setup = on_soil();
  State start = at_height(setup, kRadius + 0.01);
  setup.gravity = {0.0, 0.0, -9.8};
  const SimulationResult landed = fly(setup, start, 0.3);
  EXPECT_THAT(element_warnings(setup, start, landed), IsEmpty());
  // it has started on the ground and rises
  setup.gravity.setZero();
  start = at_height(setup, kRadius - 0.001);
  start.v_0.z() = 0.1;
  EXPECT_THAT(warnings_of(setup, start, 0.3), IsEmpty());
}

TEST(WheelWarnings, TellOfAWheelThatTurnsOnTheSpot) {
  SimulationSetup setup = on_soil();
  setup.gravity = {0.0, 0.0, -9.8};
  // the start of a run is all that matters here
  SimulationResult result;
  result.state = at_height(setup, kRadius - 0.015);
  result.state.qd(0) = 1.0;
  result.state.v_0.x() = 0.04 * kRadius;
  EXPECT_THAT(element_warnings(setup, result.state, result),
              ElementsAre("wheel 'left' has stalled: at the end it turns on the spot, with a slip "
                          "of 0.960"));
  result.state.v_0.x() = 0.06 * kRadius;
  EXPECT_THAT(element_warnings(setup, result.state, result), IsEmpty());
  // a wheel at rest has not
  result.state = at_height(setup, kRadius - 0.015);
  EXPECT_THAT(element_warnings(setup, result.state, result), IsEmpty());
}

TEST(WheelWarnings, HoldForTyresToo) {
  SimulationSetup setup = on_soil();
  TyreForce::Settings settings;
  settings.link = 1;
  settings.radius = kRadius;
  settings.width = 0.05;
  settings.terrain = level();
  settings.stiffness = 2e4;
  settings.damping = 100.0;
  settings.friction = 0.8;
  settings.slip_stiffness = 8.0;
  settings.cornering_stiffness = 6.0;
  setup.forces = {std::make_shared<TyreForce>("tyre", settings)};
  EXPECT_THAT(warnings_of(setup, at_height(setup, 0.1), 0.2),
              ElementsAre(HasSubstr("wheel 'tyre' never touches the ground")));
  SimulationResult result;
  result.state = at_height(setup, kRadius - kWeight / 2e4);
  result.state.z = VectorX::Zero(2);
  result.state.qd(0) = 2.0;
  EXPECT_THAT(element_warnings(setup, result.state, result),
              ElementsAre(HasSubstr("wheel 'tyre' has stalled")));
}

}  // namespace
}  // namespace spacedyn::testing::element_warnings_test
