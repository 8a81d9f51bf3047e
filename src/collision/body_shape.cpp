#include "spacedyn/collision/body_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/polyhedron.hpp"

namespace spacedyn {
namespace {

/// Polyhedra further apart than this part of the smaller one are not looked at edge by edge.
constexpr double kFar = 0.05;
/// Edges of a polyhedron that are placed once for all edges of the other one.
constexpr std::size_t kPlacedAtOnce = 48;
/// Edges whose directions differ by a smaller sine count as parallel: faces part them as well.
constexpr double kParallelEdges = 1e-8;

/// The best face of one polyhedron.
void try_faces(const Polyhedron& own, const Polyhedron& other, double side, Separation& best) {
  for (int face = 0; face < own.face_count(); ++face) {
    const Vector3 normal = own.normal(face);
    const double offset = normal.dot(own.corner(own.face(face).corners.front()));
    const double distance = normal.dot(other.corner(other.farthest(-normal))) - offset;
    if (distance > best.distance) best = {distance, side * normal, false, Vector3::Zero()};
  }
}

/// An edge with the normals of its faces, inertial axes.
struct WorldEdge {
  Vector3 from, along, left, right, turn;  // turn: across both normals

  WorldEdge() = default;
  WorldEdge(const Polyhedron& of, const ConvexHull::Edge& edge)
      : from(of.corner(edge.from)),
        along(of.corner(edge.to) - from),
        left(of.normal(edge.left)),
        right(of.normal(edge.right)),
        turn(left.cross(right)) {}
};

/// Whether two edges make a face of the Minkowski difference: the arcs of their normals on the
/// sphere, of the second one turned round, cross each other.
bool cross_on_sphere(const WorldEdge& a, const WorldEdge& b) {
  const double left = -b.left.dot(a.turn), right = -b.right.dot(a.turn);
  if (!(left * right < 0.0)) return false;
  const double other_right = a.right.dot(b.turn), other_left = a.left.dot(b.turn);
  // turn of the second arc does not change where both of its ends are turned round
  return other_left * other_right < 0.0 && left * other_left < 0.0;
}

/// The middle between the nearest points of two lines.
Vector3 crossing(const WorldEdge& a, const WorldEdge& b) {
  const Vector3 d = a.from - b.from;
  const double aa = a.along.squaredNorm(), bb = b.along.squaredNorm(), ab = a.along.dot(b.along);
  const double determinant = aa * bb - ab * ab;
  const double s = (ab * b.along.dot(d) - bb * a.along.dot(d)) / determinant;
  const double t = (aa * b.along.dot(d) - ab * a.along.dot(d)) / determinant;
  return 0.5 * (a.from + s * a.along + b.from + t * b.along);
}

void try_edges(const Polyhedron& a, const Polyhedron& b, Separation& best) {
  const Vector3 center = a.center();
  const auto& edges = b.hull.edges();
  std::array<WorldEdge, kPlacedAtOnce> placed;
  const std::size_t count = std::min(edges.size(), placed.size());
  for (std::size_t k = 0; k < count; ++k) placed[k] = WorldEdge(b, edges[k]);
  for (const ConvexHull::Edge& of_a : a.hull.edges()) {
    const WorldEdge first(a, of_a);
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const WorldEdge second = k < count ? placed[k] : WorldEdge(b, edges[k]);
      if (!cross_on_sphere(first, second)) continue;
      Vector3 direction = first.along.cross(second.along);
      const double size = direction.norm();
      if (size <= kParallelEdges * first.along.norm() * second.along.norm()) continue;
      direction /= direction.dot(first.from - center) < 0.0 ? -size : size;
      if (direction.dot(second.from - first.from) <= best.distance) continue;
      // roundings may take arcs that only touch for arcs that cross
      const double distance = direction.dot(b.corner(b.farthest(-direction))) -
                              direction.dot(a.corner(a.farthest(direction)));
      if (distance > best.distance) best = {distance, direction, true, crossing(first, second)};
    }
  }
}

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

const ConvexHull& unit_cube() {
  static const ConvexHull cube = [] {
    std::vector<Vector3> corners;
    for (int k = 0; k < 8; ++k) {
      corners.emplace_back((k & 1) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 0.5 : -0.5,
                           (k & 4) != 0 ? 0.5 : -0.5);
    }
    return ConvexHull(corners);
  }();
  return cube;
}

int Polyhedron::farthest(const Vector3& direction) const {
  const Vector3 local = scale.cwiseProduct(rotation.transpose() * direction);
  int best = 0;
  double most = -std::numeric_limits<double>::infinity();
  const auto& corners = hull.corners();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const double along = local.dot(corners[i]);
    if (along <= most) continue;
    most = along;
    best = static_cast<int>(i);
  }
  return best;
}

Separation separate_polyhedra(const Polyhedron& a, const Polyhedron& b) {
  Separation best;
  best.distance = -std::numeric_limits<double>::infinity();
  try_faces(a, b, 1.0, best);
  try_faces(b, a, -1.0, best);
  const double smaller =
      std::min(a.scale.maxCoeff() * a.hull.radius(), b.scale.maxCoeff() * b.hull.radius());
  if (best.distance < kFar * smaller) try_edges(a, b, best);
  return best;
}

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
