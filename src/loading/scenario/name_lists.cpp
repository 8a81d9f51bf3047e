// Lists of names, and what is wrong with names in them.
#include <algorithm>

#include "loading/scenario/control_keys.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"

namespace spacedyn::loading {

Refusal unknown_name(const std::string& expected, const std::string& name,
                     const std::vector<std::string>& known) {
  return {"expected " + expected + ", got " + quote(name), nearest_hint(name, known)};
}

Refusal named_twice(const std::string& kind, const std::string& name) {
  return {"expected each " + kind + " once, got " + quote(name) + " again"};
}

Refusal moved_already(const std::string& expected, const std::string& name) {
  return {"expected " + expected + " freely, got " + quote(name) + ", whose motion is prescribed"};
}

Refusal on_another_body(const std::string& kinds, const std::string& name,
                        const std::string& body) {
  return {"expected " + kinds + " on one body, got " + quote(name) + " on '" + body + "'"};
}

bool read_names(MapReader& map, const char* key, const Value& list, const std::string& kind,
                const std::function<Refusal(const std::string& name)>& take) {
  bool complete = list.node->is_sequence();
  for_each_item(list, map.problems(), [&](const Value& item) {
    const auto name = read_text(item, map.problems());
    const auto [reason, hint] = name ? take(*name) : Refusal();
    complete = complete && name && reason.empty();
    if (!reason.empty()) map.problems().error(item, reason, hint);
  });
  if (list.node->is_sequence() && list.node->items.empty()) {
    map.error_at(key, "expected at least one " + kind + ", got an empty list");
    complete = false;
  }
  return complete;
}

namespace {

/// Why a controller cannot open a thruster; empty if it can.
std::string obstacle(const Thruster& thruster, const ThrusterModulation& modulation) {
  const std::string got = quote(thruster.name);
  if (modulation.acts()) {
    if (modulation.period <= 0.0 || ThrusterValves::opens(thruster, modulation)) return "";
    return "expected a thruster whose delay and minimum_on_time are within the period of the "
           "modulation, " +
           format_number(modulation.period) + " s, got " + got;
  }
  if (ThrusterValves::opens(thruster)) return "";
  return "expected a thruster without minimum_on_time, delay, rise_time and fall_time, got " + got +
         ", which is opened continuously";
}

constexpr const char* kPulses =
    "'modulation: {type: pulse_width, period: …}' or 'type: schmitt' opens it in pulses";

/// Adds a thruster to those of a list on one body.
Refusal take_thruster(const Model& model, const Thruster& thruster,
                      const ThrusterModulation& modulation, std::vector<Thruster>& thrusters) {
  const std::string reason = obstacle(thruster, modulation);
  if (!reason.empty()) return {reason, modulation.acts() ? "" : kPulses};
  for (const Thruster& other : thrusters) {
    if (other.name == thruster.name) return named_twice("thruster", thruster.name);
    if (other.at.body == thruster.at.body) continue;
    return on_another_body("thrusters", thruster.name, model.body(thruster.at.body).name);
  }
  thrusters.push_back(thruster);
  return {};
}

/// Thrusters of a list.
std::vector<Thruster> read_listed(const Model* model, MapReader& map, const char* key,
                                  const ThrusterModulation& modulation) {
  std::vector<Thruster> thrusters;
  const auto list = map.require(key, "a list of names of thrusters");
  if (!list) return thrusters;
  const auto known = model == nullptr ? std::vector<std::string>() : names_of(model->thrusters());
  read_names(map, key, *list, "thruster", [&](const std::string& name) -> Refusal {
    if (model == nullptr) return {};
    const Thruster* thruster = find_thruster(*model, name);
    if (thruster == nullptr) return unknown_name("the name of a thruster", name, known);
    return take_thruster(*model, *thruster, modulation, thrusters);
  });
  return thrusters;
}

/// Takes those of `inhibit` out of a list.
void inhibit(MapReader& map, std::vector<Thruster>& thrusters) {
  const auto list = map.find("inhibit");
  if (!list || thrusters.empty()) return;
  const std::vector<std::string> known = names_of(thrusters);
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

/// Reports thrusters that another controller opens, unless events switch between both.
void claim_thrusters(ScenarioContext& scenario, MapReader& map, const char* key,
                     const std::vector<Thruster>& thrusters, const std::string& controller) {
  for (const Thruster& thruster : thrusters) {
    const auto [known, is_free] = scenario.names.openers.emplace(thruster.name, controller);
    const std::string& opener = known->second;
    if (is_free || opener == controller || is_switched(scenario, controller) ||
        is_switched(scenario, opener)) {
      continue;
    }
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

/// Adds a reaction wheel to those of a list on one body.
Refusal take_wheel(const ScenarioContext& scenario, const std::string& name,
                   std::vector<int>& joints) {
  const Model& model = *scenario.model;
  const auto joint = model.find_joint(name);
  if (!joint || model.wheel(*joint) == nullptr) {
    std::vector<std::string> known;
    for (int i = 1; i <= model.joint_count(); ++i) {
      if (model.wheel(i) != nullptr) known.push_back(model.joint(i).name);
    }
    return unknown_name("the name of a reaction wheel", name, known);
  }
  if (!model.topology().is_terminal(*joint)) {
    return {"expected a reaction wheel, got " + quote(name) + ", the gimbal of a gyro"};
  }
  if (std::count(joints.begin(), joints.end(), *joint) > 0) return named_twice("wheel", name);
  if (is_prescribed(scenario, *joint)) return moved_already("a wheel that turns", name);
  if (are_apart(model, joints, *joint)) {
    return on_another_body("wheels", name, model.body(model.topology().connection(*joint)).name);
  }
  joints.push_back(*joint);
  return {};
}

}  // namespace

const Thruster* find_thruster(const Model& model, const std::string& name) {
  for (const Thruster& thruster : model.thrusters()) {
    if (thruster.name == name) return &thruster;
  }
  return nullptr;
}

std::optional<std::vector<int>> read_wheels(ScenarioContext& scenario, MapReader& map,
                                            const char* key) {
  const auto list = map.require(key, "a list of names of reaction wheels");
  if (!list) return std::nullopt;
  std::vector<int> joints;
  const auto take = [&](const std::string& name) -> Refusal {
    if (!scenario.model) return {};
    return take_wheel(scenario, name, joints);
  };
  const bool complete = read_names(map, key, *list, "reaction wheel", take);
  if (!complete || !scenario.model) return std::nullopt;
  return joints;
}

std::optional<BaseActuators> read_base_actuators(ScenarioContext& scenario, MapReader& map,
                                                 const char* key, bool takes_thrusters,
                                                 const std::string& controller) {
  const auto list = map.require(key, "a list of names of reaction wheels and thrusters");
  if (!list) return std::nullopt;
  BaseActuators actuators;
  const auto take = [&](const std::string& name) -> Refusal {
    if (!scenario.model) return {};
    const Thruster* thruster = find_thruster(*scenario.model, name);
    if (thruster == nullptr) return take_wheel(scenario, name, actuators.wheels);
    if (takes_thrusters) return take_thruster(*scenario.model, *thruster, {}, actuators.thrusters);
    return {"expected a reaction wheel, got " + quote(name) + ", a thruster",
            "thrusters take 'level: torque'"};
  };
  const bool complete = read_names(map, key, *list, "reaction wheel or thruster", take);
  if (!complete || !scenario.model) return std::nullopt;
  claim_thrusters(scenario, map, key, actuators.thrusters, controller);
  return actuators;
}

std::vector<int> read_gimbals(ScenarioContext& scenario, MapReader& map, const char* key) {
  const Model& model = *scenario.model;
  std::vector<int> gimbals;
  std::vector<std::string> known;
  for (const int gimbal : gyro_gimbals(model)) known.push_back(model.joint(gimbal).name);
  read_names(map, key, *map.find(key), "gyro", [&](const std::string& name) -> Refusal {
    const auto joint = model.find_joint(name);
    if (!joint || gyro_rotor(model, *joint) == 0) {
      return unknown_name("the name of a gyro as the first is", name, known);
    }
    if (std::count(gimbals.begin(), gimbals.end(), *joint) > 0) return named_twice("gyro", name);
    if (is_prescribed(scenario, *joint)) return moved_already("a gimbal that turns", name);
    if (are_apart(model, gimbals, *joint)) {
      return on_another_body("gyros", name, model.body(model.topology().connection(*joint)).name);
    }
    gimbals.push_back(*joint);
    return {};
  });
  return gimbals;
}

std::vector<Thruster> read_thrusters(ScenarioContext& scenario, MapReader& map, const char* key,
                                     const ThrusterModulation& modulation,
                                     const std::string& controller) {
  std::vector<Thruster> thrusters = read_listed(scenario.model.get(), map, key, modulation);
  inhibit(map, thrusters);
  claim_thrusters(scenario, map, key, thrusters, controller);
  return thrusters;
}

const Torquer* find_torquer(const ScenarioContext& scenario, const std::string& name) {
  const ForceElement* force = find_force(scenario, name);
  return force == nullptr ? nullptr : declarations_of(*force).torquer;
}

std::vector<Torquer> read_torquers(ScenarioContext& scenario, MapReader& map, const char* key) {
  std::vector<Torquer> torquers;
  const auto list = map.require(key, "a list of names of magnetic torquers of 'forces'");
  if (!list) return torquers;
  std::vector<std::string> known;
  for (const auto& force : scenario.setup().forces) {
    if (declarations_of(*force).torquer != nullptr) known.push_back(force->name());
  }
  read_names(map, key, *list, "torquer", [&](const std::string& name) -> Refusal {
    if (!scenario.model) return {};
    const Torquer* torquer = find_torquer(scenario, name);
    if (torquer == nullptr) {
      return unknown_name("the name of a magnetic_torquer of 'forces'", name, known);
    }
    if (torquer->is_scheduled) {
      return {"expected a torquer without a dipole of its own, got " + quote(name)};
    }
    for (const Torquer& other : torquers) {
      if (other.name == name) return named_twice("torquer", name);
    }
    torquers.push_back(*torquer);
    return {};
  });
  return torquers;
}

}  // namespace spacedyn::loading
