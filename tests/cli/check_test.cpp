#include "cli/program.hpp"

namespace spacedyn::check_test {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::StarterDirectory;

TEST(Check, AcceptsTheStarter) {
  const Outcome outcome = StarterDirectory().run({"check", "bot/robot.yaml", "bot/scenario.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "bot/robot.yaml: valid model 'bot', 2 joints\n"
            "bot/scenario.yaml: valid scenario 'bot', 20 s of 'bot'\n");
}

TEST(Check, SaysNothingQuietly) {
  const Outcome outcome = StarterDirectory().run({"check", "-q", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Check, SaysWhatAPartOfAFileLeavesOut) {
  const StarterDirectory starter;
  testing::write_text(starter / "yard.xml", R"(<mujoco model="yard"><worldbody>
 <body name="chaser"><freejoint/><geom type="box" size=".2 .2 .2" mass="9"/></body>
 <body name="crate" pos="2 0 0"><freejoint/><geom type="box" size=".1 .1 .1" mass="3"/></body>
</worldbody><equality><weld name="strap" body1="chaser" body2="crate"/></equality></mujoco>)");
  testing::write_text(starter / "yard.yaml",
                      "spacedyn: 1\nscenario:\n  name: yard\n  duration: 1\n"
                      "  model: {file: yard.xml, body: chaser}\n");
  const Outcome outcome = starter.run({"check", "--strict", "yard.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "yard.yaml: valid scenario 'yard', 1 s of 'yard'\n");
  EXPECT_THAT(outcome.err,
              HasSubstr("yard.xml:4:23: note: model.loops: left out with the bodies that it needs: "
                        "'strap'"));
}

TEST(Check, GoesOnAfterABadFile) {
  const StarterDirectory starter;
  starter.edit("bot/scenario.yaml", "duration: 20 s", "duration: -20 s");
  const Outcome outcome =
      starter.run({"check", "bot/missing.yaml", "bot/scenario.yaml", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "bot/robot.yaml: valid model 'bot', 2 joints\n");
  EXPECT_THAT(outcome.err, HasSubstr("bot/missing.yaml: error: "));
  EXPECT_THAT(outcome.err, HasSubstr("bot/scenario.yaml:7:"));
}

TEST(Check, PrintsAllProblemsAsOneJsonArray) {
  const StarterDirectory starter;
  const Outcome good = starter.run({"check", "--json", "bot/robot.yaml"});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(good.out), nlohmann::json::array());

  starter.edit("bot/robot.yaml", "mass: 12.0", "mas: 12.0");
  starter.edit("bot/scenario.yaml", "duration: 20 s", "duration: -20 s");
  const Outcome bad = starter.run({"check", "--json", "bot/robot.yaml", "bot/scenario.yaml"});
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_EQ(bad.err, "");
  const auto problems = nlohmann::json::parse(bad.out);
  ASSERT_GE(problems.size(), 2U);
  EXPECT_EQ(problems.front().at("file"), "bot/robot.yaml");
  for (const auto& problem : problems) EXPECT_EQ(problem.at("severity"), "error");
}

TEST(Check, MakesErrorsOfWarningsWhenStrict) {
  const StarterDirectory starter;
  // breaks the triangle inequality
  starter.edit("bot/robot.yaml", "inertia: [0.05, 1.0, 1.0]", "inertia: [0.05, 1.0, 5.0]");
  const Outcome lenient = starter.run({"check", "bot/robot.yaml"});
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_THAT(lenient.err, HasSubstr("bot/robot.yaml:23:16:"));
  EXPECT_THAT(lenient.err, HasSubstr(": warning: "));
  const Outcome strict = starter.run({"check", "--strict", "bot/robot.yaml"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_THAT(strict.err, HasSubstr(": error: "));
  EXPECT_EQ(strict.out, "");
}

}  // namespace
}  // namespace spacedyn::check_test
