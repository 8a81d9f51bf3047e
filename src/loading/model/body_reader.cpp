#include "loading/model/body_reader.hpp"

#include "loading/keys/geometry.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kBodyMass = {Dimension::mass, Range::not_negative};

std::vector<std::string> base_point_names() {
  return {kBasePointNames.begin(), kBasePointNames.end()};
}

std::string name_schema() {
  return pattern_schema("^[^.\\u0000-\\u001f\\u007f]+$",
                        "A name without dots and control characters");
}

}  // namespace

extern const SchemaDefinition kNameDefinition{"name", name_schema};

void read_body(MapReader& map, bool mass_is_required, BodyDescription& body, bool may_carry) {
  body.name = map.required_text("name");
  body.carries_modes = may_carry && map.boolean("carries_modes", false);
  const Quantity mass = body.carries_modes ? quantity::kMass : kBodyMass;
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

BasePoint read_base_point(MapReader& map, const char* key, BasePoint otherwise) {
  const auto value = map.find(key);
  const auto choice =
      value ? read_choice(*value, base_point_names(), map.problems()) : std::nullopt;
  return choice ? static_cast<BasePoint>(*choice) : otherwise;
}

std::string base_point_schema(std::string_view title) {
  return choice_schema(base_point_names(), title);
}

void describe_body(Presence mass, MappingSchema& schema, bool may_carry) {
  schema.require("name", reference_schema("name"))
      .add(mass, "mass", number_schema({may_carry ? quantity::kMass : kBodyMass}, "Mass, kg"))
      .allow("center_of_mass", vector_schema(quantity::kLength, "Centroid, m"))
      .add(mass, "inertia", reference_schema("inertia"))
      .allow("unphysical_inertia", boolean_schema("Accept an indefinite tensor as it is"))
      .allow("visual", series_schema(reference_schema("visual")))
      .allow("collision", series_schema(reference_schema("collision")));
  if (!may_carry) return;
  schema.allow("carries_modes",
               boolean_schema("What is left beside the modes of appendages: any mass and inertia"));
  schema.add_rule(R"("allOf": [{"if": {"properties": {"carries_modes": {"const": true}}, )" +
                  required_rule({"carries_modes"}) + R"(}, "else": {"properties": {)" +
                  member_schema("mass", number_schema({kBodyMass})) + "}}}]");
}

}  // namespace spacedyn::loading
