// What a run gives reason to doubt is told in its summary and kept in its metadata.
#include "cli/program.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::warnings_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::StarterDirectory;

/// A scenario `spin.yaml` of a satellite with modal paddles.
/// @param rest  of the scenario
void write_spin(const StarterDirectory& starter, const std::string& rest) {
  testing::write_text(starter / "spin.yaml", "spacedyn: 1\nscenario:\n  name: spin\n  model: " +
                                                 std::string(SPACEDYN_MODELS) +
                                                 "/robots/ets7_modal_paddles.yaml\n" + rest);
}

TEST(RunWarnings, TellOfAModalAppendageThatComesToTurnTooFast) {
  const StarterDirectory starter;
  write_spin(starter, R"(
  duration: 2
  forces: [{type: wrench, at: chaser.com, torque: [0, 0, 2000], until: 1}]
  output: {interval: 0.5}
)");
  const Outcome outcome = starter.run({"simulate", "spin.yaml", "--no-report", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("warnings\n  modal appendage 'paddle_left' turns at "));
  const json metadata = json::parse(testing::read_text(starter / "out/spin.meta.json"));
  EXPECT_EQ(metadata.at("outcome").at("warnings").size(), 3u);  // one of them of a joint
}

TEST(RunWarnings, TellWhereStabilityKeepsStepsShort) {
  const StarterDirectory starter;
  testing::write_text(starter / "stiff.yaml", R"(spacedyn: 1
scenario:
  name: stiff
  duration: 0.3
  model:
    name: slide
    base: {name: wall, fixed: true}
    links:
      - {name: sled, parent: wall, mass: 1, inertia: [1, 1, 1],
         joint: {name: rail, type: prismatic, stiffness: 1000, damping: 100000}}
  initial: {joints: {rail: {position: 0.1}}}
  integrator: {method: dop853, relative_tolerance: 1.0e-6}
  output: {interval: 0.1}
)");
  const auto out = [&](const std::string& method) {
    const Outcome outcome = starter.run({"simulate", "stiff.yaml", "--no-report", "--set",
                                         "integrator.method=" + method, "-o", method});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(out("dop853"), HasSubstr("warnings\n  most steps of dop853 were as short as "
                                       "stability demands, shorter than the tolerance needs"));
  EXPECT_THAT(out("rodas"), ::testing::Not(HasSubstr("warnings")));
}

TEST(RunWarnings, AreTheSameAfterABreak) {
  const StarterDirectory starter;
  // fastest at 1 s, at rest again from 2 s on
  write_spin(starter, R"(
  duration: 3
  forces:
    - {type: wrench, at: chaser.com, torque: [0, 0, 2000], until: 1}
    - {type: wrench, at: chaser.com, torque: [0, 0, -2000], from: 1, until: 2}
  output: {interval: 0.25}
)");
  const auto metadata_of = [&](const std::string& directory) {
    return json::parse(testing::read_text(starter / (directory + "/spin.meta.json")));
  };
  const std::vector<std::string> command{"simulate", "spin.yaml", "--no-report", "-o"};
  const auto simulate = [&](const std::string& directory, std::vector<std::string> more) {
    std::vector<std::string> arguments = command;
    arguments.push_back(directory);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return starter.run(arguments);
  };
  ASSERT_EQ(simulate("whole", {}).exit_code, 0);
  const json whole = metadata_of("whole");
  const json warnings = whole.at("outcome").at("warnings");
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_THAT(warnings.dump(), HasSubstr("at t = 1 s"));
  const int steps = whole.at("integrator").at("steps");
  const std::string limit = "integrator.max_steps=" + std::to_string(steps - 3);
  ASSERT_EQ(simulate("broken", {"--set", limit}).exit_code, 4);
  ASSERT_EQ(simulate("broken", {"--resume", "--set", "integrator.max_steps=100000"}).exit_code, 0);
  EXPECT_EQ(metadata_of("broken").at("outcome").at("warnings"), warnings);
}

TEST(RunWarnings, TellOfJointsBeyondTheirVelocityLimits) {
  const StarterDirectory starter;
  starter.edit("bot/robot.yaml", "        effort_limit: 30.0                  # N*m",
               "        effort_limit: 30.0\n        velocity_limit: 1 deg/s");
  const Outcome outcome =
      starter.run({"simulate", "bot/scenario.yaml", "--no-report", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("warnings\n  joint 'shoulder' moves at "));
  EXPECT_THAT(outcome.out, HasSubstr(" s, beyond its velocity_limit of 0.0175 rad/s\n"));
  const json metadata = json::parse(testing::read_text(starter / "out/bot.meta.json"));
  EXPECT_EQ(metadata.at("outcome").at("warnings").size(), 1u);
}

TEST(RunWarnings, TellOfReactionWheelsAndOfEventsThatDoNotHappen) {
  const StarterDirectory starter;
  testing::write_text(starter / "hold.yaml", R"(spacedyn: 1
scenario:
  name: hold
  duration: 10
  model:
    name: craft
    base: {name: bus, mass: 100, inertia: [20, 20, 20]}
    reaction_wheels:
      - {name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.01, torque_limit: 0.3,
         momentum_limit: 0.2}
  initial: {base: {angular_velocity: [0, 0, 0.02]}}
  control:
    - {type: attitude, name: hold, actuators: [wz], stiffness: [0, 0, 4], damping: [0, 0, 12]}
  events: [{type: time, name: late, time: 12, actions: [{type: stop}]}]
  output: {interval: 0.5}
)");
  const Outcome outcome = starter.run({"simulate", "hold.yaml", "--no-report", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // the body has 0.4 N m s, twice what the wheel can hold
  EXPECT_THAT(outcome.out, HasSubstr("warnings\n  wheel 'wz' reaches its momentum_limit of 0.2 N m "
                                     "s at t = "));
  EXPECT_THAT(outcome.out, HasSubstr("events\n  late                    did not happen: missed by "
                                     "2 s at t = 10 s\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("largest rotation from the start\n  base                    "));
}

TEST(RunWarnings, TellOfAWheelThatNeverTouches) {
  const StarterDirectory starter;
  testing::write_text(starter / "hover.yaml", R"(spacedyn: 1
scenario:
  name: hover
  duration: 1
  environment: {terrain: {type: plane}}
  model:
    name: cart
    base: {name: cart, mass: 10, inertia: [1, 1, 1]}
    links:
      - {name: wheel, parent: cart, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, inertia: [1, 1, 1]}
  initial: {base: {position: [0, 0, 0.5]}}
  soils:
    sand: {cohesion: 800, friction_angle: 0.6, k_c: 1000, k_phi: 800000, exponent: 1, density: 1600,
           shear_modulus_x: [0.03, 0], shear_modulus_y: [0.01, 0]}
  forces:
    - {type: wheel, name: front, link: wheel, radius: 0.1, width: 0.1, soil: sand}
  output: {interval: 0.5}
)");
  const Outcome outcome = starter.run({"simulate", "hover.yaml", "--no-report", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      HasSubstr("warnings\n  wheel 'front' never touches the ground: at the end it is 0.4 m "
                "above it\n"));
}

// a pendulum of 1 Hz whose energy is wrong by per cents after a minute of steps of a tenth of a
// period
TEST(RunWarnings, TellOfEnergyThatIsNotKeptAndOfLimitsAtTheEnd) {
  const StarterDirectory starter;
  testing::write_text(starter / "swing.yaml", R"(spacedyn: 1
scenario:
  name: swing
  duration: 60
  model:
    name: slide
    base: {name: wall, fixed: true}
    links:
      - {name: sled, parent: wall, mass: 1, inertia: [1, 1, 1],
         joint: {name: rail, type: prismatic, stiffness: 39.478, position_limits: [-2, 0.5]}}
  initial: {joints: {rail: {position: 0.4}}}
  integrator: {method: rk4, step: 0.1}
  output: {interval: 1}
)");
  const auto out = [&](const std::string& step, const std::string& start) {
    const Outcome outcome =
        starter.run({"simulate", "swing.yaml", "--no-report", "--set", "integrator.step=" + step,
                     "--set", "initial.joints.rail.position=" + start, "-o", "out" + step + start});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(out("0.1", "0.4"), HasSubstr("warnings\n  the residual of energy is "));
  EXPECT_THAT(out("0.01", "0.4"), ::testing::Not(HasSubstr("warnings")));
  EXPECT_THAT(out("0.01", "0.6"),
              HasSubstr("joint 'rail' is at or beyond its upper limit at the end"));
}

}  // namespace
}  // namespace spacedyn::warnings_test
