#include "spacedyn/forces/motion_constraint.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {
namespace {

bool is_direction(const Vector3& vector) { return vector.allFinite() && !vector.isZero(0.0); }

/// A vector that is fixed in a frame, with its rate.
struct FixedVector {
  Vector3 value, rate;

  FixedVector(const EvaluationContext& context, const Frame& frame, const Vector3& in_frame)
      : value(frame_orientation(context.frames, frame) * in_frame),
        rate(context.velocities.omega[static_cast<std::size_t>(frame.body)].cross(value)) {}
};

/// From the centre to the contact, with its rate.
struct Lever {
  Vector3 value, rate = Vector3::Zero();

  /// Of a ball.
  Lever(double radius, const Vector3& normal) : value(-radius * normal) {}
  /// Of a disc.
  Lever(double radius, const Vector3& normal, const FixedVector& axis) {
    const double tilt = normal.dot(axis.value), tilt_rate = normal.dot(axis.rate);
    const Vector3 up = normal - tilt * axis.value;
    const Vector3 up_rate = -tilt_rate * axis.value - tilt * axis.rate;
    const double size = up.norm();
    const Vector3 direction = up / size;
    value = -radius * direction;
    rate = -radius / size * (up_rate - direction.dot(up_rate) * direction);
  }
};

}  // namespace

void MotionConstraint::apply(const EvaluationContext& /*context*/, Loads& /*loads*/) const {}

void MotionConstraint::declare(Declarations& declared) const { declared.motion = this; }

bool MotionConstraint::differentiate(const EvaluationContext& /*context*/,
                                     LoadDerivatives& /*derivatives*/) const {
  return true;
}

RollingConstraint::RollingConstraint(std::string name, Settings settings)
    : MotionConstraint(std::move(name)), settings_(std::move(settings)) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  require(settings_.radius > 0.0 && std::isfinite(settings_.radius),
          "the radius must be positive and finite");
  require(!settings_.axis || is_direction(*settings_.axis), "the axis must be finite and not zero");
  const Terrain* plane = settings_.terrain.get();
  require(plane != nullptr && plane->is_plane(),
          "a body rolls on a terrain of type plane or slope");
  if (settings_.axis) settings_.axis->normalize();
  axes_ = rotation_from_z_to(plane->normal(0.0, 0.0));
  height_ = axes_(2, 2) * plane->height(0.0, 0.0);
}

void RollingConstraint::check(const Model& model) const {
  check_body(*this, settings_.center.body, model);
  check_frame(model, settings_.center);
}

void RollingConstraint::declare(Declarations& declared) const {
  MotionConstraint::declare(declared);
  declared.ground = settings_.terrain.get();
}

void RollingConstraint::rows(const EvaluationContext& context, MotionRows& rows) const {
  const Frame& center = settings_.center;
  const Vector3 normal = axes_.col(2);
  const Lever lever = settings_.axis
                          ? Lever(settings_.radius, normal, {context, center, *settings_.axis})
                          : Lever(settings_.radius, normal);
  const Vector3& omega = context.velocities.omega[static_cast<std::size_t>(center.body)];
  const Vector3 velocity =
      point_velocity(context.frames, context.velocities, center) + omega.cross(lever.value);
  const ClassicalAcceleration of_center =
      bias_acceleration(context.model, context.state, context.frames, context.velocities, center);
  const Vector3 acceleration =
      of_center.linear + of_center.angular.cross(lever.value) + omega.cross(lever.rate);
  rows.points[0] = frame_position(context.frames, center) + lever.value;
  for (int i = 0; i < 3; ++i) {
    const Vector3 direction = axes_.col(i);
    MotionRow& row = rows.rows[static_cast<std::size_t>(i)];
    row = {{direction}, direction.dot(velocity), direction.dot(acceleration), 0.0, {}};
  }
  rows.rows[2].gap = normal.dot(rows.points[0]) - height_;
}

KnifeEdge::KnifeEdge(std::string name, Settings settings)
    : MotionConstraint(std::move(name)), settings_(std::move(settings)) {
  if (!is_direction(settings_.normal)) {
    throw DomainError(owner_prefix(*this) + "the normal must be finite and not zero");
  }
  settings_.normal.normalize();
}

void KnifeEdge::check(const Model& model) const {
  check_body(*this, settings_.at.body, model);
  check_frame(model, settings_.at);
}

void KnifeEdge::rows(const EvaluationContext& context, MotionRows& rows) const {
  const FixedVector normal(context, settings_.at, settings_.normal);
  const Vector3 velocity = point_velocity(context.frames, context.velocities, settings_.at);
  const Vector3 acceleration = bias_acceleration(context.model, context.state, context.frames,
                                                 context.velocities, settings_.at)
                                   .linear;
  rows.points[0] = frame_position(context.frames, settings_.at);
  rows.rows[0] = {{normal.value},
                  normal.value.dot(velocity),
                  normal.value.dot(acceleration) + normal.rate.dot(velocity),
                  0.0,
                  {}};
}

}  // namespace spacedyn
