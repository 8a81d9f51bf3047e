/// @file
/// Results as HDF5: arrays with units, and everything about the run in the same file.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {

/// Streams rows to a file that others may read meanwhile.
///
/// Memory does not grow with the number of rows. Rows reach the file at least once a second as long
/// as write() or poll() is called that often, each as a whole: a killed run or a full disk costs
/// the rows that had not reached it, and read_result() reads the others. Other programs must open
/// such a file for reading while it is written (`swmr=True` in h5py); after finish() it opens
/// plainly. Equal runs give equal bytes, for wall time, date and host are kept out.
class SPACEDYN_EXPORT Hdf5Writer final : public ResultWriter {
 public:
  /// @param record  columns, inputs and options of the run; duration and output interval decide how
  ///                the arrays are cut into pieces, not how many rows may come
  /// @param flush_interval  longest time that a row waits for the next write() or poll()
  /// @throws IoError if the file exists or cannot be created
  Hdf5Writer(const std::string& path, const RunRecord& record,
             std::chrono::milliseconds flush_interval = std::chrono::seconds(1));
  /// Closes as far as possible; close() reports errors.
  ~Hdf5Writer() override;
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  /// @throws IoError if the disk is full or the file cannot be written; DimensionError if the row
  /// has not one value for each column
  void write(ConstVectorRef row) override;
  /// Flushes if the last flush is longer ago than the interval. @throws IoError
  void poll() override;
  /// @throws IoError
  void flush() override;
  /// Flushes and closes; further rows are refused. @throws IoError
  void close();
  void finish(const RunRecord& record) override;
  void rename(const std::string& path) override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace spacedyn
