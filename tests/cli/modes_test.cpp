#include "cli/program.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::modes_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_program;
using testing::StarterDirectory;
using testing::Surroundings;

const std::string kPaddles = std::string(SPACEDYN_MODELS) + "/robots/ets7_paddles.yaml";
const std::string kPendulum = std::string(SPACEDYN_MODELS) + "/robots/pendulum_a01.yaml";

TEST(Modes, PrintsATableOfElasticModes) {
  const Outcome outcome = run_program({"modes", kPaddles, "--clamped", "--lock-unsprung"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("ets7_paddles, base clamped; held: shoulder_yaw"));
  EXPECT_THAT(outcome.out, HasSubstr("  1     0.15           0.942478      0.5 % "));
  EXPECT_THAT(outcome.out, HasSubstr("effective mass x, y, z, kg"));
  EXPECT_EQ(testing::lines_of(outcome.out).size(), 10u);  // heading, titles, eight modes
}

TEST(Modes, CountsTheRigidOnesOfAFreeBase) {
  const Outcome outcome = run_program({"modes", kPaddles});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("base free\n  12 rigid-body modes at 0 Hz\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  13    0.151483 "));
}

TEST(Modes, AreReadableForPrograms) {
  const Outcome outcome = run_program({"modes", "--json", kPaddles, "--lock", "elbow_pitch"});
  EXPECT_EQ(outcome.exit_code, 0);
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer.at("base"), "free");
  EXPECT_EQ(answer.at("held_joints"), json({"elbow_pitch"}));
  EXPECT_EQ(answer.at("rigid_count"), 11);
  const json& modes = answer.at("modes");
  ASSERT_EQ(modes.size(), 19u);
  EXPECT_EQ(modes.at(0).at("omega"), 0.0);
  EXPECT_EQ(modes.at(0).at("shape").size(), 20u);
  double previous = 0.0;
  for (std::size_t i = 11; i < modes.size(); ++i) {
    EXPECT_GT(modes.at(i).at("omega"), previous);
    previous = modes.at(i).at("omega");
    EXPECT_NEAR(modes.at(i).at("frequency").get<double>(), previous / 6.283185307179586, 1e-12);
    EXPECT_GT(modes.at(i).at("damping_ratio"), 0.0);
  }
}

TEST(Modes, TakeConfigurationAndGravityFromAState) {
  Surroundings surroundings;
  surroundings.input = "{q: [-90 deg], gravity: [0, -9.81, 0]}";
  const Outcome outcome = run_program({"modes", "--json", kPendulum, "-"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // a point mass on 1 m
  EXPECT_NEAR(json::parse(outcome.out).at("modes").at(0).at("omega").get<double>(), std::sqrt(9.81),
              1e-9);
}

TEST(Modes, OfAScenarioAreThoseOfItsModelThere) {
  const std::string scenario =
      std::string(SPACEDYN_MODELS) + "/scenarios/srms_mini_arm_clamped.yaml";
  const Outcome outcome = run_program({"modes", scenario});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("base clamped"));
}

TEST(Modes, AreShownInAPage) {
  const StarterDirectory starter;
  const std::vector<std::string> words{"modes", kPaddles, "--report", "modes.html"};
  const Outcome outcome = starter.run(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("  shown in modes.html\n"));
  const std::string page = testing::read_text(starter / "modes.html");
  for (const char* part : {"<title>Modes of ets7_paddles</title>", "\"modes\":[{"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }

  const Outcome again = starter.run(words);
  EXPECT_EQ(again.exit_code, 6);
  EXPECT_THAT(again.err, HasSubstr("'modes.html' exists already"));
  EXPECT_EQ(starter.run({"modes", kPaddles, "--report", "modes.html", "--force"}).exit_code, 0);
  EXPECT_EQ(starter.run({"modes", kPaddles, "--force"}).exit_code, 2);
  EXPECT_EQ(starter.run({"modes", kPaddles, "--report", "nowhere/modes.html"}).exit_code, 6);
}

TEST(Modes, RefuseWhatTheyCannotHonour) {
  const Outcome joint = run_program({"modes", kPaddles, "--lock", "knee"});
  EXPECT_EQ(joint.exit_code, 2);
  EXPECT_EQ(joint.err,
            "spacedyn: error: option '--lock': there is no joint 'knee' in 'ets7_paddles'\n");

  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.input = "[{}, {}]";
  const Outcome list = starter.run({"modes", "bot/robot.yaml", "-"}, surroundings);
  EXPECT_EQ(list.exit_code, 3);
  EXPECT_EQ(list.err, "spacedyn: error: '-' holds 2 states, expected one\n");

  const Outcome state = starter.run({"modes", "bot/scenario.yaml", "bot/scenario.yaml"});
  EXPECT_EQ(state.exit_code, 2);
  EXPECT_THAT(state.err, HasSubstr("a scenario has its own state"));
  EXPECT_EQ(starter.run({"modes", "nothing.yaml"}).exit_code, 3);
}

}  // namespace
}  // namespace spacedyn::modes_test
