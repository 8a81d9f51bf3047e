/// @file
/// A folder for files that no one needs after a command.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "failure.hpp"

namespace spacedyn::cli {

/// A folder of this user alone, which goes with the object and all that is in it.
class TemporaryFolder {
 public:
  /// @throws Failure (6)
  explicit TemporaryFolder(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path())
      : path_((parent / "spacedyn-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) != nullptr) return;
    throw Failure(ExitCode::output_failed, "cannot create a folder in '" + parent.string() + "'");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace spacedyn::cli
