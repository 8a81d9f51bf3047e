// The command: exit codes, output, files, interrupts.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/program.hpp"
#include "optimization/small_fit.hpp"

namespace spacedyn::fit_command_test {
namespace {

using nlohmann::json;
using testing::FitFolder;
using ::testing::HasSubstr;
using testing::kData;
using testing::kTwo;
using testing::Outcome;
using testing::run_program;
using testing::Surroundings;

Outcome run(const FitFolder& folder, const std::vector<std::string>& arguments) {
  Surroundings here;
  here.directory = folder / ".";
  return run_program(arguments, here);
}

TEST(FitCommand, PrintsValuesAndWritesFilesThatFlyAgain) {
  const FitFolder folder;
  const Outcome outcome = run(folder, {"fit", "fit.yaml", "--json", "-j", "2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json said = json::parse(outcome.out);
  const json& stiffness = said.at("parameters").at("model.links.disc.joint.stiffness");
  EXPECT_NEAR(stiffness.at("value"), testing::kStiffness,
              6.0 * stiffness.at("standard_deviation").get<double>());
  EXPECT_EQ(said.at("correlation").at(0).at(0), 1.0);
  EXPECT_EQ(said.at("correlation").at(0).at(1), said.at("correlation").at(1).at(0));
  EXPECT_EQ(said.at("converged"), true);
  EXPECT_EQ(said.at("residuals").at("angle_rad").at("count"), 100);
  EXPECT_NEAR(said.at("residuals").at("angle_rad").at("rms"), 0.001, 0.0003);
  EXPECT_GT(said.at("cost").get<double>(), 0.0);
  EXPECT_GT(said.at("iterations").get<int>(), 0);
  EXPECT_EQ(said.at("files").size(), 5U);
  EXPECT_EQ(json::parse(testing::read_text(folder / "results/study/study.json")), said);
  const Outcome again = run(folder, {"simulate", "results/study/study.yaml", "-o", "again"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST(FitCommand, SaysWhatTheDataDoNotDetermine) {
  const FitFolder folder(kData + kTwo + "    - {key: model.links.disc.inertia.2}\n");
  const Outcome outcome = run(folder, {"fit", "fit.yaml", "-o", "out"});
  EXPECT_THAT(outcome.err, HasSubstr("the data do not determine model.links.disc.joint.stiffness, "
                                     "model.links.disc.joint.damping, model.links.disc.inertia.2"));
  EXPECT_THAT(outcome.out, HasSubstr("not determined"));
  EXPECT_THAT(testing::read_text(folder / "out/study.html"), HasSubstr("not determined"));
  EXPECT_EQ(run(folder, {"fit", "fit.yaml", "-o", "strict", "--strict"}).exit_code, 3);
}

TEST(FitCommand, RefusesWrongFilesAtTheirLine) {
  const FitFolder folder(kData + kTwo + "    - {key: model.links.disc.mass}\n");
  const Outcome outcome = run(folder, {"fit", "fit.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("fit.yaml:9:13: error: fit.parameters.2.key: expected a "
                                     "parameter that the data depend on"));
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
  EXPECT_EQ(run(folder, {"check", "fit.yaml"}).out,
            "fit.yaml: valid fit 'study', 3 parameters of 'ring_down' from 100 samples\n");
  EXPECT_EQ(run(folder, {"fit", "none.yaml"}).exit_code, 3);
  EXPECT_EQ(run(folder, {"fit", "fit.yaml", "--set", "nme=a"}).exit_code, 2);
}

/// A fit whose flights take some seconds each.
struct SlowFitFolder : FitFolder {
  SlowFitFolder() : FitFolder(kData + kTwo) {
    write("ring_down.yaml", testing::kRingDown.substr(0, testing::kRingDown.find("  integrator")) +
                                "  integrator: {method: rk4, step: 1.0e-6}\n");
  }
};

TEST(FitCommand, TakesItsFolderBeforeItSearches) {
  const SlowFitFolder folder;
  std::filesystem::create_directory(folder / "out");
  folder.write("out/notes.txt", "mine");
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = run(folder, {"fit", "fit.yaml", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 6) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("'out' exists already and is not empty"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(testing::read_text(folder / "out/notes.txt"), "mine");
}

TEST(FitCommand, KeepsOthersOutOfItsFolder) {
  const SlowFitFolder folder;
  Surroundings here;
  here.directory = folder / ".";
  testing::Program program({"fit", "fit.yaml", "-o", "out", "--json"}, here);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  const Outcome other = run(folder, {"fit", "fit.yaml", "-o", "out", "--force"});
  EXPECT_EQ(other.exit_code, 6);
  EXPECT_THAT(other.err, HasSubstr("'out' is in use: process "));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/study.html"));
}

TEST(FitCommand, KeepsTheBestAfterAnInterrupt) {
  const SlowFitFolder folder;
  Surroundings here;
  here.directory = folder / ".";
  testing::Program program({"fit", "fit.yaml", "-o", "out", "--json"}, here);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  const json said = json::parse(outcome.out);
  EXPECT_EQ(said.at("converged"), false);
  EXPECT_EQ(said.at("parameters").at("model.links.disc.joint.stiffness").at("value"), 6.5);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/study.html"));
}

}  // namespace
}  // namespace spacedyn::fit_command_test
