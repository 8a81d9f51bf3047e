// What the outputs of a run are watched for: wheels at their limits, events that do not happen,
// bases that turn.
#include <cmath>

#include <gmock/gmock.h>

#include "recording/example_point.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/recording/run_watches.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::run_watches_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Shows all outputs of a flight to a watch.
class Spectator final : public SimulationObserver {
 public:
  explicit Spectator(RunWatch& watch) : watch_(watch) {}
  void on_output(const SimulationPoint& point) override { watch_.see(point); }

 private:
  RunWatch& watch_;
};

SimulationResult fly(const Scenario& scenario, RunWatch& watch) {
  Spectator spectator(watch);
  return Simulator(scenario.setup)
      .run(scenario.initial, scenario.duration, scenario.output_interval, spectator);
}

/// A free body of 20 kg m² with a wheel along z of 0.01 kg m².
Scenario with_wheel(const std::string& limits, const std::string& more) {
  return parse_scenario(
      "spacedyn: 1\nscenario:\n  name: spin\n  duration: 3\n  output: {interval: 0.5}\n"
      "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
      "    reaction_wheels:\n"
      "      - {name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.01" +
          limits + "}\n" + more,
      "spin.yaml");
}

std::vector<std::string> warnings_of(const Scenario& scenario) {
  ReactionWheelWatch watch(scenario.setup.model);
  fly(scenario, watch);
  return watch.warnings();
}

constexpr const char* kTorque = "  forces: [{type: joint_torque, joint: wz, torque: -0.1}]\n";

// 0.1 N m on a wheel give its momentum 0.1 t (I + J)/I: 0.05 N m s at 0.5 s, 0.2 at 2 s
TEST(ReactionWheelWatch, TellsWhenAWheelIsFull) {
  EXPECT_THAT(warnings_of(with_wheel(", momentum_limit: 0.2", kTorque)),
              ElementsAre("wheel 'wz' reaches its momentum_limit of 0.2 N m s at t = 2 s: it takes "
                          "up no more, and the body turns"));
  EXPECT_THAT(warnings_of(with_wheel(", momentum_limit: 0.31", kTorque)), IsEmpty());
  EXPECT_THAT(warnings_of(with_wheel("", kTorque)), IsEmpty());
}

TEST(ReactionWheelWatch, TellsOfTorqueThatIsCutOff) {
  EXPECT_THAT(warnings_of(with_wheel(", torque_limit: 0.08, friction: {viscous: 0.001}", kTorque)),
              ElementsAre("the torque of wheel 'wz' is cut off: it gives its torque_limit of 0.08 "
                          "N m at t = 0 s, more may be asked for"));
  // friction is no part of what the motor gives
  EXPECT_THAT(warnings_of(with_wheel(", torque_limit: 0.11, friction: {viscous: 0.5}", kTorque)),
              IsEmpty());
}

TEST(ReactionWheelWatch, LeavesOutWhatHoldsALockedWheel) {
  // the spinning body drags the wheel along: 0.01 kg m² · 5 N m / 20 kg m² = 2.5 mN m
  const std::string more =
      "  locked: [wz]\n  forces: [{type: wrench, at: bus, torque: [0, 0, 5]}]\n";
  EXPECT_THAT(warnings_of(with_wheel(", torque_limit: 0.001", more)), IsEmpty());
}

TEST(ReactionWheelWatch, GoesOnWhereAnEarlierPartOfARunEnded) {
  const Scenario scenario = with_wheel(", momentum_limit: 0.2", kTorque);
  ReactionWheelWatch early(scenario.setup.model), late(scenario.setup.model);
  fly(scenario, early);
  late.go_on_from(early.peaks());
  EXPECT_EQ(late.warnings(), early.warnings());
  EXPECT_EQ(message_of<DimensionError>([&] { late.go_on_from({}); }),
            "0 greatest values are given for 2 quantities of a run");
}

/// A body that passes the frame `mark`, 0.5 m beside its path, at t = 2 s.
Scenario passing(const std::string& events) {
  return parse_scenario(
      "spacedyn: 1\nscenario:\n  name: pass\n  duration: 3\n  output: {interval: 0.25}\n"
      "  model:\n    name: two\n    base: {name: wall, fixed: true}\n    links:\n"
      "      - {name: cart, parent: wall, mass: 1, inertia: [1, 1, 1],\n"
      "         joint: {name: rail, type: prismatic, axis: [1, 0, 0], position_limits: [-5, 5]}}\n"
      "    frames: [{name: mark, link: wall, xyz: [2, 0.5, 0]}]\n"
      "  initial: {joints: {rail: {velocity: 1}}}\n  events:\n" +
          events,
      "pass.yaml");
}

TEST(EventWatch, TellsHowNearEventsCameThatDidNotHappen) {
  const Scenario scenario = passing(
      "    - {type: frame_distance, name: caught, from: cart, to: mark, distance: 0.1,\n"
      "       actions: [{type: stop}]}\n"
      "    - {type: frame_distance, name: near, from: cart, to: mark, distance: 0.75}\n"
      "    - {type: joint_position, name: end, joint: rail, position: 4}\n"
      "    - {type: joint_velocity, name: fast, joint: rail, velocity: 1.25}\n"
      "    - {type: time, name: late, time: 10}\n"
      "    - {type: joint_limit, name: stop, joint: rail, restitution: 0.5}\n");
  EventWatch watch(scenario.setup);
  const std::vector<MissedEvent> missed = watch.missed(fly(scenario, watch).events);
  ASSERT_EQ(missed.size(), 4U);  // `near` has happened, stops are left out
  EXPECT_EQ(missed[0].name, "caught");
  EXPECT_EQ(missed[0].unit, "m");
  EXPECT_NEAR(missed[0].by, 0.4, 1e-9);
  EXPECT_EQ(missed[0].time, 2.0);
  EXPECT_EQ(missed[1].name, "end");
  EXPECT_NEAR(missed[1].by, 1.0, 1e-9);
  EXPECT_EQ(missed[1].time, 3.0);
  EXPECT_EQ(missed[2].unit, "m/s");
  EXPECT_NEAR(missed[2].by, 0.25, 1e-9);
  EXPECT_EQ(missed[3].unit, "s");
  EXPECT_EQ(missed[3].by, 7.0);
}

TEST(EventWatch, TellsOfEventsWithoutUnitThatTheyDidNotHappen) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(one_link());
  setup.events.push_back(
      {"own", joint_position_event(1, 1.0), CrossingDirection::both, {StopAction{}}});
  EventWatch watch(setup);
  const ExamplePoint point(*setup.model, State(*setup.model));
  watch.see(point.at(1.0));
  ASSERT_EQ(watch.missed({}).size(), 1U);
  EXPECT_EQ(watch.missed({})[0].unit, "");
  EXPECT_THAT(watch.missed({{1.0, "own"}}), IsEmpty());
}

// a spin about z turns the base by 0.25 rad/s · 3 s, whatever its attitude at the start
TEST(BaseRotationWatch, MeasuresFromTheAttitudeAtTheStart) {
  const Scenario scenario =
      with_wheel("", "  initial: {base: {rpy: [0, 0, 0.4], angular_velocity: [0, 0, 0.25]}}\n");
  BaseRotationWatch watch(scenario.setup, scenario.initial);
  fly(scenario, watch);
  ASSERT_EQ(watch.rotations().size(), 1U);
  EXPECT_EQ(watch.rotations()[0].name, "base");
  EXPECT_NEAR(watch.rotations()[0].angle, 0.75, 1e-9);
  EXPECT_EQ(watch.rotations()[0].time, 3.0);
}

TEST(BaseRotationWatch, KnowsWhichBasesCanTurn) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(one_link());
  State state(*setup.model);
  state.A_0 = rotation_y(0.3);
  BaseRotationWatch watch(setup, state);
  ExamplePoint point(*setup.model, state);
  for (const double angle : {0.1, -0.6, 0.2}) {
    point.state.A_0 = rotation_z(angle) * state.A_0;
    watch.see(point.at(10.0 + angle));
  }
  ASSERT_EQ(watch.rotations().size(), 1U);
  EXPECT_NEAR(watch.rotations()[0].angle, 0.6, 1e-14);
  EXPECT_EQ(watch.rotations()[0].time, 9.4);
  setup.base_mode = BaseMode::fixed;
  EXPECT_THAT(BaseRotationWatch(setup, state).rotations(), IsEmpty());
}

}  // namespace
}  // namespace spacedyn::testing::run_watches_test
