/// @file
/// Where the results of a run go, so that nothing is overwritten unasked.
#pragma once

#include <filesystem>
#include <string>

#include "spacedyn/recording/result_format.hpp"

namespace spacedyn::cli {

/// The files of one run, in a directory of their own.
class OutputDirectory {
 public:
  /// Creates `results/<scenario>`, or -002 and so on where it exists, or the directory asked for.
  /// @param requested  of `-o`; empty for the default
  /// @param force      use an existing directory and remove an earlier run of this scenario from it
  /// @throws Failure (6)
  OutputDirectory(const std::string& scenario, const std::string& requested, bool force,
                  ResultFormat format);

  /// Finds the directory of an earlier run that can be continued, creates nothing.
  /// @param requested  of `-o`; empty for the newest below `results/` that has a checkpoint
  /// @throws Failure (3) if there is none
  static OutputDirectory of_earlier_run(const std::string& scenario, const std::string& requested,
                                        ResultFormat format);

  std::string result() const { return result(format_); }
  std::string metadata() const { return (path_ / (stem_ + ".meta.json")).string(); }
  std::string checkpoint() const { return (path_ / (stem_ + ".checkpoint")).string(); }
  std::string report() const { return (path_ / (stem_ + ".html")).string(); }

  /// Removes the files and, if it was created here, the directory: nothing worth keeping is there.
  void discard() const;

 private:
  OutputDirectory(std::string stem, ResultFormat format, std::filesystem::path path)
      : stem_(std::move(stem)), format_(format), path_(std::move(path)) {}
  std::string result(ResultFormat format) const;

  std::string stem_;
  ResultFormat format_;
  std::filesystem::path path_;
  bool created_ = false;
};

/// A scenario's name as a file name: other characters than letters, digits, - and _ become _.
std::string file_stem(const std::string& name);

}  // namespace spacedyn::cli
