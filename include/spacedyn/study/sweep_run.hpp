/// @file
/// Flies sweeps on all cores, into a file or into memory.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/study/sweep.hpp"

namespace spacedyn {

/// A row of a sweep, flown.
struct SPACEDYN_EXPORT SweepRow {
  long row = 0;
  int status = 0;       ///< exit code that `simulate` would have had
  std::string message;  ///< why it is not 0
  SweepDraw draw;
  std::vector<double> collected;  ///< NaN unless the status is 0 or 5
  double wall_seconds = 0.0;

  /// A row whose check was exceeded has flown.
  bool has_failed() const;
};

/// What failures of one kind have in common: the status, and the message without its numbers.
SPACEDYN_EXPORT std::string failure_kind(const SweepRow& row);

class SweepProcesses;

/// How far a sweep has come.
struct SweepProgress {
  long rows = 0;    ///< in all
  long flown = 0;   ///< those of an earlier part included
  long failed = 0;  ///< of these
  double wall_seconds = 0.0;
  double rate = 0.0;  ///< rows per second
  double seconds_left() const {
    return rate > 0.0 ? static_cast<double>(rows - flown) / rate : 0.0;
  }
};

/// Watches a sweep; called by the thread that runs it.
class SPACEDYN_EXPORT SweepObserver {
 public:
  virtual ~SweepObserver();
  /// After each row, and for each of an earlier part of the sweep.
  virtual void on_row(const SweepRow& /*row*/) {}
  /// Some twenty times a second. @return false to end the sweep: flights are cut off, rows that
  /// have been flown are kept
  virtual bool on_progress(const SweepProgress& /*progress*/) { return true; }
};

struct SweepOptions {
  int threads = 0;                    ///< 0: one for each core
  SweepObserver* observer = nullptr;  ///< may be null
  std::vector<long> only = {};        ///< rows to fly; empty: all
  /// Others that fly rows, too; may be null. Each sweep needs its own.
  SweepProcesses* processes = nullptr;
};

/// What became of a sweep.
struct SweepOutcome {
  SweepProgress progress;
  bool is_complete() const { return progress.flown == progress.rows; }
};

/// Flies all rows; they come in any order to the observer. Results of flights are not kept.
/// @throws DomainError if the number of threads is negative or a row is none of the sweep; IoError
/// if another process cannot fly rows
SPACEDYN_EXPORT SweepOutcome run_sweep(const Sweep& sweep, const SweepOptions& options);

/// A result is not that of the sweep that is to go on.
class SPACEDYN_EXPORT SweepMismatch : public IoError {
 public:
  using IoError::IoError;
  ~SweepMismatch() override;
};

/// The same into `NAME.h5` and `NAME.meta.json` of a folder that exists, with `rows/K/` beside them
/// where results are kept. Each row is in the file soon after its flight, and can be read
/// meanwhile.
/// @param resume  keep the rows of an earlier part of the same sweep; without one begin
/// @throws SweepMismatch if the earlier part is of another sweep or version; IoError if a file
/// cannot be written, rows flown until then are kept; OutputDirectoryError of kind in_use
SPACEDYN_EXPORT SweepOutcome run_sweep_into(const std::string& folder, const Sweep& sweep,
                                            bool resume, const SweepOptions& options);

/// Name of the result in such a folder.
SPACEDYN_EXPORT std::string sweep_file(const std::string& folder, const Sweep& sweep);

/// A sweep as its result has it.
struct SweepTable {
  std::string path;
  std::string version;                         ///< of the library that flew it
  std::map<std::string, std::string> sources;  ///< texts of all input files, by path
  std::vector<Override> overrides;             ///< of the sweep's own keys
  long rows = 0;                               ///< of the whole sweep
  std::vector<Column> parameters, collected;   ///< names and units
  std::vector<SweepRow> flown;                 ///< by ascending number; some may be missing
};

/// Whether a file is the result of a sweep.
SPACEDYN_EXPORT bool is_sweep_result(const std::string& path);
/// Reads all rows. @throws IoError
SPACEDYN_EXPORT SweepTable read_sweep_table(const std::string& path);
/// The sweep of a result, from the texts in it. @throws IoError; ParseError if this version no
/// longer understands them
SPACEDYN_EXPORT Sweep sweep_of_result(const std::string& path);

}  // namespace spacedyn
