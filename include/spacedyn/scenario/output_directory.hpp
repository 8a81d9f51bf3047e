/// @file
/// Where the files of a run go, so that nothing is overwritten unasked.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/recording/result_format.hpp"

namespace spacedyn {

/// Why a directory cannot take the files of a run, or no run in it can go on.
class SPACEDYN_EXPORT OutputDirectoryError : public IoError {
 public:
  enum class Kind {
    unusable,          ///< it cannot be created, read or cleared
    too_many,          ///< all numbered directories are taken
    not_empty,         ///< it exists and holds something
    holds_checkpoint,  ///< it holds a run that can go on
    in_use,            ///< another run is writing into it
    no_run,            ///< there is no run to resume
    no_checkpoint      ///< the run is complete
  };
  OutputDirectoryError(Kind kind, const std::string& what) : IoError(what), kind_(kind) {}
  ~OutputDirectoryError() override;

  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// What to do with a directory that holds files already.
enum class ExistingFiles { keep, overwrite };

/// The files of one run, in a directory of their own.
class SPACEDYN_EXPORT OutputDirectory {
 public:
  /// Creates `results/<scenario>`, or -002 and so on where it exists, or the directory asked for.
  /// @param scenario   its name
  /// @param requested  empty for the default
  /// @param existing   overwrite: use an existing directory and remove an earlier run of this
  ///                   scenario from it; else it must be empty
  /// @throws OutputDirectoryError
  OutputDirectory(const std::string& scenario, const std::string& requested, ResultFormat format,
                  ExistingFiles existing = ExistingFiles::keep);

  /// Finds the directory of an earlier run that can be resumed, creates nothing. A run that ended
  /// before its first checkpoint has none; it can only begin again.
  /// @param requested  empty for the newest below `results/` with a run that is not complete
  /// @throws OutputDirectoryError of kind no_run, no_checkpoint or in_use
  static OutputDirectory of_earlier_run(const std::string& scenario, const std::string& requested,
                                        ResultFormat format);

  /// The newest directory of earlier runs that holds a result; creates nothing.
  /// @param requested  empty for those below `results/`
  /// @return nothing if there is none
  static std::optional<OutputDirectory> newest(const std::string& scenario,
                                               const std::string& requested, ResultFormat format);

  const std::filesystem::path& path() const { return path_; }
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

/// Keeps all others from writing into a directory until what is returned is destroyed, as a run
/// does.
/// @throws OutputDirectoryError of kind in_use
SPACEDYN_EXPORT std::shared_ptr<const void> hold_directory(const std::filesystem::path& directory);

/// A scenario's name as a file name: other characters than letters, digits, - and _ become _.
SPACEDYN_EXPORT std::string file_stem(const std::string& name);

}  // namespace spacedyn
