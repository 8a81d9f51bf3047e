// The command: exit codes, output, files.
#include "cli/program.hpp"
#include "optimization/small_optimization.hpp"

namespace spacedyn::optimize_command_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::kEffort;
using testing::kKnots;
using testing::OptimizationFolder;
using testing::Outcome;
using testing::run_program;
using testing::Surroundings;

Outcome run(const OptimizationFolder& folder, const std::vector<std::string>& arguments) {
  Surroundings here;
  here.directory = folder / ".";
  return run_program(arguments, here);
}

TEST(OptimizeCommand, PrintsTheBestAndWritesAScenarioThatFlies) {
  const OptimizationFolder folder;
  const Outcome outcome = run(folder, {"optimize", "optimize.yaml", "--json", "-j", "2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json said = json::parse(outcome.out);
  EXPECT_EQ(said.at("variables").size(), 5U);
  EXPECT_EQ(said.at("constraints").size(), 2U);
  EXPECT_NEAR(said.at("constraints").at(0).at("value"), 1.0, 1e-8);
  EXPECT_LE(said.at("constraints").at(0).at("violation"), 1e-8);
  EXPECT_GT(said.at("evaluations").get<int>(), 1);
  EXPECT_LT(said.at("gradient_norm").get<double>(), 1e-3);
  EXPECT_EQ(said.at("converged"), true);
  EXPECT_EQ(json::parse(testing::read_text(folder / "results/study/study.json")), said);
  const Outcome again =
      run(folder, {"simulate", "results/study/study.yaml", "-o", "again", "--json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NEAR(json::parse(again.out).at("final_state").at("q").at(0), 1.0, 1e-8);
}

TEST(OptimizeCommand, EndsWithFourWhereNothingFits) {
  const OptimizationFolder folder(kKnots + kEffort +
                                  "  subject_to: [{channel: joint_position, at_least: 100}]\n");
  const Outcome outcome = run(folder, {"optimize", "optimize.yaml", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("violated by"));
  EXPECT_FALSE(testing::read_text(folder / "out/study.yaml").empty());
}

// The same steps to the last bit, without the flights that are known.
TEST(OptimizeCommand, ResumesASearchAsIfItHadNotEnded) {
  const OptimizationFolder folder;
  const json whole = json::parse(run(folder, {"optimize", "optimize.yaml", "--json"}).out);
  const Outcome part =
      run(folder, {"optimize", "optimize.yaml", "-o", "out", "--set", "max_evaluations=3"});
  EXPECT_EQ(part.exit_code, 4) << part.out;
  const Outcome rest =
      run(folder, {"optimize", "optimize.yaml", "-o", "out", "--resume", "--json"});
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  const json resumed = json::parse(rest.out);
  for (const char* same : {"variables", "objective", "constraints", "evaluations"}) {
    EXPECT_EQ(resumed.at(same), whole.at(same)) << same;
  }
  EXPECT_LT(resumed.at("flights").get<int>(), whole.at("flights").get<int>());
}

TEST(OptimizeCommand, ResumesNoOtherSearch) {
  const OptimizationFolder folder;
  run(folder, {"optimize", "optimize.yaml", "-o", "out", "--set", "max_evaluations=2"});
  const Outcome other = run(
      folder, {"optimize", "optimize.yaml", "-o", "out", "--resume", "--set", "tolerance=1e-3"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err, HasSubstr("only 'max_evaluations' may change"));
  EXPECT_FALSE(testing::read_text(folder / "out/study.yaml").empty());
  folder.write("out/study.trials.json", "{\"format\": ");
  const Outcome damaged = run(folder, {"optimize", "optimize.yaml", "-o", "out", "--resume"});
  EXPECT_EQ(damaged.exit_code, 3);
  EXPECT_THAT(damaged.err, HasSubstr("search again without --resume"));
}

TEST(OptimizeCommand, RefusesWrongFilesAtTheirLine) {
  const OptimizationFolder folder(kKnots + "  minimize: [{channel: joint_toque}]\n");
  const Outcome outcome = run(folder, {"optimize", "optimize.yaml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("optimize.yaml:11:14: error: optimize.minimize.0: expected a "
                                     "column or a dataset"));
  const OptimizationFolder right;
  EXPECT_EQ(run(right, {"check", "optimize.yaml"}).out,
            "optimize.yaml: valid optimization 'study', 5 variables of 'cart'\n");
}

}  // namespace
}  // namespace spacedyn::optimize_command_test
