#include "loading/elements/force_types.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/thruster_force.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<ScheduleKey> kOpening = {
    {"command", {quantity::kNumber.within(Range::not_negative)}, "0 closed, 1 open", {0.0, 1.0}}};

std::optional<std::vector<std::string>> thruster_names(const Reading& reading) {
  if (!reading.scenario->model) return std::nullopt;
  std::vector<std::string> names;
  for (const Thruster& each : reading.scenario->model->thrusters()) names.push_back(each.name);
  return names;
}

/// A table, or the instants between which the thruster is open.
struct Pulses {
  int thruster = -1;
  std::pair<double, double> span;
  int start = -1;
  std::optional<TimeTable> table;
};

bool read_pulses(Reading& reading, Pulses& pulses) {
  if (reading.map.has("table")) {
    pulses.table = read_schedule(reading.map, kOpening);
    return pulses.table.has_value();
  }
  pulses.start = reading.map.start_event();
  const auto span = read_time_span(reading.map);
  if (span) pulses.span = *span;
  return span.has_value();
}

void describe_pulses(MappingSchema& schema) {
  describe_table(kOpening, schema);
  schema.add_rule(
      R"("if": {"required": ["table"]}, "then": {"properties": {"from": false, "until": false}})");
}

Mapping<Pulses> pulse_keys() {
  Mapping<Pulses> keys("A thruster of the model opens: for a while, or by a table");
  keys.require("thruster", &Pulses::thruster,
               kind::known_name("a thruster of the model", thruster_names));
  keys.group({describe_pulses, read_pulses});
  return keys;
}

void add_thruster(Reading& reading, const std::string& name, Pulses& pulses) {
  const Thruster& thruster =
      reading.scenario->model->thrusters()[static_cast<std::size_t>(pulses.thruster)];
  const TimeTable command =
      pulses.table ? *pulses.table
                   : ThrusterForce::pulse(thruster, pulses.span.first, pulses.span.second)
                         .starting_at(pulses.start);
  warn_if_idle(*reading.scenario, reading.map, command);
  reading.scenario->names.scheduled.insert(thruster.name);
  reading.scenario->add_force(std::make_shared<ThrusterForce>(name, thruster, command));
}

}  // namespace

extern const ForceType kThrusterType = force_type<pulse_keys>("thruster", add_thruster);

}  // namespace spacedyn::loading
