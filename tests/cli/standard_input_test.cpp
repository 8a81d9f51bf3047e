// Files that come through standard input, which `-` stands for.
#include "cli/program.hpp"

namespace spacedyn::standard_input_test {
namespace {

using testing::Outcome;
using testing::StarterDirectory;
using ::testing::StartsWith;
using testing::Surroundings;

TEST(StandardInput, IsAModelOrAScenarioByTheNameOfADash) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.input = testing::read_text(starter / "bot/robot.yaml");
  const Outcome info = starter.run({"info", "-"}, surroundings);
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(info.out, starter.run({"info", "bot/robot.yaml"}).out);
  surroundings.input = R"(spacedyn: 1
scenario: {name: piped, model: bot/robot.yaml, duration: 1, integrator: {method: dop853}}
)";
  const Outcome run = starter.run({"simulate", "-", "--no-report"}, surroundings);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("piped: complete after 1 s"));
  surroundings.input = "spacedyn: 1\nscenario: {name: piped}\n";
  EXPECT_THAT(starter.run({"simulate", "-"}, surroundings).err, StartsWith("<stdin>:2:"));
}

TEST(StandardInput, SaysByItsKeysWhetherItIsAModel) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.input = testing::read_text(starter / "bot/robot.yaml");
  const Outcome model = starter.run({"check", "-", "bot/scenario.yaml"}, surroundings);
  EXPECT_EQ(model.exit_code, 0) << model.err;
  EXPECT_EQ(model.out,
            "<stdin>: valid model 'bot', 2 joints\n"
            "bot/scenario.yaml: valid scenario 'bot', 20 s of 'bot'\n");
  for (const char* command : {"modes", "linearize"}) {
    const Outcome piped = starter.run({command, "-"}, surroundings);
    EXPECT_EQ(piped.exit_code, 0) << piped.err;
    EXPECT_EQ(piped.out, starter.run({command, "bot/robot.yaml"}).out);
  }
  EXPECT_EQ(starter.run({"view", "-", "--no-open"}, surroundings).out, "bot.html\n");
  starter.edit("bot/scenario.yaml", "model: robot.yaml", "model: bot/robot.yaml");
  surroundings.input = testing::read_text(starter / "bot/scenario.yaml");
  EXPECT_EQ(starter.run({"check", "-"}, surroundings).out,
            "<stdin>: valid scenario 'bot', 20 s of 'bot'\n");
  surroundings.input = "spacedyn: 1\nmodel: {name: bot, bass: 1}\n";
  const Outcome bad = starter.run({"check", "-"}, surroundings);
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_THAT(bad.err, StartsWith("<stdin>:2:"));
}

TEST(StandardInput, IsImportedFromOtherFormats) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.input = R"(<robot name="rod"><link name="rod"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)";
  const Outcome imported = starter.run({"import", "-"}, surroundings);
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  surroundings.input = imported.out;
  EXPECT_EQ(starter.run({"check", "-"}, surroundings).out,
            "<stdin>: valid model 'rod', 0 joints\n");
  surroundings.input = "<robot name='rod'>";
  EXPECT_THAT(starter.run({"import", "-"}, surroundings).err, StartsWith("<stdin>:1:"));
}

TEST(StandardInput, IsOneFileThatIsReadOnce) {
  const StarterDirectory starter;
  const std::string two =
      "spacedyn: error: standard input can be one file, but '-' stands for several of them\n";
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check", "-", "-"},
                                             {"evaluate", "-", "-"},
                                             {"modes", "-", "-"},
                                             {"linearize", "-", "-"}}) {
    const Outcome outcome = starter.run(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, two);
  }
  const Outcome live = starter.run({"view", "-", "--live"});
  EXPECT_EQ(live.exit_code, 2);
  EXPECT_EQ(live.err,
            "spacedyn: error: option '--live' needs a file: its runs read the scenario again and "
            "again\n");
}

}  // namespace
}  // namespace spacedyn::standard_input_test
