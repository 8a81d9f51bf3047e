/// @file
/// Threads of this process and of others as one crew. Private.
#pragma once

#include <string>

#include "spacedyn/study/sweep_processes.hpp"
#include "study/pending_rows.hpp"
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

}  // namespace spacedyn
