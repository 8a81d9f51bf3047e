#include <string>

#include "loading/keys/geometry.hpp"
#include "loading/keys/session.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn::loading {
namespace {

/// The shapes by name, in the order of CollisionType.
const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const CollisionType type : all_collision_types()) list.emplace_back(to_string(type));
    return list;
  }();
  return names;
}

/// Reads the file and scales it; its convex hull is what touches others.
void read_hull(MapReader& map, CollisionShape& shape) {
  const auto file = map.require("file", "the name of an .stl, .obj or .dae file");
  const auto name = file ? read_text(*file, map.problems()) : std::nullopt;
  if (!name || !(shape.size.cwiseAbs().minCoeff() > 0.0)) return;
  shape.mesh = *name;
  guard(*file, map.problems(), [&] {
    TriangleMesh mesh = map.context().session.open_mesh(path_beside(*file, *name));
    for (Vector3& point : mesh.points) point = point.cwiseProduct(shape.size);
    shape.hull = std::make_shared<const ConvexHull>(mesh.points);
  });
}

std::string collision_schema() {
  std::vector<std::string> shapes;
  for (const std::string& shape : shape_names()) {
    MappingSchema schema(shape);
    schema.allow("name", reference_schema("name")).require("shape", constant_schema(shape));
    if (shape == to_string(CollisionType::mesh)) {
      schema.require("file", path_schema("STL, OBJ or Collada (.dae); its convex hull touches"));
    }
    describe_shape_size(shape, schema);
    schema.allow("origin", reference_schema("pose"));
    shapes.push_back(schema.text());
  }
  return one_of_schema(shapes,
                       "A shape with which a body touches others in the contacts of a scenario");
}

}  // namespace

extern const SchemaDefinition kCollisionDefinition{"collision", collision_schema};

std::vector<CollisionShape> read_collisions(const Value& value, const std::string& body,
                                            ReadContext& context) {
  std::vector<CollisionShape> shapes;
  std::size_t position = 0;
  for_each_item(value, context.problems, [&](const Value& item) {
    MapReader map(item, context);
    CollisionShape shape;
    shape.name = map.text("name");
    if (shape.name.empty()) shape.name = body + "_collision_" + std::to_string(position);
    ++position;
    const auto type = map.require("shape", list_choices(shape_names()));
    const auto choice = type ? read_choice(*type, shape_names(), context.problems) : std::nullopt;
    // without a shape the other keys are unknown
    if (!choice) return map.report_missing();
    shape.type = all_collision_types()[*choice];
    shape.size = read_shape_size(map, shape_names()[*choice]);
    if (shape.type == CollisionType::mesh) read_hull(map, shape);
    if (const auto origin = map.find("origin")) shape.origin = read_pose(*origin, context);
    map.finish();
    shapes.push_back(std::move(shape));
  });
  return shapes;
}

}  // namespace spacedyn::loading
