#include "spacedyn/forces/bushing.hpp"
#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kBushingStiffness{Dimension::linear_stiffness, Range::not_negative};
constexpr Quantity kBushingTorsion{Dimension::angular_stiffness, Range::not_negative};
constexpr Quantity kBushingDamping{Dimension::none, Range::not_negative, false, "N s/m"};
constexpr Quantity kBushingTorsionalDamping{Dimension::none, Range::not_negative, false,
                                            "N m s/rad"};

std::optional<Vector6> read_gains(const Value& value, const Quantity& linear,
                                  const Quantity& angular, ProblemList& problems) {
  const auto numbers =
      read_list(value, {linear, linear, linear, angular, angular, angular}, problems);
  if (!numbers) return std::nullopt;
  return Vector6(*numbers);
}

void read_bushing(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  if (auto bushing = make_bushing(scenario, map, name)) scenario.add_force(std::move(bushing));
}

MappingSchema bushing_schema() {
  MappingSchema schema("Springs and dampers in all directions between two frames");
  schema.require("from", text_schema("A frame, a link or <link>.com"))
      .require("to", text_schema("A frame, a link or <link>.com of another body"))
      .require("stiffness", reference_schema("bushing_stiffness"))
      .allow("damping", reference_schema("bushing_damping"));
  return schema;
}

std::string gains_schema(const Quantity& linear, const Quantity& angular, std::string_view title) {
  const std::string along = number_schema({linear}), about = number_schema({angular});
  return tuple_schema({along, along, along, about, about, about}, title);
}

std::string bushing_stiffness_schema() {
  return gains_schema(kBushingStiffness, kBushingTorsion,
                      "N/m along x, y, z, then N*m/rad about them, in the axes of `from`");
}

std::string bushing_damping_schema() {
  return gains_schema(kBushingDamping, kBushingTorsionalDamping,
                      "N s/m along x, y, z, then N m s/rad about them, in the axes of `from`");
}

}  // namespace

std::shared_ptr<const Bushing> make_bushing(ScenarioContext& scenario, MapReader& map,
                                            const std::string& name) {
  const auto pair = read_pair(scenario, map);
  const auto stiffness_value =
      map.require("stiffness", "a list of 6 stiffnesses: along x, y, z, then about them");
  const auto stiffness = stiffness_value ? read_gains(*stiffness_value, kBushingStiffness,
                                                      kBushingTorsion, scenario.problems())
                                         : std::nullopt;
  const auto damping_value = map.find("damping");
  const auto damping = damping_value ? read_gains(*damping_value, kBushingDamping,
                                                  kBushingTorsionalDamping, scenario.problems())
                                     : std::optional(Vector6(Vector6::Zero()));
  if (!pair || !stiffness || !damping) return nullptr;
  if (stiffness->isZero(0.0) && damping->isZero(0.0)) {
    map.error_at("stiffness", "expected a stiffness or a damping that is not zero, got zeros");
    return nullptr;
  }
  return std::make_shared<Bushing>(
      name, Bushing::Settings{pair->first, pair->second, *stiffness, *damping});
}

extern const SchemaDefinition kBushingStiffnessDefinition{"bushing_stiffness",
                                                          bushing_stiffness_schema};
extern const SchemaDefinition kBushingDampingDefinition{"bushing_damping", bushing_damping_schema};
extern const ForceType kBushingType{"bushing", read_bushing, bushing_schema};

}  // namespace spacedyn::loading
