#include "loading/model/body_reader.hpp"

#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/keys/session.hpp"
#include "loading/keys/time_series.hpp"
#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn::loading {
namespace {

/// What is left beside modes may have any mass, a body none below zero.
Kind<double> body_mass(bool may_carry) {
  using namespace kind;
  const Quantity body = not_negative(kMass);
  Kind<double> mass = number(may_carry ? kMass : body, "Mass, kg");
  mass.expected = expectation(body);
  mass.read = [rest = number(kMass).read, whole = number(body).read, may_carry](
                  const Value& value, Reading& reading, void* target) {
    const bool is_rest = may_carry && reading.map.says("carries_modes", "true");
    return (is_rest ? rest : whole)(value, reading, target);
  };
  return mass;
}

Json name_schema() {
  return pattern_schema("^[^.\\u0000-\\u001f\\u007f]+$",
                        "A name without dots and control characters");
}

bool is_color(const std::string& text) {
  return text.size() == 7 && text.front() == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

const std::vector<std::string> kVisualShapes = {"box", "cylinder", "sphere", "mesh", "ellipsoid"};

/// The shapes by name, in the order of CollisionType.
std::vector<std::string> collision_shapes() {
  std::vector<std::string> names;
  for (const CollisionType type : all_collision_types()) names.emplace_back(to_string(type));
  return names;
}

/// Of a mesh; as it is in its file where the key is absent.
bool read_scale(Reading& reading, Vector3& scale) {
  scale = reading.map.vector3("scale", quantity::kNumber, Vector3::Ones());
  if (scale.cwiseAbs().minCoeff() > 0.0) return true;
  reading.map.error_at("scale", "expected factors other than zero, got " +
                                    describe(*reading.map.find("scale")->node));
  return false;
}

void describe_scale(MappingSchema& schema) {
  schema.allow("scale",
               vector_schema(quantity::kNumber, "Factors along the mesh's axes, none of them 0"));
}

void write_scale(const Vector3& scale, KeyTexts& keys) {
  if (scale != Vector3::Ones() && !scale.isZero(0.0))
    keys.emplace_back("scale", vector_text(scale));
}

/// Reads the file of a mesh, whose convex hull is what touches others.
bool read_hull(Reading& reading, CollisionShape& shape) {
  const auto file = reading.map.require("file", "the name of an .stl, .obj or .dae file");
  const auto name = file ? read_text(*file, reading.problems()) : std::nullopt;
  if (!name || !(shape.size.cwiseAbs().minCoeff() > 0.0)) return false;
  shape.mesh = *name;
  guard(*file, reading.problems(), [&] {
    TriangleMesh mesh = reading.map.context().session.open_mesh(path_beside(*file, *name));
    for (Vector3& point : mesh.points) point = point.cwiseProduct(shape.size);
    shape.hull = std::make_shared<const ConvexHull>(mesh.points);
  });
  return shape.hull != nullptr;
}

void describe_hull(MappingSchema& schema) {
  schema.require("file", path_schema("STL, OBJ or Collada (.dae); its convex hull touches"));
}

void write_hull(const CollisionShape& shape, KeyTexts& keys) {
  keys.emplace_back("file", quoted_text(shape.mesh));
}

MappingTable visual_keys(const std::string& shape) {
  using namespace kind;
  Mapping<Visual> keys(shape);
  if (shape == "mesh") keys.require("file", &Visual::mesh, text());
  keys.merge(&Visual::size, size_keys(shape));
  keys.allow("origin", &Visual::origin, pose());
  keys.allow("color", &Visual::color, color());
  return keys;
}

MappingTable collision_keys(const std::string& shape) {
  using namespace kind;
  Mapping<CollisionShape> keys(shape);
  keys.allow("name", &CollisionShape::name, name());
  keys.merge(&CollisionShape::size, size_keys(shape));
  if (shape == "mesh") {
    keys.group(KeyGroup<CollisionShape>{describe_hull, read_hull, write_hull});
  }
  keys.allow("origin", &CollisionShape::origin, pose());
  return keys;
}

std::vector<MappingTable> tables_of(const std::vector<std::string>& shapes,
                                    MappingTable (*make)(const std::string& shape)) {
  std::vector<MappingTable> tables;
  for (const std::string& shape : shapes) tables.push_back(make(shape));
  return tables;
}

Kind<Visual> make_visual() {
  return {any_variant(
      Variants{"shape", kVisualShapes, tables_of(kVisualShapes, visual_keys)},
      "A picture of a body, without effect on the dynamics",
      [](void* target, std::size_t i) { static_cast<Visual*>(target)->shape = kVisualShapes[i]; },
      [](const void* value) {
        const auto shape = std::find(kVisualShapes.begin(), kVisualShapes.end(),
                                     static_cast<const Visual*>(value)->shape);
        return static_cast<std::size_t>(shape - kVisualShapes.begin());
      })};
}

Kind<CollisionShape> make_collision() {
  return {any_variant(
      Variants{"shape", collision_shapes(), tables_of(collision_shapes(), collision_keys)},
      "A shape with which a body touches others in the contacts of a scenario",
      [](void* target, std::size_t i) {
        static_cast<CollisionShape*>(target)->type = all_collision_types()[i];
      },
      [](const void* value) {
        return static_cast<std::size_t>(static_cast<const CollisionShape*>(value)->type);
      })};
}

}  // namespace

extern const SchemaDefinition kNameDefinition{"name", name_schema};

Mapping<BodyDescription> mass_keys(Presence mass, bool may_carry) {
  using namespace kind;
  using Body = BodyDescription;
  Mapping<Body> keys;
  keys.add(mass, "mass", &Body::mass, body_mass(may_carry));
  keys.allow("center_of_mass", &Body::center_of_mass, vector(kLength, "Centroid, m"));
  keys.add(mass, "inertia", &Body::inertia, inertia());
  keys.allow("unphysical_inertia", &Body::unphysical_inertia,
             boolean("Accept an indefinite tensor as it is"));
  return keys;
}

Mapping<BodyDescription> body_keys(Presence mass, bool may_carry) {
  using namespace kind;
  using Body = BodyDescription;
  Mapping<Body> keys;
  if (may_carry) {
    keys.allow("carries_modes", &Body::carries_modes,
               boolean("What is left beside the modes of appendages: any mass and inertia"));
    keys.check_keys(
        {{"allOf",
          {if_rule(value_rule("carries_modes", true), {},
                   {{"properties", {{"mass", number_schema({not_negative(kMass)})}}}})}}},
        [](MapReader&) {});
  }
  keys.merge(mass_keys(mass, may_carry));
  keys.allow("visual", &Body::visuals, list(visual(), "a list of shapes"));
  keys.allow("collision", &Body::collisions, list(collision(), "a list of shapes"));
  keys.check([](Body& body, Reading&) {
    for (std::size_t i = 0; i < body.collisions.size(); ++i) {
      std::string& name = body.collisions[i].name;
      if (name.empty()) name = body.name + "_collision_" + std::to_string(i);
    }
  });
  return keys;
}

BasePoint read_base_point(MapReader& map, const char* key, BasePoint otherwise) {
  Reading reading{map};
  if (const auto value = map.find(key)) kind::base_point("").read(*value, reading, &otherwise);
  return otherwise;
}

Json base_point_schema(const char* title) { return kind::base_point(title).schema(); }

namespace kind {

Kind<BasePoint> base_point(const char* title) {
  return choice<BasePoint>({kBasePointNames.begin(), kBasePointNames.end()}, title);
}

Kind<std::string> color() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<std::string> {
    if (value.node->is_scalar() && is_color(value.node->text)) return value.node->text;
    reading.problems().error(value,
                             "expected a color \"#rrggbb\" in quotes, got " + describe(*value.node),
                             value.node->is_null() ? "without quotes, '#' starts a comment" : "");
    return std::nullopt;
  };
  return make_kind<std::string>(
      "a color", [] { return pattern_schema("^#[0-9a-fA-F]{6}$", "As #rrggbb, in quotes"); }, read,
      [](const std::string& text) { return text.empty() ? text : quoted_text(text); });
}

AnyKind any_two_axes(const char* title, Vector3& (*axis)(void* owner, int position)) {
  AnyKind kind{"a list of two vectors"};
  kind.schema = [=] { return list_schema(vector_schema(kNumber), 2, title); };
  kind.read = [=](const Value& value, Reading& reading, void* target) {
    int count = 0;
    bool is_right = value.node->is_sequence();
    for_each_item(value, reading.problems(), [&](const Value& item) {
      const auto given = read_axis(item, reading.problems());
      if (given && count < 2) axis(target, count) = *given;
      is_right = is_right && given;
      ++count;
    });
    if (!is_right || count == 2) return is_right;
    reading.problems().error(value, "expected two vectors, got " + std::to_string(count));
    return false;
  };
  kind.write = [=](const void* value, const Remarks&) {
    auto* const owner = const_cast<void*>(value);
    return flow_text({vector_text(axis(owner, 0)), vector_text(axis(owner, 1))});
  };
  return kind;
}

}  // namespace kind

extern const SchemaDefinition kVisualDefinition{"visual", [] { return make_visual().schema(); }};
extern const SchemaDefinition kCollisionDefinition{"collision",
                                                   [] { return make_collision().schema(); }};

Kind<Visual> kind::visual() { return defined(make_visual(), "visual"); }

Kind<CollisionShape> kind::collision() { return defined(make_collision(), "collision"); }

Mapping<Vector3> size_keys(const std::string& shape) {
  using namespace kind;
  const Quantity length = positive(kLength);
  const auto whole = [](Vector3& size) -> Vector3& { return size; };
  Mapping<Vector3> keys(shape, Vector3::Zero());
  if (shape == "mesh")
    return keys.group(KeyGroup<Vector3>{describe_scale, read_scale, write_scale});
  if (shape == "box") {
    return keys.require("size", whole, vector(length, "Edges, m", "a list of 3 edges (m)"));
  }
  if (shape == "ellipsoid") {
    return keys.require("semi_axes", whole,
                        vector(length, "Along x, y and z, m", "a list of 3 lengths (m)"));
  }
  keys.require(
      "radius", [](Vector3& size) -> double& { return size.x(); }, length, "Radius, m");
  if (shape == "sphere") return keys;
  const bool is_capsule = shape == "capsule";
  return keys.require(
      "length", [](Vector3& size) -> double& { return size.y(); }, length,
      is_capsule ? "Between the centres of its ends, m" : "Along z, m");
}

}  // namespace spacedyn::loading
