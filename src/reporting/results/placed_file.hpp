/// @file
/// A file written and read at any place. Private.
#pragma once

#include <cstdint>
#include <string>

#include "reporting/results/child_process.hpp"

namespace spacedyn {

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
