#include "loading/scenario/scenario_model.hpp"

#include <algorithm>
#include <set>

#include "spacedyn/integration/options.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

/// Keys that only models have; below `model.` they need not be named so.
const std::set<std::string> kModelKeys = {
    "links",         "frames", "flexible_links",       "couplings",
    "transmissions", "loops",  "reaction_wheels",      "modal_appendages",
    "thrusters",     "slosh",  "control_moment_gyros", "tanks"};

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
    const auto position = find_item(*node, key, path);
    if (!position) return node;
    Node list = *node;
    NodePtr& item = list.items[*position];
    item = set(item, level + 1, join_path(path, std::to_string(*position)));
    return std::make_shared<Node>(std::move(list));
  }

  /// The item that a key means, by position or by name.
  std::optional<std::size_t> find_item(const Node& list, const std::string& key,
                                       const std::string& path) const {
    const std::size_t size = list.items.size();
    std::vector<std::string> names;
    std::set<std::size_t> meant;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string name = name_of_item(*list.items[i], i);
      names.push_back(name.empty() ? list.items[i]->text_at("joint") : name);
      if (names.back() == key) meant.insert(i);
    }
    if (is_position(key) && std::stoul(key) < size) meant.insert(std::stoul(key));
    if (meant.size() == 1) return *meant.begin();
    const std::string place = join_path(path, key);
    if (size == 0) {
      problems_.error(change_.mark, place,
                      "expected no key below an empty list, got " + quote(key));
    } else if (meant.empty()) {
      problems_.error(change_.mark, place,
                      "expected a position from 0 to " + std::to_string(size - 1) +
                          " or a name in this list, got " + quote(key) + did_you_mean(key, names));
    } else {
      std::string positions;
      for (const std::size_t i : meant) {
        positions += (positions.empty() ? "" : " and ") + std::to_string(i);
      }
      problems_.error(change_.mark, place,
                      "expected a position, got " + quote(key) +
                          ", which is ambiguous: it means the items " + positions);
    }
    return std::nullopt;
  }

  const ParsedOverride& change_;
  ProblemList& problems_;
};

/// The method of a document, the default where none is named; nothing if it is unknown.
std::optional<IntegrationMethod> method_of(const NodePtr& root) {
  const NodePtr name = value_below(root, {"scenario", "integrator", "method"});
  if (!name) return IntegratorOptions().method;
  for (const IntegrationMethod method : all_integration_methods()) {
    if (name->is_scalar() && name->text == to_string(method)) return method;
  }
  return std::nullopt;
}

bool is_of_an_override(const Node& node) {
  return node.mark.source != nullptr && node.mark.source->is_override();
}

}  // namespace

std::vector<ParsedOverride> parse_overrides(const std::vector<Override>& overrides,
                                            Session& session) {
  std::vector<ParsedOverride> parsed;
  for (const auto& [path, text] : overrides) {
    const Document document = session.parse("--set " + path + '=' + text, text, true);
    ParsedOverride change;
    change.mark = {document.source, 1, 1};
    change.value = document.root;
    change.path = split_path(path);
    if (change.path.size() > 1 && change.path.front() == "scenario") {
      change.path.erase(change.path.begin());
    }
    if (change.path.size() > 1 && kModelKeys.count(change.path.front()) > 0) {
      change.path.insert(change.path.begin(), "model");
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

NodePtr leave_out_misfits(const NodePtr& before, const NodePtr& after, ProblemList& problems) {
  const NodePtr integrator = value_below(after, {"scenario", "integrator"});
  const auto method = method_of(after);
  if (!integrator || !integrator->is_mapping() || !method || method == method_of(before)) {
    return after;
  }
  Node kept = *integrator;
  kept.entries.clear();
  for (const Entry& entry : integrator->entries) {
    const std::string reason = method_misfit(entry.key, *method);
    if (reason.empty() || is_of_an_override(*entry.value)) {
      kept.entries.push_back(entry);
    } else {
      problems.add(Severity::note, entry.key_mark, "scenario.integrator." + entry.key,
                   "left out: " + reason, "");
    }
  }
  const NodePtr scenario = value_below(after, {"scenario"});
  return with_value(*after, "scenario",
                    with_value(*scenario, "integrator", std::make_shared<Node>(std::move(kept))));
}

}  // namespace spacedyn::loading
