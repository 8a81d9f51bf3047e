#include "loading/yaml/compose.hpp"

#include <algorithm>
#include <istream>
#include <streambuf>
#include <unordered_map>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "loading/yaml/text_check.hpp"

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

namespace {

constexpr std::string_view kStandardTag = "tag:yaml.org,2002:";

std::string shown_tag(const std::string& tag) {
  if (tag.compare(0, kStandardTag.size(), kStandardTag) == 0) {
    return "!!" + tag.substr(kStandardTag.size());
  }
  return tag;
}

/// Hands a text to the parser piece by piece, and ends it where the parser has read on for too long
/// without telling what it read: it would fill the memory.
class BoundedText final : public std::streambuf {
 public:
  BoundedText(const std::string& text, const TreeBuilder& builder)
      : text_(text), builder_(builder) {}

  bool was_cut() const { return was_cut_; }

 protected:
  int_type underflow() override {
    was_cut_ = was_cut_ || end_ > builder_.position() + kMaxValueSize;
    if (was_cut_ || end_ == text_.size()) return traits_type::eof();
    // the base class wants pointers to mutable characters, but never writes when reading
    char* begin = const_cast<char*>(text_.data()) + end_;
    const std::size_t size = std::min(kPiece, text_.size() - end_);
    setg(begin, begin, begin + size);
    end_ += size;
    return traits_type::to_int_type(*begin);
  }

 private:
  static constexpr std::size_t kPiece = 65536;
  const std::string& text_;
  const TreeBuilder& builder_;
  std::size_t end_ = 0;
  bool was_cut_ = false;
};

/// Lets the parser loose on a text; false if the tree is of no use.
bool parse(const Source& source, TreeBuilder& builder, ProblemList& problems) {
  BoundedText buffer(source.text(), builder);
  const auto is_cut = [&] {
    if (buffer.was_cut()) {
      builder.report_at_position("expected texts and collections in brackets of at most " +
                                 std::to_string(kMaxValueSize >> 20U) + " MiB, got a longer one");
    }
    return buffer.was_cut();
  };
  try {
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const StopComposing&) {
    return false;
  } catch (const YAML::Exception& error) {
    if (!is_cut()) report_syntax_error(error, source, problems);
    return false;
  }
  return !is_cut();
}

}  // namespace

Mark TreeBuilder::mark_of(const YAML::Mark& mark) {
  position_ = static_cast<std::size_t>(std::max(0, mark.pos));
  latest_ = {&source_, mark.line + 1, mark.column + 1};
  return latest_;
}

std::string TreeBuilder::path() const {
  std::string path;
  for (const Open& open : open_) {
    if (open.node->is_sequence()) {
      path = join_path(path, std::to_string(open.node->items.size()));
    } else if (open.has_key) {
      path = join_path(path, open.key);
    }
  }
  return path;
}

void TreeBuilder::stop(const Mark& mark, const std::string& message) {
  problems_.error(mark, path(), message);
  throw StopComposing{};
}

void TreeBuilder::stop_too_deep(const Mark& mark) {
  stop(mark, "expected at most " + std::to_string(kMaxDepth) + " levels of nesting, got more");
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  const Mark start = mark_of(mark);
  if (root_) stop(start, "expected one document, got another one");
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  auto node = std::make_shared<Node>();
  node->mark = mark_of(mark);
  // an absent value is reported by the parser at whatever comes next
  if (!open_.empty() && open_.back().has_key && open_.back().key_mark.line != node->mark.line) {
    node->mark = open_.back().key_mark;
  }
  remember(anchor, node);
  add(node);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const NodePtr target = anchor < anchors_.size() ? anchors_[anchor] : nullptr;
  if (!target)
    stop(mark_of(mark), "expected an alias of another value, got one of a value that contains it");
  alias_nodes_ += target->weight;
  if (alias_nodes_ > kMaxAliasNodes) {
    stop(mark_of(mark), "expected aliases that repeat at most " + std::to_string(kMaxAliasNodes) +
                            " values, got more");
  }
  // aliases of aliases could nest without an end in sight
  if (static_cast<int>(open_.size()) + target->height > kMaxDepth + 1) stop_too_deep(mark_of(mark));
  add(target);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::scalar;
  node->mark = mark_of(mark);
  node->text = value;
  node->quoted = tag == "!";
  check_tag(node->mark, mark, tag);
  remember(anchor, node);
  add(node);
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value /*style*/) {
  open(Node::Kind::sequence, mark, tag, anchor);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value /*style*/) {
  open(Node::Kind::mapping, mark, tag, anchor);
}

void TreeBuilder::check_tag(const Mark& mark, const YAML::Mark& position, const std::string& tag) {
  // the parser gives '?' to plain and '!' to quoted values, the latter also to the bare tag '!'
  const auto at = static_cast<std::size_t>(std::max(0, position.pos));
  const bool bare = tag == "!" && at < source_.text().size() && source_.text()[at] == '!';
  if (tag.empty() || tag == "?" || (tag == "!" && !bare)) return;
  problems_.error(mark, path(),
                  "expected a value without a tag, got the tag " + quote(shown_tag(tag)));
}

void TreeBuilder::open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor) {
  Open open;
  open.node = std::make_shared<Node>();
  open.node->kind = kind;
  open.node->mark = mark_of(mark);
  open.anchor = anchor;
  check_tag(open.node->mark, mark, tag);
  if (static_cast<int>(open_.size()) >= kMaxDepth) stop_too_deep(open.node->mark);
  remember(anchor, nullptr);
  open_.push_back(std::move(open));
}

void TreeBuilder::close() {
  const std::shared_ptr<Node> node = open_.back().node;
  // keys that stand in the mapping itself count before those that are merged
  for (Entry& entry : open_.back().merged) {
    if (!open_.back().keys.emplace(entry.key, entry.key_mark.line).second) continue;
    node->weight += entry.value->weight;
    node->height = std::max(node->height, entry.value->height + 1);
    node->entries.push_back(std::move(entry));
  }
  const YAML::anchor_t anchor = open_.back().anchor;
  open_.pop_back();
  remember(anchor, node);
  add(node);
}

void TreeBuilder::remember(YAML::anchor_t anchor, const NodePtr& node) {
  if (anchor == YAML::NullAnchor) return;
  if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
  anchors_[anchor] = node;
}

void TreeBuilder::add(const NodePtr& node) {
  if (open_.empty()) {
    root_ = node;
    return;
  }
  Open& open = open_.back();
  if (open.node->is_mapping() && !open.has_key) {
    take_key(*node);
    return;
  }
  open.has_key = false;
  if (open.node->is_mapping() && open.merges) return merge(*node);
  if (open.node->is_mapping() && !open.keep_value) return;
  open.node->weight += node->weight;
  open.node->height = std::max(open.node->height, node->height + 1);
  if (open.node->is_mapping()) {
    open.node->entries.push_back({std::move(open.key), open.key_mark, node});
  } else {
    open.node->items.push_back(node);
  }
}

void TreeBuilder::take_key(const Node& node) {
  Open& open = open_.back();
  const bool is_text = node.is_scalar();
  const std::string parent = path();
  open.has_key = true;
  open.keep_value = false;
  open.merges = false;
  open.key_mark = node.mark;
  open.key = is_text ? node.text : "";
  if (!is_text) {
    problems_.error(node.mark, parent, "expected a text as key, got " + describe(node));
  } else if (node.text == "<<" && !node.quoted) {
    open.merges = true;
  } else if (const auto [first, is_new] = open.keys.emplace(node.text, node.mark.line); !is_new) {
    problems_.error(node.mark, join_path(parent, node.text),
                    "expected each key once, got " + quote(node.text) + " again after line " +
                        std::to_string(first->second));
  } else {
    open.keep_value = true;
  }
}

void TreeBuilder::merge(const Node& node) {
  std::vector<Entry>& merged = open_.back().merged;
  const auto take = [&](const Node& from) {
    merged.insert(merged.end(), from.entries.begin(), from.entries.end());
  };
  const bool is_list = node.is_sequence() && !node.items.empty() &&
                       std::all_of(node.items.begin(), node.items.end(),
                                   [](const NodePtr& item) { return item->is_mapping(); });
  if (node.is_mapping()) {
    take(node);
  } else if (is_list) {
    for (const NodePtr& item : node.items) take(*item);
  } else {
    problems_.error(node.mark, join_path(path(), "<<"),
                    "expected a mapping to merge, or a list of them, got " + describe(node));
    open_.back().node->lacks_keys = true;
  }
}
NodePtr compose(const Source& source, ProblemList& problems) {
  if (!check_text(source, problems)) return nullptr;
  TreeBuilder builder(source, problems);
  if (!parse(source, builder, problems)) return nullptr;
  if (!builder.root()) {
    problems.error({&source, 1, 1}, "",
                   source.is_override() ? "expected a value, got nothing"
                                        : "expected a document, got an empty file");
  }
  return builder.root();
}

}  // namespace spacedyn::loading
