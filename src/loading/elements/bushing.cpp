#include "spacedyn/forces/bushing.hpp"
#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

/// Along x, y and z, then about them.
Kind<Vector6> gains(const Quantity& along, const Quantity& about, const char* title) {
  return kind::numbers<Vector6>({along, along, along, about, about, about}, title,
                                "a list of 6 stiffnesses: along x, y, z, then about them");
}

Kind<Vector6> bushing_stiffness() {
  using namespace quantity;
  return gains(not_negative(kLinearStiffness), not_negative(kAngularStiffness),
               "N/m along x, y, z, then N*m/rad about them, in the axes of `from`");
}

Kind<Vector6> bushing_damping() {
  using namespace quantity;
  return gains(not_negative(in("N s/m")), not_negative(in("N m s/rad")),
               "N s/m along x, y, z, then N m s/rad about them, in the axes of `from`");
}

Mapping<Bushing::Settings> bushing_keys() {
  using Settings = Bushing::Settings;
  Mapping<Settings> keys("Springs and dampers in all directions between two frames");
  add_pair(keys);
  keys.require("stiffness", &Settings::stiffness, bushing_stiffness());
  keys.allow("damping", &Settings::damping, bushing_damping());
  keys.check([](Settings& bushing, Reading& reading) {
    if (!bushing.stiffness.isZero(0.0) || !bushing.damping.isZero(0.0)) return;
    reading.map.error_at("stiffness",
                         "expected a stiffness or a damping that is not zero, got zeros");
  });
  return keys;
}

void add_bushing(Reading& reading, const std::string& name, Bushing::Settings& settings) {
  reading.scenario->add_force(std::make_shared<Bushing>(name, settings));
}

}  // namespace

std::shared_ptr<const Bushing> make_bushing(ScenarioContext& scenario, MapReader& map,
                                            const std::string& name) {
  Bushing::Settings settings;
  Reading reading{map, &scenario};
  if (!once<bushing_keys>().read(reading, settings)) return nullptr;
  return std::make_shared<Bushing>(name, settings);
}

extern const SchemaDefinition kBushingStiffnessDefinition{"bushing_stiffness",
                                                          schema_of<bushing_stiffness>};
extern const SchemaDefinition kBushingDampingDefinition{"bushing_damping",
                                                        [] { return bushing_damping().schema(); }};
extern const ForceType kBushingType = force_type<bushing_keys>("bushing", add_bushing);

}  // namespace spacedyn::loading
