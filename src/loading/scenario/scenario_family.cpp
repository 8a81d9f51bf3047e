#include "loading/scenario/scenario_family.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {
namespace {

/// What a tree had where a value stands in the changed one; null where it had nothing.
NodePtr replaced(const NodePtr& before, const NodePtr& after, const NodePtr& value) {
  if (after == value) return before;
  if (!before || before == after) return nullptr;
  for (std::size_t i = 0; i < before->items.size(); ++i) {
    if (NodePtr found = replaced(before->items[i], after->items[i], value)) return found;
  }
  for (std::size_t i = 0; i < before->entries.size(); ++i) {
    if (NodePtr found = replaced(before->entries[i].value, after->entries[i].value, value)) {
      return found;
    }
  }
  return nullptr;
}

/// The value of a file at the place of an override; null where it has none.
NodePtr value_in(const NodePtr& root, const ParsedOverride& change, std::size_t first) {
  ProblemList ignored;
  return root ? replaced(root, apply_override(root, change, first, "", ignored), change.value)
              : nullptr;
}

/// The file of the model that a key path leads into, and where the keys of the model begin.
struct ModelPlace {
  std::string file;  ///< empty: the scenario holds the model, or it is about something else
  std::size_t first = 0;
};

ModelPlace model_place(const NodePtr& scenario, const ParsedOverride& change,
                       const std::string& folder) {
  ModelPlace place;
  place.first = change.path.front() == "robots" ? 3 : 1;
  if (change.path.size() <= place.first || change.path[place.first - 1] != "model") return {};
  ParsedOverride model = change;
  model.path.resize(place.first);
  NodePtr file = value_in(scenario, model, 0);
  if (file && file->is_mapping()) {
    // what the scenario adds to the model stands in the scenario
    if (file->find(change.path[place.first]) != nullptr) return {};
    file = value_below(file, {"file"});
  }
  if (!file || !file->is_scalar()) return {};
  place.file = resolve_path(folder, file->text);
  return place;
}

/// Writes trees as YAML; paths of files are those from another folder.
class TreeWriter {
 public:
  /// @param moved  what files are to be called, by their path
  explicit TreeWriter(const std::map<std::string, std::string>& moved) : moved_(moved) {}

  std::string text_of(const Node& node) const {
    if (node.is_null()) return "~";
    if (node.is_scalar()) return scalar_text(node);
    if (node.is_sequence()) return list_text(node);
    KeyTexts keys;
    std::size_t size = 0;
    for (const Entry& entry : node.entries) {
      keys.emplace_back(entry.key, text_of(*entry.value));
      const std::string& text = keys.back().second;
      size += text.find('\n') == std::string::npos ? entry.key.size() + text.size() : kMostInLine;
    }
    return size < kMostInLine ? flow_text(keys) : block_text(keys);
  }

 private:
  static constexpr std::size_t kMostInLine = 100;  // bytes

  std::string list_text(const Node& node) const {
    std::vector<std::string> items;
    bool has_lines = false;
    for (const NodePtr& item : node.items) {
      items.push_back(text_of(*item));
      has_lines = has_lines || !item->is_scalar();
    }
    return has_lines ? block_text(items) : flow_text(items);
  }

  std::string scalar_text(const Node& node) const {
    const auto moved = moved_.find(path_beside({&node, ""}, node.text));
    if (moved != moved_.end()) return quoted_text(moved->second);
    // marks of YAML within a plain text would end it inside of braces
    const bool is_plain = !node.quoted && node.text.find_first_of("{}[],:#\n") == std::string::npos;
    return is_plain ? node.text : quoted_text(node.text);
  }

  const std::map<std::string, std::string>& moved_;
};

}  // namespace

ScenarioFamily::ScenarioFamily(const std::map<std::string, std::string>& sources)
    : session_(sources),
      document_(session_.open(find_file(sources, "scenario"))),
      original_(read_scenario(session_, document_, {})) {}

Scenario ScenarioFamily::variant(const std::vector<Override>& overrides) const {
  Session session(&session_);
  return read_scenario(session, document_, overrides, &original_);
}

void ScenarioFamily::share_forces(const Scenario& other, const std::string& key,
                                  Scenario& variant) const {
  const State &a = other.initial, &b = variant.initial;
  const bool starts_alike = a.r_0 == b.r_0 && a.A_0 == b.A_0 && a.q == b.q && a.v_0 == b.v_0 &&
                            a.omega_0 == b.omega_0 && a.qd == b.qd;
  auto& forces = variant.setup.forces;
  const auto& others = other.setup.forces;
  if (!starts_alike || variant.setup.model != other.setup.model || forces.size() != others.size()) {
    return;
  }
  const std::vector<std::string> path = split_path(key);
  std::string changed;  // names of what it has made begin with that of the item
  if (path.front() == "forces" && path.size() > 1) {
    const NodePtr list = value_below(document_.root, {"scenario", "forces"});
    for (std::size_t i = 0; list && i < list->items.size(); ++i) {
      const std::string name = name_of_item(*list->items[i], i);
      if (path[1] == name || path[1] == std::to_string(i)) changed = name;
    }
    if (changed.empty()) return;
  } else if (path.front() != "control") {
    return;
  }
  // those behind it may look at it, as wheels do that follow others
  const auto end = changed.empty()
                       ? forces.end()
                       : std::find_if(forces.begin(), forces.end(), [&](const auto& force) {
                           return force->name().compare(0, changed.size(), changed) == 0;
                         });
  if (!changed.empty() && end == forces.end()) return;
  for (auto force = forces.begin(); force != end; ++force) {
    const auto& same = others[static_cast<std::size_t>(force - forces.begin())];
    if ((*force)->name() == same->name()) *force = same;
  }
}

std::optional<Quantity> ScenarioFamily::quantity_at(const Override& change,
                                                    std::vector<Diagnostic>& problems) const {
  Session session(&session_);
  std::optional<Quantity> found;
  session.problems().on_number([&](const Node& node, const Quantity& quantity) {
    const bool is_meant = node.mark.source != nullptr && node.mark.source->is_override();
    if (is_meant && !found) found = quantity;
  });
  try {
    read_scenario(session, document_, {change}, &original_);
  } catch (const Error&) {
    // the number may be out of range
  }
  problems = session.problems().sorted();
  return found;
}

std::optional<double> ScenarioFamily::value_at(const std::string& key,
                                               const Quantity& quantity) const {
  Session session(&session_);
  const auto changes = parse_overrides({{key, "0"}}, session);
  if (changes.empty()) return std::nullopt;
  const ParsedOverride& change = changes.front();
  const NodePtr scenario = value_below(document_.root, {"scenario"});
  NodePtr found = value_in(scenario, change, 0);
  const ModelPlace place = model_place(scenario, change, folder_of(document_.source->name()));
  if (!found && !place.file.empty()) {
    found = value_in(value_below(session.open(place.file).root, {"model"}), change, place.first);
  }
  if (!found) return std::nullopt;
  return read_number({found.get(), key}, quantity, session.problems());
}

std::map<std::string, std::string> ScenarioFamily::write_variant(
    const std::vector<Override>& overrides, const std::string& folder,
    const std::string& stem) const {
  namespace fs = std::filesystem;
  Session session(&session_);
  ProblemList& problems = session.problems();
  const std::string own_folder = folder_of(document_.source->name());
  NodePtr scenario = value_below(document_.root, {"scenario"});
  std::map<std::string, NodePtr> models;  // that change, by their file
  for (const ParsedOverride& change : parse_overrides(overrides, session)) {
    const ModelPlace place = model_place(scenario, change, own_folder);
    if (place.file.empty()) {
      scenario = apply_override(scenario, change, 0, "scenario", problems);
      continue;
    }
    NodePtr& model = models[place.file];
    if (!model) model = value_below(session.open(place.file).root, {"model"});
    model = apply_override(model, change, place.first, "model", problems);
  }
  problems.throw_if_errors();
  std::map<std::string, std::string> moved;
  for (const auto& [path, text] : session_.sources().files()) {
    moved[path] = fs::relative(path, folder).string();
  }
  std::size_t count = 0;
  for (const auto& [path, model] : models) {
    moved[path] = stem + "_model" + (++count == 1 ? "" : std::to_string(count)) + ".yaml";
  }
  const TreeWriter writer(moved);
  const auto text_of = [&](const char* key, const NodePtr& value) {
    return block_text({{"spacedyn", "1"}, {key, writer.text_of(*value)}}).substr(1) + '\n';
  };
  std::map<std::string, std::string> files;
  for (const auto& [path, model] : models) files[moved[path]] = text_of("model", model);
  files[stem + ".yaml"] = text_of("scenario", scenario);
  return files;
}

}  // namespace spacedyn::loading

namespace spacedyn {
namespace {

using loading::Dimension;
using loading::Entry;
using loading::join_path;
using loading::Node;
using loading::Quantity;

using Quantities = std::map<const Node*, Quantity>;

/// What a number is called while the tree is walked down to it.
struct Label {
  std::string group;  ///< key of the scenario
  std::string element;
  std::string part;
  std::string name;
  const Node* joints = nullptr;  ///< names of the joints that lists around here have an item for
};

/// Names of a list of joints that a mapping has.
const Node* joint_list(const Node& mapping) {
  const Entry* entry = mapping.find("joints");
  if (entry == nullptr || !entry->value || !entry->value->is_sequence()) return nullptr;
  for (const loading::NodePtr& item : entry->value->items) {
    if (!item->is_scalar()) return nullptr;
  }
  return entry->value.get();
}

std::string spaced(const std::string& words, const std::string& word) {
  return words.empty() ? word : word.empty() ? words : words + ' ' + word;
}

/// Walks through a scenario and lists its numbers.
class Walk {
 public:
  explicit Walk(const Quantities& quantities) : quantities_(quantities) {}

  void node(const Node& node, const std::string& path, const Label& label) {
    if (node.is_scalar()) return add(node, path, label);
    if (node.is_sequence()) return items(node, path, label);
    for (const Entry& entry : node.entries) {
      if (entry.value) member(node, entry, path, label);
    }
  }

  std::vector<NumericSetting> take() { return std::move(settings_); }

 private:
  void items(const Node& list, const std::string& path, const Label& label) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Node& item = *list.items[i];
      Label inner = label;
      if (item.is_mapping() && label.element.empty()) {
        enter_element(item, i, inner);
      } else if (item.is_mapping()) {
        if (list.items.size() > 1) inner.name = spaced(label.name, std::to_string(i + 1));
      } else {
        inner.part = spaced(label.part, part_of(list, i, label));
      }
      node(item, join_path(path, std::to_string(i)), inner);
    }
  }

  /// An item of `control`, `forces` and the like begins.
  static void enter_element(const Node& item, std::size_t position, Label& label) {
    label.element = item.text_at("name");
    if (label.element.empty()) {
      const std::string type = item.text_at("type");
      label.element = spaced(type.empty() ? label.group : type, std::to_string(position + 1));
    }
    label.name.clear();
    label.part = item.text_at("joint");
    label.joints = joint_list(item);
  }

  static std::string part_of(const Node& list, std::size_t position, const Label& label) {
    static constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};
    if (label.joints != nullptr && label.joints->items.size() == list.items.size()) {
      return label.joints->items[position]->text;
    }
    const bool is_vector = list.items.size() == kAxes.size() && list.items[position]->is_scalar();
    return is_vector ? kAxes[position] : std::to_string(position + 1);
  }

  void member(const Node& parent, const Entry& entry, const std::string& path, const Label& label) {
    const Node& value = *entry.value;
    Label inner = label;
    // the keys below `joints` are names of joints
    if (entry.key == "joints" && value.is_mapping()) {
      for (const Entry& joint : value.entries) {
        if (!joint.value) continue;
        inner.part = joint.key;
        node(*joint.value, join_path(join_path(path, entry.key), joint.key), inner);
      }
      return;
    }
    if (path.empty() && !value.is_scalar()) {
      inner.group = entry.key;
    } else {
      inner.name = spaced(label.name, entry.key);
    }
    if (entry.key == "damping") damped_ = parent.find("stiffness");
    node(value, join_path(path, entry.key), inner);
    damped_ = nullptr;
  }

  /// Adds a scalar that is a number, alone or with a unit.
  void add(const Node& node, const std::string& path, const Label& label) {
    const std::string& text = node.text;
    const loading::NumberAndUnit parts = loading::split_unit(text);
    const std::string unit(parts.unit), number(parts.number);
    if (unit.empty() ? node.quoted : loading::find_unit(unit) == nullptr) return;
    if (!loading::is_number(number) || loading::looks_octal(number)) return;
    const auto value = loading::parse_number(number);
    if (!value || !std::isfinite(*value)) return;
    settings_.push_back({path, *value, unit, label.element, label.part, label.name,
                         unit.empty() ? unit_of(node, path) : ""});
  }

  std::string unit_of(const Node& node, const std::string& path) const {
    const auto found = quantities_.find(&node);
    std::string unit = found == quantities_.end() ? "" : loading::si_unit(found->second);
    if (unit.empty() && damped_ != nullptr && damped_->value) unit = damping_unit(path);
    return unit;
  }

  /// Unit of a damper beside a spring: that of the spring times s.
  std::string damping_unit(const std::string& path) const {
    const Node* spring = damped_->value.get();
    if (spring->is_sequence()) {
      const auto position = std::strtoul(path.c_str() + path.rfind('.') + 1, nullptr, 10);
      if (position >= spring->items.size()) return "";
      spring = spring->items[position].get();
    }
    const auto found = quantities_.find(spring);
    if (found == quantities_.end()) return "";
    if (found->second.dimension == Dimension::angular_stiffness) return "N*m*s/rad";
    return found->second.dimension == Dimension::linear_stiffness ? "N*s/m" : "";
  }

  const Quantities& quantities_;
  const Entry* damped_ = nullptr;  ///< the stiffness beside the damping that is being walked
  std::vector<NumericSetting> settings_;
};

/// What each number of a valid scenario is.
Quantities quantities_of(loading::Session& session, const loading::Document& document) {
  Quantities quantities;
  session.problems().on_number(
      [&](const Node& node, const Quantity& quantity) { quantities[&node] = quantity; });
  try {
    loading::read_scenario(session, document, {});
  } catch (const Error&) {
    quantities.clear();
  }
  session.problems().on_number({});
  return quantities;
}

}  // namespace

std::vector<NumericSetting> numeric_settings(const std::string& scenario_path) {
  loading::Session session;
  const loading::Document& document = session.open(scenario_path);
  if (!document.root) return {};
  const Entry* scenario = document.root->find("scenario");
  if (scenario == nullptr || !scenario->value) return {};
  const Quantities quantities = quantities_of(session, document);
  Walk walk(quantities);
  walk.node(*scenario->value, "", {});
  return walk.take();
}

}  // namespace spacedyn
