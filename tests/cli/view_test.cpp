// Showing results: which program is started, and what is said when there is none.
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
