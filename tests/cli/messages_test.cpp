#include "cli/program.hpp"

namespace spacedyn::messages_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::StarterDirectory;
using ::testing::StartsWith;

/// A starter whose robot has a misspelt key in line 20, column 9.
class MisspeltStarter : public StarterDirectory {
 public:
  MisspeltStarter() { edit("bot/robot.yaml", "effort_limit", "efort_limit"); }
};

TEST(Messages, PointAtThePlaceWithACaretAndAHint) {
  const Outcome outcome = MisspeltStarter().run({"info", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("bot/robot.yaml:20:9: error: "));
  EXPECT_THAT(outcome.err,
              HasSubstr("\n          efort_limit: 30.0                  # N*m\n          ^\n"
                        "hint: did you mean 'effort_limit'?\n"));
}

TEST(Messages, AboutOverridesHaveHintsToo) {
  const StarterDirectory starter;
  const Outcome outcome =
      starter.run({"simulate", "bot/scenario.yaml", "--set", "integrator.methd=rk4"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "--set integrator.methd=rk4: error: scenario.integrator.methd: expected the key "
            "'method', got the unknown key 'methd'\nhint: did you mean 'method'?\n");
}

TEST(Messages, ThatSayTheSameAreShownOnce) {
  const StarterDirectory starter;
  std::string text =
      "spacedyn: 1\nmodel:\n  name: chain\n  base: {name: l0, mass: 1, inertia: [1, 1, 1]}\n  "
      "links:\n";
  for (int i = 1; i <= 30; ++i) {
    text += "    - {name: l" + std::to_string(i) + ", parent: l" + std::to_string(i - 1) +
            ", mass: 1, inertia: [1, 1, 1], joint: {type: revolute, efort_limit: 3}}\n";
  }
  testing::write_text(starter / "chain.yaml", text);
  const Outcome outcome = starter.run({"check", "chain.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, StartsWith("chain.yaml:6:"));
  EXPECT_THAT(outcome.err,
              HasSubstr("hint: did you mean 'effort_limit'?\n  the same at lines 7, 8, 9, 10, 11, "
                        "12, 13, 14, 15, 16 and at 19 others\n"));
  EXPECT_EQ(outcome.err.find("chain.yaml:7"), std::string::npos);
  // programs are told of each
  EXPECT_EQ(nlohmann::json::parse(starter.run({"info", "--json", "chain.yaml"}).err).size(), 30U);
}

TEST(Messages, AreAvailableAsJson) {
  const Outcome outcome = MisspeltStarter().run({"info", "bot/robot.yaml", "--json"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "");
  const auto errors = nlohmann::json::parse(outcome.err);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].at("file"), "bot/robot.yaml");
  EXPECT_EQ(errors[0].at("line"), 20);
  EXPECT_EQ(errors[0].at("col"), 9);
  EXPECT_EQ(errors[0].at("severity"), "error");
  EXPECT_EQ(errors[0].at("code"), "input");
  EXPECT_THAT(errors[0].at("message"), HasSubstr("efort_limit"));
  EXPECT_EQ(errors[0].at("hint"), "did you mean 'effort_limit'?");
}

TEST(Messages, AreColoredOnlyWhereAsked) {
  const MisspeltStarter starter;
  const auto errors = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"info", "bot/robot.yaml"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return starter.run(arguments).err;
  };
  EXPECT_THAT(errors({}), Not(HasSubstr("\x1b[")));  // not a terminal
  EXPECT_THAT(errors({"--color", "never"}), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(errors({"--color", "always"}), HasSubstr("\x1b[1;31merror: "));
}

TEST(Messages, CannotHarmATerminal) {
  const MisspeltStarter starter;
  starter.edit("bot/robot.yaml", "efort_limit: 30.0 ", "efort_limit: 30.0 # \x7f");
  const Outcome outcome = starter.run({"info", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  for (const char c : outcome.err) {
    EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
  }
}

TEST(Messages, ShowAllProblemsOfAFileAtOnce) {
  const MisspeltStarter starter;
  starter.edit("bot/robot.yaml", "mass: 12.0", "mass: -12.0");
  starter.edit("bot/robot.yaml", "axis: [0, 0, 1]", "axis: [0, 0]");
  const Outcome outcome = starter.run({"info", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  for (const char* place : {"robot.yaml:18:", "robot.yaml:20:", "robot.yaml:21:"}) {
    EXPECT_THAT(outcome.err, HasSubstr(place));
  }
}

TEST(Messages, NameAFileThatIsMissing) {
  for (const std::string command : {"check", "info", "simulate"}) {
    const Outcome outcome = testing::run_program({command, "/nowhere/robot.yaml"});
    EXPECT_EQ(outcome.exit_code, 3) << command;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("/nowhere/robot.yaml: error: "));
    EXPECT_THAT(outcome.err, HasSubstr("No such file or directory"));
  }
}

}  // namespace
}  // namespace spacedyn::messages_test
