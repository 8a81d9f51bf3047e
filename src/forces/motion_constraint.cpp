#include "spacedyn/forces/motion_constraint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/point_constraint.hpp"
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

PointConstraint::PointConstraint(std::string name, Settings settings)
    : MotionConstraint(std::move(name)), settings_(std::move(settings)) {
  const auto require = [this](bool condition, const std::string& what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  const auto count = static_cast<int>(settings_.points.size());
  require(static_cast<bool>(settings_.function), "it has no function");
  require(count >= 1 && count <= kMostPoints,
          "expected 1 to 4 points, got " + std::to_string(count));
  require(settings_.rows >= 1 && settings_.rows <= kMostRows,
          "expected 1 to 3 rows, got " + std::to_string(settings_.rows));
}

void PointConstraint::check(const Model& model) const {
  for (const Frame& point : settings_.points) {
    check_body(*this, point.body, model);
    check_frame(model, point);
  }
}

std::vector<int> PointConstraint::bodies() const {
  std::vector<int> bodies;
  for (const Frame& point : settings_.points) bodies.push_back(point.body);
  return bodies;
}

PointConstraint::Values PointConstraint::at(const Points& points, double time) const {
  Values values;
  values.value = values.rate = Rows::Zero(settings_.rows);
  values.gradient = Gradient::Zero(settings_.rows, 3 * points.cols());
  settings_.function(points, time, values);
  return values;
}

PointConstraint::Rows PointConstraint::bias(const Points& points, const Points& velocities,
                                            double time) const {
  Rows bias = Rows::Zero(settings_.rows);
  if (settings_.bias) {
    settings_.bias(points, velocities, time, bias);
    return bias;
  }
  constexpr double kStep = 0.01;  // s, or m of the fastest point
  constexpr std::array<double, 3> kWeights{0.75, -0.15, 1.0 / 60.0};
  const double step = kStep / std::max(1.0, velocities.colwise().norm().maxCoeff());
  const auto rate = [&](double later) -> Rows {
    const Values values = at(points + later * velocities, time + later);
    return values.gradient * velocities.reshaped() + values.rate;
  };
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    const double later = step * static_cast<double>(i + 1);
    bias += kWeights[i] / step * (rate(later) - rate(-later));
  }
  return bias;
}

void PointConstraint::rows(const EvaluationContext& context, MotionRows& rows) const {
  const auto count = static_cast<Eigen::Index>(settings_.points.size());
  Points points(3, count), velocities(3, count), accelerations(3, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Frame& point = settings_.points[static_cast<std::size_t>(i)];
    points.col(i) = frame_position(context.frames, point);
    velocities.col(i) = point_velocity(context.frames, context.velocities, point);
    accelerations.col(i) =
        bias_acceleration(context.model, context.state, context.frames, context.velocities, point)
            .linear;
    rows.points[static_cast<std::size_t>(i)] = points.col(i);
  }
  const Values values = at(points, context.time);
  const Rows along = bias(points, velocities, context.time);
  for (int k = 0; k < settings_.rows; ++k) {
    MotionRow& row = rows.rows[static_cast<std::size_t>(k)];
    row.rate = values.gradient.row(k).dot(velocities.reshaped()) + values.rate(k);
    row.bias = values.gradient.row(k).dot(accelerations.reshaped()) + along(k);
    row.imposed = -values.rate(k);
    row.gap = values.value(k);
    for (Eigen::Index i = 0; i < count; ++i) {
      row.directions[static_cast<std::size_t>(i)] =
          values.gradient.row(k).segment<3>(3 * i).transpose();
    }
  }
}

}  // namespace spacedyn
