/// @file
/// Pages that show a run while it goes on.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {

/// A number of the input that a page lets its reader change.
struct LiveParameter {
  std::string key;   ///< key path as `--set` takes it
  double value = 0;  ///< in the unit
  std::string unit;  ///< as the file has it, may be empty

  /// @name How a page names it
  /// @{
  std::string element = {};     ///< what it belongs to, for instance the name of a controller
  std::string part = {};        ///< a joint, an axis or the number of a component; may be empty
  std::string name = {};        ///< for instance `stiffness`; empty: the key path is shown
  std::string plain_unit = {};  ///< SI unit of a number whose file names none
  /// @}
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

/// What a run that has ended leaves behind beside its rows: facts, audit, events, warnings.
SPACEDYN_EXPORT ReportData ending_report(const RunRecord& record);

/// A message to a live page, JSON in one line: the state, unless the report is empty its rows, and
/// what the run left behind once it has ended.
SPACEDYN_EXPORT std::string live_message(const ReportData& rows, const LiveState& state,
                                         const ReportData* ending = nullptr);

}  // namespace spacedyn
