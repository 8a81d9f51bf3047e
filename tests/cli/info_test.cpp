#include "cli/program.hpp"

namespace spacedyn::info_test {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::StarterDirectory;
using ::testing::StartsWith;

TEST(Info, DescribesAModel) {
  const Outcome outcome = StarterDirectory().run({"info", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {
           "bot: A satellite with a two-joint arm.\n",
           "degrees of freedom  8 (6 of the base, 2 joints)\n",
           "total mass          220 kg\n",
           // (12·1.0 + 8·1.9) / 220
           "center of mass      [0.123636, 0, 0] m",
           "condition of H ",
           "  0 satellite  (200 kg)\n"
           "  └─ 1 upper_arm  (revolute joint shoulder, 12 kg)\n"
           "     └─ 2 forearm  (revolute joint elbow, 8 kg)\n",
           "  B     0  1\n  S0    1  0\n  Se    0  1\n  S    -1  1\n        0 -1\n",
           "  elbow     -2.96706 … 2.96706 rad  none            30 N m",
           "  hand   forearm  [0.8, 0, 0] m\n",
       }) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
}

TEST(Info, WritesThePaperNotation) {
  const Outcome outcome = StarterDirectory().run({"info", "--spacedyn", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* line :
       {"BB = [ 0 1 ];\n", "S0 = [ 1 0 ];\n", "SE = [ 0 1 ];\n", "J_type = [ 'R' 'R' ];\n",
        "c0(:,1) = [ 0.5 0 0 ]';\n", "cc(:,1,1) = [ -0.5 0 0 ]';\n", "cc(:,1,2) = [ 0.5 0 0 ]';\n",
        "cc(:,2,2) = [ -0.4 0 0 ]';\n", "ce(:,2) = [ 0.4 0 0 ]';  % hand\n",
        "Qi(:,1) = [ 0 0 0 ]';\n", "m = [ 12 8 ];\n"}) {
    EXPECT_THAT(outcome.out, HasSubstr(line));
  }
}

TEST(Info, IsReadableForPrograms) {
  const Outcome outcome = StarterDirectory().run({"info", "--json", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  const auto info = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(info.at("name"), "bot");
  EXPECT_EQ(info.at("degrees_of_freedom"), 8);
  EXPECT_EQ(info.at("mass"), 220.0);
  EXPECT_EQ(info.at("B"), nlohmann::json({0, 1}));
  EXPECT_EQ(info.at("S"), nlohmann::json({{-1, 1}, {0, -1}}));
  EXPECT_EQ(info.at("links").at(1).at("joint").at("name"), "elbow");
  EXPECT_EQ(info.at("links").at(1).at("parent"), "upper_arm");
  EXPECT_TRUE(info.at("links").at(1).at("joint").at("velocity_limit").is_null());
  EXPECT_EQ(info.at("frames").at(0), nlohmann::json({{"name", "hand"}, {"link", "forearm"}}));
}

TEST(Info, CountsTheFreedomOfAFixedBase) {
  const StarterDirectory starter;
  starter.edit("bot/robot.yaml", "    mass: 200.0 ", "    fixed: true\n    mass: 200.0 ");
  const Outcome outcome = starter.run({"info", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("degrees of freedom  2 (0 of the base, 2 joints)\n"));
}

TEST(Info, SaysThatAScenarioIsNoModel) {
  const Outcome outcome = StarterDirectory().run({"info", "bot/scenario.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, StartsWith("bot/scenario.yaml:2:1: error: "));
}

}  // namespace
}  // namespace spacedyn::info_test
