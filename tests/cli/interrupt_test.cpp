#include <csignal>
#include <memory>

#include <fcntl.h>
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
                                             "duration=1.0e7", "--format",          format};
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
      EXPECT_THAT(outcome.err, StartsWith("interrupted at t = "));
      EXPECT_THAT(outcome.err, HasSubstr("the rows so far are in '" + run.file() + "'\n"));
      run.expect_whole_rows();
      EXPECT_EQ(run.metadata().at("outcome").at("status"), "interrupted");
      EXPECT_GT(run.metadata().at("outcome").at("time"), 0.0);
      EXPECT_EQ(read_result(run.starter() / run.file()).facts.status, "interrupted");
    }
  }
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
  EXPECT_THAT(shown, StartsWith("\r  0 %  t = "));
  EXPECT_THAT(shown, HasSubstr(" of 1e+07 s, "));
  EXPECT_THAT(shown, ContainsRegex(" times real time, [0-9]+ (s|min [0-9]+ s|h [0-9]+ min) left"));
  EXPECT_EQ(run.end_by(SIGINT).exit_code, 130);
  for (std::string more = terminal.read(); !more.empty(); more = terminal.read()) shown += more;
  EXPECT_THAT(shown, HasSubstr("\r\x1b[Kinterrupted at t = "));
}

}  // namespace
}  // namespace spacedyn::interrupt_test
