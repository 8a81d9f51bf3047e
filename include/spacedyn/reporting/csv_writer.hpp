/// @file
/// Results as comma-separated values.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/result_writer.hpp"

namespace spacedyn {

class OutputFile;

/// Streams rows to a file: one header line of column names, numbers in shortest round-trip form.
///
/// Memory does not grow with the number of rows. Only whole lines reach the file, and they do so at
/// least once a second as long as write() or poll() is called that often, so a killed run leaves
/// readable rows. A disk that fills up costs the rows that did not fit, never half a line.
class SPACEDYN_EXPORT CsvWriter final : public ResultWriter {
 public:
  /// @param flush_interval  longest time that a row waits for the next write() or poll()
  /// @throws IoError if the file exists or cannot be created
  CsvWriter(const std::string& path, const std::vector<Column>& columns,
            std::chrono::milliseconds flush_interval = std::chrono::seconds(1));
  /// Flushes as far as possible; close() reports errors.
  ~CsvWriter() override;
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// @throws IoError if the disk is full or the file cannot be written; DimensionError if the row
  /// has not one value for each column
  void write(ConstVectorRef row) override;
  /// Flushes if the last flush is longer ago than the interval. @throws IoError
  void poll() override;
  /// @throws IoError
  void flush() override;
  /// Flushes and closes; further rows are refused. @throws IoError
  void close();
  /// As close(): the metadata of rows lie beside them. @throws IoError
  void finish(const RunRecord& record) override;
  void rename(const std::string& path) override;

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<OutputFile> file_;
  Eigen::Index width_;
  std::string buffer_;  // whole lines that have not reached the file
  std::chrono::milliseconds flush_interval_;
  Clock::time_point last_flush_;
};

}  // namespace spacedyn
