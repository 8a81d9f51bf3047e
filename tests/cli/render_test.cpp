// Videos and pictures: what is refused. What is drawn is tested where browsers are
// (viewer.render_long).
#include <filesystem>

#include "cli/program.hpp"

namespace spacedyn::render_test {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::StarterDirectory;

class Render : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    starter_ = new StarterDirectory;
    ASSERT_EQ(starter_->run({"simulate", "bot/scenario.yaml", "--no-report"}).exit_code, 0);
  }
  static void TearDownTestSuite() {
    delete starter_;
    starter_ = nullptr;
  }
  static Outcome render(std::vector<std::string> options,
                        std::map<std::string, std::string> environment = {}) {
    options.insert(options.begin(), {"render", "results/bot"});
    testing::Surroundings surroundings;
    surroundings.environment = std::move(environment);
    return starter_->run(options, surroundings);
  }
  static void expect(const Outcome& outcome, int exit_code, const std::string& message) {
    EXPECT_EQ(outcome.exit_code, exit_code);
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(outcome.out, "");
  }

  static StarterDirectory* starter_;
};
StarterDirectory* Render::starter_ = nullptr;

TEST_F(Render, NamesTheProgramsThatAreMissing) {
  const std::map<std::string, std::string> bare{{"PATH", "/nowhere"}, {"SPACEDYN_BROWSER", ""}};
  expect(render({"-o", "a.webm"}, bare), 6,
         "error: cannot start chromium or chromium-browser or google-chrome");
  expect(render({"-o", "a.webm"}, {{"SPACEDYN_BROWSER", "/nowhere/firefox"}}), 6,
         "error: cannot start /nowhere/firefox, which draws the pictures\nhint: install it");
  EXPECT_FALSE(std::filesystem::exists(*starter_ / "a.webm"));
}

TEST_F(Render, SaysThatWhatIsNoBrowserHasEnded) {
  expect(render({"-o", "a.webm"}, {{"SPACEDYN_BROWSER", "true"}}), 6,
         "error: the browser has ended too early");
}

TEST_F(Render, RefusesWhatItCannotMake) {
  expect(render({"-o", "a.gif"}), 2, "expected a name ending in .webm, .mp4 or .png, or a folder");
  expect(render({"-o", "a.svg"}), 2, "hint: spacedyn plot draws channels as SVG");
  for (const char* size :
       {"640", "640x", "x480", "640x481", "8x8", "9000x100", "640x480x3", "-2x2"}) {
    expect(render({"--size", size}), 2, "expected two even numbers from 16 to 7680 as in 1280x720");
  }
  expect(render({"--camera", "below"}), 2, "expected home, front, right, top or what a link");
  expect(render({"--time", "3"}), 2, "option '--time' is for one picture (.png)");
  expect(render({"-o", "a.png", "--fps", "10"}), 2, "are for videos and frames");
  expect(render({"--fps", "0"}), 2, "--fps");
}

TEST_F(Render, OverwritesNothing) {
  testing::write_text(*starter_ / "there.webm", "mine");
  expect(render({"-o", "there.webm"}), 6, "'there.webm' exists already");
  expect(render({"-o", "bot"}), 6, "'bot' exists already");
  expect(starter_->run({"render", "results/none"}), 3, "results/none");
}

}  // namespace
}  // namespace spacedyn::render_test
