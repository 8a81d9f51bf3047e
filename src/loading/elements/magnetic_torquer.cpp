#include "spacedyn/forces/magnetic_torquer.hpp"

#include "loading/elements/force_types.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

struct Coil {
  Frame at;
  Vector3 axis = Vector3::Zero();
  double limit = std::numeric_limits<double>::infinity();
  std::optional<TimeTable> dipole;
};

const ScheduleKey kDipoleKey{"dipole", {quantity::in("A m²")}, "Along the axis, A m²"};

bool read_dipole(Reading& reading, Coil& coil) {
  MapReader& map = reading.map;
  if (map.has(kDipoleKey.name) || map.has("table")) {
    coil.dipole = read_schedule(map, {kDipoleKey});
    return coil.dipole.has_value();
  }
  for (const char* key : {"from", "until", "start"}) {
    map.refuse(key, "without a dipole only control gives it one");
  }
  if (map.is_mapping() && !map.has("dipole_limit")) {
    map.problems().error(map.mark(), map.path(),
                         "expected dipole, a table or, under control, dipole_limit, got nothing");
  }
  return true;
}

void describe_dipole(MappingSchema& schema) {
  schema.allow(kDipoleKey.name,
               one_or_list_schema(number_schema(kDipoleKey.components, kDipoleKey.title)));
  describe_table({kDipoleKey}, schema);
  schema.add_rule(some_key_rule({kDipoleKey.name, "table", "dipole_limit"}));
  schema.add_rule(R"("if": {"required": ["table"]}, "then": {"properties": )"
                  R"({"from": false, "until": false, "dipole": false}})");
}

Mapping<Coil> torquer_keys() {
  using namespace kind;
  Mapping<Coil> keys("A magnetic dipole on a body: constant for a while, a table, or controlled");
  keys.require("at", &Coil::at, point());
  keys.require("axis", &Coil::axis, axis("In the axes of the frame"));
  keys.allow("dipole_limit", &Coil::limit, number(positive(in("A m²")), "A m²"));
  keys.group({describe_dipole, read_dipole});
  keys.check([](Coil&, Reading& reading) {
    if (reading.scenario->space.has_magnetic_field) return;
    reading.problems().error(reading.map.mark(), reading.map.path(),
                             "expected a 'magnetic_field' of the environment, got none");
  });
  return keys;
}

void add_torquer(Reading& reading, const std::string& name, Coil& coil) {
  if (coil.dipole) warn_if_idle(*reading.scenario, reading.map, *coil.dipole);
  if (!reading.scenario->space.magnetic_field) return;
  reading.scenario->add_force(std::make_shared<MagneticTorquer>(
      name, coil.at, coil.axis.normalized(), *reading.scenario->space.magnetic_field, coil.limit,
      std::move(coil.dipole)));
}

}  // namespace

extern const ForceType kMagneticTorquerType =
    force_type<torquer_keys>("magnetic_torquer", add_torquer);

}  // namespace spacedyn::loading
