/// @file
/// Texts that are read, and a YAML document as a tree with a place in them for each node.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
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

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// One key of a mapping and its value.
struct Entry {
  std::string key;
  Mark key_mark;
  NodePtr value;
};

/// Null, scalar, sequence or mapping. Never changed once finished, so aliases share nodes.
struct Node {
  enum class Kind { null, scalar, sequence, mapping };

  Kind kind = Kind::null;
  Mark mark;
  std::string text;  ///< of a scalar
  bool quoted = false;
  std::vector<NodePtr> items;
  std::vector<Entry> entries;
  std::size_t weight = 1;   ///< number of nodes with aliases written out
  int height = 1;           ///< levels of nesting with aliases written out
  bool lacks_keys = false;  ///< keys were refused already, so missing ones are no news

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_mapping() const { return kind == Kind::mapping; }

  /// Entry of a mapping, or nothing.
  const Entry* find(std::string_view key) const;
  /// Text of the scalar below a key; empty where there is none.
  std::string text_at(std::string_view key) const;
};

/// A node and the key path that leads to it, for messages.
struct Value {
  const Node* node = nullptr;
  std::string path;
};

/// The value below some keys, or nothing.
NodePtr value_below(NodePtr node, const std::vector<std::string>& keys);
/// A mapping with another value of a key that it has.
NodePtr with_value(const Node& mapping, std::string_view key, const NodePtr& value);
/// What people call an item of a list: its name, or its type and position.
std::string name_of_item(const Node& item, std::size_t position);

/// The keys of a path with dots.
std::vector<std::string> split_path(const std::string& path);
/// `path.key`, or the key alone where the path is empty.
std::string join_path(const std::string& path, std::string_view key);

/// A node as messages name it: `'abc'`, `nothing`, `a list of 2 values`, `a mapping`.
std::string describe(const Node& node);

/// A node as text that is the same for nodes that mean the same to a reader.
std::string canonical_text(const Node& node);

/// Text fit for one line of a message: control characters replaced, long texts cut.
std::string quote(std::string_view text);

}  // namespace spacedyn::loading
