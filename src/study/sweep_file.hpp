/// @file
/// The result of a sweep in HDF5, written while it runs and read back in slices, and the metadata
/// beside it. Private.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/study/sweep_run.hpp"

namespace spacedyn {

/// Writes rows in any order; each is in the file, readable for others, when write() has returned.
///
/// What lies between rows that have been written has the status −1. The status of a row is written
/// after all else of it. Memory does not grow with the number of rows.
class SweepFileWriter {
 public:
  /// @throws IoError if the file exists or cannot be written, as all of this
  SweepFileWriter(const std::string& path, const Sweep& sweep);
  ~SweepFileWriter();
  SweepFileWriter(const SweepFileWriter&) = delete;
  SweepFileWriter& operator=(const SweepFileWriter&) = delete;

  void write(std::vector<SweepRow>& rows);
  void close();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Reads the rows that have been flown, some thousand at once.
class SweepFileReader {
 public:
  /// @throws IoError if it cannot be read or is no result of a sweep
  explicit SweepFileReader(const std::string& path);
  ~SweepFileReader();
  SweepFileReader(const SweepFileReader&) = delete;
  SweepFileReader& operator=(const SweepFileReader&) = delete;

  /// All but the rows.
  const SweepTable& head() const;
  /// Takes the next rows. @return false if there are no more
  bool next(std::vector<SweepRow>& rows);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

inline constexpr const char* kSweepFormat = "spacedyn-sweep/1";
/// Bytes of a message, its end included.
inline constexpr std::size_t kMessageSize = 512;

/// Writes `NAME.meta.json`. @throws IoError
class SweepMetadata {
 public:
  /// @param threads  of each process
  SweepMetadata(std::string path, const Sweep& sweep, int threads, int processes);

  /// Before the first row: a file that says `running` while nothing runs is of a killed sweep.
  void begin() const;
  void end(const SweepOutcome& outcome) const;

 private:
  void write(const char* status, const SweepProgress& progress) const;

  std::string path_;
  const Sweep& sweep_;
  int threads_, processes_;
  std::string started_;
};

}  // namespace spacedyn
