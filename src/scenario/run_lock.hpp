/// @file
/// One run at a time in a folder. Private.
#pragma once

#include <filesystem>

#include "reporting/results/child_process.hpp"

namespace spacedyn {

/// Held by the run that writes into a folder; the operating system releases it with the process.
/// File systems that know no locks are used without.
class RunLock {
 public:
  /// @throws OutputDirectoryError of kind in_use, naming the process that holds it
  explicit RunLock(const std::filesystem::path& folder);

 private:
  Descriptor folder_;
};

/// Does nothing if no run writes into a folder, or if there is none.
/// @throws OutputDirectoryError of kind in_use
void refuse_folder_in_use(const std::filesystem::path& folder);

}  // namespace spacedyn
