/// @file
/// What is known about a sweep besides its rows, beside its result. Private.
#pragma once

#include <string>

#include "spacedyn/study/sweep_run.hpp"

namespace spacedyn {

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
