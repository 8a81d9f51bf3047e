#include "collision/core_direction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/LU>

namespace spacedyn {
namespace {

/// Steps between two cores; a few are enough.
constexpr int kMostSteps = 40;
/// Directions whose difference is smaller are the same.
constexpr double kSameWay = 1e-14;
/// Part of the square of the distance to which a place is searched from which Newton's method
/// starts.
constexpr double kNearEnough = 1e-14;
/// Of a step of Newton's method that is taken at least.
constexpr double kLeastPart = 1e-3;
/// Steps, in parts of the sizes of the shapes, that are roundings.
constexpr double kRoundingStep = 4e-16;

/// A shape without a layer; of a capsule its axis, whose distances are those of the capsule but for
/// the radius.
struct Core {
  ShapePose shape;
  double scale = 1.0;  ///< of a mesh, about its centre
  Vector3 center = Vector3::Zero();

  Core(const ShapePose& whole, double layer) : shape(whole) {
    switch (whole.type) {
      case CollisionType::box:
        shape.size = (whole.size.array() - 2.0 * layer).max(0.0);
        break;
      case CollisionType::cylinder:
        shape.size.x() = std::max(0.0, whole.size.x() - layer);
        shape.size.y() = std::max(0.0, whole.size.y() - 2.0 * layer);
        break;
      case CollisionType::capsule:
        shape.size.x() = 0.0;
        break;
      case CollisionType::mesh:
        shrink(Polyhedron(whole), layer);
        break;
      default:
        break;
    }
  }
  bool is_mesh() const { return shape.type == CollisionType::mesh; }
  double size() const { return is_mesh() ? 2.0 * shape.hull->radius() : shape.size.norm(); }
  Vector3 farthest(const Vector3& direction) const {
    if (is_mesh()) return center + scale * (farthest_point(shape, direction) - center);
    if (shape.type != CollisionType::box) return farthest_point(shape, direction);
    const Vector3 local = shape.rotation.transpose() * direction, half = 0.5 * shape.size;
    return shape.position + shape.rotation * Vector3(std::copysign(half.x(), local.x()),
                                                     std::copysign(half.y(), local.y()),
                                                     std::copysign(half.z(), local.z()));
  }

 private:
  void shrink(const Polyhedron& body, double layer) {
    center = body.center();
    double inside = std::numeric_limits<double>::infinity();
    for (int i = 0; i < body.face_count(); ++i) {
      const Vector3 corner = body.corner(body.face(i).corners.front());
      inside = std::min(inside, body.normal(i).dot(corner - center));
    }
    scale = inside > layer ? 1.0 - layer / inside : 0.0;
  }
};

double gap_between(const Core& a, const Core& b, const Vector3& direction) {
  return direction.dot(b.farthest(-direction) - a.farthest(direction));
}

/// The nearest point of a box or a cylinder.
struct Foot {
  Vector3 point = Vector3::Zero();
  Matrix3 slope = Matrix3::Zero();  // derivative by the place that it is nearest to
  Vector3 way = Vector3::Zero();    // from it to that place
};

Foot foot_on_box(const Vector3& half, const Vector3& local) {
  Foot foot;
  foot.point = local.cwiseMax(-half).cwiseMin(half);
  foot.way = local - foot.point;
  for (int i = 0; i < 3; ++i) {
    const bool is_beyond = std::abs(local(i)) > half(i);
    foot.slope(i, i) = is_beyond ? 0.0 : 1.0;
  }
  return foot;
}

Foot foot_on_cylinder(double radius, double half, const Vector3& local) {
  Foot foot;
  const double off = local.head<2>().norm();
  const bool is_beside = off > radius, is_beyond = std::abs(local.z()) > half;
  foot.point = local;
  foot.slope = Matrix3::Identity();
  if (is_beside) {
    const Eigen::Vector2d out = local.head<2>() / off, around(-out.y(), out.x());
    foot.point.head<2>() = radius * out;
    foot.slope.topLeftCorner<2, 2>() = radius / off * around * around.transpose();
  }
  if (is_beyond) {
    foot.point.z() = std::copysign(half, local.z());
    foot.slope(2, 2) = 0.0;
  }
  foot.way = local - foot.point;
  return foot;
}

Foot foot_on(const ShapePose& core, const Vector3& place) {
  const Vector3 local = core.rotation.transpose() * (place - core.position);
  Foot foot = core.type == CollisionType::box
                  ? foot_on_box(0.5 * core.size, local)
                  : foot_on_cylinder(core.size.x(), 0.5 * core.size.y(), local);
  foot.point = core.position + core.rotation * foot.point;
  foot.way = core.rotation * foot.way;
  foot.slope = core.rotation * foot.slope * core.rotation.transpose();
  return foot;
}

/// Points of both cores and the point of least size among all means of their differences.
class Simplex {
 public:
  Simplex(const Vector3& on_a, const Vector3& on_b) { add(on_a, on_b); }

  const Vector3& least() const { return least_; }
  Vector3 place() const {
    Vector3 place = Vector3::Zero();
    for (int i = 0; i < count_; ++i) place += parts_(i) * on_a_[static_cast<std::size_t>(i)];
    return place;
  }
  bool has(const Vector3& difference) const {
    const auto end = differences_.begin() + count_;
    return std::find(differences_.begin(), end, difference) != end;
  }
  /// Adds a point and leaves out those that the least mean does not need.
  void add(const Vector3& on_a, const Vector3& on_b) {
    on_a_[static_cast<std::size_t>(count_)] = on_a;
    differences_[static_cast<std::size_t>(count_)] = on_a - on_b;
    const int newest = count_++;
    double best = std::numeric_limits<double>::infinity();
    int kept = 1 << newest;
    Eigen::Vector4d parts = Eigen::Vector4d::Zero();
    for (int subset = 1 << newest; subset < 2 << newest; ++subset) {
      Eigen::Vector4d own;
      Vector3 mean;
      if (!nearest(subset, own, mean) || !(mean.squaredNorm() < best)) continue;
      best = mean.squaredNorm();
      kept = subset;
      parts = own;
      least_ = mean;
    }
    keep(kept, parts);
  }

 private:
  static constexpr int kRoom = 4;

  /// Of the plane, line or point through some points. @returns whether it is between these
  bool nearest(int subset, Eigen::Vector4d& parts, Vector3& mean) const {
    std::array<int, kRoom> members{};
    int count = 0;
    for (int i = 0; i < count_; ++i) {
      if ((subset >> i & 1) != 0) members[static_cast<std::size_t>(count++)] = i;
    }
    const auto at = [&](int i) -> const Vector3& {
      return differences_[static_cast<std::size_t>(members[static_cast<std::size_t>(i)])];
    };
    const Vector3& origin = at(count - 1);
    Vector3 rest = Vector3::Zero();  // parts of the other members
    if (count == 2) {
      const Vector3 along = at(0) - origin;
      rest.x() = -along.dot(origin) / along.squaredNorm();
    } else if (count == 3) {
      const Vector3 u = at(0) - origin, v = at(1) - origin, normal = u.cross(v);
      const double square = normal.squaredNorm();
      rest.x() = -origin.cross(v).dot(normal) / square;
      rest.y() = -u.cross(origin).dot(normal) / square;
    } else if (count == 4) {
      return false;  // cores that are apart
    }
    parts.setZero();
    mean = origin;
    double left = 1.0;
    for (int i = 0; i + 1 < count; ++i) {
      if (!(rest(i) > 0.0)) return false;
      parts(members[static_cast<std::size_t>(i)]) = rest(i);
      mean += rest(i) * (at(i) - origin);
      left -= rest(i);
    }
    parts(members[static_cast<std::size_t>(count - 1)]) = left;
    if (count == 3) {
      const Vector3 normal = (at(0) - origin).cross(at(1) - origin);
      mean = normal.dot(origin) / normal.squaredNorm() * normal;
    }
    return left > 0.0;
  }
  void keep(int subset, const Eigen::Vector4d& parts) {
    int count = 0;
    for (int i = 0; i < count_; ++i) {
      if ((subset >> i & 1) == 0) continue;
      const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(count);
      on_a_[to] = on_a_[from];
      differences_[to] = differences_[from];
      parts_(count++) = parts(i);
    }
    count_ = count;
  }

  std::array<Vector3, kRoom> on_a_, differences_;
  Eigen::Vector4d parts_ = Eigen::Vector4d::Zero();
  int count_ = 0;
  Vector3 least_ = Vector3::Zero();
};

/// Points of two cores near to where these are nearest to each other, by the method of Gilbert,
/// Johnson and Keerthi; exact of polyhedra.
Simplex nearest_points(const Core& a, const Core& b, const Vector3& direction) {
  Simplex simplex(a.farthest(direction), b.farthest(-direction));
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector3& v = simplex.least();
    const double square = v.squaredNorm();
    const Vector3 on_a = a.farthest(-v), on_b = b.farthest(v), w = on_a - on_b;
    if (!(square - v.dot(w) > kNearEnough * square) || simplex.has(w)) break;
    Simplex next = simplex;
    next.add(on_a, on_b);
    if (!(next.least().squaredNorm() < square)) break;
    simplex = next;
  }
  return simplex;
}

/// Of two directions that along which the cores are farther apart.
Vector3 widest(const Core& a, const Core& b, const std::array<Vector3, 2>& ways,
               const Vector3& otherwise) {
  Vector3 direction = otherwise;
  double most = 0.0;
  for (const Vector3& way : ways) {
    const double length = way.norm();
    if (!(length > 0.0)) continue;
    const double gap = gap_between(a, b, way / length);
    if (gap > most) direction = way / length;
    most = std::max(most, gap);
  }
  return direction;
}

/// The shortest line between boxes and cylinders that are apart: from a place near to it by
/// projecting in turns from one to the other and by Newton's method on that; the distance never
/// grows.
Vector3 shortest_line(const Core& core_a, const Core& core_b, const Vector3& otherwise) {
  const ShapePose &a = core_a.shape, &b = core_b.shape;
  // most often a place of one core lies over a face of the other that the least motion parts
  for (const bool first : {true, false}) {
    const Core& one = first ? core_a : core_b;
    const Vector3 way = first ? otherwise : Vector3(-otherwise);
    const Foot foot = foot_on(first ? b : a, one.farthest(way));
    if ((foot.way + foot.way.norm() * way).norm() <= kSameWay * foot.way.norm()) return otherwise;
  }
  Vector3 on_a = foot_on(a, nearest_points(core_a, core_b, otherwise).place()).point;
  Foot on_b = foot_on(b, on_a);
  Foot back = foot_on(a, on_b.point);
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector3 move = back.point - on_a;
    if (!(move.norm() > kRoundingStep * (core_a.size() + core_b.size()))) break;
    const Vector3 tried =
        on_a + (Matrix3::Identity() - back.slope * on_b.slope).partialPivLu().solve(move);
    Vector3 next = back.point;
    Foot next_b = foot_on(b, next);
    // shorter where it would pass over the border of a face
    for (double part = 1.0; tried.allFinite() && part > kLeastPart; part *= 0.5) {
      const Vector3 jumped = foot_on(a, on_a + part * (tried - on_a)).point;
      const Foot jumped_b = foot_on(b, jumped);
      if (!(jumped_b.way.norm() <= next_b.way.norm())) continue;
      next = jumped;
      next_b = jumped_b;
      break;
    }
    on_a = next;
    on_b = next_b;
    back = foot_on(a, on_b.point);
  }
  // faces know their normals better than differences of places that are near to each other
  return widest(core_a, core_b, {back.way, -on_b.way}, otherwise);
}

}  // namespace

Vector3 core_direction(const ShapePose& a, const ShapePose& b, const Separation& least) {
  const Core core_a(a, -least.distance), core_b(b, -least.distance);
  const auto has = [&](CollisionType type) { return a.type == type || b.type == type; };
  if (has(CollisionType::mesh)) {
    const Vector3 line = -nearest_points(core_a, core_b, least.direction).least();
    return widest(core_a, core_b, {line, least.direction}, least.direction);
  }
  if (a.type == CollisionType::capsule)
    return separate_capsule(core_a.shape, core_b.shape).direction;
  if (b.type == CollisionType::capsule) {
    return -separate_capsule(core_b.shape, core_a.shape).direction;
  }
  return shortest_line(core_a, core_b, least.direction);
}

ContactPoint nearest_place(const ShapePose& a, const ShapePose& b) {
  const ContactPoint least = contact_point(a, b);
  if (touches_in_point(a.type, b.type) || !(least.depth < 0.0)) return least;
  const Core core_a(a, 0.0), core_b(b, 0.0);
  const auto around = [](const ShapePose& shape) {
    return shape.type == CollisionType::capsule ? shape.size.x() : 0.0;
  };
  const double radii = around(a) + around(b);
  const Simplex simplex = nearest_points(core_a, core_b, -least.normal);
  const double length = simplex.least().norm();
  if (!(length > radii)) return least;
  const Vector3 normal = simplex.least() / length;
  const double distance = gap_between(core_a, core_b, -normal) - radii;
  const double beyond = 0.5 * (length + around(a) - around(b));
  const Vector3 middle = simplex.place() - beyond * normal;
  if (distance < -least.depth) return {least.depth, least.normal, middle};
  return {-distance, normal, middle};
}

}  // namespace spacedyn
