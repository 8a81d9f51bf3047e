#include <array>
#include <limits>

#include "loading/keys/mapping.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn::loading {
namespace {

/// What the angles of a soil are to one another.
void check_angles(Soil& soil, Reading& reading) {
  constexpr double kRight = 0.5 * kPi;
  if (soil.friction_angle >= kRight) {
    reading.map.error_at("friction_angle",
                         "expected an angle below 90°, got " + format_number(soil.friction_angle));
  } else if (soil.destructive_angle + soil.friction_angle >= kRight) {
    reading.map.error_at("destructive_angle",
                         "expected an angle that with the friction angle is below 90°, got " +
                             format_number(soil.destructive_angle));
  }
}

Mapping<Soil> soil_keys() {
  using namespace kind;
  using Pair = std::array<double, 2>;
  const std::vector<Quantity> shear = {positive(kLength), not_negative(in("m/rad"))};
  const char* pair = "a list of 2 numbers: k = first + second |slip angle|, m";
  Mapping<Soil> keys("A loose soil");
  keys.require("cohesion", &Soil::cohesion, number(not_negative(in("Pa")), "Cohesion, Pa"));
  keys.require("friction_angle", &Soil::friction_angle,
               number(not_negative(kAngle), "Angle of internal friction, below 90°"));
  keys.require("k_c", &Soil::k_c, number(kNumber, "Modulus of deformation by cohesion"));
  keys.require("k_phi", &Soil::k_phi,
               number(not_negative(kNumber), "Modulus of deformation by friction"));
  keys.require("exponent", &Soil::exponent,
               number(positive(kNumber), "Exponent of sinkage",
                      {-std::numeric_limits<double>::infinity(), 5.0}));
  keys.allow("exponent_slip", &Soil::exponent_slip,
             number(not_negative(kNumber), "What slip adds to the exponent, default 0"));
  keys.require("density", &Soil::density, number(not_negative(in("kg/m³")), "Density, kg/m³"));
  keys.allow(
      "a0", &Soil::a0,
      number(kNumber, "Angle of the largest stress over that of entry, default 0.4", kAtMostOne));
  keys.allow("a1", &Soil::a1, number(kNumber, "What slip adds to a0, default 0.15", {-1.0, 1.0}));
  keys.allow("lambda", &Soil::lambda,
             number(kNumber, "Sinkage behind the wheel over that in front, default 0", kAtMostOne));
  keys.allow("destructive_angle", &Soil::destructive_angle,
             number(positive(kAngle),
                    "Angle of the soil that the side pushes, default that of a passive wall"));
  keys.require("shear_modulus_x", &Soil::shear_modulus_x,
               numbers<Pair>(shear, "Along the wheel, k = first + second |slip angle|, m", pair));
  keys.require("shear_modulus_y", &Soil::shear_modulus_y,
               numbers<Pair>(shear, "Across the wheel, k = first + second |slip angle|, m", pair));
  keys.allow("unloading_modulus", &Soil::unloading_modulus,
             numbers<Pair>({not_negative(in("N/m³")), not_negative(in("N/m⁴"))},
                           "k_u = first + second z_u of soil that was pressed to z_u, N/m³ and "
                           "N/m⁴",
                           pair));
  keys.allow("pressure", &Soil::pressure,
             choice<PressureLaw>({"bekker", "reece"}, "Law of pressure, default bekker"));
  keys.check(check_angles);
  return keys;
}

void read_soil(ScenarioContext& scenario, const Value& value, const std::string& name) {
  const ErrorMark errors(scenario.problems());
  Soil soil;
  scenario.ground.soil_names.push_back(name);
  if (!once<soil_keys>().read_whole(value, scenario.context(), soil)) return;
  guard(value, scenario.problems(), [&] { soil.check(); });
  if (!errors.found()) scenario.ground.soils.emplace(name, soil);
}

}  // namespace

extern const SchemaDefinition kSoilDefinition{"soil", schema_of<soil_keys>};

void read_soils(ScenarioContext& scenario) {
  const auto value = scenario.map.find("soils");
  if (!value) return;
  const auto read = [&](const std::string& name, const Value& item) {
    read_soil(scenario, item, name);
  };
  for_each_entry(*value, "soils", scenario.problems(), read);
}

}  // namespace spacedyn::loading
