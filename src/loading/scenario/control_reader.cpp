#include <algorithm>
#include <set>

#include "loading/keys/time_series.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/scenario_model.hpp"
#include "loading/scenario/sections.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading {

// each beside its reader
extern const ControlType kJointPdType, kComputedTorqueType, kExternalType, kAttitudeType,
    kDetumbleType, kBaseFeedForwardType, kMomentumDumpingType, kStationKeepingType, kDriveType,
    kWholeBodyType, kResolvedRateType, kReactionNullSpaceType, kOperationalSpaceType,
    kCartesianImpedanceType, kInertialDampingType, kPluginType;

namespace {

constexpr Quantity kPeriod{Dimension::time, Range::not_negative};

const std::vector<const ControlType*>& control_types() {
  static const std::vector<const ControlType*> kTypes = {&kJointPdType,
                                                         &kComputedTorqueType,
                                                         &kExternalType,
                                                         &kAttitudeType,
                                                         &kDetumbleType,
                                                         &kBaseFeedForwardType,
                                                         &kMomentumDumpingType,
                                                         &kStationKeepingType,
                                                         &kDriveType,
                                                         &kWholeBodyType,
                                                         &kResolvedRateType,
                                                         &kReactionNullSpaceType,
                                                         &kOperationalSpaceType,
                                                         &kCartesianImpedanceType,
                                                         &kInertialDampingType,
                                                         &kPluginType};
  return kTypes;
}

Json sample_period_schema() {
  return number_schema({kPeriod}, "Time, s; 0 (default) means continuous");
}

Json controllers_schema() {
  std::vector<Json> schemas;
  for (const ControlType* type : control_types()) schemas.push_back(type->schema());
  return series_schema(one_of_schema(schemas));
}

bool is_control_type(const std::string& name) {
  return std::any_of(control_types().begin(), control_types().end(),
                     [&](const ControlType* type) { return name == type->name; });
}

/// Remembers the names of all controllers, those that turn out to be wrong included.
void note_controller_names(ScenarioContext& scenario) {
  const auto list = scenario.map.find("control");
  if (!list) return;
  if (!list->node->is_sequence()) scenario.names.knows_controllers = false;
  std::size_t position = 0;
  for (const NodePtr& item : list->node->items) {
    const Entry* name = item->find("name");
    const Entry* type = item->find("type");
    if (name != nullptr && name->value->is_scalar()) {
      scenario.names.controllers.insert(name->value->text);
    } else if (type != nullptr && name == nullptr && is_control_type(type->value->text)) {
      scenario.names.controllers.insert(type->value->text + '_' + std::to_string(position));
    } else {
      scenario.names.knows_controllers = false;
    }
    ++position;
  }
}

/// The motion that a name stands for; nothing if for none.
std::optional<JointMotion> motion_named(const std::string& name, const SimulationSetup& system) {
  for (const auto& controller : system.controllers) {
    if (controller->name() != name) continue;
    if (JointMotion motion = controller->joint_motion(); motion.reference) return motion;
  }
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    if (system.model->joint(prescribed.joint).name != name) continue;
    return JointMotion{{prescribed.joint}, prescribed.reference};
  }
  return std::nullopt;
}

std::vector<std::string> known_motions(const SimulationSetup& system) {
  std::vector<std::string> known;
  for (const auto& controller : system.controllers) {
    if (controller->joint_motion().reference) known.push_back(controller->name());
  }
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    known.push_back(system.model->joint(prescribed.joint).name);
  }
  return known;
}

/// The first joint that two motions share; 0 if none.
int shared_joint(const std::vector<JointMotion>& motions, const JointMotion& other) {
  for (const JointMotion& motion : motions) {
    for (const int joint : motion.joints) {
      if (std::count(other.joints.begin(), other.joints.end(), joint) > 0) return joint;
    }
  }
  return 0;
}

constexpr std::size_t kMostVariants = 256;

/// Whether a key is another one or leads into it.
bool key_covers(const std::string& key, const std::string& other) {
  return other == key || other.compare(0, key.size() + 1, key + '.') == 0;
}

/// What stays as it is during a run.
bool is_lasting(const std::string& key) {
  static const std::set<std::string> kLasting = {"sample_period", "delay",    "quantization",
                                                 "modulation",    "integral", "integral_limit"};
  return kLasting.count(split_path(key).front()) > 0;
}

std::string setting_text(const Node& node) {
  if (!node.is_sequence()) return node.text;
  std::string text;
  for (const NodePtr& item : node.items) text += (text.empty() ? "" : ", ") + item->text;
  return '[' + text + ']';
}

/// A copy that outlives the tree.
NodePtr node_copy(const Node& node) { return std::make_shared<Node>(node); }

/// A controller of the scenario as it is with other numbers; null where they are wrong.
std::shared_ptr<const Controller> read_changed_controller(
    ScenarioContext& scenario, const std::string& name,
    const std::vector<ParsedOverride>& changes) {
  const Value list = *scenario.map.find("control");
  std::shared_ptr<const Controller> changed;
  for (std::size_t i = 0; i < list.node->items.size(); ++i) {
    NodePtr item = list.node->items[i];
    const std::string type = item->text_at("type");
    if (name_of_item(*item, i) != name) continue;
    const std::string path = join_path(list.path, std::to_string(i));
    for (const ParsedOverride& change : changes) {
      item = apply_override(item, change, 0, path, scenario.problems());
    }
    MapReader map({item.get(), path}, scenario.context());
    for (const char* key : {"type", "name"}) map.find(key);
    const auto reader = std::find_if(control_types().begin(), control_types().end(),
                                     [&](const ControlType* own) { return own->name == type; });
    if (reader == control_types().end()) continue;
    const std::size_t before = scenario.setup().controllers.size();
    const ErrorMark errors(scenario.problems());
    guard({item.get(), path}, scenario.problems(), [&] { (*reader)->read(scenario, map, name); });
    map.finish();
    if (scenario.setup().controllers.size() > before) {
      if (!errors.found()) changed = scenario.setup().controllers.back();
      scenario.setup().controllers.resize(before);
    }
  }
  return changed;
}

}  // namespace

extern const SchemaDefinition kSamplePeriodDefinition{"sample_period", sample_period_schema};
extern const SchemaDefinition kControllersDefinition{"controllers", controllers_schema};

double read_sample_period(ScenarioContext& scenario, MapReader& map) {
  const double period = map.number("sample_period", kPeriod, 0.0);
  check_step(scenario, map, "sample_period", period, "samples");
  return period;
}

void describe_sampling(MappingSchema& schema) {
  schema.allow("sample_period", reference_schema("sample_period"))
      .allow("sensors", reference_schema("taken_sensors"));
}

bool is_switched(const ScenarioContext& scenario, const std::string& controller) {
  const auto events = scenario.map.find("events");
  if (!events) return false;
  const auto names_it = [&](const NodePtr& action) {
    return action->text_at("type") == "switch" && action->text_at("controller") == controller;
  };
  const auto& items = events->node->items;
  return std::any_of(items.begin(), items.end(), [&](const NodePtr& event) {
    const Entry* actions = event->find("actions");
    return actions != nullptr &&
           std::any_of(actions->value->items.begin(), actions->value->items.end(), names_it);
  });
}

Kind<Vector3> kind::axis_gains(const Quantity& quantity, const char* title) {
  const auto describe = [=] {
    const Json gain = number_schema({quantity});
    return any_of_schema({gain, list_schema(gain, 3)}, title);
  };
  const auto read = [=](const Value& value, Reading& reading) -> std::optional<Vector3> {
    const auto gains = read_each(value, {quantity, quantity, quantity}, reading.problems());
    if (!gains) return std::nullopt;
    return Vector3(*gains);
  };
  return make_kind<Vector3>(expectation(quantity) + " or a list of 3", describe, read);
}

Kind<std::vector<JointMotion>> kind::joint_motions(const char* title, const char* key) {
  using Motions = std::vector<JointMotion>;
  const auto read = [key](const Value& list, Reading& reading) -> std::optional<Motions> {
    const SimulationSetup& system = reading.scenario->setup();
    Motions motions;
    read_names(reading.map, key, list, "name", [&](const std::string& name) -> Refusal {
      if (!system.model) return {};
      const auto motion = motion_named(name, system);
      if (!motion) {
        return unknown_name("the name of a joint_pd listed before or of a prescribed joint", name,
                            known_motions(system));
      }
      if (const int joint = shared_joint(motions, *motion); joint != 0) {
        return named_twice("joint", system.model->joint(joint).name);
      }
      motions.push_back(*motion);
      return {};
    });
    return motions;
  };
  return make_kind<Motions>(
      "a list of names", [=] { return names_schema(title); }, read);
}

void read_control(ScenarioContext& scenario) {
  note_controller_names(scenario);
  std::vector<std::string> names;
  for (const ControlType* type : control_types()) names.emplace_back(type->name);
  read_elements(scenario, "control", names,
                [&](MapReader& map, std::size_t type, const std::string& name) {
                  control_types()[type]->read(scenario, map, name);
                });
}
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
        changes.push_back({split_path(one.key), node_copy(*one.value.node), one.value.node->mark});
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
