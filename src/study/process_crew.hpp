/// @file
/// Threads of this process and of others as one crew, and what processes say to each other: one key
/// and its value in CBOR [RFC 8949]. Private.
#pragma once

#include <string>
#include <vector>

#include "reporting/results/json.hpp"
#include "spacedyn/study/sweep_processes.hpp"
#include "spacedyn/study/sweep_run.hpp"
#include "study/sweep_implementation.hpp"
#include "study/thread_crew.hpp"

namespace spacedyn {

class ProcessCrew final : public Crew {
 public:
  /// @param results  folder for those of flights, which all processes can write to; may be empty
  /// @param threads  of this process
  ProcessCrew(const Sweep& sweep, const std::string& results, int threads, PendingRows& pending,
              SweepProcesses& others);
  ~ProcessCrew() override;
  ProcessCrew(const ProcessCrew&) = delete;
  ProcessCrew& operator=(const ProcessCrew&) = delete;

  /// @throws IoError besides, if another process cannot fly rows
  bool take(std::vector<SweepRow>& rows, std::chrono::milliseconds patience) override;
  /// Cuts off flights, and counts processes that no longer answer as lost.
  void watch_limits() override;
  void stop() override;

 private:
  PendingRows& pending_;
  SweepProcesses::Implementation& others_;
  ThreadCrew own_;
  bool stopped_ = false;
};

/// To the others: the sweep they fly, rows to fly (none: this process still runs), the end.
/// To process 0: that rows can be flown, rows that have been flown (none: this process still runs),
/// why none can be flown, farewell.
namespace process_message {
inline constexpr const char* kSweep = "sweep";
inline constexpr const char* kFly = "fly";
inline constexpr const char* kEnd = "end";
inline constexpr const char* kReady = "ready";
inline constexpr const char* kFlown = "flown";
inline constexpr const char* kFailure = "failure";
inline constexpr const char* kFarewell = "farewell";
}  // namespace process_message

/// A message of one of these kinds, and what it says.
void send_message(SweepCommunicator& communicator, int process, const char* kind, Json content);
/// @return false if none has arrived
bool receive_message(SweepCommunicator& communicator, int& process, std::string& kind,
                     Json& content);

Json rows_json(const std::vector<SweepRow>& rows);
void append_rows(const Json& json, std::vector<SweepRow>& rows);

/// What all processes must have in common to fly rows that are the same bits.
std::string build_text();

}  // namespace spacedyn
