/// @file
/// Writing several text files so that either all are there or none is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "console.hpp"

namespace spacedyn::cli {

/// A file to be written, relative to the current directory.
struct NewFile {
  std::filesystem::path path;
  std::string text;
};

/// Writes all files, and their directories where they are missing; never overwrites.
/// @param accept_same  leave alone a file that is there with the very same text
/// @throws Failure (6) if a file exists or cannot be written; those written before are removed
void write_new_files(const std::vector<NewFile>& files, bool accept_same);

/// Names the files on standard output (as a JSON array with `--json`), then the advice as a note.
void report_new_files(const std::vector<NewFile>& files, const Console& console,
                      const std::string& advice);

}  // namespace spacedyn::cli
