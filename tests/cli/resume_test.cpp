#include <csignal>
#include <filesystem>

#include "cli/program.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::resume_test {
namespace {

using nlohmann::json;
using testing::becomes_true;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::Program;
using testing::read_text;
using testing::StarterDirectory;
using ::testing::StartsWith;
using testing::Surroundings;
namespace fs = std::filesystem;

/// A run of the starter's scenario that takes half a second or so: time enough to be killed.
struct LongRun {
  std::string format, integrator, duration;

  std::vector<std::string> arguments(const std::string& directory) const {
    return {"simulate",
            "bot/scenario.yaml",
            "--no-report",
            "--set",
            "duration=" + duration,
            "--set",
            "integrator=" + integrator,
            "--set",
            "output.interval=0.5",
            "--format",
            format,
            "-o",
            directory,
            "--checkpoint-every",
            "0.02"};
  }
  std::string file() const { return format == "csv" ? "bot.csv" : "bot.h5"; }
};

const LongRun kRuns[] = {{"hdf5", "{method: dopri5, relative_tolerance: 1.0e-10}", "4000"},
                         {"csv", "{method: rk4, step: 0.004}", "700"},
                         {"hdf5", "{method: adams_bashforth_moulton, step: 0.004}", "700"}};

std::vector<std::string> resuming(std::vector<std::string> arguments) {
  arguments.emplace_back("--resume");
  return arguments;
}

/// Starts a run and ends it by a signal once it has left a checkpoint.
Outcome break_off(const StarterDirectory& starter, const std::vector<std::string>& arguments,
                  const std::string& checkpoint, int signal) {
  Surroundings surroundings;
  surroundings.directory = starter.path();
  Program program(arguments, surroundings);
  EXPECT_TRUE(becomes_true([&] { return fs::exists(starter / checkpoint); }));
  program.send(signal);
  return program.wait();
}

TEST(Resume, GivesTheBytesOfARunWithoutABreak) {
  for (const LongRun& run : kRuns) {
    SCOPED_TRACE(run.integrator);
    const StarterDirectory starter;
    ASSERT_EQ(starter.run(run.arguments("whole")).exit_code, 0);
    EXPECT_FALSE(fs::exists(starter / "whole/bot.checkpoint"));

    const auto arguments = run.arguments("broken");
    for (const int signal : {SIGKILL, SIGINT}) {
      const auto again = signal == SIGKILL ? arguments : resuming(arguments);
      const Outcome broken = break_off(starter, again, "broken/bot.checkpoint", signal);
      EXPECT_EQ(broken.exit_code, signal == SIGKILL ? 128 + SIGKILL : 130);
    }
    const Outcome rest = starter.run(resuming(arguments));
    EXPECT_EQ(rest.exit_code, 0);
    EXPECT_THAT(rest.err, StartsWith("going on from t = "));
    EXPECT_FALSE(fs::exists(starter / "broken/bot.checkpoint"));
    EXPECT_EQ(read_text(starter / ("broken/" + run.file())),
              read_text(starter / ("whole/" + run.file())));
    json whole = json::parse(read_text(starter / "whole/bot.meta.json"));
    json broken = json::parse(read_text(starter / "broken/bot.meta.json"));
    for (json* record : {&whole, &broken}) {
      record->erase("started");
      record->at("outcome").erase("wall_seconds");
    }
    EXPECT_EQ(whole, broken);
  }
}

TEST(Resume, RepeatsWhatWasSet) {
  const StarterDirectory starter;
  break_off(starter, kRuns[1].arguments("broken"), "broken/bot.checkpoint", SIGINT);
  const Outcome rest = starter.run({"simulate", "bot/scenario.yaml", "-o", "broken", "--resume",
                                    "--no-report", "--format", "csv"});
  EXPECT_EQ(rest.exit_code, 0);
  EXPECT_THAT(rest.out, HasSubstr("rk4"));
  const MatrixX values = read_result(starter / "broken").values;
  EXPECT_EQ(values(values.rows() - 1, 0), 700.0);
}

/// The starter after a run that its step limit has ended, in results/bot.
void reach_step_limit(const StarterDirectory& starter) {
  const Outcome outcome =
      starter.run({"simulate", "bot/scenario.yaml", "--set", "integrator.max_steps=30"});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.err, HasSubstr(" s after 30 steps: number of steps has reached max_steps\n"));
  EXPECT_TRUE(fs::exists(starter / "results/bot/bot.checkpoint"));
}

Outcome resume(const StarterDirectory& starter, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"simulate", "bot/scenario.yaml", "--resume"});
  return starter.run(options);
}

TEST(Resume, SavesAFailedRun) {
  const StarterDirectory starter;
  reach_step_limit(starter);
  EXPECT_EQ(resume(starter).exit_code, 4);
  const Outcome saved = resume(starter, {"--set", "integrator.max_steps=100000"});
  EXPECT_EQ(saved.exit_code, 0);
  EXPECT_THAT(saved.out, StartsWith("bot: complete"));
  EXPECT_TRUE(fs::exists(starter / "results/bot/bot.html"));
  EXPECT_EQ(starter.run({"simulate", "bot/scenario.yaml"}).exit_code, 0);
  EXPECT_EQ(read_result(starter / "results/bot").values,
            read_result(starter / "results/bot-002").values);
}

// Whatever ends a run, the events until then are told, those before a checkpoint once.
TEST(Resume, KnowsTheEventsOfWhatWasBrokenOff) {
  const std::string event = "events=[{name: passed, type: time, time: 1}]";
  const StarterDirectory starter;
  const auto events = [&](const std::string& directory) {
    std::vector<std::string> names;
    const RunFacts facts = read_result(starter / directory).facts;
    for (const EventRecord& each : facts.events) names.push_back(each.name);
    return names;
  };
  for (const LongRun& run : kRuns) {
    SCOPED_TRACE(run.integrator);
    const std::string folder = "killed_" + run.format + run.duration + run.integrator.substr(9, 3);
    std::vector<std::string> arguments = run.arguments(folder);
    arguments.insert(arguments.end(), {"--set", event});
    break_off(starter, arguments, folder + "/bot.checkpoint", SIGKILL);
    EXPECT_EQ(events(folder), std::vector<std::string>{"passed"});
  }
  const std::vector<std::string> failing = {
      "simulate", "bot/scenario.yaml",       "--set", event,
      "--set",    "integrator.max_steps=30", "-o",    "failed"};
  for (const bool resumes : {false, true}) {
    EXPECT_EQ(starter.run(resumes ? resuming(failing) : failing).exit_code, 4);
    EXPECT_EQ(events("failed"), std::vector<std::string>{"passed"});
  }
}

TEST(Resume, IsOfferedWhereARunIsUnfinished) {
  const StarterDirectory starter;
  reach_step_limit(starter);
  const Outcome again = starter.run({"simulate", "bot/scenario.yaml", "-o", "results/bot"});
  EXPECT_EQ(again.exit_code, 6);
  EXPECT_THAT(again.err, HasSubstr("hint: give --resume to go on with the run in it, or --force "
                                   "to overwrite its results\n"));
}

TEST(Resume, TakesAnotherTolerance) {
  const StarterDirectory starter;
  reach_step_limit(starter);
  const Outcome saved = resume(starter, {"--set", "integrator={method: rk4, step: 0.01}"});
  EXPECT_EQ(saved.exit_code, 0);
  EXPECT_THAT(saved.out, HasSubstr("rk4"));
}

TEST(Resume, RefusesARunThatIsCompleteOrMissing) {
  const StarterDirectory starter;
  const Outcome nothing = resume(starter);
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_EQ(nothing.err,
            "spacedyn: error: nothing to resume: there is no checkpoint "
            "'results/bot/bot.checkpoint'\n"
            "hint: run the scenario without --resume, or name its directory with -o\n");
  EXPECT_FALSE(fs::exists(starter / "results"));
  EXPECT_EQ(starter.run({"simulate", "bot/scenario.yaml"}).exit_code, 0);
  const Outcome complete = resume(starter);
  EXPECT_EQ(complete.exit_code, 3);
  EXPECT_EQ(complete.err,
            "spacedyn: error: nothing to resume: there is no checkpoint "
            "'results/bot/bot.checkpoint'\n"
            "hint: the run is complete\n");
}

TEST(Resume, RefusesAnotherScenarioOrModel) {
  const StarterDirectory starter;
  reach_step_limit(starter);
  const Outcome longer = resume(starter, {"--set", "duration=77"});
  EXPECT_EQ(longer.exit_code, 3);
  EXPECT_EQ(longer.err,
            "spacedyn: error: cannot resume: 'duration' of the scenario is not what it was at the "
            "checkpoint 'results/bot/bot.checkpoint'\n"
            "hint: only 'integrator' and 'checks' may change; undo the other change, or run the "
            "scenario from its start\n");
  const Outcome heavier = resume(starter, {"--set", "model.base.mass=999"});
  EXPECT_EQ(heavier.exit_code, 3);
  EXPECT_THAT(heavier.err, StartsWith("spacedyn: error: cannot resume: 'model' of the scenario"));
}

TEST(Resume, RefusesADamagedCheckpoint) {
  const StarterDirectory starter;
  reach_step_limit(starter);
  const std::string path = starter / "results/bot/bot.checkpoint";
  std::string bytes = read_text(path);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  testing::write_text(path, bytes);
  const Outcome outcome = resume(starter);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "spacedyn: error: cannot use the checkpoint 'results/bot/bot.checkpoint': it is "
            "damaged\n"
            "hint: run the scenario from its start, with --force to overwrite these results\n");
}

TEST(Resume, DoesNotOverwrite) {
  const StarterDirectory starter;
  const Outcome outcome = resume(starter, {"--force"});
  EXPECT_EQ(outcome.exit_code, 2);
}

}  // namespace
}  // namespace spacedyn::resume_test
