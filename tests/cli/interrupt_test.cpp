#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/program.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::interrupt_test {
namespace {

using nlohmann::json;
using testing::becomes_true;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::Program;
using testing::read_text;
using testing::StarterDirectory;
using ::testing::StartsWith;
using testing::Surroundings;

/// A run without an end in sight, in the directory of a starter.
class LongRun {
 public:
  explicit LongRun(const std::string& format = "hdf5", Surroundings surroundings = {})
      : file_("results/bot/bot." + std::string(format == "csv" ? "csv" : "h5")) {
    surroundings.directory = starter_.path();
    const std::vector<std::string> arguments{"simulate",       "bot/scenario.yaml", "--set",
                                             "duration=1.0e5", "--format",          format};
    program_ = std::make_unique<Program>(arguments, surroundings);
  }

  bool has_rows() const {
    return becomes_true([&] { return rows() > 10; });
  }
  /// Complete rows that can be read at the moment.
  Eigen::Index rows() const {
    try {
      return read_result(starter_ / file_).values.rows();
    } catch (const IoError&) {
      return 0;
    }
  }
  Outcome end_by(int signal) {
    program_->send(signal);
    return program_->wait();
  }
  const StarterDirectory& starter() const { return starter_; }
  const std::string& file() const { return file_; }
  json metadata() const { return json::parse(read_text(starter_ / "results/bot/bot.meta.json")); }
  void expect_whole_rows() const {
    const ResultTable table = read_result(starter_ / file_);
    EXPECT_TRUE(table.values.allFinite());
    for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
      ASSERT_NEAR(table.values(i, 0), 0.05 * static_cast<double>(i), 1e-9 * table.values(i, 0));
    }
  }

 private:
  StarterDirectory starter_;
  std::string file_;
  std::unique_ptr<Program> program_;
};

TEST(Interrupt, KeepsTheResultsSoFar) {
  for (const std::string format : {"hdf5", "csv"}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      LongRun run(format);
      ASSERT_TRUE(run.has_rows());
      const Outcome outcome = run.end_by(signal);
      EXPECT_EQ(outcome.exit_code, 130);
      EXPECT_THAT(outcome.out, StartsWith("bot: interrupted at t = "));
      EXPECT_THAT(outcome.out, HasSubstr("  " + run.file() + '\n'));
      EXPECT_THAT(outcome.err, HasSubstr("interrupted at t = "));
      EXPECT_THAT(outcome.err, HasSubstr("the rows so far are in '" + run.file() + "'\n"));
      const std::string command =
          "spacedyn simulate bot/scenario.yaml --set duration=1.0e5 --format " + format +
          " --resume\n";
      EXPECT_THAT(outcome.err, HasSubstr("go on from there with\n  " + command));
      EXPECT_THAT(outcome.out, HasSubstr("\nnext: " + command));
      EXPECT_THAT(read_text(run.starter() / "results/bot/bot.html"),
                  HasSubstr("\"status\":\"interrupted\""));
      EXPECT_THAT(outcome.err, HasSubstr("look: open results/bot/bot.html in a browser"));
      run.expect_whole_rows();
      EXPECT_EQ(run.metadata().at("outcome").at("status"), "interrupted");
      EXPECT_GT(run.metadata().at("outcome").at("time"), 0.0);
      EXPECT_EQ(read_result(run.starter() / run.file()).facts.status, "interrupted");
    }
  }
}

/// A run whose first step alone has millions of outputs.
class CrowdedStep {
 public:
  explicit CrowdedStep(std::vector<std::string> more = {}) : more_(std::move(more)) {}

  /// Ends it as soon as there are more rows than so many, which are far from the end of a step.
  Outcome run(int signal, Eigen::Index rows) {
    Surroundings surroundings;
    surroundings.directory = starter_.path();
    std::vector<std::string> arguments{"simulate", "bot/scenario.yaml",   "-o", "out",
                                       "--set",    "output.interval=1e-7"};
    arguments.insert(arguments.end(), more_.begin(), more_.end());
    Program program(arguments, surroundings);
    EXPECT_TRUE(becomes_true([&] { return table().values.rows() > rows; }));
    program.send(signal);
    return program.wait();
  }
  void resume() { more_.push_back("--resume"); }
  ResultTable table() const {
    try {
      return read_result(starter_ / "out/bot.h5");
    } catch (const IoError&) {
      return {};
    }
  }

 private:
  StarterDirectory starter_;
  std::vector<std::string> more_;
};

TEST(Interrupt, IsHeardInsideAStep) {
  for (const int signal : {SIGINT, SIGTERM}) {
    CrowdedStep run;
    const Outcome outcome = run.run(signal, 2000);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("bot: interrupted at t = "));
    const ResultTable table = run.table();
    EXPECT_EQ(table.facts.status, "interrupted");
    ASSERT_GT(table.values.rows(), 2000);
    EXPECT_LT(table.values.bottomRows(1)(0, 0), 20.0);
    EXPECT_TRUE(table.values.allFinite());
  }
}

TEST(Interrupt, InsideAStepCanBeResumed) {
  CrowdedStep run;
  ASSERT_EQ(run.run(SIGTERM, 1000).exit_code, 130);
  const Eigen::Index before = run.table().values.rows();
  run.resume();
  ASSERT_EQ(run.run(SIGTERM, before + 1000).exit_code, 130);
  const ResultTable table = run.table();
  for (Eigen::Index i = 0; i < table.values.rows(); i += 100) {
    ASSERT_NEAR(table.values(i, 0), 1e-7 * static_cast<double>(i), 1e-12);
  }
}

// Sweeps over contacts evaluate nothing; the first step would take days.
TEST(Interrupt, IsHeardInsideAStepOfContacts) {
  const std::string stack = std::string(SPACEDYN_MODELS) + "/scenarios/brick_stack.yaml";
  for (const int signal : {SIGINT, SIGTERM}) {
    const StarterDirectory starter;
    Surroundings surroundings;
    surroundings.directory = starter.path();
    Program program(
        {"simulate", stack, "-o", "out", "--set", "integrator.contact_tolerance=1e-300", "--set",
         "integrator.contact_iterations=1000000000", "--set", "integrator.step=50 ms"},
        surroundings);
    ASSERT_TRUE(becomes_true(
        [&] { return std::filesystem::exists(starter / "out/brick_stack.meta.json"); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const auto start = std::chrono::steady_clock::now();
    program.send(signal);
    const Outcome outcome = program.wait();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_LT(passed.count(), 10.0);  // half a second on a machine that is free
    EXPECT_EQ(json::parse(read_text(starter / "out/brick_stack.meta.json"))["outcome"]["status"],
              "interrupted");
  }
}

TEST(Interrupt, OfTheFirstInstantsCanBeResumed) {
  LongRun run("csv");
  ASSERT_TRUE(run.has_rows());
  EXPECT_EQ(run.end_by(SIGKILL).exit_code, 128 + SIGKILL);
  ASSERT_FALSE(std::filesystem::exists(run.starter() / "results/bot/bot.checkpoint"));
  const std::vector<std::string> again{"simulate", "bot/scenario.yaml", "--format",
                                       "csv",      "--no-report",       "--resume",
                                       "--set",    "duration=2"};
  const Outcome outcome = run.starter().run(again);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "the run ended before its first checkpoint, so it begins again\n");
  const ResultTable table = read_result(run.starter() / run.file());
  EXPECT_EQ(table.facts.status, "complete");
  EXPECT_EQ(table.values.bottomRows(1)(0, 0), 2.0);
  EXPECT_EQ(run.starter().run(again).exit_code, 3) << "it is complete now";
}

TEST(Interrupt, OfTheFirstInstantsIsNotResumedWithAnotherScenario) {
  LongRun run("csv");
  ASSERT_TRUE(run.has_rows());
  run.end_by(SIGKILL);
  run.starter().edit("bot/scenario.yaml", "  duration:", "  # changed\n  duration:");
  const Outcome outcome =
      run.starter().run({"simulate", "bot/scenario.yaml", "--format", "csv", "--resume"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("cannot resume: 'bot/scenario.yaml' is not what it was"));
  run.expect_whole_rows();
}

TEST(RunningFlight, IsLeftAloneByOthers) {
  LongRun run;
  ASSERT_TRUE(run.has_rows());
  for (const std::vector<std::string>& more : {std::vector<std::string>{"-o", "results/bot"},
                                               {"--force"},
                                               {"-o", "results/bot", "--force"},
                                               {"--resume"},
                                               {"-o", "results/bot", "--resume"}}) {
    std::vector<std::string> arguments{"simulate", "bot/scenario.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run.starter().run(arguments);
    EXPECT_EQ(outcome.exit_code, 6) << more.back();
    EXPECT_THAT(outcome.err,
                ContainsRegex("'results/bot' is in use: process [0-9]+ \\(spacedyn simulate "
                              "bot/scenario.yaml --set duration=1.0e5"));
    EXPECT_THAT(outcome.err, HasSubstr("hint: wait until it ends, end it, or choose another"));
  }
  // without a directory of its own a second run finds another one
  EXPECT_EQ(run.starter().run({"simulate", "bot/scenario.yaml", "--set", "duration=1"}).exit_code,
            0);
  EXPECT_TRUE(std::filesystem::exists(run.starter() / "results/bot-002"));
  const Eigen::Index before = run.rows();
  EXPECT_TRUE(becomes_true([&] { return run.rows() > before; }));
  EXPECT_EQ(run.end_by(SIGINT).exit_code, 130);
  run.expect_whole_rows();
}

/// A file that takes as long to read as a test likes.
class SlowFile {
 public:
  explicit SlowFile(std::string path) : path_(std::move(path)) { mkfifo(path_.c_str(), 0600); }
  ~SlowFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  SlowFile(const SlowFile&) = delete;
  SlowFile& operator=(const SlowFile&) = delete;

  /// Waits until a program reads it.
  bool is_read() {
    return becomes_true([this] {
      descriptor_ = open(path_.c_str(), O_WRONLY | O_NONBLOCK);
      return descriptor_ >= 0;
    });
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

TEST(Interrupt, IsHeardWhileAFileIsRead) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.directory = starter.path();
  int number = 0;
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check"},
                                                  {"info"},
                                                  {"simulate"},
                                                  {"modes"},
                                                  {"check", "--json"}}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      const std::string name = "slow" + std::to_string(++number) + ".yaml";
      SlowFile file(starter / name);
      std::vector<std::string> arguments = command;
      arguments.push_back(name);
      Program program(arguments, surroundings);
      ASSERT_TRUE(file.is_read());
      program.send(signal);
      const Outcome outcome = program.wait();
      EXPECT_EQ(outcome.exit_code, 130);
      EXPECT_EQ(outcome.out, "");
      if (command.size() == 1) {
        EXPECT_EQ(outcome.err, "interrupted\n");
      } else {
        EXPECT_EQ(json::parse(outcome.err).at(0).at("code"), "interrupted");
      }
    }
  }
}

TEST(Interrupt, OfAReportLeavesNothingBehind) {
  const StarterDirectory starter;
  ASSERT_EQ(starter.run({"simulate", "bot/scenario.yaml", "--no-report", "-o", "out"}).exit_code,
            0);
  Surroundings surroundings;
  surroundings.directory = starter.path();
  std::vector<std::string> arguments(500, "out");
  arguments.insert(arguments.begin(), "report");
  Program program(arguments, surroundings);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_FALSE(std::filesystem::exists(starter / "report.html"));
  EXPECT_FALSE(std::filesystem::exists(starter / "report.html.tmp"));
}

TEST(Interrupt, LeavesReadableRowsEvenWhenKilled) {
  for (const std::string format : {"hdf5", "csv"}) {
    LongRun run(format);
    ASSERT_TRUE(run.has_rows());
    const Outcome outcome = run.end_by(SIGKILL);
    EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
    run.expect_whole_rows();
    EXPECT_EQ(run.metadata().at("outcome"), json({{"status", "running"}}));
    const Outcome report = run.starter().run({"report", "results/bot"});
    EXPECT_EQ(report.exit_code, 0);
    EXPECT_THAT(report.err, HasSubstr("warning: the run did not end properly"));
  }
}

/// The reading end of a terminal.
class Terminal {
 public:
  Terminal() : descriptor_(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    if (descriptor_ >= 0 && (grantpt(descriptor_) != 0 || unlockpt(descriptor_) != 0)) {
      close(descriptor_);
      descriptor_ = -1;
    }
  }
  ~Terminal() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  std::string device() const { return ptsname(descriptor_); }
  /// What has been written to it since the last call.
  std::string read() const {
    char text[4096];
    const ssize_t size = ::read(descriptor_, text, sizeof(text));
    return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
  }

 private:
  int descriptor_;
};

TEST(Progress, IsShownOnATerminalAndWipedAtTheEnd) {
  const Terminal terminal;
  ASSERT_TRUE(terminal.is_open());
  Surroundings surroundings;
  surroundings.error_device = terminal.device();
  LongRun run("hdf5", surroundings);
  std::string shown;
  ASSERT_TRUE(becomes_true([&] {
    shown += terminal.read();
    return shown.find(" left") != std::string::npos;
  }));
  EXPECT_THAT(shown, ContainsRegex("^\r +[0-9]+ %  t = "));
  EXPECT_THAT(shown, HasSubstr(" of 100000 s, "));
  EXPECT_THAT(shown, ContainsRegex(" times real time, [0-9]+ (s|min [0-9]+ s|h [0-9]+ min) left"));
  EXPECT_EQ(run.end_by(SIGINT).exit_code, 130);
  for (std::string more = terminal.read(); !more.empty(); more = terminal.read()) shown += more;
  EXPECT_THAT(shown, HasSubstr("\r\x1b[Kinterrupted at t = "));
}

}  // namespace
}  // namespace spacedyn::interrupt_test
