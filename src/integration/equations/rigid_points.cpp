#include "integration/equations/rigid_points.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "math/rodrigues.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {
namespace {

/// Differences of the geometry reach so far: in radians, or parts of the size of a shape. Where the
/// rate still changes by more than this part from one reach to its double, as that of a flat
/// ellipsoid does, they reach less far: with four points their error is the square of it. Where it
/// does at the least reach a face ends, and they reach to one side.
constexpr double kDifferenceReach = 1e-3;
constexpr double kSteadyRate = 1e-5;
constexpr int kReductions = 3;
constexpr double kReduction = 0.125;

Vector3 velocity_there(const EvaluationContext& context, int body, const Vector3& point) {
  const auto i = static_cast<std::size_t>(body);
  return context.velocities.v[i] + context.velocities.omega[i].cross(point - context.frames.r[i]);
}

/// A shape with the velocity of its centre.
struct MovingShape {
  ShapePose pose;
  Vector3 velocity = Vector3::Zero(), omega = Vector3::Zero();

  MovingShape() = default;
  MovingShape(const EvaluationContext& context, const BodyShape& shape)
      : pose(shape.at(context.frames)),
        velocity(velocity_there(context, shape.frame.body, pose.position)),
        omega(context.velocities.omega[static_cast<std::size_t>(shape.frame.body)]) {}

  /// As it moves on for a while at these velocities.
  ShapePose after(double time) const {
    ShapePose moved = pose;
    moved.position += time * velocity;
    moved.rotation = turn_by(time * omega, pose.rotation);
    return moved;
  }
  double radius() const { return bounding_radius(pose.type, pose.size, pose.hull); }
  double pace() const { return omega.norm() + velocity.norm() / radius(); }
};

/// How point and normal of a contact move over both bodies.
struct PointRate {
  Vector3 point = Vector3::Zero(), normal = Vector3::Zero();
};

/// As the first shape sees it where both begin, for differences of positions far from the origin,
/// or of those that fly fast together, are rounding.
PointRate rate_of(const RigidPoints::Point& place, MovingShape a, MovingShape b) {
  const ContactPair& pair = *place.pair;
  const Vector3 origin = a.pose.position;
  const Terrain* ground = place.contact->settings().terrain.get();
  std::optional<PlaneTerrain> near_ground;
  Vector3 common = Vector3::Zero();
  if (!pair.on_ground) {
    b.pose.position -= origin;
    common = a.velocity;
    b.velocity -= common;
    a.velocity.setZero();
  } else if (ground->is_plane()) {
    const SurfacePoint below = ground->nearest(origin);
    near_ground.emplace(below.normal, -below.distance);
    ground = &*near_ground;
  }
  if (!pair.on_ground || near_ground) a.pose.position.setZero();
  const auto from_there = [&](const PointRate& rate) {
    return PointRate{rate.point + common, rate.normal};
  };
  const double pace = std::max(a.pace(), pair.on_ground ? 0.0 : b.pace());
  if (!(pace > 0.0)) return from_there({});
  const auto locate = [&](double time) {
    return pair.on_ground ? contact_point(a.after(time), *ground, place.number)
                          : contact_point(a.after(time), b.after(time));
  };
  const auto difference = [&](double h) {
    const ContactPoint later = locate(h), earlier = locate(-h);
    return PointRate{(later.point - earlier.point) / (2.0 * h),
                     (later.normal - earlier.normal) / (2.0 * h)};
  };
  double h = kDifferenceReach / pace;
  PointRate near = difference(h), far = difference(2.0 * h);
  const auto is_steady = [&] {
    const double change = (far.point - near.point).norm();
    return change <= kSteadyRate * (near.point.norm() + pace * a.radius());
  };
  for (int i = 0; i < kReductions && !is_steady(); ++i) {
    h *= kReduction;
    near = difference(h);
    far = difference(2.0 * h);
  }
  if (is_steady()) {
    return from_there(
        {(4.0 * near.point - far.point) / 3.0, (4.0 * near.normal - far.normal) / 3.0});
  }
  // what follows counts, unless the face ends ahead: then what is
  const ContactPoint here = locate(0.0);
  const auto slope = [&](double reach) {
    const ContactPoint there = locate(reach);
    return PointRate{(there.point - here.point) / reach, (there.normal - here.normal) / reach};
  };
  for (const double reach : {h, -h}) {
    near = slope(reach);
    far = slope(2.0 * reach);
    if (is_steady()) break;
  }
  return from_there({2.0 * near.point - far.point, 2.0 * near.normal - far.normal});
}

/// What velocities add to the acceleration of a body where a moving point is.
Vector3 bias_at(const EvaluationContext& context, int body, const Vector3& point,
                const Vector3& point_rate) {
  const auto i = static_cast<std::size_t>(body);
  Frame there;
  there.body = body;
  there.position = context.frames.A[i].transpose() * (point - context.frames.o[i]);
  const Vector3 material =
      bias_acceleration(context.model, context.state, context.frames, context.velocities, there)
          .linear;
  return material +
         context.velocities.omega[i].cross(point_rate - velocity_there(context, body, point));
}

}  // namespace

RigidPoints::RigidPoints(const SystemElements& elements) {
  const auto reach = [](const BodyShape& shape) {
    return shape.frame.position.norm() + bounding_radius(shape.type, shape.size, shape.hull.get());
  };
  for (std::size_t slot = 0; slot < elements.slots().size(); ++slot) {
    const SystemElements::Slot& own = elements.slots()[slot];
    const RigidContact* contact = own.declared.rigid;
    if (contact == nullptr) continue;
    const std::size_t first = points_.size();
    for (const ContactPair& pair : contact->settings().pairs) {
      length_ = std::max({length_, reach(pair.a), pair.on_ground ? 0.0 : reach(pair.b)});
      for (int number = 0; number < pair.point_count(); ++number) {
        points_.push_back({contact, contacts_.size(), &pair, number});
      }
    }
    contacts_.push_back({contact, slot, own.first_integral, first, points_.size()});
  }
  const Model& model = *elements.system().model;
  for (int i = 1; i <= model.joint_count(); ++i) length_ += model.joint(i).origin.norm();
}

ContactPoint RigidPoints::locate(const LinkFrames& frames, std::size_t point) const {
  const Point& place = points_[point];
  const ShapePose a = place.pair->a.at(frames);
  return place.pair->on_ground ? contact_point(a, *place.contact->settings().terrain, place.number)
                               : contact_point(a, place.pair->b.at(frames));
}

RigidPointMotion RigidPoints::motion(const EvaluationContext& context, std::size_t point) const {
  const ContactPair& pair = *points_[point].pair;
  RigidPointMotion motion;
  motion.at = locate(context.frames, point);
  motion.axes = contact_axes(motion.at.normal);
  Vector3 velocity = velocity_there(context, pair.a.frame.body, motion.at.point);
  if (!pair.on_ground) velocity -= velocity_there(context, pair.b.frame.body, motion.at.point);
  motion.velocity = motion.axes.transpose() * velocity;
  return motion;
}

void RigidPoints::column(const EvaluationContext& context, std::size_t point, const Vector3& at,
                         const Vector3& direction, VectorRef column) const {
  const ContactPair& pair = *points_[point].pair;
  const int against = pair.on_ground ? -1 : pair.b.frame.body;
  point_row(context, {pair.a.frame.body, against}, at, direction, column);
}

Vector3 RigidPoints::bias(const EvaluationContext& context, std::size_t point,
                          const RigidPointMotion& motion) const {
  const Point& place = points_[point];
  const ContactPair& pair = *place.pair;
  const MovingShape a(context, pair.a);
  const MovingShape b = pair.on_ground ? MovingShape() : MovingShape(context, pair.b);
  const PointRate rate = rate_of(place, a, b);
  Vector3 sum = bias_at(context, pair.a.frame.body, motion.at.point, rate.point);
  if (!pair.on_ground) {
    sum -= bias_at(context, pair.b.frame.body, motion.at.point, rate.point);
  }
  Vector3 bias = motion.axes.transpose() * sum;
  bias(0) += rate.normal.dot(motion.axes * motion.velocity);
  return bias;
}

}  // namespace spacedyn
