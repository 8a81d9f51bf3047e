/// @file
/// Result files of any kind, written row by row.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/recording/result_format.hpp"

namespace spacedyn {

struct RunRecord;

/// A result is not what its run had written, so the run cannot go on with it.
class SPACEDYN_EXPORT ContinuationError : public IoError {
 public:
  using IoError::IoError;
  ~ContinuationError() override;
};

/// A sink that is a file.
///
/// Memory does not grow with the number of rows. Rows reach the file at least once a second as long
/// as write() or poll() is called that often, each as a whole: a killed run or a full disk costs
/// the rows that had not reached it. The destructor flushes and closes as far as possible; close()
/// reports errors.
class SPACEDYN_EXPORT ResultWriter : public RowSink {
 public:
  ResultWriter() = default;
  ~ResultWriter() override;
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// @throws IoError if the disk is full or the file cannot be written; DimensionError if the row
  /// has not one value for each column
  void write(ConstVectorRef row) override = 0;
  /// Flushes and closes; further rows are refused. @throws IoError
  virtual void close() = 0;
  /// The same, and notes how the run ended if the file has a place for that. @throws IoError
  virtual void finish(const RunRecord& record) = 0;
  /// Gives the file another name, in place of a file that may have it. @throws IoError
  virtual void rename(const std::string& path) = 0;
};

/// Comma-separated values: one header line of column names, numbers in shortest round-trip form.
/// The metadata of rows lie beside them.
/// @param flush_interval  longest time that a row waits for the next write() or poll()
/// @throws IoError if the file exists or cannot be created
SPACEDYN_EXPORT std::unique_ptr<ResultWriter> create_csv(
    const std::string& path, const std::vector<Column>& columns,
    std::chrono::milliseconds flush_interval = std::chrono::seconds(1));

/// HDF5: arrays with units, and everything about the run in the same file.
///
/// Other programs must open such a file for reading while it is written (`swmr=True` in h5py);
/// after finish() it opens plainly, and read_result() reads the rows of one that never was. Equal
/// runs give equal bytes, for wall time, date and host are kept out.
/// @param record  columns, inputs and options of the run; duration and output interval decide how
///                the arrays are cut into pieces, not how many rows may come
/// @param flush_interval  as above
/// @throws IoError if the file exists or cannot be created
SPACEDYN_EXPORT std::unique_ptr<ResultWriter> create_hdf5(
    const std::string& path, const RunRecord& record,
    std::chrono::milliseconds flush_interval = std::chrono::seconds(1));

/// Creates the result file of a run; whatever reaches it survives the end of the program.
/// @throws IoError if the file exists or cannot be created
SPACEDYN_EXPORT std::unique_ptr<ResultWriter> create_result(const std::string& path,
                                                            ResultFormat format,
                                                            const RunRecord& record);

/// Takes up the result file of a run that goes on from a checkpoint: keeps its first rows, drops
/// the others. The file is replaced in one step by one that holds the bytes that a run without a
/// break would have written until then.
/// @param rows  to keep
/// @throws ContinuationError if the file is missing, damaged, has fewer rows or other columns;
/// IoError if it cannot be replaced
SPACEDYN_EXPORT std::unique_ptr<ResultWriter> continue_result(const std::string& path,
                                                              ResultFormat format,
                                                              const RunRecord& record, long rows);

}  // namespace spacedyn
