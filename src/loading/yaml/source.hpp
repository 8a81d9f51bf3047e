/// @file
/// Texts that are read, and places in them.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace spacedyn::loading {

/// One text: a file, or the value of an override.
class Source {
 public:
  Source(std::string name, std::string text, int number, bool is_override);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  /// Order in which sources were opened, for sorting.
  int number() const { return number_; }
  /// Whether the text came from the command line rather than from a file.
  bool is_override() const { return is_override_; }

  /// Text of a line (from 1) without its end; empty beyond the last.
  std::string_view line(int number) const;

 private:
  std::string name_;
  std::string text_;
  int number_;
  bool is_override_;
  std::vector<std::size_t> line_starts_;
};

/// A place in a source; line and column (in bytes) count from 1, 0 where unknown.
struct Mark {
  const Source* source = nullptr;
  int line = 0;
  int column = 0;
};

/// The sources of one load, at stable addresses.
class SourceSet {
 public:
  const Source& add(std::string name, std::string text, bool is_override = false);
  /// Text of every file by name.
  std::map<std::string, std::string> files() const;

 private:
  std::deque<Source> sources_;
};

/// The bytes of a file, at most one more than kMaxFileSize of them.
/// @throws IoError if it cannot be read
std::string read_bytes(const std::string& path);

}  // namespace spacedyn::loading
