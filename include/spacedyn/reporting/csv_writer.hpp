/// @file
/// Results as comma-separated values.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/recording/channels.hpp"

namespace spacedyn {

/// Streams rows to a file: one header line of column names, numbers in shortest round-trip form.
///
/// Memory does not grow with the number of rows, and whole rows reach the file at least once a
/// second, so a killed run leaves readable rows.
class SPACEDYN_EXPORT CsvWriter final : public RowSink {
 public:
  /// @throws IoError if the file exists or cannot be created
  CsvWriter(std::string path, const std::vector<Column>& columns);
  ~CsvWriter() override;
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// @throws IoError if the disk is full or the file cannot be written
  void write(ConstVectorRef row) override;
  void flush() override;
  /// Flushes and closes; further writes are an error. @throws IoError
  void close();

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
  long long last_flush_ns_ = 0;
};

}  // namespace spacedyn
