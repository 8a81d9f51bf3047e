#include "loading/scenario/modulation_reader.hpp"

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kModulationTypes = {"pulse_width", "schmitt"};
const std::vector<std::string> kRemainders = {"carry", "drop"};

constexpr Quantity kModulationPeriod{Dimension::time, Range::positive};
constexpr Quantity kThreshold{Dimension::none, Range::not_negative};

const Fields<ThrusterModulation>& period_fields() {
  static const Fields<ThrusterModulation> kFields = {
      {"period", "Time between decisions, s", kModulationPeriod,
       [](ThrusterModulation& m) -> double& { return m.period; }, Presence::required}};
  return kFields;
}

const Fields<ThrusterModulation>& threshold_fields() {
  static const Fields<ThrusterModulation> kFields = {
      {"on_threshold",
       "Opening, 0 to 1, from which on it opens",
       kThreshold,
       [](ThrusterModulation& m) -> double& { return m.on; },
       Presence::required,
       {0.0, 1.0}},
      {"off_threshold",
       "Opening, 0 to 1, below which it shuts",
       kThreshold,
       [](ThrusterModulation& m) -> double& { return m.off; },
       Presence::required,
       {0.0, 1.0}}};
  return kFields;
}

std::string modulation_schema() {
  MappingSchema pulses("Pulses whose width is modulated");
  pulses.require("type", constant_schema(kModulationTypes[0]))
      .allow("remainder", choice_schema(kRemainders, "On-time that is too short for a pulse"));
  describe_fields(period_fields(), pulses);
  MappingSchema trigger("A Schmitt trigger");
  trigger.require("type", constant_schema(kModulationTypes[1]));
  describe_fields(period_fields(), trigger);
  describe_fields(threshold_fields(), trigger);
  return one_of_schema({pulses.text(), trigger.text()},
                       "How thrusters that are open or shut follow openings between 0 and 1");
}

void read_thresholds(MapReader& map, ThrusterModulation& modulation) {
  if (!read_fields(map, threshold_fields(), modulation)) return;
  if (modulation.on > modulation.off) return;
  map.error_at("off_threshold", "expected less than 'on_threshold', " +
                                    format_number(modulation.on) + ", got " +
                                    format_number(modulation.off));
}

}  // namespace

extern const SchemaDefinition kModulationDefinition{"modulation", modulation_schema};

ThrusterModulation read_modulation(MapReader& map, double duration) {
  ThrusterModulation modulation;
  const auto value = map.find("modulation");
  if (!value) return modulation;
  modulation.type = ThrusterModulation::Type::pulse_width;  // wrong ones are reported once
  MapReader keys(*value, map.context());
  const auto type = keys.require("type", list_choices(kModulationTypes));
  const auto choice = type ? read_choice(*type, kModulationTypes, map.problems()) : std::nullopt;
  if (!choice) {
    keys.report_missing();
    return modulation;
  }
  read_fields(keys, period_fields(), modulation);
  if (*choice == 0) {
    const auto rest = keys.find("remainder");
    const auto kept = rest ? read_choice(*rest, kRemainders, map.problems()) : std::nullopt;
    modulation.carries = kept.value_or(0) == 0;
  } else {
    modulation.type = ThrusterModulation::Type::schmitt;
    read_thresholds(keys, modulation);
  }
  if (modulation.period > 0.0) {
    check_count(*value, duration, modulation.period, "samples", map.problems());
  }
  keys.finish();
  return modulation;
}

}  // namespace spacedyn::loading
