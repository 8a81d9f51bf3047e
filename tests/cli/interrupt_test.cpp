#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "cli/program.hpp"

namespace spacedyn {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::lines_of;
using testing::Outcome;
using testing::Program;
using testing::read_text;
using testing::StarterDirectory;
using ::testing::StartsWith;
using testing::Surroundings;

/// Waits until something is true; false if it does not become so in a minute.
bool becomes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// A run without an end in sight, in the directory of a starter.
class LongRun {
 public:
  explicit LongRun(Surroundings surroundings = {}) {
    surroundings.directory = starter_.path();
    const std::vector<std::string> arguments{"simulate", "bot/scenario.yaml", "--set",
                                             "duration=1.0e7"};
    program_ = std::make_unique<Program>(arguments, surroundings);
  }

  bool has_rows() const {
    return becomes_true([&] { return lines_of(rows()).size() > 10; });
  }
  Outcome end_by(int signal) {
    program_->send(signal);
    return program_->wait();
  }
  std::string rows() const { return read_text(starter_ / "results/bot/bot.csv"); }
  json metadata() const { return json::parse(read_text(starter_ / "results/bot/bot.meta.json")); }
  void expect_whole_rows() const {
    const std::string text = rows();
    EXPECT_THAT(text, EndsWith("\n"));
    const std::vector<std::string> lines = lines_of(text);
    const auto commas = [](const std::string& line) {
      return std::count(line.begin(), line.end(), ',');
    };
    for (const std::string& line : lines) EXPECT_EQ(commas(line), commas(lines.front()));
  }

 private:
  StarterDirectory starter_;
  std::unique_ptr<Program> program_;
};

TEST(Interrupt, KeepsTheResultsSoFar) {
  for (const int signal : {SIGINT, SIGTERM}) {
    LongRun run;
    ASSERT_TRUE(run.has_rows());
    const Outcome outcome = run.end_by(signal);
    EXPECT_EQ(outcome.exit_code, 130);
    EXPECT_THAT(outcome.out, StartsWith("bot: interrupted at t = "));
    EXPECT_THAT(outcome.out, HasSubstr("  results/bot/bot.csv\n"));
    EXPECT_THAT(outcome.err, StartsWith("interrupted at t = "));
    EXPECT_THAT(outcome.err, HasSubstr("the rows so far are in 'results/bot/bot.csv'\n"));
    run.expect_whole_rows();
    EXPECT_EQ(run.metadata().at("outcome").at("status"), "interrupted");
    EXPECT_GT(run.metadata().at("outcome").at("time"), 0.0);
  }
}

TEST(Interrupt, LeavesReadableRowsEvenWhenKilled) {
  LongRun run;
  ASSERT_TRUE(run.has_rows());
  const Outcome outcome = run.end_by(SIGKILL);
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
  run.expect_whole_rows();
  EXPECT_EQ(run.metadata().at("outcome"), json({{"status", "running"}}));
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
  LongRun run(surroundings);
  std::string shown;
  ASSERT_TRUE(becomes_true([&] {
    shown += terminal.read();
    return shown.find(" s left") != std::string::npos;
  }));
  EXPECT_THAT(shown, StartsWith("\r  0 %  t = "));
  EXPECT_THAT(shown, HasSubstr(" of 1e+07 s, "));
  EXPECT_THAT(shown, HasSubstr(" times real time, "));
  EXPECT_EQ(run.end_by(SIGINT).exit_code, 130);
  for (std::string more = terminal.read(); !more.empty(); more = terminal.read()) shown += more;
  EXPECT_THAT(shown, HasSubstr("\r\x1b[Kinterrupted at t = "));
}

}  // namespace
}  // namespace spacedyn
