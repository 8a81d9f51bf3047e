#include "cli/program.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::linearize_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_program;
using testing::StarterDirectory;
using testing::Surroundings;

const std::string kSlew = std::string(SPACEDYN_MODELS) + "/scenarios/ets7_arm_slew.yaml";

TEST(Linearize, PrintsEigenvaluesAlongARun) {
  const Outcome outcome = run_program({"linearize", kSlew, "--time", "0", "--time", "2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("time 0 s: 40 states, 20 inputs, 72 outputs\n"));
  EXPECT_THAT(outcome.out, HasSubstr("time 2 s: 40 states"));
  // the paddles, held by an arm under control instead of a rigid one
  EXPECT_THAT(outcome.out, HasSubstr("0.15144        0.5063 %"));
}

// Of two bars of a robot with loops and of one that prescribes a joint, the last with a state of
// its own: states are fewer than inputs.
TEST(Linearize, NamesThePositionsThatMoveWhereLoopsLeaveFewer) {
  for (const char* name : {"four_bars_2", "four_bars_40", "scissor_deployment"}) {
    const std::string file = std::string(SPACEDYN_MODELS) + "/scenarios/" + name + ".yaml";
    const Outcome outcome = run_program({"linearize", file, "--time", "0"});
    ASSERT_EQ(outcome.exit_code, 0) << name << ' ' << outcome.err;
    const json point =
        json::parse(run_program({"linearize", "--json", file, "--time", "0"}).out).at("points")[0];
    const std::size_t states = point.at("states").size();
    EXPECT_LT(states, 2 * point.at("inputs").size()) << name;
    for (const std::string& line : testing::lines_of(outcome.out)) {
      if (line.find('%') == std::string::npos) continue;
      const std::string moves = line.substr(line.find('%') + 1);
      EXPECT_THAT(moves, ::testing::AnyOf(HasSubstr(".position"), HasSubstr(".rotation"))) << line;
      EXPECT_THAT(moves, ::testing::Not(HasSubstr("velocity"))) << line;
    }
  }
}

TEST(Linearize, WritesAllMatrices) {
  const StarterDirectory starter;
  const Outcome outcome =
      starter.run({"linearize", "bot/scenario.yaml", "--time", "1.5", "-o", "linear.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("written to linear.json\n"));
  const json answer = json::parse(testing::read_text(starter / "linear.json"));
  const json& point = answer.at("points").at(0);
  EXPECT_EQ(point.at("time"), 1.5);
  const std::size_t states = point.at("states").size();
  EXPECT_EQ(states, 16u);
  EXPECT_EQ(point.at("A").size(), states);
  EXPECT_EQ(point.at("A").at(0).size(), states);
  EXPECT_EQ(point.at("B").size(), states);
  EXPECT_EQ(point.at("B").at(0).size(), point.at("inputs").size());
  EXPECT_EQ(point.at("C").size(), point.at("outputs").size());
  EXPECT_EQ(point.at("C").at(0).size(), states);
  EXPECT_EQ(point.at("modes").at(0).at("shape_real").size(), states);
  for (const char* key : {"rate", "H", "D", "K", "state", "not_smooth"}) {
    EXPECT_TRUE(point.contains(key)) << key;
  }
  const Outcome again = starter.run({"linearize", "bot/scenario.yaml", "-o", "linear.json"});
  EXPECT_EQ(again.exit_code, 6);
  EXPECT_EQ(
      starter.run({"linearize", "bot/scenario.yaml", "-o", "linear.json", "--force"}).exit_code, 0);
}

TEST(Linearize, AnswersInTheOrderAskedAndAsForEachTimeAlone) {
  const StarterDirectory starter;
  const auto points = [&](const std::vector<std::string>& times) {
    std::vector<std::string> arguments{"linearize", "--json", "bot/scenario.yaml"};
    for (const std::string& time : times) arguments.insert(arguments.end(), {"--time", time});
    return json::parse(starter.run(arguments).out).at("points");
  };
  const json together = points({"1.5", "0", "1.5", "0.4"});
  ASSERT_EQ(together.size(), 4u);
  EXPECT_EQ(together.at(0), together.at(2));
  const std::vector<std::string> times{"1.5", "0", "1.5", "0.4"};
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(together.at(i).at("time"), std::stod(times[i]));
    const json alone = points({times[i]}).at(0);
    const std::vector<double> q = together.at(i).at("state").at("q"), r = alone["state"]["q"];
    for (std::size_t j = 0; j < q.size(); ++j) EXPECT_NEAR(q[j], r[j], 1e-8);  // the tolerance
  }
}

TEST(Linearize, WritesForMatlab) {
  const StarterDirectory starter;
  const Outcome outcome = starter.run(
      {"linearize", "bot/scenario.yaml", "--time", "0", "--time", "1", "-o", "linear.mat"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(testing::read_text(starter / "linear.mat").substr(0, 19), "MATLAB 5.0 MAT-file");
}

TEST(Linearize, TakesAModelWithAState) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.input = "{q: [0.3, -0.2], tau: [1, 2], wrenches: [{frame: hand, force: [0, 1, 0]}]}";
  const Outcome outcome = starter.run({"linearize", "--json", "bot/robot.yaml", "-"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json point = json::parse(outcome.out).at("points").at(0);
  // a force that keeps its inertial direction makes a turn of the arm matter
  double largest = 0.0;
  for (const json& row : point.at("A"))
    largest = std::max(largest, std::abs(row.at(6).get<double>()));
  EXPECT_GT(largest, 1e-4);
}

TEST(Linearize, RefusesWhatItCannotHonour) {
  const StarterDirectory starter;
  const auto error = [&](const std::vector<std::string>& arguments, int exit_code) {
    const Outcome outcome = starter.run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code);
    return outcome.err;
  };
  EXPECT_THAT(error({"linearize", "bot/scenario.yaml", "--time", "1e3"}, 2),
              HasSubstr("option '--time': 1000 s is not in the run, which goes from 0 to "));
  EXPECT_EQ(error({"linearize", "bot/robot.yaml", "--time", "1"}, 2),
            "spacedyn: error: options '--time' and '--set' are for scenarios, and 'bot/robot.yaml' "
            "is a model\n");
  EXPECT_EQ(error({"linearize", "bot/scenario.yaml", "-o", "linear.txt"}, 2),
            "spacedyn: error: option '--output' needs a file name that ends in .json or .mat, "
            "got 'linear.txt'\n");
  EXPECT_THAT(error({"linearize", "bot/scenario.yaml", "-"}, 2),
              HasSubstr("a scenario has its own state"));
  EXPECT_THAT(error({"linearize", "bot/scenario.yaml", "--set", "speed=1"}, 2), HasSubstr("speed"));
  EXPECT_THAT(error({"linearize", "nothing.yaml"}, 3), HasSubstr("nothing.yaml"));
}

TEST(Linearize, LeavesOutJointsThatAreLockedThen) {
  const StarterDirectory starter;
  starter.edit("bot/scenario.yaml", "  duration:", R"(  locked: [shoulder]
  events:
    - {type: time, time: 0.5, actions: [{type: release, joint: shoulder}]}
    - {type: time, time: 1, actions: [{type: lock, joint: elbow}]}
  duration:)");
  const auto states = [&](const std::string& time) {
    const Outcome outcome =
        starter.run({"linearize", "--json", "bot/scenario.yaml", "--time", time});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out).at("points").at(0).at("states").dump();
  };
  EXPECT_THAT(states("0"), ::testing::Not(HasSubstr("shoulder")));
  EXPECT_THAT(states("0.75"), HasSubstr("shoulder"));
  EXPECT_THAT(states("0.75"), HasSubstr("elbow"));
  EXPECT_THAT(states("1.5"), ::testing::Not(HasSubstr("elbow")));

  const json modes = json::parse(starter.run({"modes", "--json", "bot/scenario.yaml"}).out);
  EXPECT_EQ(modes.at("held_joints"), json({"shoulder"}));
}

TEST(Linearize, LeavesOutControllersThatAreOffThen) {
  const StarterDirectory starter;
  const auto stiffness = [&](const std::string& time) {
    const Outcome outcome =
        starter.run({"linearize", "--json", "bot/scenario.yaml", "--time", time});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out).at("points").at(0).at("K").at(6).at(6).get<double>();
  };
  EXPECT_NEAR(stiffness("1.5"), 60.0, 1.0);  // that of the shoulder, and of the motion
  starter.edit("bot/scenario.yaml", "  duration:", R"(  events:
    - {type: time, time: 1, actions: [{type: switch, controller: fold, enabled: false}]}
  duration:)");
  EXPECT_NEAR(stiffness("0.5"), 60.0, 1.0);
  EXPECT_NEAR(stiffness("1.5"), 0.0, 1.0);
}

}  // namespace
}  // namespace spacedyn::linearize_test
