#include "loading/body_reader.hpp"

#include "loading/geometry.hpp"

namespace spacedyn::loading {

void read_body(MapReader& map, bool mass_is_required, BodyDescription& body, bool may_carry) {
  body.name = map.required_text("name");
  body.carries_modes = may_carry && map.boolean("carries_modes", false);
  const Quantity mass =
      body.carries_modes ? quantity::kMass : quantity::kMass.within(Range::not_negative);
  body.mass = mass_is_required ? map.required_number("mass", mass) : map.number("mass", mass, 0.0);
  body.center_of_mass = map.vector3("center_of_mass", quantity::kLength, Vector3::Zero());
  const auto inertia = mass_is_required
                           ? map.require("inertia", "[xx, yy, zz], a mapping or 3 rows (kg m²)")
                           : map.find("inertia");
  if (inertia) body.inertia = read_inertia(*inertia, map.context()).value_or(Matrix3::Zero());
  body.unphysical_inertia = map.boolean("unphysical_inertia", false);
  if (const auto visuals = map.find("visual")) body.visuals = read_visuals(*visuals, map.context());
  if (const auto shapes = map.find("collision")) {
    body.collisions = read_collisions(*shapes, body.name, map.context());
  }
}

}  // namespace spacedyn::loading
