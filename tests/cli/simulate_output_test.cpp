#include "cli/program.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::simulate_output_test {
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

Eigen::Index rows(const std::string& result) { return read_result(result).values.rows(); }

TEST(SimulateOutput, GetsANewDirectoryEachTime) {
  const StarterDirectory starter;
  for (const char* directory : {"results/bot", "results/bot-002", "results/bot-003"}) {
    EXPECT_EQ(simulate(starter, {}).exit_code, 0);
    EXPECT_TRUE(fs::exists(starter / (std::string(directory) + "/bot.h5")));
  }
}

TEST(SimulateOutput, CreatesTheDirectoryAskedFor) {
  const StarterDirectory starter;
  EXPECT_EQ(simulate(starter, {"-o", "a/b/c"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(starter / "a/b/c/bot.h5"));
  EXPECT_TRUE(fs::exists(starter / "a/b/c/bot.meta.json"));
  EXPECT_FALSE(fs::exists(starter / "results"));
}

TEST(SimulateOutput, UsesAnEmptyDirectory) {
  const StarterDirectory starter;
  fs::create_directory(starter / "mine");
  EXPECT_EQ(simulate(starter, {"-o", "mine"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(starter / "mine/bot.h5"));
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
  testing::write_text(starter / "mine/bot.h5", "old");
  testing::write_text(starter / "mine/bot.csv", "of an earlier run as CSV");
  testing::write_text(starter / "mine/notes.txt", "precious");
  EXPECT_EQ(simulate(starter, {"-o", "mine", "--force"}).exit_code, 0);
  EXPECT_EQ(rows(starter / "mine/bot.h5"), 401);
  EXPECT_FALSE(fs::exists(starter / "mine/bot.csv"));
  EXPECT_EQ(read_text(starter / "mine/notes.txt"), "precious");
}

TEST(SimulateOutput, StaysInTheFirstDirectoryWhenForced) {
  const StarterDirectory starter;
  EXPECT_EQ(simulate(starter, {"--force"}).exit_code, 0);
  EXPECT_EQ(simulate(starter, {"--force", "--set", "duration=1"}).exit_code, 0);
  EXPECT_EQ(rows(starter / "results/bot/bot.h5"), 21);
  EXPECT_FALSE(fs::exists(starter / "results/bot-002"));
}

TEST(SimulateOutput, KeepsScenarioNamesInsideTheDirectory) {
  const StarterDirectory starter;
  starter.edit("bot/scenario.yaml", "  name: bot\n", "  name: ../we ird/é\n");
  EXPECT_EQ(simulate(starter, {}).exit_code, 0);
  EXPECT_TRUE(fs::exists(starter / "results/___we_ird_é/___we_ird_é.h5"));
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
  surroundings.file_size_limit = 60000;
  const Outcome outcome = simulate(starter, {}, surroundings);
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("cannot write to 'results/bot/bot.h5': File too large\n"));
  EXPECT_EQ(lines_of(outcome.err).size(), 2U) << outcome.err;  // HDF5 itself keeps silent
  EXPECT_GT(rows(starter / "results/bot/bot.h5"), 10);
  EXPECT_EQ(starter.run({"report", "results/bot", "-o", "rest.html"}).exit_code, 0);
}

TEST(SimulateOutput, KeepsWholeLinesWhenTheDiskFillsUp) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.file_size_limit = 100000;
  const Outcome outcome = simulate(starter, {"--format", "csv"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("cannot write to 'results/bot/bot.csv': File too large\n"));
  const std::string text = read_text(starter / "results/bot/bot.csv");
  EXPECT_THAT(text, EndsWith("\n"));
  EXPECT_GT(lines_of(text).size(), 10U);
  EXPECT_LT(lines_of(text).size(), 402U);
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

TEST(SimulateOutput, MakesThePageWithinTheLimitsOfTheEnvironment) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.environment["SPACEDYN_MAX_RESULT_BYTES"] = "64";
  const Outcome outcome = starter.run({"simulate", "bot/scenario.yaml", "-o", "out"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("SPACEDYN_MAX_RESULT_BYTES"));
  EXPECT_TRUE(fs::exists(starter / "out/bot.h5"));
  EXPECT_FALSE(fs::exists(starter / "out/bot.html"));
}

}  // namespace
}  // namespace spacedyn::simulate_output_test
