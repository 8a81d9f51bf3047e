// Pages and pictures of results, from the command line.
#include <filesystem>

#include "cli/program.hpp"

namespace spacedyn::testing::report_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A flown starter scenario, in results/bot.
class Flight : public ::testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome = starter_.run({"simulate", "-q", "bot/scenario.yaml"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  std::string page(const std::string& name) const { return read_text(starter_ / name); }

  StarterDirectory starter_;
};

TEST(Inputs, AreNeverReplaced) {
  const StarterDirectory starter;
  ASSERT_EQ(starter.run({"simulate", "bot/scenario.yaml", "--no-report", "-o", "out"}).exit_code,
            0);
  std::filesystem::create_symlink("out/bot.h5", starter / "link.html");
  std::filesystem::create_symlink("bot/robot.yaml", starter / "robot.html");
  std::filesystem::create_symlink("bot/robot.yaml", starter / "robot.urdf");
  std::filesystem::create_symlink("bot/scenario.yaml", starter / "scenario.json");
  const std::vector<std::vector<std::string>> commands{
      {"report", "out", "-o", "out/bot.h5"},
      {"report", "out", "-o", "out/../out/bot.meta.json"},
      {"report", "out/bot.h5", "-o", "link.html"},
      {"plot", "out", "state", "-o", "link.svg"},
      {"convert", "out", "out/bot.h5"},
      {"modes", "bot/robot.yaml", "--report", "bot/robot.yaml"},
      {"modes", "bot/scenario.yaml", "--report", "robot.html"},
      {"linearize", "bot/scenario.yaml", "-o", "scenario.json"},
      {"export", "bot/robot.yaml", "robot.urdf"}};
  std::filesystem::create_symlink("out/bot.h5", starter / "link.svg");
  for (std::vector<std::string> command : commands) {
    const auto bytes = [&] {
      return testing::read_text(starter / "out/bot.h5") +
             testing::read_text(starter / "out/bot.meta.json") +
             testing::read_text(starter / "bot/robot.yaml") +
             testing::read_text(starter / "bot/scenario.yaml");
    };
    const std::string before = bytes();
    command.emplace_back("--force");
    const Outcome outcome = starter.run(command);
    EXPECT_EQ(outcome.exit_code, 6) << command[0] << ' ' << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("is what the command reads\nhint: choose another file to write\n"));
    EXPECT_EQ(bytes(), before) << command[0];
  }
}

TEST_F(Flight, SimulateWritesThePage) {
  EXPECT_THAT(page("results/bot/bot.html"), StartsWith("<!doctype html>"));
  EXPECT_THAT(page("results/bot/bot.html"), HasSubstr("\"name\":\"forearm\""));
  EXPECT_EQ(starter_.run({"simulate", "-q", "--no-report", "bot/scenario.yaml"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(starter_ / "results/bot-002/bot.h5"));
  EXPECT_FALSE(fs::exists(starter_ / "results/bot-002/bot.html"));
}

TEST_F(Flight, ReportNeedsNoneOfTheInputFilesAndOverwritesNothing) {
  fs::remove_all(starter_ / "bot");
  const Outcome outcome = starter_.run({"report", "results/bot"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "results/bot/bot-002.html\n");
  EXPECT_EQ(page("results/bot/bot-002.html"), page("results/bot/bot.html"));

  const Outcome again =
      starter_.run({"report", "results/bot/bot.h5", "-o", "results/bot/bot.html"});
  EXPECT_EQ(again.exit_code, 6);
  EXPECT_THAT(again.err, HasSubstr("'results/bot/bot.html' exists already"));
  EXPECT_EQ(
      starter_.run({"report", "results/bot", "-o", "results/bot/bot.html", "--force"}).exit_code,
      0);
  EXPECT_EQ(starter_.run({"report", "results/bot", "-o", "no/where.html"}).exit_code, 6);
}

TEST_F(Flight, ReportComparesResults) {
  ASSERT_EQ(starter_.run({"simulate", "-q", "bot/scenario.yaml", "--set", "duration=10"}).exit_code,
            0);
  const Outcome outcome = starter_.run({"report", "--json", "results/bot", "results/bot-002"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "{\"files\":[\"report.html\"]}\n");
  EXPECT_THAT(page("report.html"), HasSubstr("<title>bot: as written · duration = 10</title>"));
}

TEST_F(Flight, ReportShowsWhatACutOffFileHasLeft) {
  const std::string file = starter_ / "results/bot/bot.h5";
  const std::string bytes = read_text(file);
  write_text(file, bytes.substr(0, bytes.size() - 5000));
  const Outcome outcome = starter_.run({"report", "results/bot", "-o", "rest.html"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: 'results/bot/bot.h5' is damaged or cut off; the first "));
  EXPECT_THAT(outcome.err, HasSubstr("how its run ended is not known"));
  EXPECT_THAT(page("rest.html"), HasSubstr("\"name\":\"forearm\""));  // the inputs are there
}

TEST_F(Flight, ReportShowsWhatACutOffTextHasLeft) {
  fs::remove_all(starter_ / "results/bot");
  ASSERT_EQ(starter_.run({"simulate", "-q", "bot/scenario.yaml", "--format", "csv"}).exit_code, 0);
  const std::string csv = starter_ / "results/bot/bot.csv";
  write_text(csv, read_text(csv).substr(0, 20000));
  const Outcome outcome = starter_.run({"report", "results/bot", "-o", "rest.html"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("warning: 'results/bot/bot.csv' ends in the middle of line"));
  EXPECT_THAT(page("rest.html"), HasSubstr("\"name\":\"forearm\""));

  fs::remove(starter_ / "results/bot/bot.meta.json");
  const Outcome bare = starter_.run({"report", "results/bot", "-o", "bare.html"});
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_THAT(bare.err, HasSubstr("model, inputs and audit are not known"));
  EXPECT_THAT(page("bare.html"), HasSubstr("\"bodies\":[]"));
}

TEST_F(Flight, RefusesWhatIsNoResult) {
  const Outcome missing = starter_.run({"report", "nothing.csv"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("cannot read 'nothing.csv': there is no such file"));
  EXPECT_EQ(starter_.run({"report", "bot/scenario.yaml"}).exit_code, 3);
  EXPECT_EQ(starter_.run({"plot", "bot", "energy"}).exit_code, 3);
}

TEST_F(Flight, ListsItsChannels) {
  const Outcome listed = starter_.run({"plot", "results/bot"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, StartsWith("bot: complete, 0 to 20 s, 401 rows\n"));
  for (const char* channel : {"time_s", "joints_elbow_rad", "base_position_x_m"}) {
    EXPECT_THAT(listed.out, HasSubstr(channel));
  }
  for (const char* result : {"results/bot", "results/bot/bot.h5"}) {
    EXPECT_EQ(starter_.run({"info", result}).out, listed.out);
  }
  EXPECT_EQ(starter_.run({"info", "--json", "results/bot"}).exit_code, 2);
  EXPECT_EQ(starter_.run({"plot", "nothing"}).exit_code, 3);
}

TEST_F(Flight, RunsForAsLongAsAskedUnderEachName) {
  const Outcome short_run = starter_.run(
      {"run", "bot/scenario.yaml", "--duration", "0.05 min", "-o", "short", "--no-report"});
  EXPECT_EQ(short_run.exit_code, 0) << short_run.err;
  EXPECT_THAT(starter_.run({"info", "short"}).out, StartsWith("bot: complete, 0 to 3 s"));
  EXPECT_THAT(starter_.run({"validate", "x"}).err, HasSubstr("did you mean 'check'?"));
}

TEST_F(Flight, PlotWritesAPicture) {
  const Outcome outcome = starter_.run({"plot", "results/bot", "joints_*_rad", "energy"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "results/bot/bot-joints___rad.svg\n");
  const std::string svg = page("results/bot/bot-joints___rad.svg");
  EXPECT_THAT(svg, StartsWith("<svg "));
  EXPECT_THAT(svg, HasSubstr(">Joint positions (rad)</text>"));
  EXPECT_THAT(svg, HasSubstr(">shoulder</text>"));

  const Outcome printed = starter_.run({"plot", "results/bot", "joints_elbow", "-o", "-",
                                        "--degrees", "--title", "Elbow", "--with", "results/bot"});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr(">Joint positions (°)</text>"));
  EXPECT_THAT(printed.out, HasSubstr(">Elbow</text>"));
  EXPECT_THAT(printed.out, HasSubstr("stroke-dasharray"));
}

TEST_F(Flight, PlotNamesTheNearestChannel) {
  const Outcome outcome = starter_.run({"plot", "results/bot", "momentun"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no channel of 'results/bot/bot.h5' is named 'momentun', did "
                                     "you mean 'momentum'?"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("svg")));
}

// Lines of a warning must not look like errors of their own.
TEST(Report, QuotesOneErrorOfInputsThatCannotBeUsed) {
  const StarterDirectory starter;
  ASSERT_EQ(
      starter.run({"simulate", "bot/scenario.yaml", "--no-report", "--format", "csv", "-o", "out"})
          .exit_code,
      0);
  nlohmann::json metadata = nlohmann::json::parse(read_text(starter / "out/bot.meta.json"));
  for (nlohmann::json& file : metadata["inputs"]["files"]) {
    file["text"] = file["text"].get<std::string>() + "one_key: 1\nanother_key: 2\n";
  }
  write_text(starter / "out/bot.meta.json", metadata.dump());
  const Outcome outcome = starter.run({"report", "out"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be used: "));
  EXPECT_THAT(outcome.err, HasSubstr("one_key"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("another_key")));
}

}  // namespace
}  // namespace spacedyn::testing::report_test
