/// @file
/// Reads one mapping strictly: every key must be asked for, every problem is collected.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loading/yaml/scalars.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn::loading {

class Session;

/// Descriptions and sources of a file by key path, until the thing they belong to takes them.
class NoteCollection {
 public:
  void add(const std::string& path, std::string text) { texts_[path] = std::move(text); }
  /// Removes and returns what was said at a key path and below.
  Notes take(const std::string& path);

 private:
  std::map<std::string, std::string> texts_;
};

/// Names of events that something waits for, and where they stand. They are looked up at the end,
/// for events are read last.
struct AwaitedEvents {
  std::vector<std::string> names;                     ///< at which something begins, each once
  std::vector<std::pair<std::string, Value>> places;  ///< of these and of `after`

  /// Position of a name among those at which something begins.
  int add(const std::string& name, const Value& place);
};

/// What all readers of one file share.
struct ReadContext {
  Session& session;
  ProblemList& problems;
  NoteCollection notes;
  const ModelDescription* model = nullptr;  ///< in whose units some keys are, where it is known
  AwaitedEvents awaited = {};
};

/// A mapping whose keys are asked for one by one; finish() refuses all others.
class MapReader {
 public:
  /// Reports a value that is no mapping; then every key is absent and none is missed.
  /// @param hint  then says what a mapping would have
  MapReader(const Value& value, ReadContext& context, const std::string& hint = {});

  bool is_mapping() const { return node_ != nullptr; }
  const std::string& path() const { return path_; }
  const Mark& mark() const { return mark_; }
  ReadContext& context() const { return context_; }
  ProblemList& problems() const { return context_.problems; }

  /// The value of a key, or nothing.
  std::optional<Value> find(std::string_view key);
  /// The value of a key; finish() reports its absence with what was expected.
  std::optional<Value> require(std::string_view key, const std::string& expected);
  bool has(std::string_view key) const;
  /// Whether a key is there and has a certain text.
  bool says(std::string_view key, std::string_view text) const;

  /// @name Single values; the fallback where the key is absent or wrong
  /// @{
  double number(std::string_view key, const Quantity& quantity, double fallback);
  double required_number(std::string_view key, const Quantity& quantity);
  bool boolean(std::string_view key, bool fallback);
  std::string text(std::string_view key);
  std::string required_text(std::string_view key);
  Vector3 vector3(std::string_view key, const Quantity& quantity, const Vector3& fallback);
  /// @}

  /// Refuses a key that makes no sense here, with the reason.
  void refuse(std::string_view key, const std::string& reason);
  /// Reports every key that was not asked for, then those that are missing.
  void finish();
  /// Reports the keys that are missing; for mappings whose other keys cannot be judged.
  void report_missing();

  /// Takes the descriptions and sources of this mapping and those inside it.
  Notes take_notes() const { return context_.notes.take(path_); }

  /// @name Reports a problem of the mapping as a whole
  /// @{
  void error(const std::string& message, const std::string& hint = "") const {
    problems().error(mark_, path_, message, hint);
  }
  void warning(const std::string& message, const std::string& hint = "") const {
    problems().warning(mark_, path_, message, hint);
  }
  /// @}
  /// Reports a problem at a key, or at the mapping where the key is absent.
  void error_at(std::string_view key, const std::string& message, const std::string& hint = "");

 private:
  void read_note(std::string_view key);
  /// Reports an unknown key and returns the nearest known one, if any.
  std::string refuse_unknown(const Entry& entry);

  const Node* node_ = nullptr;
  std::string path_;
  Mark mark_;
  ReadContext& context_;
  std::vector<std::string> known_;
  std::vector<std::pair<std::string, std::string>> missing_;  // key, what was expected
};

/// The event of the key `start`, by its position among those that are awaited; −1 without one.
int read_start_event(MapReader& map);

/// Applies a function to each item of a list; reports a value that is no list.
template <typename Function>
void for_each_item(const Value& value, ProblemList& problems, const Function& function) {
  if (!value.node->is_sequence()) {
    problems.error(value, "expected a list, got " + describe(*value.node));
    return;
  }
  int i = 0;
  for (const NodePtr& item : value.node->items) {
    if (problems.is_full()) return;
    function(Value{item.get(), join_path(value.path, std::to_string(i++))});
  }
}

/// A mapping of which one function reads all keys.
template <typename Read>
auto read_whole(const Value& value, ReadContext& context, Read read) {
  MapReader map(value, context);
  auto result = read(map);
  map.finish();
  return result;
}

/// A list with one number for each quantity; nothing where it is wrong.
std::optional<VectorX> read_list(const Value& value, const std::vector<Quantity>& quantities,
                                 ProblemList& problems);

/// A list of a given number of like numbers.
std::optional<VectorX> read_numbers(const Value& value, const Quantity& quantity, int size,
                                    ProblemList& problems);

}  // namespace spacedyn::loading
