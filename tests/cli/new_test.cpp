#include "cli/program.hpp"

namespace spacedyn::new_test {
namespace {

using nlohmann::json;
using testing::Outcome;
using testing::read_text;
using testing::StarterDirectory;
using testing::Surroundings;
using testing::TemporaryDirectory;
namespace fs = std::filesystem;

Outcome run_in(const TemporaryDirectory& directory, const std::vector<std::string>& arguments) {
  Surroundings surroundings;
  surroundings.directory = directory.path().string();
  return testing::run_program(arguments, surroundings);
}

TEST(New, WritesAModelAndAScenario) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_in(directory, {"new", "my_robot-2"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "my_robot-2/robot.yaml\nmy_robot-2/scenario.yaml\n");
  EXPECT_EQ(outcome.err, "next: spacedyn simulate my_robot-2/scenario.yaml\n");
  EXPECT_EQ(run_in(directory, {"simulate", "my_robot-2/scenario.yaml"}).exit_code, 0);
  // the schemas that the first lines of both name, where editors look for it
  for (const std::string kind : {"model", "scenario"}) {
    EXPECT_EQ(testing::read_text(directory / ("my_robot-2/.schema/" + kind + ".json")),
              run_in(directory, {"schema", kind}).out);
    const std::string file = kind == "model" ? "my_robot-2/robot.yaml" : "my_robot-2/scenario.yaml";
    EXPECT_THAT(read_text(directory / file),
                ::testing::StartsWith("# yaml-language-server: $schema=.schema/" + kind +
                                      ".json\nspacedyn: 1"));
  }
}

TEST(New, NamesItsFilesAsJson) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_in(directory, {"new", "bot", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(json::parse(outcome.out), json({"bot/robot.yaml", "bot/scenario.yaml"}));
}

TEST(New, NeverOverwrites) {
  const StarterDirectory starter;
  testing::write_text(starter / "bot/robot.yaml", "mine");
  const Outcome outcome = starter.run({"new", "bot"});
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.err,
            "spacedyn: error: cannot write 'bot/robot.yaml': it exists already and is not "
            "overwritten\n");
  EXPECT_EQ(read_text(starter / "bot/robot.yaml"), "mine");
}

TEST(New, LeavesNothingOnAFullDisk) {
  const TemporaryDirectory directory;
  Surroundings surroundings;
  surroundings.directory = directory.path().string();
  surroundings.file_size_limit = 100;
  const Outcome outcome = testing::run_program({"new", "bot"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.err, "spacedyn: error: cannot write 'bot/robot.yaml': File too large\n");
  EXPECT_TRUE(fs::is_empty(directory / "bot"));
}

TEST(New, LeavesNothingHalfWritten) {
  const TemporaryDirectory directory;
  fs::create_directories(directory / "bot/scenario.yaml");
  EXPECT_EQ(run_in(directory, {"new", "bot"}).exit_code, 6);
  EXPECT_FALSE(fs::exists(directory / "bot/robot.yaml"));
  testing::write_text(directory / "other", "");
  EXPECT_EQ(run_in(directory, {"new", "other"}).exit_code, 6);
}

TEST(Schema, PrintsJson) {
  for (const std::string kind : {"model", "scenario"}) {
    const Outcome outcome = testing::run_program({"schema", kind});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    const json schema = json::parse(outcome.out);
    EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  }
}

}  // namespace
}  // namespace spacedyn::new_test
