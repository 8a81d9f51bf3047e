/// @file
/// Files written so that no reader ever sees half a line, and files written at any place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "reporting/results/child_process.hpp"

namespace spacedyn {

/// A new file that takes whole lines.
class OutputFile {
 public:
  /// @throws IoError if the path exists already or cannot be created
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends lines; where they do not all fit, the file ends with the last whole one.
  /// @throws IoError
  void append(std::string_view lines);
  /// @throws IoError if the operating system reports a late failure
  void close();
  /// Takes the place of a file that may have the new name. @throws IoError
  void rename(const std::string& path);
  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }

 private:
  void cut_to_whole_lines(std::string_view written);

  std::string path_;
  int descriptor_ = -1;
  off_t size_ = 0;  // of the whole lines
};

/// Gives a file another name, in place of a file that may have it. @throws IoError
void rename_file(const std::string& from, const std::string& to);

/// Waits until what has been written to a file, or the names in a folder, would outlast a power
/// cut.
/// @throws IoError
void sync_file(const std::string& path);

/// When a file counts as written.
enum class Durability {
  process,   ///< it outlasts this program
  power_cut  ///< it is on the disk
};

/// Replaces a file by a new text in one step: readers see the old one or the new one.
/// @throws IoError
void write_file_atomically(const std::string& path, std::string_view text,
                           Durability durability = Durability::process);

class PlacedFile {
 public:
  enum class Mode {
    create,   ///< refuses an existing file
    nameless  ///< gone as soon as the object is
  };
  /// @throws IoError, as all of this
  PlacedFile(std::string path, Mode mode);

  void write(std::uint64_t at, const void* bytes, std::size_t size) const;
  /// @pre that much has been written there
  void read(std::uint64_t at, void* bytes, std::size_t size) const;
  /// For late failures of the operating system.
  void close();

 private:
  [[noreturn]] void fail(const char* action, int error) const;

  std::string path_;
  Descriptor file_;
};

}  // namespace spacedyn
