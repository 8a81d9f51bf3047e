#include "integration/impulses/contact_finder.hpp"

#include <algorithm>
#include <numeric>

#include "collision/contact_corners.hpp"

namespace spacedyn {
namespace {

/// m, part of a shape's radius: bodies at rest on each other stay within it.
constexpr double kRestingReach = 1e-3;
/// Points of a shape with others: a dozen neighbours, some with faces.
constexpr std::size_t kRoomForPoints = 32;

/// Half of the box along the axes of the system that a shape fills.
Vector3 half_extent(const ShapePose& pose, double radius) {
  const Vector3 axis = pose.rotation.col(2);
  switch (pose.type) {
    case CollisionType::box:
      return 0.5 * (pose.rotation.cwiseAbs() * pose.size);
    case CollisionType::capsule:
      return Vector3::Constant(pose.size.x()) + 0.5 * pose.size.y() * axis.cwiseAbs();
    case CollisionType::cylinder: {
      const Vector3 across = (Vector3::Ones() - axis.cwiseProduct(axis)).cwiseMax(0.0);
      return pose.size.x() * across.cwiseSqrt() + 0.5 * pose.size.y() * axis.cwiseAbs();
    }
    case CollisionType::ellipsoid:
      return (pose.rotation * pose.size.asDiagonal()).rowwise().norm();
    case CollisionType::sphere:
    case CollisionType::mesh:
      break;
  }
  return Vector3::Constant(radius);
}

}  // namespace

ContactFinder::ContactFinder(const SystemElements& elements) {
  for (std::size_t slot = 0; slot < elements.slots().size(); ++slot) {
    const SystemElements::Slot& own = elements.slots()[slot];
    const RigidContact* contact = own.declared.rigid;
    if (contact == nullptr) continue;
    for (const ContactPair& pair : contact->settings().pairs) {
      pairs_.push_back({contacts_.size(), &pair});
    }
    contacts_.push_back({contact, slot, own.first_integral});
  }
  std::vector<std::pair<std::size_t, std::size_t>> shapes_of;
  for (const Pair& pair : pairs_) {
    const std::size_t a = index_of(pair.shapes->a);
    shapes_of.emplace_back(a, pair.shapes->on_ground ? a : index_of(pair.shapes->b));
  }
  first_of_.assign(shapes_.size() * shapes_.size(), -1);
  next_of_.assign(pairs_.size(), -1);
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    shape_on_ground_.push_back(0);
    if (pairs_[i].shapes->on_ground) continue;
    const auto [a, b] = std::minmax(shapes_of[i].first, shapes_of[i].second);
    int& first = first_of_[a * shapes_.size() + b];
    next_of_[i] = std::exchange(first, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) shape_on_ground_[i] = shapes_of[i].first;
  order_.resize(shapes_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  placed_.resize(shapes_.size());
  near_.reserve(kRoomForPoints * shapes_.size());
}

std::size_t ContactFinder::most_points() const {
  std::size_t on_ground = 0, between = 0;
  for (const Pair& pair : pairs_) {
    if (pair.shapes->on_ground) {
      on_ground += static_cast<std::size_t>(pair.shapes->point_count());
    } else {
      between += ContactCorners::kMost;
    }
  }
  return on_ground + std::min(between, kRoomForPoints * shapes_.size());
}

std::size_t ContactFinder::index_of(const BodyShape& shape) {
  const auto found = std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& other) {
    return other.shape->frame.body == shape.frame.body && other.shape->name == shape.name;
  });
  if (found != shapes_.end()) return static_cast<std::size_t>(found - shapes_.begin());
  shapes_.push_back({&shape, bounding_radius(shape.type, shape.size, shape.hull.get())});
  return shapes_.size() - 1;
}

void ContactFinder::place(const LinkFrames& frames, const LinkVelocities& velocities, double time) {
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const BodyShape& shape = *shapes_[i].shape;
    const auto body = static_cast<std::size_t>(shape.frame.body);
    Placed& placed = placed_[i];
    placed.pose = shape.at(frames);
    const Vector3& omega = velocities.omega[body];
    const Vector3 velocity =
        velocities.v[body] + omega.cross(placed.pose.position - frames.r[body]);
    placed.travel = time * (velocity.norm() + omega.norm() * shapes_[i].radius) +
                    kRestingReach * shapes_[i].radius;
    const Vector3 half = half_extent(placed.pose, shapes_[i].radius).array() + placed.travel;
    placed.low = placed.pose.position - half;
    placed.high = placed.pose.position + half;
  }
}

void ContactFinder::sweep() {
  // nearly in order since the last time
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::size_t moved = order_[i];
    std::size_t k = i;
    for (; k > 0 && placed_[order_[k - 1]].low.x() > placed_[moved].low.x(); --k) {
      order_[k] = order_[k - 1];
    }
    order_[k] = moved;
  }
  near_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Placed& own = placed_[order_[i]];
    for (std::size_t k = i + 1; k < order_.size(); ++k) {
      const Placed& other = placed_[order_[k]];
      if (other.low.x() > own.high.x()) break;
      if (other.low.y() > own.high.y() || own.low.y() > other.high.y()) continue;
      if (other.low.z() > own.high.z() || own.low.z() > other.high.z()) continue;
      const auto [a, b] = std::minmax(order_[i], order_[k]);
      for (int pair = first_of_[a * shapes_.size() + b]; pair >= 0;
           pair = next_of_[static_cast<std::size_t>(pair)]) {
        near_.push_back({a, b, static_cast<std::size_t>(pair)});
      }
    }
  }
  std::sort(near_.begin(), near_.end(),
            [](const Partner& one, const Partner& two) { return one.pair < two.pair; });
}

void ContactFinder::find(const LinkFrames& frames, const LinkVelocities& velocities, double time,
                         std::vector<FoundPoint>& points) {
  points.clear();
  place(frames, velocities, time);
  sweep();
  std::size_t next = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i].shapes->on_ground) add_ground(i, shape_on_ground_[i], points);
    if (next < near_.size() && near_[next].pair == i) add_pair(near_[next++], points);
  }
}

void ContactFinder::add_ground(std::size_t pair, std::size_t shape,
                               std::vector<FoundPoint>& points) const {
  const Pair& own = pairs_[pair];
  const Terrain& terrain = *contacts_[own.contact].element->settings().terrain;
  const Placed& placed = placed_[shape];
  const double distance = terrain.nearest(placed.pose.position).distance;
  if (distance > shapes_[shape].radius + placed.travel) return;
  for (int number = 0; number < own.shapes->point_count(); ++number) {
    const ContactPoint at = contact_point(placed.pose, terrain, number);
    if (at.depth > -placed.travel) points.push_back({own.contact, pair, at});
  }
}

void ContactFinder::add_pair(const Partner& partner, std::vector<FoundPoint>& points) const {
  const Pair& own = pairs_[partner.pair];
  const bool is_turned = shapes_[partner.a].shape->name != own.shapes->a.name ||
                         shapes_[partner.a].shape->frame.body != own.shapes->a.frame.body;
  const Placed &a = placed_[is_turned ? partner.b : partner.a],
               &b = placed_[is_turned ? partner.a : partner.b];
  const ContactCorners corners = contact_corners(a.pose, b.pose, a.travel + b.travel);
  for (int i = 0; i < corners.count; ++i) {
    points.push_back({own.contact, partner.pair, corners.points[static_cast<std::size_t>(i)]});
  }
}

}  // namespace spacedyn
