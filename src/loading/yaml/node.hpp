/// @file
/// Texts that are read, a YAML document as a tree with a place in them for each node, and the
/// problems of one load.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spacedyn/diagnostics.hpp"

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

struct Node;
struct Quantity;
struct Value;

/// Most problems that are kept; a file of noise would fill the memory otherwise.
inline constexpr std::size_t kMaxProblems = 1000;

class ProblemList {
 public:
  void error(const Mark& mark, const std::string& path, const std::string& message,
             const std::string& hint = "") {
    add(Severity::error, mark, path, message, hint);
  }
  void warning(const Mark& mark, const std::string& path, const std::string& message,
               const std::string& hint = "") {
    add(Severity::warning, mark, path, message, hint);
  }
  /// @name At the place of a value
  /// @{
  void error(const Value& at, const std::string& message, const std::string& hint = "");
  void warning(const Value& at, const std::string& message, const std::string& hint = "");
  /// @}
  void add(Severity severity, const Mark& mark, const std::string& path, const std::string& message,
           const std::string& hint);

  /// Remembers that what stands at a key path is wrong, though another message says why.
  void mark_wrong(const Source* source, const std::string& path) {
    wrong_places_.emplace_back(source, path);
  }

  /// Takes part in the reading of numbers, for whoever wants to know what each one is.
  using NumberListener = std::function<void(const Node&, const Quantity&)>;
  void on_number(NumberListener listener) { listener_ = std::move(listener); }
  /// A number of some quantity is read.
  void note_number(const Node& node, const Quantity& quantity) const {
    if (listener_) listener_(node, quantity);
  }

  bool has_errors() const { return errors_ > 0; }
  /// Whether further problems are only counted, so that looking for them is in vain.
  bool is_full() const { return entries_.size() >= kMaxProblems; }
  std::size_t error_count() const { return errors_; }
  /// Whether an error of a source lies at, below or above a key path.
  bool has_error_near(const Source* source, const std::string& path) const;

  /// Everything found, sorted by place, without repetitions.
  std::vector<Diagnostic> sorted() const;
  /// Throws what was found if any of it is an error: OverrideError where only overrides are to
  /// blame, else ParseError.
  void throw_if_errors() const;

 private:
  struct Entry {
    Diagnostic diagnostic;
    const Source* source;
  };
  std::vector<Entry> entries_;
  std::vector<std::pair<const Source*, std::string>> wrong_places_;
  std::size_t errors_ = 0;
  NumberListener listener_;
};

}  // namespace spacedyn::loading
