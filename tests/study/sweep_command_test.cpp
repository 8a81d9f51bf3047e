// The command: exit codes, output, interrupts, kills, full disks.
#include <chrono>
#include <csignal>
#include <filesystem>

#include "cli/program.hpp"
#include "study/small_sweep.hpp"

namespace spacedyn::sweep_command_test {
namespace {

using nlohmann::json;
using testing::becomes_true;
using ::testing::HasSubstr;
using testing::kThreeParameters;
using testing::Outcome;
using testing::Program;
using testing::run_program;
using testing::Surroundings;
using testing::SweepFolder;

/// 200 flights of some ten milliseconds each, and one without an end.
const std::string kLong = R"(  parameters:
    - {key: duration, values: [100, 9.0e6]}
    - {key: initial.joints.hinge.velocity, uniform: [0, 1]}
  runs: 100
  collect:
    - {name: last, channel: joint_position}
)";

Outcome run(const SweepFolder& folder, std::vector<std::string> arguments,
            Surroundings surroundings = {}) {
  surroundings.directory = folder / ".";
  arguments.insert(arguments.begin(), {"sweep", "sweep.yaml"});
  return run_program(arguments, surroundings);
}

long flown_rows(const SweepFolder& folder) {
  try {
    return static_cast<long>(read_sweep_table(folder / "out/study.h5").flown.size());
  } catch (const Error&) {
    return 0;
  }
}

const std::string kScatter = R"(  runs: 1
  parameters:
    - {key: initial.joints.hinge.position, normal: {mean: 0.5, standard_deviation: 0.01}}
    - {key: duration, values: [2]}
  collect:
    - {name: last, channel: joint_position}
    - {name: drift, summary: energy_residual}
)";

TEST(SweepCommand, PrintsTheLinearCovarianceOfOneFlight) {
  const SweepFolder folder(kScatter);
  const Outcome outcome = run(folder, {"--linear", "--json", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json last = json::parse(outcome.out).at("collected").at("last");
  // the motion is linear in its start
  EXPECT_NEAR(last.at("by").at("initial.joints.hinge.position").get<double>(),
              last.at("value").get<double>() / 0.5, 1e-9);
  EXPECT_NEAR(last.at("standard_deviation").get<double>(),
              0.01 * std::abs(last.at("value").get<double>()) / 0.5, 1e-11);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/study_linear.csv"));
  const Outcome text = run(folder, {"--linear"});
  EXPECT_THAT(text.out, HasSubstr("the number 'energy_residual' of the summary is not known"));
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
}

TEST(SweepCommand, NamesWhatHasNoLinearCovariance) {
  const Outcome outcome = run(SweepFolder(kThreeParameters), {"--linear"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("the parameter 'duration' takes 2 single values"));
}

TEST(SweepCommand, PrintsWhatItFlewAndNamesItsFiles) {
  const SweepFolder folder(kThreeParameters);
  const Outcome outcome = run(folder, {"--json", "-j", "2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json said = json::parse(outcome.out);
  EXPECT_EQ(said.at("sweep"), "study");
  EXPECT_EQ(said.at("rows"), 80);
  EXPECT_EQ(said.at("done"), 80);
  EXPECT_EQ(said.at("failed"), 0);
  EXPECT_GT(said.at("wall_seconds").get<double>(), 0.0);
  EXPECT_EQ(said.at("files"), (json{"results/study/study.h5", "results/study/study.meta.json"}));
  const json meta = json::parse(testing::read_text(folder / "results/study/study.meta.json"));
  EXPECT_EQ(meta.at("status"), "complete");
  EXPECT_EQ(meta.at("rows"), 80);
}

TEST(SweepCommand, FliesARowAgainFromTheResultAlone) {
  const SweepFolder folder(kThreeParameters + "  keep_results: all\n");
  ASSERT_EQ(run(folder, {"-o", "out", "--set", "runs=3", "-q"}).exit_code, 0);
  std::filesystem::remove(folder / "oscillator.yaml");
  Surroundings here;
  here.directory = folder / ".";
  const Outcome row =
      run_program({"simulate", "--row", "4", "out/study.h5", "-o", "again", "--json"}, here);
  EXPECT_EQ(row.exit_code, 0) << row.err;
  const SweepTable table = read_sweep_table(folder / "out/study.h5");
  EXPECT_EQ(json::parse(row.out).at("final_state").at("q").at(0).get<double>(),
            table.flown[4].collected[0]);
  EXPECT_EQ(testing::read_text(folder / "again/oscillator.h5"),
            testing::read_text(folder / "out/rows/4/oscillator.h5"));
  EXPECT_TRUE(std::filesystem::exists(folder / "again/oscillator.html"));
  const Outcome none = run_program({"simulate", "--row", "6", "out/study.h5"}, here);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("option '--row': expected a row from 0 to 5, got 6"));
  const Outcome other = run_program({"simulate", "--row", "0", "again/oscillator.h5"}, here);
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err, HasSubstr("'again/oscillator.h5' is no result of a sweep"));
}

TEST(SweepCommand, KeepsTheLimitOfARowThatItFliesAgain) {
  const SweepFolder folder(R"(  parameters:
    - {key: duration, values: [1, 1.0e7]}
  limits: {wall_time: 0.2}
)");
  EXPECT_EQ(run(folder, {"-o", "out", "-q"}).exit_code, 4);
  Surroundings here;
  here.directory = folder / ".";
  const Outcome row = run_program({"simulate", "--row", "1", "out/study.h5", "--no-report"}, here);
  EXPECT_EQ(row.exit_code, 4);
  EXPECT_THAT(row.err, HasSubstr("limits.wall_time: 0.2 s are over at t = "));
}

TEST(SweepCommand, ExplainsEachKindOfFailureOnce) {
  const SweepFolder folder(R"(  runs: 20
  parameters:
    - {key: model.links.disc.mass, uniform: [-2, -1]}
)");
  const Outcome outcome = run(folder, {});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.out, HasSubstr("study: 20 of 20 rows flown, 20 failed"));
  EXPECT_THAT(outcome.out,
              HasSubstr("20 with status 3, first row 0: --set model.links.disc.mass="));
  EXPECT_THAT(outcome.out, HasSubstr("simulate --row 0 results/study/study.h5"));
}

TEST(SweepCommand, RefusesWrongFilesAtTheirLine) {
  const SweepFolder folder("  runs: 2\n  parameters:\n    - {key: durtion, uniform: [1, 2]}\n");
  const Outcome outcome = run(folder, {});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("sweep.yaml:7:13: error: sweep.parameters.0.key: expected the "
                                     "key of a number of the scenario, got 'durtion'"));
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
  EXPECT_EQ(run(folder, {"--set", "rnus=3"}).exit_code, 2);
  Surroundings here;
  here.directory = folder / ".";
  EXPECT_EQ(run_program({"check", "sweep.yaml"}, here).exit_code, 3);
  folder.write("  runs: 2\n  parameters:\n    - {key: duration, uniform: [1, 2]}\n");
  const Outcome right = run_program({"check", "sweep.yaml"}, here);
  EXPECT_EQ(right.out, "sweep.yaml: valid sweep 'study', 2 rows of 'oscillator'\n");
}

TEST(SweepCommand, EndsSoonAfterAnInterruptAndGoesOn) {
  const SweepFolder folder(kLong);
  Surroundings here;
  here.directory = folder / ".";
  Program program({"sweep", "sweep.yaml", "-o", "out", "-j", "2"}, here);
  ASSERT_TRUE(becomes_true([&] { return flown_rows(folder) >= 100; }));
  const auto start = std::chrono::steady_clock::now();
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_LT(taken.count(), 10.0);  // half a second on a machine that is free
  EXPECT_THAT(outcome.err, HasSubstr("sweep sweep.yaml -o out --resume"));
  EXPECT_EQ(json::parse(testing::read_text(folder / "out/study.meta.json")).at("status"),
            "interrupted");
  EXPECT_GE(flown_rows(folder), 100);
}

TEST(SweepCommand, KeepsRowsWhenItIsKilledAndGoesOn) {
  const std::string keys = R"(  runs: 400
  parameters:
    - {key: initial.joints.hinge.velocity, uniform: [0, 1]}
    - {key: duration, uniform: [1, 20]}
  collect:
    - {name: last, channel: joint_position}
)";
  const SweepFolder folder(keys);
  Surroundings here;
  here.directory = folder / ".";
  long before = 0;
  {
    Program program({"sweep", "sweep.yaml", "-o", "out", "-j", "2", "-q"}, here);
    ASSERT_TRUE(becomes_true([&] { return (before = flown_rows(folder)) >= 5; }));
    program.send(SIGKILL);
    program.wait();
  }
  EXPECT_GE(flown_rows(folder), before);
  EXPECT_EQ(run(folder, {"-o", "out", "--resume", "-q"}).exit_code, 0);
  const SweepTable table = read_sweep_table(folder / "out/study.h5");
  ASSERT_EQ(table.flown.size(), 400U);
  ASSERT_EQ(run(folder, {"-o", "whole", "-j", "1", "-q"}).exit_code, 0);
  const SweepTable whole = read_sweep_table(folder / "whole/study.h5");
  for (std::size_t row = 0; row < 400; ++row) {
    EXPECT_EQ(table.flown[row].collected, whole.flown[row].collected);
    EXPECT_EQ(table.flown[row].draw.parameters, whole.flown[row].draw.parameters);
  }
}

TEST(SweepCommand, SaysWhenFilesCannotBeWritten) {
  const SweepFolder folder(kThreeParameters);
  Surroundings full;
  full.file_size_limit = 40000;
  const Outcome outcome = run(folder, {"-o", "out", "--set", "runs=4000"}, full);
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("--resume"));
  EXPECT_EQ(run(folder, {"-o", "sweep.yaml/out"}).exit_code, 6);
  testing::write_text(folder / "file", "");
  EXPECT_EQ(run(folder, {"-o", "file"}).exit_code, 6);
}

#ifndef SPACEDYN_WITH_MPI
TEST(SweepCommand, RefusesRanksThatWouldAllFlyTheSame) {
  const SweepFolder folder(kThreeParameters);
  Surroundings rank;
  rank.environment["OMPI_COMM_WORLD_SIZE"] = "4";
  const Outcome outcome = run(folder, {"-o", "out"}, rank);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("each of these 4 ranks would fly the whole sweep"));
  EXPECT_THAT(outcome.err, HasSubstr("CMake option SPACEDYN_WITH_MPI=ON"));
  rank.environment["OMPI_COMM_WORLD_SIZE"] = "1";
  EXPECT_EQ(run(folder, {"-o", "out", "--set", "runs=1", "-q"}, rank).exit_code, 0);
}
#endif

TEST(SweepCommand, RefusesToResumeAnotherSweep) {
  const SweepFolder folder(kThreeParameters);
  ASSERT_EQ(run(folder, {"-o", "out", "--set", "runs=2", "-q"}).exit_code, 0);
  const Outcome outcome = run(folder, {"-o", "out", "--resume"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("'out/study.h5' cannot be resumed: it was begun with other"));
  EXPECT_EQ(run(folder, {"-o", "none", "--resume", "--set", "runs=1", "-q"}).exit_code, 0);
}

}  // namespace
}  // namespace spacedyn::sweep_command_test
