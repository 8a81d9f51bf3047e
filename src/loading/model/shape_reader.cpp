#include "loading/keys/fields.hpp"
#include "loading/model/body_reader.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kShapeLength{Dimension::length, Range::positive};

Field<Vector3> radius_field() {
  return {"radius", "Radius, m", kShapeLength, [](Vector3& size) -> double& { return size.x(); },
          Presence::required};
}

Field<Vector3> length_field(const char* title) {
  return {"length", title, kShapeLength, [](Vector3& size) -> double& { return size.y(); },
          Presence::required};
}

/// Of spheres, capsules and cylinders.
Fields<Vector3> round_fields(const std::string& shape) {
  if (shape == "sphere") return {radius_field()};
  const bool is_capsule = shape == "capsule";
  return {radius_field(),
          length_field(is_capsule ? "Between the centres of its ends, m" : "Along z, m")};
}

/// Of a mesh.
Vector3 read_scale(MapReader& map) {
  Vector3 scale = map.vector3("scale", quantity::kNumber, Vector3::Ones());
  if (!(scale.cwiseAbs().minCoeff() > 0.0)) {
    map.error_at("scale",
                 "expected factors other than zero, got " + describe(*map.find("scale")->node));
  }
  return scale;
}

}  // namespace

Vector3 read_shape_size(MapReader& map, const std::string& shape) {
  if (shape == "mesh") return read_scale(map);
  Vector3 size = Vector3::Zero();
  if (shape == "box" || shape == "ellipsoid") {
    const auto value = shape == "box" ? map.require("size", "a list of 3 edges (m)")
                                      : map.require("semi_axes", "a list of 3 lengths (m)");
    const auto lengths =
        value ? read_numbers(*value, kShapeLength, 3, map.problems()) : std::nullopt;
    if (lengths) size = *lengths;
  } else {
    read_fields(map, round_fields(shape), size);
  }
  return size;
}

void describe_shape_size(const std::string& shape, MappingSchema& schema) {
  if (shape == "mesh") {
    schema.allow("scale",
                 vector_schema(quantity::kNumber, "Factors along the mesh's axes, none of them 0"));
  } else if (shape == "box") {
    schema.require("size", vector_schema(kShapeLength, "Edges, m"));
  } else if (shape == "ellipsoid") {
    schema.require("semi_axes", vector_schema(kShapeLength, "Along x, y and z, m"));
  } else {
    describe_fields(round_fields(shape), schema);
  }
}

}  // namespace spacedyn::loading
