#include "cli/program.hpp"

namespace spacedyn {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::lines_of;
using testing::Outcome;
using testing::read_text;
using testing::StarterDirectory;
using testing::Surroundings;
namespace fs = std::filesystem;

Outcome simulate(const StarterDirectory& starter, std::vector<std::string> options,
                 const Surroundings& surroundings = {}) {
  options.insert(options.begin(), {"simulate", "bot/scenario.yaml"});
  return starter.run(options, surroundings);
}

TEST(SimulateOutput, GetsANewDirectoryEachTime) {
  const StarterDirectory starter;
  for (const char* directory : {"results/bot", "results/bot-002", "results/bot-003"}) {
    EXPECT_EQ(simulate(starter, {}).exit_code, 0);
    EXPECT_TRUE(fs::exists(starter / (std::string(directory) + "/bot.csv")));
  }
}

TEST(SimulateOutput, CreatesTheDirectoryAskedFor) {
  const StarterDirectory starter;
  EXPECT_EQ(simulate(starter, {"-o", "a/b/c"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(starter / "a/b/c/bot.csv"));
  EXPECT_TRUE(fs::exists(starter / "a/b/c/bot.meta.json"));
  EXPECT_FALSE(fs::exists(starter / "results"));
}

TEST(SimulateOutput, UsesAnEmptyDirectory) {
  const StarterDirectory starter;
  fs::create_directory(starter / "mine");
  EXPECT_EQ(simulate(starter, {"-o", "mine"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(starter / "mine/bot.csv"));
}

TEST(SimulateOutput, NeverOverwritesUnasked) {
  const StarterDirectory starter;
  fs::create_directory(starter / "mine");
  testing::write_text(starter / "mine/bot.csv", "precious");
  const Outcome outcome = simulate(starter, {"-o", "mine"});
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "spacedyn: error: 'mine' exists already and is not empty\n"
            "hint: choose another directory, or give --force to overwrite the results in it\n");
  EXPECT_EQ(read_text(starter / "mine/bot.csv"), "precious");
}

TEST(SimulateOutput, OverwritesItsOwnFilesOnlyWhenForced) {
  const StarterDirectory starter;
  fs::create_directory(starter / "mine");
  testing::write_text(starter / "mine/bot.csv", "old");
  testing::write_text(starter / "mine/notes.txt", "precious");
  EXPECT_EQ(simulate(starter, {"-o", "mine", "--force"}).exit_code, 0);
  EXPECT_EQ(lines_of(read_text(starter / "mine/bot.csv")).size(), 402U);
  EXPECT_EQ(read_text(starter / "mine/notes.txt"), "precious");
}

TEST(SimulateOutput, StaysInTheFirstDirectoryWhenForced) {
  const StarterDirectory starter;
  EXPECT_EQ(simulate(starter, {"--force"}).exit_code, 0);
  EXPECT_EQ(simulate(starter, {"--force", "--set", "duration=1"}).exit_code, 0);
  EXPECT_EQ(lines_of(read_text(starter / "results/bot/bot.csv")).size(), 22U);
  EXPECT_FALSE(fs::exists(starter / "results/bot-002"));
}

TEST(SimulateOutput, KeepsScenarioNamesInsideTheDirectory) {
  const StarterDirectory starter;
  starter.edit("bot/scenario.yaml", "  name: bot\n", "  name: ../we ird/é\n");
  EXPECT_EQ(simulate(starter, {}).exit_code, 0);
  EXPECT_TRUE(fs::exists(starter / "results/___we_ird___/___we_ird___.csv"));
}

TEST(SimulateOutput, EndsWithSixWhereNothingCanBeCreated) {
  const StarterDirectory starter;
  testing::write_text(starter / "file", "");
  struct Case {
    const char* directory;
    const char* message;
  };
  for (const Case& bad :
       {Case{"file", "cannot create directory 'file': "},
        Case{"file/deeper", "cannot create directory 'file/deeper': Not a directory\n"},
        Case{"/proc/spacedyn", "cannot create directory '/proc/spacedyn': "}}) {
    const Outcome outcome = simulate(starter, {"-o", bad.directory});
    EXPECT_EQ(outcome.exit_code, 6) << bad.directory;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(bad.message));
  }
  EXPECT_EQ(read_text(starter / "file"), "");
}

TEST(SimulateOutput, LeavesNothingWhereTheDiskIsFullFromTheStart) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.file_size_limit = 200;
  const Outcome outcome = simulate(starter, {}, surroundings);
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("File too large"));
  EXPECT_FALSE(fs::exists(starter / "results/bot"));
}

TEST(SimulateOutput, KeepsWholeRowsWhenTheDiskFillsUp) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.file_size_limit = 100000;
  const Outcome outcome = simulate(starter, {}, surroundings);
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("cannot write to 'results/bot/bot.csv': File too large\n"));
  const std::string rows = read_text(starter / "results/bot/bot.csv");
  EXPECT_THAT(rows, EndsWith("\n"));
  EXPECT_GT(lines_of(rows).size(), 10U);
  EXPECT_LT(lines_of(rows).size(), 402U);
  const json meta = json::parse(read_text(starter / "results/bot/bot.meta.json"));
  EXPECT_EQ(meta.at("outcome").at("status"), "failed");
  EXPECT_FALSE(fs::exists(starter / "results/bot/bot.meta.json.tmp"));
}

TEST(SimulateOutput, ComesAfterProblemsOfTheInput) {
  const StarterDirectory starter;
  testing::write_text(starter / "file", "");
  EXPECT_EQ(starter.run({"simulate", "bot/missing.yaml", "-o", "file"}).exit_code, 3);
  EXPECT_EQ(simulate(starter, {"-o", "file", "--set", "nothing=1"}).exit_code, 2);
  EXPECT_EQ(simulate(starter, {"-o", "file"}).exit_code, 6);
}

}  // namespace
}  // namespace spacedyn
