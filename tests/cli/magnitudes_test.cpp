// What is out of all proportion is told before a run: numbers that overflow, results of gigabytes.
#include "cli/program.hpp"

namespace spacedyn::magnitudes_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::StarterDirectory;

TEST(Magnitudes, WhoseSquaresOverflowAreWarnedOf) {
  const StarterDirectory starter;
  starter.edit("bot/scenario.yaml", "  initial:\n",
               "  initial:\n    base: {angular_velocity: [1.0e200, 0, 0]}\n");
  const Outcome spin = starter.run({"check", "bot/scenario.yaml"});
  EXPECT_EQ(spin.exit_code, 0);
  EXPECT_THAT(spin.err, HasSubstr("bot/scenario.yaml:9:31: warning: "
                                  "scenario.initial.base.angular_velocity.0: expected a number of "
                                  "at most 1.3e154, whose square a double can hold, got "
                                  "'1.0e200'\n"));
  EXPECT_EQ(starter.run({"check", "--strict", "bot/scenario.yaml"}).exit_code, 3);

  starter.edit("bot/robot.yaml", "mass: 12.0", "mass: 1.0e300");
  const Outcome mass = starter.run({"check", "bot/robot.yaml"});
  EXPECT_THAT(mass.err, HasSubstr("model.links.0.mass: expected a number of at most 1.3e154"));
}

TEST(Magnitudes, WhoseProductsOverflowAreWarnedOf) {
  const StarterDirectory starter;
  starter.edit("bot/scenario.yaml", "  initial:\n",
               "  initial:\n    base: {velocity: [1.2e154, 0, 0]}\n");
  const Outcome outcome = starter.run({"check", "bot/scenario.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("expected a start whose energy and momentum a double can "
                                     "hold, got one whose energy overflows\n"));
}

TEST(Magnitudes, OfGoodRobotsAreNotWarnedOf) {
  const StarterDirectory starter;
  EXPECT_EQ(starter.run({"check", "bot/robot.yaml", "bot/scenario.yaml"}).err, "");
}

TEST(ResultSize, OfGigabytesIsToldBeforeTheRun) {
  const StarterDirectory starter;
  // 2e7 rows of some 60 columns of 8 bytes
  starter.edit("bot/scenario.yaml", "interval: 0.05", "interval: 1.0e-6");
  const Outcome check = starter.run({"check", "bot/scenario.yaml"});
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_THAT(check.err, ::testing::ContainsRegex(
                             "bot/scenario.yaml:20:22: warning: scenario.output.interval: expected "
                             "a result of at most 2 GB, got about [0-9.]+ GB: 2e\\+07 rows of "
                             "[0-9]+ columns\n"));
  EXPECT_THAT(check.err, HasSubstr("hint: a longer output.interval or fewer output.channels"));
}

TEST(ResultSize, IsRightToAFewPercent) {
  const StarterDirectory starter;
  // ten thousand times as many rows as are written here
  ASSERT_EQ(starter
                .run({"simulate", "bot/scenario.yaml", "--no-report", "--set",
                      "output.interval=1e-2", "-o", "out"})
                .exit_code,
            0);
  const auto size = static_cast<double>(testing::read_text(starter / "out/bot.h5").size());
  const Outcome check =
      starter.run({"simulate", "bot/scenario.yaml", "--strict", "--set", "output.interval=1e-6"});
  EXPECT_EQ(check.exit_code, 3);
  const std::string mark = "got about ";
  const double estimate = std::stod(check.err.substr(check.err.find(mark) + mark.size())) * 1e9;
  EXPECT_NEAR(estimate, 10000.0 * size, 0.1 * estimate);
}

}  // namespace
}  // namespace spacedyn::magnitudes_test
