#include "cli/program.hpp"

namespace spacedyn::info_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::run_program;
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

// sums and turned axes leave 1e-17 where there is nothing
TEST(Info, ShowsNoRoundings) {
  for (const char* robot : {"ets7_modal_paddles", "hayabusa_horn", "lander", "legged_wheels"}) {
    const Outcome outcome =
        run_program({"info", std::string(SPACEDYN_MODELS) + "/robots/" + robot + ".yaml"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, Not(ContainsRegex("e-(1[5-9]|2[0-9])"))) << robot;
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

TEST(Info, RefusesJointsThatThePaperNotationDoesNotHave) {
  const Outcome outcome =
      run_program({"info", "--spacedyn", std::string(SPACEDYN_MODELS) + "/robots/auger.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("no joint like 'spindle', which is a screw"));
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

TEST(Info, ShowsDrives) {
  const StarterDirectory starter;
  starter.edit("bot/robot.yaml", "        effort_limit: 30.0                  # N*m\n",
               "        effort_limit: 30.0\n        velocity_limit: 0.5\n"
               "        rotor_inertia: 2.0e-4\n        gear_ratio: -150\n"
               "        rotor_coupling: full\n"
               "        friction: {coulomb: 0.5, static: 0.75}\n");
  const Outcome outcome = starter.run({"info", "bot/robot.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nRotors\n  joint "));
  // 150² · 2e-4 = 4.5; 0.5 · 150; 30 / 150
  EXPECT_THAT(outcome.out,
              ContainsRegex("  shoulder +0.0002 kg m² +-150 +4.5 kg m² +full +75 rad/s "
                            "+0.2 N m\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nFriction\n  joint "));
  EXPECT_THAT(outcome.out, ContainsRegex("  shoulder +0.5 N m +0.75 N m +0.01 rad/s +0.001 rad\n"));
  const std::string json = starter.run({"info", "--json", "bot/robot.yaml"}).out;
  const auto joint = nlohmann::json::parse(json).at("links").at(0).at("joint");
  EXPECT_EQ(joint.at("rotor").at("inertia_at_joint"), 4.5);
  EXPECT_EQ(joint.at("rotor").at("coupling"), "full");
  EXPECT_EQ(joint.at("friction").at("static"), 0.75);
}

TEST(Info, ShowsWheelsAndTheInertiaThatTheyTurn) {
  const StarterDirectory starter;
  testing::write_text(starter / "craft.yaml", R"(spacedyn: 1
model:
  name: craft
  base: {name: bus, mass: 30, inertia: [1, 2, 3]}
  links:
    - {name: payload, parent: bus, mass: 10, inertia: [0.1, 0.2, 0.3],
       joint: {type: revolute, axis: [0, 0, 1], origin: {xyz: [4, 0, 0]}}}
  reaction_wheels:
    - {name: wx, body: bus, axis: [1, 0, 0], spin_inertia: 0.01, torque_limit: 0.1, momentum_limit: 4}
    - {name: wy, body: bus, axis: [0, 1, 0], spin_inertia: 0.02, friction: {viscous: 0.001}}
)");
  const Outcome outcome = starter.run({"info", "craft.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // 30 kg and 10 kg at a distance of 4 m add 7.5 · 16 kg m²; wheels add their spin inertia
  EXPECT_THAT(outcome.out, HasSubstr("  inertia about it    xx, yy, zz [1.11, 122.22, 123.3], "
                                     "xy, xz, yz [0, 0, 0] kg m²\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("  wx +none +none +0.1 N m "));
  EXPECT_THAT(outcome.out, HasSubstr("\nReaction wheels and rotors of gyros\n  wheel "));
  EXPECT_THAT(outcome.out,
              ContainsRegex("  wx +0.01 kg m² +0.1 N m +4 N m s +0 N m s/rad +0 N m\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("  wy +0.02 kg m² +none +none +0.001 N m s/rad +0 N m\n"));
  const auto info = nlohmann::json::parse(starter.run({"info", "--json", "craft.yaml"}).out);
  EXPECT_NEAR(info.at("inertia").at(1).at(1).get<double>(), 122.22, 1e-9);
  EXPECT_EQ(info.at("links").at(1).at("joint").at("wheel").at("momentum_limit"), 4.0);
  EXPECT_TRUE(info.at("links").at(0).at("joint").at("wheel").is_null());
}

TEST(Info, ShowsTransmissions) {
  const std::string file = SPACEDYN_MODELS "/robots/geared_joint.yaml";
  const Outcome outcome = run_program({"info", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              ContainsRegex("  elbow_transmission +elbow_motor +elbow +0.0002 kg m² +100 +4000 N "
                            "m/rad +20 N m s/rad +0.00872665 rad\n"));
  const auto drives = nlohmann::json::parse(run_program({"info", "--json", file}).out);
  EXPECT_EQ(drives.at("transmissions").at(0).at("stiffness"), 4000.0);
  EXPECT_EQ(drives.at("transmissions").at(0).at("joint"), "elbow");
}

TEST(Info, PrintsLargeMatricesOnRequest) {
  const std::string file = SPACEDYN_MODELS "/robots/ets7_paddles.yaml";
  const auto info = nlohmann::json::parse(run_program({"info", "--json", file}).out);
  const std::size_t links = info.at("links").size();
  ASSERT_GT(links, 8U);
  EXPECT_EQ(info.at("S").size(), links);
  EXPECT_THAT(run_program({"info", file}).out,
              HasSubstr("\nTopology (paper, section III.A)\n  B, S0, Se and S of " +
                        std::to_string(links) + " links are printed with --matrices\n\n"));
  const std::string all = run_program({"info", "--matrices", file}).out;
  EXPECT_THAT(all, HasSubstr("\n  S   "));
  EXPECT_THAT(all, HasSubstr("\n  Se  "));
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
  EXPECT_THAT(outcome.err, StartsWith("bot/scenario.yaml:3:1: error: "));
}

}  // namespace
}  // namespace spacedyn::info_test
