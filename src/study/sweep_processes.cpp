#include "spacedyn/study/sweep_processes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <thread>

#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "study/process_crew.hpp"
#include "study/sweep_implementation.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;

constexpr std::chrono::milliseconds kPoll(5);
constexpr duration<double> kFarewells(5.0);  // time that others have to end
/// Part of the patience after which a process says that it still runs.
constexpr double kSign = 0.1;
/// Others have rows for so long ahead, s: more than a message takes.
constexpr double kAhead = 0.05;
constexpr double kMostAhead = 1000.0;  // rows of a thread

duration<double> since(Clock::time_point time) { return Clock::now() - time; }

}  // namespace

SweepCommunicator::~SweepCommunicator() = default;

/// State of all other processes; item 0 stays empty.
class SweepProcesses::Implementation {
 public:
  Implementation(SweepCommunicator& communicator, double patience)
      : communicator_(communicator),
        patience_(patience),
        others_(static_cast<std::size_t>(communicator.size())) {}

  int size() const { return communicator_.size(); }
  int lost() const { return count(Other::State::lost); }

  void begin(const Sweep& sweep, const std::string& results) {
    together_ = sweep.implementation().bundle.most;
    Json sources = Json::array(), overrides = Json::array();
    for (const auto& [path, text] : sweep.sources()) sources.push_back({path, text});
    for (const auto& [key, value] : sweep.overrides()) overrides.push_back({key, value});
    for (int process = 1; process < size(); ++process) {
      send(process, process_message::kSweep,
           {{"sources", sources},
            {"overrides", overrides},
            {"results", results},
            {"patience", patience_}});
    }
  }

  /// Hears what has arrived. @throws IoError if another process cannot fly rows
  void listen(std::vector<SweepRow>& rows, PendingRows& pending) {
    int process = 0;
    std::string kind;
    Json content;
    while (receive_message(communicator_, process, kind, content)) {
      Other& other = others_[static_cast<std::size_t>(process)];
      if (other.state == Other::State::lost || other.state == Other::State::gone) continue;
      other.heard = Clock::now();
      if (kind == process_message::kFlown) {
        take_rows(other, content, rows, pending);
      } else if (kind == process_message::kReady) {
        other.state = Other::State::ready;
        other.threads = content.at("threads").get<long>();
        check_build(process, content.at("build").get<std::string>());
      } else {
        give_back(other, pending);
        other.state = Other::State::gone;
        if (kind == process_message::kFailure) {
          throw IoError("process " + std::to_string(process) + ": " + content.get<std::string>());
        }
        other.was_ended = content.get<bool>();
      }
    }
  }

  void hand_out(PendingRows& pending) {
    for (int process = 1; process < size(); ++process) {
      Other& other = others_[static_cast<std::size_t>(process)];
      if (other.state != Other::State::ready) continue;
      // short flights: as many as fill the time until the next message; others: one each thread
      const double ahead = flown_ > 0 ? std::min(kMostAhead, kAhead * flown_ / seconds_) : 0.0;
      const long wanted = other.threads * (together_ + static_cast<long>(ahead)) -
                          static_cast<long>(other.rows.size());
      // the last rows go to those who are free first
      const long share = std::max(together_, pending.count() / (2L * size()));
      const std::vector<long> rows = pending.lend(std::min(wanted, share));
      other.rows.insert(rows.begin(), rows.end());
      if (!rows.empty() || since(other.addressed).count() > kSign * patience_) {
        send(process, process_message::kFly, rows);
      }
    }
  }

  void find_lost(PendingRows& pending) {
    for (Other& other : others_) {
      const bool is_late = since(other.heard).count() > patience_;
      if (other.state != Other::State::ready || !is_late) continue;
      give_back(other, pending);
      other.state = Other::State::lost;
    }
  }

  void end() {
    for (int process = 1; process < size(); ++process) {
      Other& other = others_[static_cast<std::size_t>(process)];
      const bool hears =
          other.state == Other::State::starting || other.state == Other::State::ready;
      if (!hears || other.is_ending) continue;
      other.is_ending = true;
      send(process, process_message::kEnd, lost() == 0);  // whether all leave
    }
  }

  /// Ends all others and waits for their farewells.
  void dismiss() {
    end();
    const Clock::time_point start = Clock::now();
    PendingRows nowhere(0, {});
    std::vector<SweepRow> late;
    while (count(Other::State::gone) + lost() + 1 < size() && since(start) < kFarewells) {
      try {
        listen(late, nowhere);
      } catch (const std::exception&) {
        continue;  // too late to matter
      }
      std::this_thread::sleep_for(kPoll);
    }
    communicator_.close(std::all_of(others_.begin() + 1, others_.end(),
                                    [](const Other& other) { return other.was_ended; }));
  }

 private:
  struct Other {
    enum class State { starting, ready, gone, lost };
    State state = State::starting;
    bool is_ending = false;  ///< has been told to
    bool was_ended = false;  ///< by this process; gone otherwise, it has left of itself
    long threads = 0;
    std::set<long> rows;  ///< that it has
    Clock::time_point heard, addressed;
  };

  int count(Other::State state) const {
    return static_cast<int>(std::count_if(
        others_.begin(), others_.end(), [&](const Other& other) { return other.state == state; }));
  }

  void send(int process, const char* kind, Json content) {
    others_[static_cast<std::size_t>(process)].addressed = Clock::now();
    send_message(communicator_, process, kind, std::move(content));
  }

  void take_rows(Other& other, const Json& content, std::vector<SweepRow>& rows,
                 PendingRows& pending) {
    const std::size_t before = rows.size();
    append_rows(content, rows);
    for (std::size_t i = before; i < rows.size(); ++i) {
      seconds_ += rows[i].wall_seconds;
      ++flown_;
      pending.expect(-static_cast<long>(other.rows.erase(rows[i].row)));
    }
  }

  static void give_back(Other& other, PendingRows& pending) {
    pending.add({other.rows.begin(), other.rows.end()});
    other.rows.clear();
  }

  static void check_build(int process, const std::string& build) {
    if (build == build_text()) return;
    throw IoError("process " + std::to_string(process) + " is spacedyn " + build + ", process 0 " +
                  build_text() + ": rows would not be the same bits; SPACEDYN_INSTRUCTION_SET" +
                  " makes processors fly alike");
  }

  SweepCommunicator& communicator_;
  double patience_;
  std::vector<Other> others_;
  long together_ = 1;                   // rows that a thread flies at once
  double flown_ = 0.0, seconds_ = 0.0;  // rows of others, and what they took
};

SweepProcesses::SweepProcesses(SweepCommunicator& communicator, double patience)
    : implementation_(std::make_unique<Implementation>(communicator, patience)) {}
SweepProcesses::~SweepProcesses() {
  try {
    implementation_->dismiss();
  } catch (const std::exception&) {
    // nothing is lost: rows have been written
  }
}
int SweepProcesses::size() const { return implementation_->size(); }
int SweepProcesses::lost() const { return implementation_->lost(); }

ProcessCrew::ProcessCrew(const Sweep& sweep, const std::string& results, int threads,
                         PendingRows& pending, SweepProcesses& others)
    : pending_(pending),
      others_(others.implementation()),
      own_(sweep, results, threads, [this] { return pending_.next(); }) {
  others_.begin(sweep, results);
}

ProcessCrew::~ProcessCrew() { ProcessCrew::stop(); }

bool ProcessCrew::take(std::vector<SweepRow>& rows, std::chrono::milliseconds patience) {
  const bool own_goes_on = own_.take(rows, std::min(patience, kPoll));
  if (!stopped_) {
    others_.listen(rows, pending_);
    others_.hand_out(pending_);
  }
  return own_goes_on || !rows.empty();
}

void ProcessCrew::watch_limits() {
  own_.watch_limits();
  if (!stopped_) others_.find_lost(pending_);
}

void ProcessCrew::stop() {
  stopped_ = true;
  pending_.close();
  own_.stop();
  others_.end();
}

namespace {

/// A process that is not the first.
class Helper {
 public:
  Helper(SweepCommunicator& communicator, int threads, const std::function<bool()>& goes_on)
      : communicator_(communicator), threads_(threads), goes_on_(goes_on) {}

  /// @return whether process 0 has ended it, and all others
  bool run() {
    while (!hear()) {
      if (!goes_on_()) return false;
      std::this_thread::sleep_for(kPoll);
    }
    if (kind_ == process_message::kEnd) return content_.get<bool>();
    return fly(read_sweep(), content_.at("results"));
  }

 private:
  static constexpr long kEndless = 1L << 60;  // rows

  bool hear() {
    int sender = 0;
    if (!receive_message(communicator_, sender, kind_, content_)) return false;
    heard_ = Clock::now();
    return true;
  }

  Sweep read_sweep() {
    patience_ = content_.at("patience").get<double>();
    std::map<std::string, std::string> sources;
    for (const Json& item : content_.at("sources")) sources[item.at(0)] = item.at(1);
    std::vector<Override> overrides;
    for (const Json& item : content_.at("overrides")) {
      overrides.push_back({item.at(0).get<std::string>(), item.at(1).get<std::string>()});
    }
    return Sweep::reload(sources, overrides);
  }

  bool fly(const Sweep& sweep, const std::string& results) {
    PendingRows pending(0, sweep.implementation().bundle);
    pending.expect(kEndless);
    ThreadCrew crew(sweep, results, threads_, [&] { return pending.next(); });
    struct Close {
      PendingRows& pending;
      ~Close() { pending.close(); }
    } const close{pending};
    send_message(communicator_, 0, process_message::kReady,
                 {{"threads", threads_}, {"build", build_text()}});
    std::vector<SweepRow> rows;
    Clock::time_point spoken = Clock::now();
    heard_ = spoken;
    while (goes_on_() && since(heard_).count() < 2.0 * patience_) {
      crew.take(rows, kPoll);
      crew.watch_limits();
      if (!rows.empty() || since(spoken).count() > kSign * patience_) {
        send_message(communicator_, 0, process_message::kFlown, rows_json(rows));
        spoken = Clock::now();
      }
      while (hear()) {
        if (kind_ == process_message::kEnd) return content_.get<bool>();
        pending.add(content_.get<std::vector<long>>());
      }
    }
    return false;
  }

  SweepCommunicator& communicator_;
  int threads_;
  const std::function<bool()>& goes_on_;
  double patience_ = 0.0;  // s
  Clock::time_point heard_;
  std::string kind_;
  Json content_;
};

}  // namespace

void fly_rows_for_others(SweepCommunicator& communicator, int threads,
                         const std::function<bool()>& goes_on) {
  bool is_ended = false;
  try {
    is_ended = Helper(communicator, threads, goes_on).run();
    send_message(communicator, 0, process_message::kFarewell, is_ended);
  } catch (const std::exception& error) {
    send_message(communicator, 0, process_message::kFailure, error.what());
  }
  communicator.close(is_ended);
}

namespace {

/// The bytes of numbers: CBOR has no NaN with a sign.
Json bytes_json(const std::vector<double>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(double));
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return Json::binary(std::move(bytes));
}

std::vector<double> numbers_of(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

void send_message(SweepCommunicator& communicator, int process, const char* kind, Json content) {
  Json message = Json::object();
  message[kind] = std::move(content);
  const std::vector<std::uint8_t> bytes = Json::to_cbor(message);
  communicator.send(process, std::string(bytes.begin(), bytes.end()));
}

bool receive_message(SweepCommunicator& communicator, int& process, std::string& kind,
                     Json& content) {
  std::string text;
  if (!communicator.receive(process, text)) return false;
  Json message = Json::from_cbor(text);
  kind = message.begin().key();
  content = std::move(message.begin().value());
  return true;
}

Json rows_json(const std::vector<SweepRow>& rows) {
  Json list = Json::array();
  for (const SweepRow& row : rows) {
    list.push_back({row.row, row.status, row.message, bytes_json(row.draw.parameters),
                    row.draw.seed, bytes_json(row.collected), row.wall_seconds});
  }
  return list;
}

void append_rows(const Json& json, std::vector<SweepRow>& rows) {
  for (const Json& item : json) {
    SweepRow row;
    item.at(0).get_to(row.row);
    item.at(1).get_to(row.status);
    item.at(2).get_to(row.message);
    row.draw.parameters = numbers_of(item.at(3));
    item.at(4).get_to(row.draw.seed);
    row.collected = numbers_of(item.at(5));
    item.at(6).get_to(row.wall_seconds);
    rows.push_back(std::move(row));
  }
}

std::string build_text() {
  const BuildInfo& build = build_info();
  return build.spacedyn + ' ' + build.git + ' ' + std::string(to_string(instruction_set()));
}

}  // namespace spacedyn
