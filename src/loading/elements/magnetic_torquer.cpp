#include "spacedyn/forces/magnetic_torquer.hpp"

#include <cmath>

#include "loading/elements/force_types.hpp"
#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kMoment{Dimension::none, Range::any, false, "A m²"};
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

void read_magnetic_torquer(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const std::size_t errors_before = map.problems().error_count();
  const auto at = read_point(scenario, map);
  const auto given = map.require("axis", "a list of 3 numbers");
  const auto axis = given ? read_axis(*given, map.problems()) : std::nullopt;
  const double limit = map.number("dipole_limit", kMoment.within(Range::positive), kNoLimit);
  std::optional<TimeTable> dipole;
  if (map.has("dipole") || map.has("table")) {
    dipole = read_schedule(map, {"dipole"}, {{kMoment}});
    if (dipole) warn_if_idle(scenario, map, *dipole);
  } else {
    for (const char* key : {"from", "until"}) {
      map.refuse(key, "without a dipole only control gives it one");
    }
    if (map.is_mapping() && !map.has("dipole_limit")) {
      map.problems().error(map.mark(), map.path(),
                           "expected dipole, a table or, under control, dipole_limit, got nothing");
    }
  }
  if (map.is_mapping() && !scenario.space.has_magnetic_field) {
    map.problems().error(map.mark(), map.path(),
                         "expected a 'magnetic_field' of the environment, got none");
  }
  const bool is_complete = at && axis && scenario.space.magnetic_field;
  if (!is_complete || map.problems().error_count() > errors_before) return;
  scenario.add_force(std::make_shared<MagneticTorquer>(
      name, *at, axis->normalized(), *scenario.space.magnetic_field, limit, std::move(dipole)));
}

MappingSchema magnetic_torquer_schema() {
  MappingSchema schema("A magnetic dipole on a body: constant for a while, a table, or controlled");
  schema.require("at", text_schema("A frame, a link or <link>.com"))
      .require("axis", vector_schema(quantity::kNumber, "In the axes of the frame"))
      .allow("dipole_limit", number_schema({kMoment.within(Range::positive)}, "A m²"))
      .allow("dipole", one_or_list_schema(number_schema({kMoment}, "Along the axis, A m²")));
  describe_table({{"dipole", one_or_list_schema(number_schema({kMoment}, "A m²"))}}, schema);
  schema.add_rule(some_key_rule({"dipole", "table", "dipole_limit"}));
  schema.add_rule(R"("if": {"required": ["table"]}, "then": {"properties": )"
                  R"({"from": false, "until": false, "dipole": false}})");
  return schema;
}

}  // namespace

extern const ForceType kMagneticTorquerType{"magnetic_torquer", read_magnetic_torquer,
                                            magnetic_torquer_schema};

}  // namespace spacedyn::loading
