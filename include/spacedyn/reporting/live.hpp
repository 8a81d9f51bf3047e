/// @file
/// Pages that show a run while it goes on.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// A number of the input that a page lets its reader change.
struct LiveParameter {
  std::string key;   ///< key path as `--set` takes it
  double value = 0;  ///< in the unit
  std::string unit;  ///< as the file has it, may be empty
};

/// What a live page says of its run beside the rows.
struct LiveState {
  int run = 1;  ///< number of the run; a changed parameter starts the next one
  bool running = true;
  bool paused = false;
  double speed = 1.0;     ///< simulated per elapsed time
  double duration = 0.0;  ///< s
  std::string status;     ///< running | complete | interrupted | failed
  std::string message;    ///< why it failed
};

/// The page of a report that goes on growing: it asks the server it came from for further rows.
SPACEDYN_EXPORT std::string live_page(const ReportData& so_far, const LiveState& state,
                                      const std::vector<LiveParameter>& parameters);

/// A message to a live page, JSON in one line: the state and, unless the report is empty, its rows.
SPACEDYN_EXPORT std::string live_message(const ReportData& rows, const LiveState& state);

}  // namespace spacedyn
