/// @file
/// Result files read back: columns of numbers and what is known about the run.
#pragma once

#include <cstdint>
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
  std::optional<WorstInstant> worst_momentum, worst_energy;  ///< where the first two come from
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

/// How far a file is trusted before it is read.
struct ReadLimits {
  /// Bytes of its numbers in memory, 8 for each; 0 stands for 16 times what the file holds on the
  /// disk, and for 128 MiB where that is less.
  std::uint64_t bytes = 0;
  /// Seconds of waiting for a file that gives nothing, long for busy machines: of processor time a
  /// thirtieth of it is allowed.
  double seconds = 60.0;
};

/// Rows one behind the other in memory.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A result that is read row by row, in bounded memory.
class SPACEDYN_EXPORT ResultStream {
 public:
  virtual ~ResultStream();
  /// All but the rows: columns, facts, metadata, warnings.
  virtual const ResultTable& head() const = 0;
  /// Rows that the file says it has, −1 if it does not say.
  virtual long stated_rows() const = 0;
  /// Takes the next rows, some MiB at most. @return false if there are no more
  /// @throws IoError if a row is wrong
  virtual bool next(RowMatrix& rows) = 0;
  /// After the last row: what was wrong with those that should follow; empty if nothing.
  virtual const std::string& damage() const = 0;
};

/// Reads one kind of result file.
class SPACEDYN_EXPORT ResultReader {
 public:
  virtual ~ResultReader();
  /// Whether the name is one of its files.
  virtual bool accepts(const std::string& path) const = 0;
  /// @throws IoError if the file is missing, foreign, damaged beyond use or holds no complete row
  virtual std::unique_ptr<ResultStream> open(const std::string& path,
                                             const ReadLimits& limits) const = 0;
};

/// Comma-separated values, with units and facts from the metadata file beside them if it is there.
class SPACEDYN_EXPORT CsvResultReader final : public ResultReader {
 public:
  bool accepts(const std::string& path) const override;
  std::unique_ptr<ResultStream> open(const std::string& path,
                                     const ReadLimits& limits) const override;
};

/// HDF5, also of a run that goes on or was killed, and the rows that are left of a damaged file.
/// Date, wall time and host come from the metadata file beside it if it is there.
///
/// The C library of HDF5 cannot be trusted with damaged files, so a process of its own reads them,
/// `spacedyn-read-hdf5`, with little memory and time and nothing but the file; what it says is
/// checked. It is found beside the library, costs some milliseconds, and may be used from any
/// thread.
class SPACEDYN_EXPORT Hdf5ResultReader final : public ResultReader {
 public:
  bool accepts(const std::string& path) const override;
  std::unique_ptr<ResultStream> open(const std::string& path,
                                     const ReadLimits& limits) const override;
};

/// Opens a result file of any known kind, or the only result in a folder; where the same result is
/// there in several kinds, the HDF5 one.
/// @throws IoError naming the kinds that can be read, or as ResultReader::open()
SPACEDYN_EXPORT std::unique_ptr<ResultStream> open_result(const std::string& path,
                                                          const ReadLimits& limits = {});

/// Reads all of such a result. @throws IoError, also if it does not fit into memory
SPACEDYN_EXPORT ResultTable read_result(const std::string& path, const ReadLimits& limits = {});

}  // namespace spacedyn
