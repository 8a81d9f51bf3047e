#include "spacedyn/collision/body_shape.hpp"

#include <algorithm>

namespace spacedyn {
namespace {

void append_shapes(const Model& model, const BodyDescription& body,
                   std::vector<BodyShape>& shapes) {
  if (body.collisions.empty()) return;
  const Frame user_frame = model.frame(body.name);
  for (const CollisionShape& given : body.collisions) {
    BodyShape shape{given.name, body.name, given.type, given.size, user_frame, given.hull};
    shape.frame.name = given.name;
    shape.frame.position += user_frame.rotation * given.origin.position;
    shape.frame.rotation = user_frame.rotation * given.origin.rotation;
    shapes.push_back(std::move(shape));
  }
}

/// The body whose joint to others counts: what a chain of coordinates starts from.
int carrying_body(const Model& model, int body) {
  int below = model.topology().connection(body);
  while (model.is_carrier(below)) below = model.topology().connection(below);
  return below;
}

bool is_on_free_joint(const Model& model, int body) {
  const auto& compounds = model.compound_joints();
  return std::any_of(compounds.begin(), compounds.end(), [&](const CompoundJoint& joint) {
    return joint.type == JointType::free && body == joint.first + joint.size - 1;
  });
}

bool is_carried_by(const Model& model, int body, int lower) {
  return body > 0 && carrying_body(model, body) == lower && !is_on_free_joint(model, body);
}

}  // namespace

std::vector<BodyShape> collision_shapes(const Model& model) {
  std::vector<BodyShape> shapes;
  append_shapes(model, model.description().base, shapes);
  for (const LinkDescription& link : model.description().links) {
    append_shapes(model, link, shapes);
  }
  return shapes;
}

bool are_neighbours(const Model& model, int a, int b) {
  return is_carried_by(model, a, b) || is_carried_by(model, b, a);
}

std::string_view to_string(CollisionType type) {
  switch (type) {
    case CollisionType::sphere:
      return "sphere";
    case CollisionType::box:
      return "box";
    case CollisionType::cylinder:
      return "cylinder";
    case CollisionType::capsule:
      return "capsule";
    case CollisionType::mesh:
      return "mesh";
    case CollisionType::ellipsoid:
      return "ellipsoid";
  }
  return "";
}

const std::vector<CollisionType>& all_collision_types() {
  static const std::vector<CollisionType> types{CollisionType::sphere,   CollisionType::box,
                                                CollisionType::cylinder, CollisionType::capsule,
                                                CollisionType::mesh,     CollisionType::ellipsoid};
  return types;
}

}  // namespace spacedyn
