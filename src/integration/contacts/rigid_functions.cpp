// Root functions of rigid contacts, at whose zeros modes change.

#include <algorithm>
#include <cmath>

#include "integration/contacts/rigid_contacts.hpp"
#include "integration/contacts/rigid_tolerances.hpp"

namespace spacedyn {
namespace {

using PointState = DiscreteState::ContactPointState;
using PointMode = PointState::Mode;

/// Part of a force that counts as rounding.
constexpr double kForceRounding = 1e-12;

double normal_function(const EquationsOfMotion& equations, std::size_t point) {
  const PointState& state = equations.discrete().contact_points[point];
  if (!state.holds()) {
    const RigidPoints& points = equations.rigid()->points();
    const ContactPoint at = points.locate(equations.frames(), point);
    const double gap = -at.depth, touching = touching_gap(points, at.point);
    if (state.mode != PointMode::apart) return touching - std::abs(gap);
    if (gap >= 0.0 || gap < -touching) return gap;
    // what has just bounced from below zero, by a rounding, is on its way out
    const RigidPointMotion motion = points.motion(equations.context(), point);
    return motion.velocity(0) > 0.0 ? -gap : gap;
  }
  const Vector3& force = equations.rigid()->force(point);
  return force(0) + kForceRounding * force.norm();
}

/// What the friction of a point that sticks bears beyond its force.
double sticking_margin(const EquationsOfMotion& equations, std::size_t point) {
  const RigidDynamics& rigid = *equations.rigid();
  const Vector3& force = rigid.force(point);
  const double friction = rigid.points().points()[point].contact->settings().static_friction;
  return friction * force(0) - force.tail<2>().norm() + kForceRounding * force.norm();
}

double friction_function(const EquationsOfMotion& equations, std::size_t point) {
  const PointState& state = equations.discrete().contact_points[point];
  const RigidDynamics& rigid = *equations.rigid();
  const RigidContact::Settings& settings = rigid.points().points()[point].contact->settings();
  if (!state.holds() || settings.static_friction == 0.0) return 1.0;
  if (state.mode == PointMode::sliding) {
    if (settings.friction == 0.0) return 1.0;
    const RigidPointMotion& motion = rigid.motion(point);
    const double along = RigidContacts::sliding_margin(equations, point);
    if (!state.is_carried) return along;
    const Vector3 friction = motion.axes.rightCols<2>() * rigid.force(point).tail<2>();
    const double aside = std::abs(RigidDynamics::across(motion, state).dot(friction));
    const double pressing = rigid.normal_force(rigid.points().points()[point].contact_index);
    const double part = straight_part(rigid, motion, equations.discrete().contact_points);
    return std::min(along, part * settings.friction * pressing - aside);
  }
  if (!state.is_carried) return sticking_margin(equations, point);
  // together with all that stick beside it
  const std::size_t contact = rigid.points().points()[point].contact_index;
  const RigidPoints::Contact& all = rigid.points().contacts()[contact];
  double sum = 0.0;
  for (std::size_t i = all.first; i < all.end; ++i) {
    const bool sticks = equations.discrete().contact_points[i].mode == PointMode::sticking;
    if (sticks) sum += sticking_margin(equations, i);
  }
  return sum;
}

}  // namespace

double RigidContacts::sliding_margin(const EquationsOfMotion& equations, std::size_t point) {
  const PointState& state = equations.discrete().contact_points[point];
  const RigidDynamics& rigid = *equations.rigid();
  const RigidPointMotion& motion = rigid.motion(point);
  const double along = speed_along(rigid, motion, state), speed = motion.sliding().norm();
  const bool has_direction = speed > kTurnedSpeed * rigid.speed();
  if (state.is_carried || !has_direction || speed >= stick_speed(rigid, true)) return along;
  // explicit steps do not follow it down to zero
  const Vector3 direction = motion.sliding() / speed;
  VectorX column(equations.acceleration().size());
  rigid.points().column(equations.context(), point, motion.at.point, direction, column);
  const double rate =
      direction.dot(motion.axes * rigid.bias(point)) + column.dot(equations.acceleration());
  return std::min(along, rate);
}

bool RigidContacts::needs_forces(const EquationsOfMotion& equations) {
  return RigidDynamics::any_holds(equations.discrete());
}

double RigidContacts::value(const EquationsOfMotion& equations, std::size_t function) {
  const std::size_t point = function / 2;
  return function % 2 == 0 ? normal_function(equations, point)
                           : friction_function(equations, point);
}

double RigidContacts::rate(const EquationsOfMotion& equations, std::size_t function) {
  const std::size_t point = function / 2;
  const bool is_gap =
      function % 2 == 0 && equations.discrete().contact_points[point].mode == PointMode::apart;
  if (!is_gap) return 0.0;
  return equations.rigid()->points().motion(equations.context(), point).velocity(0);
}

bool RigidContacts::is_about(const Event& event) {
  return dynamic_cast<const RigidContact*>(event.owner) != nullptr;
}

bool RigidContacts::concerns(const EquationsOfMotion& equations, std::size_t function,
                             const Event& event) const {
  if (function % 2 != 0) return false;
  const RigidPoints::Point& place = points_->points()[function / 2];
  if (event.owner != place.contact) return false;
  const bool begins = equations.discrete().contact_points[function / 2].mode == PointMode::apart;
  const bool held = holds(equations, place.contact_index);
  // what bounces parts at once
  const bool bounces = begins && place.contact->settings().restitution > 0.0;
  switch (event.direction) {
    case CrossingDirection::rising:
      return begins && !held;
    case CrossingDirection::falling:
      return !begins || (bounces && !held);
    case CrossingDirection::both:
      return true;
  }
  return false;
}

}  // namespace spacedyn
