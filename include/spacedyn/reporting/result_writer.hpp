/// @file
/// Result files of any kind, written row by row.
#pragma once

#include <memory>
#include <string>

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
class SPACEDYN_EXPORT ResultWriter : public RowSink {
 public:
  ~ResultWriter() override;
  /// Flushes, notes how the run ended if the file has a place for that, and closes; further rows
  /// are refused. @throws IoError
  virtual void finish(const RunRecord& record) = 0;
  /// Gives the file another name, in place of a file that may have it. @throws IoError
  virtual void rename(const std::string& path) = 0;
};

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
