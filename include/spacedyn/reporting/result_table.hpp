/// @file
/// Result files read back: columns of numbers and what is known about the run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/recording/channels.hpp"

namespace spacedyn {

/// What the metadata of a result say about its run; everything may be missing.
struct RunFacts {
  std::string scenario;
  std::string status;  ///< running | complete | interrupted | failed
  std::string message;
  std::string started;  ///< ISO 8601, UTC
  std::optional<double> duration, time, wall_seconds;
  std::optional<double> momentum_drift, energy_residual, attitude_error;
  std::vector<SourceBudget> sources_of_energy;  ///< who put energy in, and what became of it
  std::optional<double> throughput;             ///< ∫ |power| dt, J
  std::vector<EventRecord> events;              ///< that have happened, in order
  std::string stopped_by;                       ///< the event that ended the run
  std::vector<std::pair<std::string, std::string>> integrator;  ///< option or count, value
  std::vector<std::pair<std::string, std::string>> versions;
  std::vector<std::pair<std::string, std::string>> sources;    ///< path, text of an input file
  std::vector<std::pair<std::string, std::string>> overrides;  ///< key path, value
};

/// A result in memory.
struct ResultTable {
  std::string path;
  std::vector<Column> columns;  ///< the first one is the time
  MatrixX values;               ///< one row per output, one column per column
  RunFacts facts;
  std::string metadata;  ///< all that is known about the run, as in `.meta.json`; may be empty
  std::vector<std::string> warnings;  ///< what was wrong with the files and could be mended

  /// Index of a column. @return −1 if there is none of that name
  SPACEDYN_EXPORT int find(const std::string& name) const;
};

/// Reads one kind of result file.
class SPACEDYN_EXPORT ResultReader {
 public:
  virtual ~ResultReader();
  /// Whether the name is one of its files.
  virtual bool accepts(const std::string& path) const = 0;
  /// @throws IoError if the file is missing, foreign or holds no complete row
  virtual ResultTable read(const std::string& path) const = 0;
};

/// Comma-separated values, with units and facts from the metadata file beside them if it is there.
class SPACEDYN_EXPORT CsvResultReader final : public ResultReader {
 public:
  bool accepts(const std::string& path) const override;
  ResultTable read(const std::string& path) const override;
};

/// HDF5, also of a run that goes on or was killed, and the rows that are left of a damaged file.
/// Date, wall time and host come from the metadata file beside it if it is there.
class SPACEDYN_EXPORT Hdf5ResultReader final : public ResultReader {
 public:
  bool accepts(const std::string& path) const override;
  ResultTable read(const std::string& path) const override;
};

/// Reads a result file of any known kind, or the only result in a folder; where the same result is
/// there in several kinds, the HDF5 one.
/// @throws IoError naming the kinds that can be read
SPACEDYN_EXPORT ResultTable read_result(const std::string& path);

}  // namespace spacedyn
