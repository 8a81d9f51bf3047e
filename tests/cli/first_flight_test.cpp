// A model of another program that comes without a scenario.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/program.hpp"
#include "foreign/foreign_texts.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::first_flight_test {
namespace {

using nlohmann::json;
using testing::kServicerUrdf;
using testing::Outcome;
using testing::StarterDirectory;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class FirstFlight : public ::testing::Test {
 protected:
  void SetUp() override { write(kServicerUrdf); }
  void write(const std::string& text) const { testing::write_text(folder_ / "arm.urdf", text); }
  Outcome run(std::vector<std::string> options, const std::string& command = "simulate") const {
    options.insert(options.begin(), {command, "arm.urdf"});
    return folder_.run(options);
  }

  const StarterDirectory folder_;
};

TEST_F(FirstFlight, MovesJointsAndKeepsMomentum) {
  const Outcome outcome = run({"--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary.at("time"), 10.0);
  // nothing acts from outside; the flight has a relative tolerance of 1e-8
  EXPECT_LT(summary.at("momentum_drift"), 1e-8);
  for (const json& q : summary.at("final_state").at("q"))
    EXPECT_GT(std::abs(q.get<double>()), 0.02);
  EXPECT_TRUE(fs::exists(folder_ / "results/arm/arm.h5"));
  EXPECT_TRUE(fs::exists(folder_ / "results/arm/arm.html"));
}

TEST_F(FirstFlight, DampersDoNotStopJoints) {
  write(testing::replaced(kServicerUrdf, "damping=\"0.7\"", "damping=\"500\""));
  const Outcome outcome = run({"--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  EXPECT_LT(summary.at("momentum_drift"), 1e-8);
  for (const json& q : summary.at("final_state").at("q"))
    EXPECT_GT(std::abs(q.get<double>()), 0.02);
}

TEST_F(FirstFlight, OfAnArmWithoutMassesIsKinematics) {
  write(
      "<robot name='kin'><link name='base'/><link name='a'/><link name='tool'/>"
      "<joint name='j' type='revolute'><parent link='base'/><child link='a'/>"
      "<origin xyz='0 0 0.4'/><axis xyz='0 0 1'/><limit lower='-2' upper='2' effort='1' "
      "velocity='1'/></joint><joint name='f' type='fixed'><parent link='a'/><child link='tool'/>"
      "<origin xyz='0.5 0 0'/></joint></robot>");
  testing::Surroundings state;
  state.input = "{q: [0.3]}";
  const Outcome outcome = folder_.run({"evaluate", "arm.urdf", "-"}, state);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json tool = json::parse(outcome.out).at("frames").at("tool");
  EXPECT_NEAR(tool.at("position")[0], 0.5 * std::cos(0.3), 1e-15);
  EXPECT_NEAR(tool.at("J_m")[1][0], 0.5 * std::cos(0.3), 1e-15);
  EXPECT_EQ(tool.at("generalized_jacobian"), tool.at("J_m")) << "the base is fixed";
  EXPECT_TRUE(json::parse(outcome.out).at("forward_dynamics").is_null());
  EXPECT_EQ(folder_.run({"info", "arm.urdf"}).out.find("condition of H"), std::string::npos);
}

TEST_F(FirstFlight, TakesOverrides) {
  const Outcome outcome = run({"--json", "--set", "duration=1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).at("time"), 1.0);
  EXPECT_EQ(run({"--set", "durations=1"}).exit_code, 2);
}

TEST_F(FirstFlight, GoesOnWhereItWasStopped) {
  ASSERT_EQ(run({"-q", "-o", "whole"}).exit_code, 0);
  ASSERT_EQ(run({"-q", "-o", "parts", "--set", "integrator.max_steps=3"}).exit_code, 4);
  const Outcome outcome =
      run({"-q", "-o", "parts", "--resume", "--set", "integrator.max_steps=100000"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_result(folder_ / "parts/arm.h5").values,
            read_result(folder_ / "whole/arm.h5").values);
}

TEST_F(FirstFlight, KeepsLettersOfEveryAlphabet) {
  std::string text = kServicerUrdf;
  const std::string plain = "\"shoulder\"";
  for (std::size_t at = 0; (at = text.find(plain)) != std::string::npos;) {
    text.replace(at, plain.size(), "\"плечо 肩\"");
  }
  testing::write_text(folder_ / "робот-ß.urdf", text);
  const Outcome outcome = folder_.run({"simulate", "робот-ß.urdf", "-q", "--set", "duration=1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string result = folder_ / "results/робот-ß/робот-ß.h5";
  const auto has_column = [](const std::string& path) {
    const auto columns = read_result(path).columns;
    return std::any_of(columns.begin(), columns.end(), [](const Column& column) {
      return column.name.find("плечо_肩") != std::string::npos;
    });
  };
  EXPECT_TRUE(has_column(result));
  for (const std::string name : {"all.csv", "all.mat"}) {
    const Outcome converted = folder_.run({"convert", result, name});
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
  }
  EXPECT_TRUE(has_column(folder_ / "all.csv"));
}

TEST_F(FirstFlight, FindsPackagesOnThePathOfEachCommand) {
  write(testing::replaced(kServicerUrdf, R"(<box size="1 2 3"/>)",
                          R"(<mesh filename="package://arm_pictures/bus.stl"/>)"));
  fs::create_directories(folder_ / "elsewhere/arm_pictures");
  testing::write_text(folder_ / "elsewhere/arm_pictures/bus.stl", "solid\nendsolid\n");
  testing::write_text(folder_ / "state.yaml", "{}");
  const std::vector<std::vector<std::string>> commands = {
      {"check", "arm.urdf"},
      {"info", "arm.urdf"},
      {"evaluate", "arm.urdf", "state.yaml"},
      {"modes", "arm.urdf"},
      {"linearize", "arm.urdf"},
      {"import", "arm.urdf"},
      {"export", "arm.urdf", "back.urdf", "--force"},
      {"simulate", "arm.urdf", "--set", "duration=0.1", "--no-report"},
      {"view", "arm.urdf", "--set", "duration=0.1", "--no-open"}};
  for (std::vector<std::string> command : commands) {
    const std::string missing = "the package 'arm_pictures' of its meshes is not found";
    EXPECT_NE(folder_.run(command).err.find(missing), std::string::npos) << command.front();
    command.insert(command.end(), {"--package-path", "elsewhere"});
    const Outcome found = folder_.run(command);
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_EQ(found.err.find(missing), std::string::npos) << command.front();
  }
  const Outcome wrong = run({"--package-path", "nowhere"}, "info");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("--package-path 'nowhere': expected a folder"), std::string::npos);
}

TEST_F(FirstFlight, NamesTheLineOfABadModel) {
  write("<robot name='r'>\n  <link name='bus'>\n</robot>\n");
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, StartsWith("arm.urdf:"));
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  EXPECT_EQ(run({}, "view").exit_code, 3);
}

}  // namespace
}  // namespace spacedyn::first_flight_test
