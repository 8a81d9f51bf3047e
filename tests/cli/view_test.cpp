// Showing results: which program is started, and what is said when there is none.
#include <chrono>
#include <filesystem>

#include "cli/program.hpp"

namespace spacedyn::testing::view_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

/// A starter, and a browser that only notes what it is asked to show.
class View : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(starter_ / "browser", "#!/bin/sh\nprintf '%s\\n' \"$@\" > shown\n");
    std::filesystem::permissions(starter_ / "browser", std::filesystem::perms::owner_all);
  }

  Outcome run(const std::vector<std::string>& arguments, const std::string& browser) const {
    Surroundings surroundings;
    surroundings.environment["BROWSER"] = browser;
    return starter_.run(arguments, surroundings);
  }
  std::string shown() const { return read_text(starter_ / "shown"); }

  StarterDirectory starter_;
};

TEST_F(View, RunsAScenarioAndOpensItsReport) {
  const Outcome outcome = run({"view", "bot/scenario.yaml", "--set", "duration=2"}, "./browser");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("bot: complete after 2 s"));
  EXPECT_EQ(shown(), "results/bot/bot.html\n");
}

TEST_F(View, OpensTheReportOfAResult) {
  ASSERT_EQ(starter_.run({"simulate", "-q", "bot/scenario.yaml"}).exit_code, 0);
  const Outcome outcome = run({"view", "results/bot", "-o", "page.html"}, "./browser --new %s");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "page.html\n");
  EXPECT_EQ(shown(), "--new\npage.html\n");
}

TEST_F(View, ReplacesItsOwnPageWhereThatIsAllowed) {
  ASSERT_EQ(starter_.run({"simulate", "-q", "bot/scenario.yaml"}).exit_code, 0);
  for (const auto& [words, file] : {std::pair<std::vector<std::string>, const char*>{
                                        {"view", "bot/robot.yaml", "--no-open"}, "bot"},
                                    {{"view", "results/bot", "--no-open"}, "results/bot/bot"},
                                    {{"report", "results/bot"}, "results/bot/bot"},
                                    {{"report", "results/bot", "results/bot"}, "report"}}) {
    std::vector<std::string> forced = words;
    forced.emplace_back("--force");
    write_text(starter_ / (file + std::string(".html")), "old");
    EXPECT_EQ(starter_.run(forced).out, file + std::string(".html\n"));
    EXPECT_NE(read_text(starter_ / (file + std::string(".html"))), "old");
  }
  EXPECT_EQ(starter_.run({"report", "results/bot"}).out, "results/bot/bot-002.html\n");
}

TEST_F(View, ReusesThePageThatShowsTheResult) {
  namespace fs = std::filesystem;
  const fs::path folder = starter_ / "results/bot";
  ASSERT_EQ(starter_.run({"simulate", "-q", "bot/scenario.yaml"}).exit_code, 0);
  const std::string page = read_text(folder / "bot.html");
  const auto written = fs::last_write_time(folder / "bot.html");
  const auto viewed = [&](const std::string& result) {
    const Outcome outcome = run({"view", result}, "./browser");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, shown());
    return shown();
  };
  for (const char* result : {"results/bot", "results/bot/bot.h5"}) {
    EXPECT_EQ(viewed(result), "results/bot/bot.html\n");
  }
  EXPECT_EQ(fs::last_write_time(folder / "bot.html"), written);
  // times of copies say nothing
  fs::last_write_time(folder / "bot.html", written - std::chrono::hours(1));
  EXPECT_EQ(viewed("results/bot"), "results/bot/bot.html\n");
  EXPECT_EQ(
      run({"view", "results/bot", "--force", "-o", "results/bot/bot.html", "--no-open"}, "").out,
      "results/bot/bot.html\n");
  EXPECT_GT(fs::last_write_time(folder / "bot.html"), written);

  // a result that has changed, a page of several results, a page of another one
  write_text(folder / "bot.meta.json", read_text(folder / "bot.meta.json") + ' ');
  EXPECT_EQ(viewed("results/bot"), "results/bot/bot-002.html\n");
  EXPECT_EQ(viewed("results/bot"), "results/bot/bot-002.html\n");
  EXPECT_EQ(read_text(folder / "bot.html").size(), page.size());
  ASSERT_EQ(starter_
                .run({"report", "results/bot", "results/bot", "--force", "-o",
                      "results/bot/bot-002.html"})
                .exit_code,
            0);
  EXPECT_EQ(viewed("results/bot"), "results/bot/bot-003.html\n");
}

TEST_F(View, ShowsWhatARunThatFailedHasRecorded) {
  const Outcome outcome =
      run({"view", "bot/scenario.yaml", "--set", "integrator.max_steps=100"}, "./browser");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("\nlook: open results/bot/bot.html in a browser\n"));
  EXPECT_EQ(shown(), "results/bot/bot.html\n");
  const std::string page = read_text(starter_ / "results/bot/bot.html");
  EXPECT_THAT(page, HasSubstr("\"status\":\"failed\""));
  EXPECT_THAT(page, HasSubstr("\"message\":\"integration stopped at t = "));
  const Outcome without = starter_.run({"simulate", "bot/scenario.yaml", "-o", "bare",
                                        "--no-report", "--set", "integrator.max_steps=3"});
  EXPECT_EQ(without.exit_code, 4);
  EXPECT_FALSE(std::filesystem::exists(starter_ / "bare/bot.html"));
}

TEST_F(View, TakesTheNextBrowserWhereOneFails) {
  ASSERT_EQ(starter_.run({"simulate", "-q", "bot/scenario.yaml"}).exit_code, 0);
  EXPECT_EQ(run({"view", "results/bot", "-o", "a.html"}, "no-such-program:false:./browser").err,
            "");
  EXPECT_EQ(shown(), "a.html\n");
}

TEST_F(View, SaysWhereThePageIsWithoutABrowser) {
  ASSERT_EQ(starter_.run({"simulate", "-q", "bot/scenario.yaml"}).exit_code, 0);
  const Outcome outcome = run({"view", "results/bot", "-o", "page.html"}, "no-such-program");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "page.html\n");
  EXPECT_EQ(outcome.err, "no program could be started to show 'page.html'; open it in a browser\n");
  EXPECT_EQ(run({"view", "results/bot", "-o", "b.html", "--no-open"}, "./browser").exit_code, 0);
  EXPECT_EQ(shown(), "");
}

TEST_F(View, ShowsTheRobotOfAModel) {
  ASSERT_EQ(starter_.run({"export", "bot/robot.yaml", "arm.urdf"}).exit_code, 0);
  for (const char* model : {"bot/robot.yaml", "arm.urdf"}) {
    const Outcome outcome = run({"view", model}, "./browser");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(shown(), outcome.out);
    const std::string page = read_text(starter_ / outcome.out.substr(0, outcome.out.size() - 1));
    EXPECT_THAT(page, HasSubstr("\"joints\":{\"positions\":["));
  }
  EXPECT_EQ(run({"view", "bot/robot.yaml", "-o", "pages/new", "--no-open"}, "").out,
            "pages/new/bot.html\n");
  EXPECT_TRUE(std::filesystem::is_regular_file(starter_ / "pages/new/bot.html"));
  EXPECT_FALSE(std::filesystem::exists(starter_ / "results"));
  EXPECT_EQ(run({"view", "arm.urdf", "--duration", "0.1"}, "./browser").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(starter_ / "results")) << "a first flight";
}

TEST_F(View, RefusesMisuseOfModels) {
  write_text(starter_ / "taken.html", "mine");
  EXPECT_EQ(starter_.run({"view", "bot/robot.yaml", "-o", "taken.html"}).exit_code, 6);
  EXPECT_EQ(starter_.run({"view", "bot/robot.yaml", "-o", "bot/robot.yaml", "--force"}).exit_code,
            6);
  EXPECT_EQ(read_text(starter_ / "taken.html"), "mine");
  write_text(starter_ / "file", "");
  EXPECT_EQ(starter_.run({"view", "bot/robot.yaml", "-o", "file/inside"}).exit_code, 6);
  const Outcome live = starter_.run({"view", "bot/robot.yaml", "--live", "--no-open"});
  EXPECT_EQ(live.exit_code, 2);
  EXPECT_THAT(live.err, HasSubstr("a model is not run: --live, --duration and --set need a"
                                  " scenario, got 'bot/robot.yaml'"));
  write_text(starter_ / "broken.urdf", "<robot>");
  EXPECT_EQ(starter_.run({"view", "broken.urdf", "--no-open"}).exit_code, 3);
}

TEST_F(View, RefusesToRunAResult) {
  const Outcome outcome = starter_.run({"view", "results/bot", "--live"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("a result cannot be run: --live, --duration and --set need a scenario,"
                        " got 'results/bot'"));
}

TEST_F(View, RefusesOptionsOfLiveWithoutIt) {
  EXPECT_EQ(starter_.run({"view", "bot/scenario.yaml", "--speed", "2"}).exit_code, 2);
  EXPECT_EQ(starter_.run({"view", "bot/scenario.yaml", "--port", "8080"}).exit_code, 2);
}

TEST_F(View, ABadScenarioIsRefusedBeforeAnythingIsServed) {
  const Outcome outcome =
      starter_.run({"view", "bot/scenario.yaml", "--live", "--set", "duration=-1", "--no-open"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, EndsWith("\n"));
  EXPECT_THAT(outcome.err, HasSubstr("expected a positive time"));
}

}  // namespace
}  // namespace spacedyn::testing::view_test
