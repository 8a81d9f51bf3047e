#include <array>
#include <limits>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kPressureLaws = {"bekker", "reece"};

constexpr Quantity kPressure{Dimension::none, Range::not_negative, false, "Pa"};
constexpr Quantity kDensity{Dimension::none, Range::not_negative, false, "kg/m³"};
constexpr Quantity kCoefficient{};
constexpr Bounds kShareOfOne{0.0, 1.0};

const Fields<Soil>& soil_fields() {
  static const Fields<Soil> kFields = {
      {"cohesion", "Cohesion, Pa", kPressure, [](Soil& s) -> double& { return s.cohesion; },
       Presence::required},
      {"friction_angle", "Angle of internal friction, below 90°",
       quantity::kAngle.within(Range::not_negative),
       [](Soil& s) -> double& { return s.friction_angle; }, Presence::required},
      {"k_c", "Modulus of deformation by cohesion", kCoefficient,
       [](Soil& s) -> double& { return s.k_c; }, Presence::required},
      {"k_phi", "Modulus of deformation by friction", kCoefficient.within(Range::not_negative),
       [](Soil& s) -> double& { return s.k_phi; }, Presence::required},
      {"exponent",
       "Exponent of sinkage",
       kCoefficient.within(Range::positive),
       [](Soil& s) -> double& { return s.exponent; },
       Presence::required,
       {-std::numeric_limits<double>::infinity(), 5.0}},
      {"exponent_slip", "What slip adds to the exponent, default 0",
       kCoefficient.within(Range::not_negative),
       [](Soil& s) -> double& { return s.exponent_slip; }},
      {"density", "Density, kg/m³", kDensity, [](Soil& s) -> double& { return s.density; },
       Presence::required},
      {"a0", "Angle of the largest stress over that of entry, default 0.4", kCoefficient,
       [](Soil& s) -> double& { return s.a0; }, Presence::optional, kShareOfOne},
      {"a1",
       "What slip adds to a0, default 0.15",
       kCoefficient,
       [](Soil& s) -> double& { return s.a1; },
       Presence::optional,
       {-1.0, 1.0}},
      {"lambda", "Sinkage behind the wheel over that in front, default 0", kCoefficient,
       [](Soil& s) -> double& { return s.lambda; }, Presence::optional, kShareOfOne},
      {"destructive_angle",
       "Angle of the soil that the side pushes, default that of a passive wall",
       quantity::kAngle.within(Range::positive),
       [](Soil& s) -> double& { return s.destructive_angle; }}};
  return kFields;
}

/// A pair of numbers k = first + second x.
struct Modulus {
  const char* key;
  const char* title;
  std::array<Quantity, 2> quantities;
  std::array<double, 2>& (*member)(Soil&);
  Presence presence;
};

const std::array<Modulus, 3>& soil_moduli() {
  static const std::array<Quantity, 2> kShear = {
      quantity::kLength.within(Range::positive),
      Quantity{Dimension::none, Range::not_negative, false, "m/rad"}};
  static const std::array<Modulus, 3> kModuli = {{
      {"shear_modulus_x", "Along the wheel, k = first + second |slip angle|, m", kShear,
       [](Soil& s) -> std::array<double, 2>& { return s.shear_modulus_x; }, Presence::required},
      {"shear_modulus_y", "Across the wheel, k = first + second |slip angle|, m", kShear,
       [](Soil& s) -> std::array<double, 2>& { return s.shear_modulus_y; }, Presence::required},
      {"unloading_modulus",
       "k_u = first + second z_u of soil that was pressed to z_u, N/m³ and N/m⁴",
       {Quantity{Dimension::none, Range::not_negative, false, "N/m³"},
        Quantity{Dimension::none, Range::not_negative, false, "N/m⁴"}},
       [](Soil& s) -> std::array<double, 2>& { return s.unloading_modulus; },
       Presence::optional},
  }};
  return kModuli;
}

void read_modulus(MapReader& map, const Modulus& modulus, Soil& soil) {
  const auto pair =
      modulus.presence == Presence::required
          ? map.require(modulus.key, "a list of 2 numbers: k = first + second |slip angle|, m")
          : map.find(modulus.key);
  const auto numbers =
      pair ? read_list(*pair, {modulus.quantities[0], modulus.quantities[1]}, map.problems())
           : std::nullopt;
  if (numbers) modulus.member(soil) = {(*numbers)(0), (*numbers)(1)};
}

/// What the angles of a soil are to one another.
void check_angles(MapReader& map, const Soil& soil) {
  constexpr double kRight = 0.5 * kPi;
  if (soil.friction_angle >= kRight) {
    map.error_at("friction_angle",
                 "expected an angle below 90°, got " + format_number(soil.friction_angle));
  } else if (soil.destructive_angle + soil.friction_angle >= kRight) {
    map.error_at("destructive_angle",
                 "expected an angle that with the friction angle is below 90°, got " +
                     format_number(soil.destructive_angle));
  }
}

std::string soil_schema() {
  MappingSchema schema("A loose soil");
  describe_fields(soil_fields(), schema);
  for (const Modulus& modulus : soil_moduli()) {
    const std::string pair = tuple_schema(
        {number_schema({modulus.quantities[0]}), number_schema({modulus.quantities[1]})},
        modulus.title);
    if (modulus.presence == Presence::required) {
      schema.require(modulus.key, pair);
    } else {
      schema.allow(modulus.key, pair);
    }
  }
  schema.allow("pressure", choice_schema(kPressureLaws, "Law of pressure, default bekker"));
  return schema.text();
}

void read_soil(ScenarioContext& scenario, const Value& value, const std::string& name) {
  MapReader map(value, scenario.context());
  const ErrorMark errors(scenario.problems());
  Soil soil;
  read_fields(map, soil_fields(), soil);
  for (const Modulus& modulus : soil_moduli()) read_modulus(map, modulus, soil);
  if (find_choice(map, "pressure", kPressureLaws) == 1U) soil.pressure = PressureLaw::reece;
  check_angles(map, soil);
  map.finish();
  scenario.ground.soil_names.push_back(name);
  if (errors.found()) return;
  guard(value, scenario.problems(), [&] { soil.check(); });
  if (!errors.found()) scenario.ground.soils.emplace(name, soil);
}

}  // namespace

extern const SchemaDefinition kSoilDefinition{"soil", soil_schema};

void read_soils(ScenarioContext& scenario) {
  const auto value = scenario.map.find("soils");
  if (!value) return;
  const auto read = [&](const std::string& name, const Value& item) {
    read_soil(scenario, item, name);
  };
  for_each_entry(*value, "soils", scenario.problems(), read);
}

}  // namespace spacedyn::loading
