#include "loading/overrides.hpp"

#include <algorithm>

namespace spacedyn::loading {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys;
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    keys.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  keys.push_back(path.substr(begin));
  return keys;
}

bool is_position(const std::string& key) {
  return !key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == std::string::npos;
}

/// Sets values one level at a time; carries what all levels need.
class Setter {
 public:
  Setter(const ParsedOverride& change, ProblemList& problems)
      : change_(change), problems_(problems) {}

  NodePtr set(const NodePtr& node, std::size_t level, const std::string& path) const {
    if (level == change_.path.size()) return change_.value;
    const std::string& key = change_.path[level];
    if (!node || node->is_null()) return set_in_mapping(Node{}, level, path);
    if (node->is_mapping()) return set_in_mapping(*node, level, path);
    if (node->is_sequence()) return set_in_list(node, level, path);
    problems_.error(change_.mark, join_path(path, key),
                    "expected a key path of the file, got one through " + path + ", which is " +
                        describe(*node));
    return node;
  }

 private:
  NodePtr set_in_mapping(Node mapping, std::size_t level, const std::string& path) const {
    const std::string& key = change_.path[level];
    if (!mapping.is_mapping()) mapping.mark = change_.mark;
    mapping.kind = Node::Kind::mapping;
    const auto entry = std::find_if(mapping.entries.begin(), mapping.entries.end(),
                                    [&](const Entry& other) { return other.key == key; });
    if (entry != mapping.entries.end()) {
      entry->value = set(entry->value, level + 1, join_path(path, key));
    } else {
      mapping.entries.push_back({key, change_.mark, set(nullptr, level + 1, join_path(path, key))});
    }
    return std::make_shared<Node>(std::move(mapping));
  }

  NodePtr set_in_list(const NodePtr& node, std::size_t level, const std::string& path) const {
    const std::string& key = change_.path[level];
    const std::size_t size = node->items.size();
    if (!is_position(key) || std::stoul(key) >= size) {
      problems_.error(change_.mark, join_path(path, key),
                      size == 0 ? "expected no key below an empty list, got " + quote(key)
                                : "expected a position from 0 to " + std::to_string(size - 1) +
                                      " in this list, got " + quote(key));
      return node;
    }
    Node list = *node;
    NodePtr& item = list.items[std::stoul(key)];
    item = set(item, level + 1, join_path(path, key));
    return std::make_shared<Node>(std::move(list));
  }

  const ParsedOverride& change_;
  ProblemList& problems_;
};

}  // namespace

std::vector<ParsedOverride> parse_overrides(const std::vector<Override>& overrides,
                                            Session& session) {
  std::vector<ParsedOverride> parsed;
  for (const auto& [path, text] : overrides) {
    const Document document = session.parse("--set " + path + '=' + text, text, true);
    ParsedOverride change;
    change.mark = {document.source, 1, 1};
    change.value = document.root;
    change.path = split(path);
    if (change.path.size() > 1 && change.path.front() == "scenario") {
      change.path.erase(change.path.begin());
    }
    if (std::count(change.path.begin(), change.path.end(), "") > 0) {
      session.problems().error(
          change.mark, "", "expected a key path such as 'integrator.method', got " + quote(path));
      continue;
    }
    if (change.value) parsed.push_back(std::move(change));
  }
  return parsed;
}

NodePtr apply_override(const NodePtr& root, const ParsedOverride& change, std::size_t first,
                       const std::string& path, ProblemList& problems) {
  return Setter(change, problems).set(root, first, path);
}

}  // namespace spacedyn::loading
