/// @file
/// Receives the events of the YAML parser and grows a tree of nodes from them.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include "loading/yaml/compose.hpp"

namespace spacedyn::loading {

/// Thrown, once reported, where reading on makes no sense.
struct StopComposing {};

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const Source& source, ProblemList& problems) : source_(source), problems_(problems) {}

  /// The document, or nothing before its end.
  NodePtr root() const { return root_; }
  /// Where the latest event stands in the text, as a number of bytes.
  std::size_t position() const { return position_; }
  /// Reports a problem there.
  void report_at_position(const std::string& message) { problems_.error(latest_, path(), message); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  /// A list or mapping whose end has not come yet.
  struct Open {
    std::shared_ptr<Node> node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::unordered_map<std::string, int> keys;  // with the line of each
    bool has_key = false;                       ///< a key has been read, its value is next
    bool keep_value = true;                     ///< false where the key was refused
    bool merges = false;                        ///< the key is '<<'
    std::vector<Entry> merged;                  ///< of what is merged, the first of a key counts
    std::string key;
    Mark key_mark;
  };

  Mark mark_of(const YAML::Mark& mark);
  std::string path() const;
  void check_tag(const Mark& mark, const YAML::Mark& position, const std::string& tag);
  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor);
  void close();
  void remember(YAML::anchor_t anchor, const NodePtr& node);
  void add(const NodePtr& node);
  void take_key(const Node& node);
  /// Remembers the keys of a mapping, or of a list of them, that a merge key names.
  void merge(const Node& node);
  [[noreturn]] void stop(const Mark& mark, const std::string& message);
  [[noreturn]] void stop_too_deep(const Mark& mark);

  const Source& source_;
  ProblemList& problems_;
  std::vector<Open> open_;
  std::vector<NodePtr> anchors_;  // by number; empty while the node is open
  std::size_t alias_nodes_ = 0;
  std::size_t position_ = 0;
  Mark latest_;
  NodePtr root_;
};

}  // namespace spacedyn::loading
