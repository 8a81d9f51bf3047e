#include "loading/scenario/thruster_names.hpp"

#include <algorithm>
#include <string>

#include "loading/scenario/gyro_reader.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const Thruster* thruster_named(const Model& model, const std::string& name) {
  for (const Thruster& thruster : model.thrusters()) {
    if (thruster.name == name) return &thruster;
  }
  return nullptr;
}

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

/// Those of the list.
std::vector<Thruster> read_listed(MapReader& map, const char* key, const Model* model,
                                  const ThrusterModulation& modulation) {
  std::vector<Thruster> thrusters;
  const auto list = map.require(key, "a list of names of thrusters");
  if (!list) return thrusters;
  std::vector<std::string> known;
  for (int i = 0; model != nullptr && i < static_cast<int>(model->thrusters().size()); ++i) {
    known.push_back(model->thrusters()[static_cast<std::size_t>(i)].name);
  }
  for_each_item(*list, map.problems(), [&](const Value& item) {
    const auto name = read_text(item, map.problems());
    if (!name || model == nullptr) return;
    const auto refuse = [&](const std::string& what, const std::string& hint = "") {
      map.problems().error(item.node->mark, item.path, what, hint);
    };
    const Thruster* thruster = thruster_named(*model, *name);
    if (thruster == nullptr) {
      const std::string nearest = nearest_name(*name, known);
      return refuse("expected the name of a thruster, got " + quote(*name),
                    nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    const std::string reason = obstacle(*thruster, modulation);
    if (!reason.empty()) return refuse(reason, modulation.acts() ? "" : kPulses);
    for (const Thruster& other : thrusters) {
      if (other.name == *name) {
        return refuse("expected each thruster once, got " + quote(*name) + " again");
      }
      if (other.at.body != thruster->at.body) {
        return refuse("expected thrusters on one body, got " + quote(*name) + " on '" +
                      model->body(thruster->at.body).name + "'");
      }
    }
    thrusters.push_back(*thruster);
  });
  if (list->node->is_sequence() && list->node->items.empty()) {
    map.error_at(key, "expected at least one thruster, got an empty list");
  }
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
    const std::string nearest = again ? "" : nearest_name(*name, known);
    map.problems().error(item.node->mark, item.path,
                         again ? "expected each thruster once, got " + quote(*name) + " again"
                               : "expected one of the controller's thrusters, got " + quote(*name),
                         nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  });
  if (thrusters.empty()) map.error_at("inhibit", "expected a thruster that is left, got all");
}

}  // namespace

std::vector<Thruster> read_thrusters(MapReader& map, const char* key, const Model* model,
                                     const ThrusterModulation& modulation) {
  std::vector<Thruster> thrusters = read_listed(map, key, model, modulation);
  inhibit(map, thrusters);
  return thrusters;
}

bool names_thrusters(const MapReader& map, const Model* model) {
  const auto list = MapReader(map).find("actuators");
  if (model == nullptr || !list || !list->node->is_sequence() || list->node->items.empty()) {
    return false;
  }
  const Node& first = *list->node->items.front();
  return first.is_scalar() && thruster_named(*model, first.text) != nullptr;
}

}  // namespace spacedyn::loading
