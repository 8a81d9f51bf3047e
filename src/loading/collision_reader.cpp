#include <string>

#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"
#include "loading/session.hpp"
#include "loading/time_series.hpp"
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
  const auto file = map.require("file", "the name of an .stl or .obj file");
  shape.size = map.vector3("scale", quantity::kNumber, Vector3::Ones());
  const auto name = file ? read_text(*file, map.problems()) : std::nullopt;
  if (!(shape.size.cwiseAbs().minCoeff() > 0.0)) {
    map.error_at("scale",
                 "expected factors other than zero, got " + describe(*map.find("scale")->node));
    return;
  }
  if (!name) return;
  shape.mesh = *name;
  guard(*file, map.problems(), [&] {
    TriangleMesh mesh = map.context().session.open_mesh(path_beside(*file, *name));
    require_area(mesh);
    for (Vector3& point : mesh.points) point = point.cwiseProduct(shape.size);
    shape.hull = std::make_shared<const ConvexHull>(mesh.points);
  });
}

void read_size(MapReader& map, CollisionShape& shape) {
  if (shape.type == CollisionType::mesh) return read_hull(map, shape);
  const Quantity length = quantity::kLength.within(Range::positive);
  if (shape.type == CollisionType::box) {
    const auto size = map.require("size", "a list of 3 edges (m)");
    const auto edges = size ? read_numbers(*size, length, 3, map.problems()) : std::nullopt;
    if (edges) shape.size = *edges;
    return;
  }
  shape.size.x() = map.required_number("radius", length);
  if (shape.type == CollisionType::sphere) return;
  shape.size.y() = map.required_number("length", length);
}

}  // namespace

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
    const auto choice =
        type ? read_choice(*type, shape_names(), {}, context.problems) : std::nullopt;
    // without a shape the other keys are unknown
    if (!choice) return map.report_missing();
    shape.type = all_collision_types()[*choice];
    read_size(map, shape);
    if (const auto origin = map.find("origin")) shape.origin = read_pose(*origin, context);
    map.finish();
    shapes.push_back(std::move(shape));
  });
  return shapes;
}

}  // namespace spacedyn::loading
