// Several processes that fly one sweep, here threads with mailboxes: the same rows whoever flies
// them.
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "spacedyn/study/sweep_processes.hpp"
#include "spacedyn/version.hpp"
#include "study/small_sweep.hpp"
#include "support/message_of.hpp"

namespace spacedyn::sweep_processes_test {
namespace {

using testing::expect_equal;
using testing::fly;
using ::testing::HasSubstr;
using testing::message_of;
using testing::SweepFolder;

/// 300 flights of about a millisecond; some fail.
const std::string kFlights = R"(  runs: 300
  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: model.links.disc.mass, uniform: [-0.2, 1]}
    - {key: duration, uniform: [5, 10]}
  collect:
    - {name: last, channel: joint_position}
    - {name: never, summary: events.touch.time}
)";

struct Mailbox {
  std::mutex mutex;
  std::deque<std::pair<int, std::string>> messages;
};

/// Changes a message on its way from a process; empty: it never arrives.
using Interference = std::function<void(std::string&)>;

class Mail final : public SweepCommunicator {
 public:
  Mail(std::vector<Mailbox>& boxes, int own, Interference interference)
      : boxes_(boxes), own_(own), interference_(std::move(interference)) {}

  int size() const override { return static_cast<int>(boxes_.size()); }
  void send(int process, const std::string& message) override {
    std::string text = message;
    if (interference_) interference_(text);
    if (text.empty()) return;
    Mailbox& box = boxes_[static_cast<std::size_t>(process)];
    const std::lock_guard<std::mutex> lock(box.mutex);
    box.messages.emplace_back(own_, std::move(text));
  }
  bool receive(int& process, std::string& message) override {
    Mailbox& box = boxes_[static_cast<std::size_t>(own_)];
    const std::lock_guard<std::mutex> lock(box.mutex);
    if (box.messages.empty()) return false;
    std::tie(process, message) = std::move(box.messages.front());
    box.messages.pop_front();
    return true;
  }
  void close(bool all_leave) override { closed_well = all_leave; }

  std::atomic<bool> closed_well{false};

 private:
  std::vector<Mailbox>& boxes_;
  int own_;
  Interference interference_;
};

/// Process 0 and others, which begin at once.
class Job {
 public:
  /// @param interference  with the messages of process 1
  explicit Job(int size, Interference interference = {}, std::function<bool()> goes_on = {})
      : boxes_(static_cast<std::size_t>(size)) {
    for (int i = 0; i < size; ++i) {
      mails_.push_back(std::make_unique<Mail>(boxes_, i, i == 1 ? interference : Interference()));
    }
    for (int i = 1; i < size; ++i) {
      const auto on = i == 1 && goes_on ? goes_on : [this] { return !given_up_; };
      others_.emplace_back([mail = mails_[static_cast<std::size_t>(i)].get(), on] {
        fly_rows_for_others(*mail, 1, on);
      });
    }
  }
  ~Job() { end(); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  SweepCommunicator& first() { return *mails_[0]; }
  /// Whether all processes have closed their side in the knowledge that all do.
  bool ends_well() {
    end();
    for (const auto& mail : mails_) {
      if (!mail->closed_well) return false;
    }
    return true;
  }

 private:
  void end() {
    given_up_ = true;
    for (std::thread& other : others_) other.join();
    others_.clear();
  }

  std::vector<Mailbox> boxes_;
  std::vector<std::unique_ptr<Mail>> mails_;
  std::atomic<bool> given_up_{false};
  std::vector<std::thread> others_;
};

/// The same in vector lanes, where the flights of each duration fly together.
const std::string kLanes = R"(  runs: 100
  engine: lanes
  parameters:
    - {key: duration, values: [5, 6, -1]}
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
  collect:
    - {name: last, channel: joint_position}
)";

class SweepProcessesOf : public ::testing::TestWithParam<const std::string*> {};

TEST_P(SweepProcessesOf, FlyTheRowsThatOneWouldFly) {
  const SweepFolder folder(*GetParam());
  const Sweep sweep = folder.load();
  const std::vector<SweepRow> alone = fly(sweep, 1);
  for (const int size : {1, 2, 4}) {
    SCOPED_TRACE(size);
    Job job(size);
    std::vector<SweepRow> rows;
    {
      SweepProcesses processes(job.first());
      EXPECT_EQ(processes.size(), size);
      rows = fly(sweep, 1, &processes);
      EXPECT_EQ(processes.lost(), 0);
    }
    expect_equal(alone, rows);
    EXPECT_TRUE(job.ends_well());
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, SweepProcessesOf, ::testing::Values(&kFlights, &kLanes),
                         [](const auto& each) { return each.index == 0 ? "single" : "lanes"; });

TEST(SweepProcesses, FlyTheRowsOfOneThatFallsSilent) {
  const SweepFolder folder(kFlights);
  const Sweep sweep = folder.load();
  // process 1 reports for duty, and is never heard of again: it keeps the rows that it was given
  Job job(3, [first = true](std::string& message) mutable {
    if (!std::exchange(first, false)) message.clear();
  });
  std::vector<SweepRow> rows;
  {
    SweepProcesses processes(job.first(), 0.5);
    rows = fly(sweep, 1, &processes);
    EXPECT_EQ(processes.lost(), 1);
  }
  expect_equal(fly(sweep, 2), rows);
  EXPECT_FALSE(job.ends_well());
}

TEST(SweepProcesses, FlyTheRowsOfOneThatLeaves) {
  const SweepFolder folder(kFlights);
  const Sweep sweep = folder.load();
  Job job(2, {}, [asked = 0]() mutable { return ++asked < 12; });
  std::vector<SweepRow> rows;
  {
    SweepProcesses processes(job.first());
    rows = fly(sweep, 1, &processes);
    EXPECT_EQ(processes.lost(), 0);
  }
  expect_equal(fly(sweep, 2), rows);
  EXPECT_FALSE(job.ends_well());
}

TEST(SweepProcesses, RefuseOneOfAnotherVersion) {
  const SweepFolder folder(kFlights);
  Job job(2, [](std::string& message) {
    const std::size_t place = message.find(kVersion);
    if (place != std::string::npos) message[place] = '9';
  });
  SweepProcesses processes(job.first());
  const std::string message = message_of<IoError>([&] { fly(folder.load(), 1, &processes); });
  EXPECT_THAT(message, HasSubstr("process 1 is spacedyn 9"));
  EXPECT_THAT(message, HasSubstr("rows would not be the same bits"));
}

TEST(SweepProcesses, ReportWhatGoesWrongInOthers) {
  const SweepFolder folder(kFlights + "  keep_results: all\n");
  testing::write_text(folder / "rows", "a file where a folder should be");
  Job job(2);
  SweepProcesses processes(job.first());
  SweepOptions options;
  options.threads = 1;
  options.processes = &processes;
  const Sweep sweep = folder.load();
  const std::string message =
      message_of<IoError>([&] { run_sweep_into(folder / ".", sweep, false, options); });
  EXPECT_THAT(message, HasSubstr("rows/"));
}

TEST(SweepProcesses, EndWithoutASweep) {
  Job job(3);
  { const SweepProcesses processes(job.first()); }
  EXPECT_TRUE(job.ends_well());
}

}  // namespace
}  // namespace spacedyn::sweep_processes_test
