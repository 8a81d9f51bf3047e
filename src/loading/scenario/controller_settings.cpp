#include "loading/scenario/controller_settings.hpp"

#include <algorithm>
#include <set>

#include "loading/scenario/overrides.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading {
namespace {

constexpr std::size_t kMostVariants = 256;

std::vector<std::string> key_path(const std::string& key) {
  std::vector<std::string> path(1);
  for (const char letter : key) {
    if (letter == '.') {
      path.emplace_back();
    } else {
      path.back() += letter;
    }
  }
  return path;
}

/// Whether a key is another one or leads into it.
bool key_covers(const std::string& key, const std::string& other) {
  return other == key || other.compare(0, key.size() + 1, key + '.') == 0;
}

/// What stays as it is during a run.
bool is_lasting(const std::string& key) {
  static const std::set<std::string> kLasting = {"sample_period", "delay",    "quantization",
                                                 "modulation",    "integral", "integral_limit"};
  return kLasting.count(key_path(key).front()) > 0;
}

std::string setting_text(const Node& node) {
  if (!node.is_sequence()) return node.text;
  std::string text;
  for (const NodePtr& item : node.items) text += (text.empty() ? "" : ", ") + item->text;
  return '[' + text + ']';
}

/// A copy that outlives the tree.
NodePtr node_copy(const Node& node) { return std::make_shared<Node>(node); }

}  // namespace

ControllerSettings& ControllerSettings::of(ScenarioContext& scenario) {
  if (!scenario.settings) scenario.settings = std::make_shared<ControllerSettings>();
  return *scenario.settings;
}

std::size_t ControllerSettings::Family::find(const Controller& law) const {
  const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant& variant) {
    return variant.law.get() == &law;
  });
  if (found == variants.end()) {
    throw DomainError("controller '" + name + "' is not that of the file, whose events set it");
  }
  return static_cast<std::size_t>(found - variants.begin());
}

SetAction ControllerSettings::add(const ControllerSetting& setting) {
  auto family = std::find_if(families_.begin(), families_.end(),
                             [&](const auto& other) { return other->name == setting.controller; });
  if (family == families_.end()) {
    families_.push_back(std::make_shared<Family>());
    families_.back()->name = setting.controller;
    family = families_.end() - 1;
  }
  const std::size_t index = (*family)->settings.size();
  (*family)->settings.push_back(setting);
  const auto change = [family = *family, index](const Controller& now) {
    const Variant& variant = family->variants[family->find(now)];
    return family->variants[variant.next[index]].law;
  };
  return {setting.controller, change, setting.key + " = " + setting_text(*setting.value.node)};
}

std::vector<std::size_t> ControllerSettings::after(const Family& family,
                                                   std::vector<std::size_t> before,
                                                   std::size_t setting) {
  const std::string& key = family.settings[setting].key;
  before.erase(
      std::remove_if(before.begin(), before.end(),
                     [&](std::size_t old) { return key_covers(key, family.settings[old].key); }),
      before.end());
  before.push_back(setting);
  std::sort(before.begin(), before.end(), [&](std::size_t a, std::size_t b) {
    return family.settings[a].key < family.settings[b].key;
  });
  return before;
}

void ControllerSettings::make(ScenarioContext& scenario, Family& family) {
  const auto& controllers = scenario.setup().controllers;
  const auto found = std::find_if(controllers.begin(), controllers.end(),
                                  [&](const auto& other) { return other->name() == family.name; });
  if (found == controllers.end()) return;
  const std::shared_ptr<const Controller> own = *found;  // the list grows below
  family.variants.push_back({{}, own, {}});
  for (const ControllerSetting& setting : family.settings) {
    if (!is_lasting(setting.key)) continue;
    scenario.problems().error(
        setting.place, "expected a number that can change during a run, got " + quote(setting.key) +
                           ", which stays as it is");
    return;
  }
  // variants are appended while all settings of each are followed
  for (std::size_t i = 0; i < family.variants.size(); ++i) {
    for (std::size_t k = 0; k < family.settings.size(); ++k) {
      const std::vector<std::size_t> settings = after(family, family.variants[i].settings, k);
      const auto known =
          std::find_if(family.variants.begin(), family.variants.end(),
                       [&](const Variant& variant) { return variant.settings == settings; });
      family.variants[i].next.push_back(static_cast<std::size_t>(known - family.variants.begin()));
      if (known != family.variants.end()) continue;
      if (family.variants.size() == kMostVariants) {
        scenario.problems().error(family.settings[k].place,
                                  "expected events that set a controller to at most " +
                                      std::to_string(kMostVariants) +
                                      " combinations of numbers, got more");
        return;
      }
      std::vector<ParsedOverride> changes;
      for (const std::size_t setting : settings) {
        const ControllerSetting& one = family.settings[setting];
        changes.push_back({key_path(one.key), node_copy(*one.value.node), one.value.node->mark});
      }
      const auto law = read_changed_controller(scenario, family.name, changes);
      if (!law) return;
      if (law->command_size() != own->command_size() ||
          law->auxiliary_size() != own->auxiliary_size()) {
        scenario.problems().error(family.settings[k].place,
                                  "expected a number that leaves the commands of the controller as "
                                  "many as they are");
        return;
      }
      family.variants.push_back({settings, law, {}});
    }
  }
}

void ControllerSettings::make_all(ScenarioContext& scenario) {
  for (const auto& family : families_) make(scenario, *family);
}

}  // namespace spacedyn::loading
