#include <fmt/format.h>

#include "loading/keys/time_series.hpp"
#include "loading/scenario/control_keys.hpp"
#include "spacedyn/control/allocation.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"

namespace spacedyn::loading {
namespace {

using Pulses = ThrusterModulation;

constexpr Quantity kThreshold{Dimension::none, Range::not_negative};

Mapping<Pulses> pulse_width_keys() {
  using namespace kind;
  Mapping<Pulses> keys("Pulses whose width is modulated");
  keys.require("period", &Pulses::period, positive(kTime), "Time between decisions, s");
  keys.allow("remainder", &Pulses::drops,
             choice<bool>({"carry", "drop"}, "On-time that is too short for a pulse"));
  return keys;
}

Mapping<Pulses> schmitt_keys() {
  using namespace kind;
  Mapping<Pulses> keys("A Schmitt trigger");
  keys.require("period", &Pulses::period, positive(kTime), "Time between decisions, s");
  keys.require("on_threshold", &Pulses::on, kThreshold, "Opening, 0 to 1, from which on it opens",
               kAtMostOne);
  keys.require("off_threshold", &Pulses::off, kThreshold, "Opening, 0 to 1, below which it shuts",
               kAtMostOne);
  keys.check([](Pulses& pulses, Reading& reading) {
    if (pulses.on > pulses.off) return;
    reading.map.error_at("off_threshold", "expected less than 'on_threshold', " +
                                              format_number(pulses.on) + ", got " +
                                              format_number(pulses.off));
  });
  return keys;
}

const AnyKind& modulation_kind() {
  using Type = ThrusterModulation::Type;
  static const AnyKind kKind = any_variant(
      Variants{
          "type", {"pulse_width", "schmitt"}, {once<pulse_width_keys>(), once<schmitt_keys>()}},
      "How thrusters that are open or shut follow openings between 0 and 1",
      [](void* pulses, std::size_t type) {
        static_cast<Pulses*>(pulses)->type = type == 0 ? Type::pulse_width : Type::schmitt;
      },
      [](const void* pulses) -> std::size_t {
        return static_cast<const Pulses*>(pulses)->type == Type::schmitt ? 1 : 0;
      });
  return kKind;
}

Json modulation_schema() { return modulation_kind().schema(); }

ThrusterModulation read_modulation(Reading& reading) {
  ThrusterModulation modulation;
  const auto value = reading.map.find("modulation");
  if (!value) return modulation;
  modulation.type = Pulses::Type::pulse_width;  // wrong ones are reported once
  modulation_kind().read(*value, reading, &modulation);
  if (modulation.period > 0.0) {
    check_step(*reading.scenario, reading.map, "modulation", modulation.period, "samples");
  }
  return modulation;
}

using Steering = GyroSteering::Settings;
using NullSpace = WheelAllocation::NullSpace;

constexpr Quantity kRateGain{Dimension::none, Range::positive, false, "N m s/rad"};

Mapping<Steering> gyro_steering_keys() {
  using namespace kind;
  Mapping<Steering> keys("How gyros keep off singularities");
  keys.allow("threshold", &Steering::threshold, positive(kNumber),
             "Singularity measure below which the inverse is damped, default 0.1");
  keys.allow("damping", &Steering::damping, positive(kNumber),
             "Of the inverse at a singularity, default 0.01");
  keys.allow("null_motion", &Steering::null_motion, not_negative(kRate),
             "Rate away from singularities, rad/s, default 0");
  keys.allow("rotor_weight", &Steering::rotor_weight, not_negative(kNumber),
             "Of rotors whose speeds vary, at a singularity, default 0: constant speed");
  return keys;
}

/// One speed for each of the wheels that the reading names.
Kind<VectorX> wheel_speeds() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<VectorX> {
    if (reading.joints.empty()) return std::nullopt;
    return read_numbers(value, quantity::kRate, static_cast<int>(reading.joints.size()),
                        reading.problems());
  };
  return make_kind<VectorX>(
      "a list",
      [] {
        return series_schema(number_schema({quantity::kRate}), 2,
                             "Of each wheel, rad/s, default 0");
      },
      read);
}

Mapping<NullSpace> null_space_keys() {
  using namespace kind;
  Mapping<NullSpace> keys("How wheels that are more than their axes share their momentum");
  keys.require("gain", &NullSpace::gain, positive(in("1/s")),
               "Rate at which wanted speeds are reached, 1/s");
  keys.allow("speeds", &NullSpace::speeds, wheel_speeds());
  return keys;
}

/// Keys that belong to actuators of one kind.
struct OwnKey {
  const char* key;
  ActuatorKind kind;
  const char* reason;  ///< why others do not have it
};

constexpr OwnKey kOwnKeys[] = {
    {"modulation", ActuatorKind::thrusters, "only thrusters are modulated"},
    {"inhibit", ActuatorKind::thrusters, "only thrusters are inhibited"},
    {"rate_gain", ActuatorKind::gyros, "only the gimbals of gyros are steered"},
    {"steering", ActuatorKind::gyros, "only the gimbals of gyros are steered"},
    {"null_space", ActuatorKind::wheels, "only reaction wheels have speeds to share"},
};

/// Kind of the first name of a list.
ActuatorKind kind_named(const ScenarioContext& scenario, const MapReader& map, const char* key) {
  const auto list = MapReader(map).find(key);
  const bool has_name = list && list->node->is_sequence() && !list->node->items.empty();
  const std::string name = has_name ? list->node->items.front()->text : "";
  if (!scenario.model || name.empty()) return ActuatorKind::wheels;
  const Model& model = *scenario.model;
  if (find_thruster(model, name) != nullptr) return ActuatorKind::thrusters;
  const auto joint = model.find_joint(name);
  if (joint && gyro_rotor(model, *joint) != 0) return ActuatorKind::gyros;
  return find_torquer(scenario, name) != nullptr ? ActuatorKind::torquers : ActuatorKind::wheels;
}

int body_of(const Model& model, const std::vector<int>& joints) {
  return joints.empty() ? -1 : model.topology().connection(joints.front());
}

// one for each kind; an allocation is made where all is right

void read_wheel_list(Reading& reading, const ActuatorList& list, const ErrorMark& errors,
                     Actuators& actuators) {
  ScenarioContext& scenario = *reading.scenario;
  const auto wheels = read_wheels(scenario, reading.map, list.key);
  NullSpace sharing;
  Reading about{reading.map, &scenario};
  about.joints = wheels.value_or(std::vector<int>());
  const auto value = list.shares_speeds ? reading.map.find("null_space") : std::nullopt;
  if (value)
    once<null_space_keys>().MappingTable::read_whole(*value, reading.map.context(), &sharing,
                                                     &about);
  if (!wheels) return;
  actuators.body = body_of(*scenario.model, *wheels);
  if (value && null_space_dimension(wheel_axes(*scenario.model, *wheels)) == 0) {
    reading.map.error_at("null_space",
                         "expected more wheels than axes that they turn about: these have no null "
                         "space");
  }
  if (errors.found()) return;
  const auto allocation = std::make_shared<WheelAllocation>("", *scenario.model, *wheels, sharing);
  actuators.allocation = allocation;
  actuators.wheels = allocation.get();
}

void read_gyro_list(Reading& reading, const ActuatorList& list, const ErrorMark& errors,
                    Actuators& actuators) {
  MapReader& map = reading.map;
  Steering gyros;
  gyros.gimbals = read_gimbals(*reading.scenario, map, list.key);
  gyros.rate_gain = map.required_number("rate_gain", kRateGain);
  if (const auto value = map.find("steering")) {
    once<gyro_steering_keys>().read_whole(*value, map.context(), gyros);
  }
  const Model& model = *reading.scenario->model;
  actuators.body = body_of(model, gyros.gimbals);
  // a gain that is missing is reported at the end
  if (actuators.body < 0 || gyros.rate_gain == 0.0 || errors.found()) return;
  const auto allocation = std::make_shared<GyroSteering>("", model, std::move(gyros));
  actuators.allocation = allocation;
  actuators.gyros = allocation.get();
}

void read_thruster_list(Reading& reading, const ActuatorList& list, const std::string& controller,
                        const ErrorMark& errors, Actuators& actuators) {
  ScenarioContext& scenario = *reading.scenario;
  actuators.modulation = read_modulation(reading);
  std::vector<Thruster> thrusters =
      read_thrusters(scenario, reading.map, list.key, actuators.modulation, controller);
  if (thrusters.empty()) return;
  actuators.body = thrusters.front().at.body;
  if (errors.found()) return;
  actuators.allocation = std::make_shared<ThrusterAllocation>(
      "", *scenario.model, std::move(thrusters), actuators.modulation);
}

void read_torquer_list(Reading& reading, const ActuatorList& list, const ErrorMark& errors,
                       Actuators& actuators) {
  std::vector<Torquer> torquers = read_torquers(*reading.scenario, reading.map, list.key);
  if (torquers.empty()) return;
  const Model& model = *reading.scenario->model;
  actuators.body = list.body < 0 ? torquers.front().at.body : list.body;
  if (errors.found()) return;
  for (const Torquer& torquer : torquers) {
    if (torquer.at.body == actuators.body) continue;
    return reading.map.error_at(
        list.key, "expected torquers on '" + model.body(actuators.body).name + "', got " +
                      quote(torquer.name) + " on '" + model.body(torquer.at.body).name + "'");
  }
  actuators.allocation = std::make_shared<TorquerAllocation>("", model, std::move(torquers));
}

/// What messages say of a kind.
struct KindTexts {
  const char* with_torque;
  const char* commanded;
  const char* reason;
};

KindTexts texts_of(ActuatorKind kind) {
  switch (kind) {
    case ActuatorKind::wheels:
      return {"wheels with torque", "has a gain", ""};
    case ActuatorKind::gyros:
      return {"gyros with torque", "has a gain", ": all gimbals turn about it"};
    case ActuatorKind::thrusters:
      return {"thrusters with torque in both directions", "is commanded", ""};
    case ActuatorKind::torquers:
      return {"torquers with torque", "is commanded", ": all are along it"};
  }
  return {};
}

}  // namespace

extern const SchemaDefinition kModulationDefinition{"modulation", modulation_schema};

void describe_actuators(const ActuatorList& list, MappingSchema& schema, Presence presence) {
  schema.add(presence, list.key, names_schema(list.title));
  if (!list.kind || *list.kind == ActuatorKind::thrusters) {
    schema.allow("inhibit", names_schema("Thrusters among them that are not opened"))
        .allow("modulation", reference_schema("modulation"));
  }
  if (!list.kind) {
    schema.allow("rate_gain", number_schema({kRateGain}, "Of the gimbals of gyros, N m s/rad"))
        .allow("steering", schema_of<gyro_steering_keys>());
  }
  if (list.shares_speeds) schema.allow("null_space", schema_of<null_space_keys>());
}

Actuators read_actuators(Reading& reading, const ActuatorList& list,
                         const std::string& controller) {
  const ErrorMark errors(reading.problems());
  Actuators actuators;
  actuators.kind = list.kind ? *list.kind : kind_named(*reading.scenario, reading.map, list.key);
  for (const OwnKey& own : kOwnKeys) {
    // a list of one kind has its own keys alone
    if (own.kind == actuators.kind || list.kind) continue;
    if (own.kind == ActuatorKind::wheels && !list.shares_speeds) continue;
    reading.map.refuse(own.key, own.reason);
  }
  switch (actuators.kind) {
    case ActuatorKind::wheels:
      read_wheel_list(reading, list, errors, actuators);
      break;
    case ActuatorKind::gyros:
      read_gyro_list(reading, list, errors, actuators);
      break;
    case ActuatorKind::thrusters:
      read_thruster_list(reading, list, controller, errors, actuators);
      break;
    case ActuatorKind::torquers:
      read_torquer_list(reading, list, errors, actuators);
      break;
  }
  return actuators;
}

double read_sample_period(Reading& reading, const Actuators& actuators) {
  if (!actuators.modulation.acts()) return read_sample_period(*reading.scenario, reading.map);
  reading.map.refuse("sample_period", "its modulation has a period");
  return actuators.modulation.period;
}

Rest::Rest(const ScenarioContext& scenario)
    : model(*scenario.model),
      state(scenario.result.initial),
      frames(start_frames(scenario)),
      velocities(model) {}

void check_authority(Reading& reading, const ActuatorList& list, const Actuators& actuators,
                     int body, const std::function<bool(int axis)>& is_commanded,
                     const std::function<std::string(int axis)>& hint) {
  const Rest start(*reading.scenario);
  const KindTexts texts = texts_of(actuators.kind);
  for (const int axis : actuators.allocation->axes_without_torque(start.now())) {
    if (!is_commanded(axis)) continue;
    reading.map.error_at(list.key,
                         fmt::format("expected {} about the {} axis of '{}', which {}, got none{}",
                                     texts.with_torque, "xyz"[axis], start.model.body(body).name,
                                     texts.commanded, texts.reason),
                         hint && actuators.kind <= ActuatorKind::gyros ? hint(axis) : "");
  }
}

}  // namespace spacedyn::loading
