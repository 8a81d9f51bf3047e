#include <algorithm>

#include <fmt/format.h>

#include "control/mounting.hpp"
#include "loading/keys/mapping.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/control/torquer_allocation.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"

namespace spacedyn::loading {
namespace {

/// Why a controller cannot open a thruster; empty if it can.
std::string obstacle(const Thruster& thruster, const ThrusterModulation& modulation) {
  const std::string got = quote(thruster.name);
  if (modulation.acts()) {
    if (modulation.period <= 0.0 || ThrusterAllocation::opens(thruster, modulation)) return "";
    return "expected a thruster whose delay and minimum_on_time are within the period of the "
           "modulation, " +
           format_number(modulation.period) + " s, got " + got;
  }
  if (ThrusterAllocation::opens(thruster)) return "";
  return "expected a thruster without minimum_on_time, delay, rise_time and fall_time, got " + got +
         ", which is opened continuously";
}

constexpr const char* kPulses =
    "'modulation: {type: pulse_width, period: …}' or 'type: schmitt' opens it in pulses";

/// Thrusters of a list.
std::vector<Thruster> read_listed(const Model* model, MapReader& map, const char* key,
                                  const ThrusterModulation& modulation) {
  std::vector<Thruster> thrusters;
  const auto list = map.require(key, "a list of names of thrusters");
  if (!list) return thrusters;
  std::vector<std::string> known;
  if (model != nullptr) {
    for (const Thruster& thruster : model->thrusters()) known.push_back(thruster.name);
  }
  read_names(map, key, *list, "thruster", [&](const std::string& name) -> Refusal {
    if (model == nullptr) return {};
    const Thruster* thruster = find_thruster(*model, name);
    if (thruster == nullptr) return unknown_name("the name of a thruster", name, known);
    const std::string reason = obstacle(*thruster, modulation);
    if (!reason.empty()) return {reason, modulation.acts() ? "" : kPulses};
    for (const Thruster& other : thrusters) {
      if (other.name == name) return named_twice("thruster", name);
      if (other.at.body == thruster->at.body) continue;
      return on_another_body("thrusters", name, model->body(thruster->at.body).name);
    }
    thrusters.push_back(*thruster);
    return {};
  });
  return thrusters;
}

/// Takes those of `inhibit` out of a list.
void inhibit(MapReader& map, std::vector<Thruster>& thrusters) {
  const auto list = map.find("inhibit");
  if (!list || thrusters.empty()) return;
  std::vector<std::string> known;
  for (const Thruster& thruster : thrusters) known.push_back(thruster.name);
  for_each_item(*list, map.problems(), [&](const Value& item) {
    const auto name = read_text(item, map.problems());
    if (!name) return;
    const auto named = std::find_if(thrusters.begin(), thrusters.end(),
                                    [&](const Thruster& each) { return each.name == *name; });
    if (named != thrusters.end()) {
      thrusters.erase(named);
      return;
    }
    const bool again = std::find(known.begin(), known.end(), *name) != known.end();
    const auto [reason, hint] =
        again ? named_twice("thruster", *name)
              : unknown_name("one of the controller's thrusters", *name, known);
    map.problems().error(item, reason, hint);
  });
  if (thrusters.empty()) map.error_at("inhibit", "expected a thruster that is left, got all");
}

const std::vector<std::string> kModulationTypes = {"pulse_width", "schmitt"};
const std::vector<std::string> kRemainders = {"carry", "drop"};

constexpr Quantity kModulationPeriod{Dimension::time, Range::positive};
constexpr Quantity kThreshold{Dimension::none, Range::not_negative};

Mapping<ThrusterModulation> period_keys() {
  using namespace kind;
  Mapping<ThrusterModulation> keys;
  keys.require("period", &ThrusterModulation::period,
               number(kModulationPeriod, "Time between decisions, s"));
  return keys;
}

Mapping<ThrusterModulation> threshold_keys() {
  using namespace kind;
  Mapping<ThrusterModulation> keys;
  keys.require("on_threshold", &ThrusterModulation::on,
               number(kThreshold, "Opening, 0 to 1, from which on it opens", {0.0, 1.0}));
  keys.require("off_threshold", &ThrusterModulation::off,
               number(kThreshold, "Opening, 0 to 1, below which it shuts", {0.0, 1.0}));
  return keys;
}

std::string modulation_schema() {
  MappingSchema pulses("Pulses whose width is modulated");
  pulses.require("type", constant_schema(kModulationTypes[0]))
      .allow("remainder", choice_schema(kRemainders, "On-time that is too short for a pulse"));
  once<period_keys>().describe(pulses);
  MappingSchema trigger("A Schmitt trigger");
  trigger.require("type", constant_schema(kModulationTypes[1]));
  once<period_keys>().describe(trigger);
  once<threshold_keys>().describe(trigger);
  return one_of_schema({pulses.text(), trigger.text()},
                       "How thrusters that are open or shut follow openings between 0 and 1");
}

void read_thresholds(MapReader& map, ThrusterModulation& modulation) {
  if (!once<threshold_keys>().read(map, modulation)) return;
  if (modulation.on > modulation.off) return;
  map.error_at("off_threshold", "expected less than 'on_threshold', " +
                                    format_number(modulation.on) + ", got " +
                                    format_number(modulation.off));
}

/// Whether an action of an event in a list turns a controller on or off.
bool is_switched(const Node& events, const std::string& controller) {
  const auto names_it = [&](const NodePtr& action) {
    return action->text_at("controller") == controller;
  };
  return std::any_of(events.items.begin(), events.items.end(), [&](const NodePtr& event) {
    const Entry* actions = event->find("actions");
    return actions != nullptr &&
           std::any_of(actions->value->items.begin(), actions->value->items.end(), names_it);
  });
}

/// Reports thrusters that another controller opens, unless events switch between both.
void claim_thrusters(ScenarioContext& scenario, MapReader& map, const char* key,
                     const std::vector<Thruster>& thrusters, const std::string& controller) {
  const auto events = scenario.map.find("events");
  const auto switches = [&](const std::string& name) {
    return events && is_switched(*events->node, name);
  };
  for (const Thruster& thruster : thrusters) {
    const auto [known, is_free] = scenario.names.openers.emplace(thruster.name, controller);
    const std::string& opener = known->second;
    if (is_free || switches(controller) || switches(opener)) continue;
    for_each_item(*map.find(key), map.problems(), [&](const Value& item) {
      if (!item.node->is_scalar() || item.node->text != thruster.name) return;
      map.problems().error(item,
                           "expected a thruster that no other controller opens, got " +
                               quote(thruster.name) + ", which " + quote(opener) + " opens",
                           "controllers that events turn on and off may share it");
    });
  }
}

/// Whether joints are on another body than the first that was named.
bool are_apart(const Model& model, const std::vector<int>& joints, int joint) {
  const Topology& tree = model.topology();
  return !joints.empty() && tree.connection(joint) != tree.connection(joints.front());
}

/// Where actuators have torque.
std::string torque_about(const char* actuators, int axis, const Model& model, int body) {
  return fmt::format("expected {} about the {} axis of '{}', which is commanded, got none",
                     actuators, "xyz"[axis], model.body(body).name);
}

}  // namespace

extern const SchemaDefinition kModulationDefinition{"modulation", modulation_schema};

std::string first_name(const MapReader& map, const char* key) {
  const auto list = MapReader(map).find(key);
  if (!list || !list->node->is_sequence() || list->node->items.empty()) return "";
  return list->node->items.front()->text;
}

std::optional<std::vector<int>> read_wheels(ScenarioContext& scenario, MapReader& map,
                                            const char* key) {
  const auto list = map.require(key, "a list of names of reaction wheels");
  if (!list) return std::nullopt;
  const Model* model = scenario.model.get();
  std::vector<int> joints;
  std::vector<std::string> known;
  for (int i = 1; model != nullptr && i <= model->joint_count(); ++i) {
    if (model->wheel(i) != nullptr) known.push_back(model->joint(i).name);
  }
  const auto take = [&](const std::string& name) -> Refusal {
    if (model == nullptr) return {};
    const auto joint = model->find_joint(name);
    if (!joint || model->wheel(*joint) == nullptr) {
      return unknown_name("the name of a reaction wheel", name, known);
    }
    if (!model->topology().is_terminal(*joint)) {
      return {"expected a reaction wheel, got " + quote(name) + ", the gimbal of a gyro"};
    }
    if (std::count(joints.begin(), joints.end(), *joint) > 0) return named_twice("wheel", name);
    if (is_prescribed(scenario, *joint)) return moved_already("a wheel that turns", name);
    if (are_apart(*model, joints, *joint)) {
      return on_another_body("wheels", name,
                             model->body(model->topology().connection(*joint)).name);
    }
    joints.push_back(*joint);
    return {};
  };
  const bool complete = read_names(map, key, *list, "reaction wheel", take);
  if (!complete || model == nullptr) return std::nullopt;
  return joints;
}

std::vector<int> read_gimbals(ScenarioContext& scenario, MapReader& map) {
  const Model& model = *scenario.model;
  std::vector<int> gimbals;
  std::vector<std::string> known;
  for (const int gimbal : gyro_gimbals(model)) known.push_back(model.joint(gimbal).name);
  read_names(map, "actuators", *map.find("actuators"), "gyro",
             [&](const std::string& name) -> Refusal {
               const auto joint = model.find_joint(name);
               if (!joint || gyro_rotor(model, *joint) == 0) {
                 return unknown_name("the name of a gyro as the first is", name, known);
               }
               if (std::count(gimbals.begin(), gimbals.end(), *joint) > 0)
                 return named_twice("gyro", name);
               if (is_prescribed(scenario, *joint))
                 return moved_already("a gimbal that turns", name);
               if (are_apart(model, gimbals, *joint)) {
                 return on_another_body("gyros", name,
                                        model.body(model.topology().connection(*joint)).name);
               }
               gimbals.push_back(*joint);
               return {};
             });
  return gimbals;
}

const Thruster* find_thruster(const Model& model, const std::string& name) {
  for (const Thruster& thruster : model.thrusters()) {
    if (thruster.name == name) return &thruster;
  }
  return nullptr;
}

std::vector<Thruster> read_thrusters(ScenarioContext& scenario, MapReader& map, const char* key,
                                     const ThrusterModulation& modulation,
                                     const std::string& controller) {
  std::vector<Thruster> thrusters = read_listed(scenario.model.get(), map, key, modulation);
  inhibit(map, thrusters);
  claim_thrusters(scenario, map, key, thrusters, controller);
  return thrusters;
}

std::vector<Torquer> read_torquers(ScenarioContext& scenario, MapReader& map, const char* key) {
  std::vector<Torquer> torquers;
  const auto list = map.require(key, "a list of names of magnetic torquers of 'forces'");
  if (!list) return torquers;
  std::vector<std::string> known;
  for (const auto& force : scenario.setup().forces) {
    if (dynamic_cast<const MagneticTorquer*>(force.get()) != nullptr) {
      known.push_back(force->name());
    }
  }
  read_names(map, key, *list, "torquer", [&](const std::string& name) -> Refusal {
    if (!scenario.model) return {};
    const auto* torquer = dynamic_cast<const MagneticTorquer*>(find_force(scenario, name));
    if (torquer == nullptr) {
      return unknown_name("the name of a magnetic_torquer of 'forces'", name, known);
    }
    if (torquer->has_schedule()) {
      return {"expected a torquer without a dipole of its own, got " + quote(name)};
    }
    for (const Torquer& other : torquers) {
      if (other.name == name) return named_twice("torquer", name);
    }
    torquers.push_back(torquer->torquer());
    return {};
  });
  return torquers;
}

Rest::Rest(const ScenarioContext& scenario)
    : model(*scenario.model),
      state(scenario.result.initial),
      frames(start_frames(scenario)),
      velocities(model) {}

void check_torques(const ScenarioContext& scenario, MapReader& map, const Commanded& commanded,
                   const std::vector<Thruster>& thrusters, const ThrusterModulation& modulation) {
  const Rest start(scenario);
  const Matrix3 axes = start.frames.A[static_cast<std::size_t>(commanded.body)] *
                       axes_of_owner(start.model, thrusters.front().at);
  ThrusterAllocation nozzles("", thrusters, modulation);
  nozzles.connect(start.model);
  for (const int axis : nozzles.axes_without_torque(start.now(), axes)) {
    if (!commanded.axes[static_cast<std::size_t>(axis)]) continue;
    map.error_at(commanded.key, torque_about("thrusters with torque in both directions", axis,
                                             start.model, commanded.body));
  }
}

void check_torquers(const Model& model, MapReader& map, const Commanded& commanded,
                    const std::vector<Torquer>& torquers) {
  if (torquers.empty()) return;
  for (const Torquer& torquer : torquers) {
    if (torquer.at.body == commanded.body) continue;
    return map.error_at(commanded.key, "expected torquers on '" + model.body(commanded.body).name +
                                           "', got " + quote(torquer.name) + " on '" +
                                           model.body(torquer.at.body).name + "'");
  }
  const TorquerAllocation allocation("", torquers);
  for (const int axis : allocation.axes_without_torque(axes_of_owner(model, torquers.front().at))) {
    if (!commanded.axes[static_cast<std::size_t>(axis)]) continue;
    map.error_at(commanded.key, torque_about("torquers with torque", axis, model, commanded.body) +
                                    ": all are along it");
  }
}

ThrusterModulation read_modulation(ScenarioContext& scenario, MapReader& map) {
  ThrusterModulation modulation;
  const auto value = map.find("modulation");
  if (!value) return modulation;
  modulation.type = ThrusterModulation::Type::pulse_width;  // wrong ones are reported once
  MapReader keys(*value, map.context());
  const auto choice = require_choice(keys, "type", kModulationTypes);
  if (!choice) {
    keys.report_missing();
    return modulation;
  }
  once<period_keys>().read(keys, modulation);
  if (*choice == 0) {
    const auto kept = find_choice(keys, "remainder", kRemainders);
    modulation.carries = kept.value_or(0) == 0;
  } else {
    modulation.type = ThrusterModulation::Type::schmitt;
    read_thresholds(keys, modulation);
  }
  if (modulation.period > 0.0) {
    check_step(scenario, map, "modulation", modulation.period, "samples");
  }
  keys.finish();
  return modulation;
}

std::string hint_at_lock(const ScenarioContext& scenario, const std::vector<int>& wheels) {
  std::string names, place = "locked";
  for (const int wheel : wheels) {
    std::string name = scenario.model->joint(wheel).name;
    const std::size_t dot = name.find('.');
    if (!scenario.robots.empty() && dot != std::string::npos) {
      place = "robots." + name.substr(0, dot) + ".locked";
      name.erase(0, dot + 1);
    }
    names += (names.empty() ? "" : ", ") + name;
  }
  return "to fly without these wheels, lock them: " + place + ": [" + names + "]";
}

}  // namespace spacedyn::loading
