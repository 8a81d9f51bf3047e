#include "spacedyn/loading/settings.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include "loading/scenario/scenario_model.hpp"
#include "loading/yaml/numbers.hpp"
#include "loading/yaml/scalars.hpp"
#include "loading/yaml/units.hpp"

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
