#include "loading/yaml/tree_builder.hpp"

#include <algorithm>
#include <utility>

namespace spacedyn::loading {
namespace {

constexpr std::string_view kStandardTag = "tag:yaml.org,2002:";

std::string shown_tag(const std::string& tag) {
  if (tag.compare(0, kStandardTag.size(), kStandardTag) == 0) {
    return "!!" + tag.substr(kStandardTag.size());
  }
  return tag;
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

}  // namespace spacedyn::loading
