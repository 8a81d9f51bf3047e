// Which points hold from now on: the complementarity problem of accelerations.

#include <algorithm>
#include <cmath>

#include "integration/contacts/acceleration_decision.hpp"
#include "integration/contacts/impact.hpp"
#include "integration/contacts/rigid_contacts.hpp"
#include "integration/contacts/tolerances.hpp"

namespace spacedyn {
namespace {

using PointState = DiscreteState::ContactPointState;
using PointMode = PointState::Mode;

/// Forces and accelerations below this part of the largest are rounding.
constexpr double kAccelerationRounding = 1e-9;
/// Directions of points that slide side by side differ by less.
constexpr double kSideBySide = 1e-6;
/// Residual of what is only to say how hard points press that still bounce: as they do not move as
/// one body, their friction need not find an end.
constexpr double kPressingResidual = 1e-6;

}  // namespace

void RigidContacts::fail(const ContactInstant& now) const {
  throw numerical_error(now.equations.model(), now.equations.layout(), now.equations.failure(),
                        now.time, 0);
}

AccelerationDecision RigidContacts::solve_accelerations(const ContactInstant& now,
                                                        const Indices& closed,
                                                        double residual) const {
  AccelerationDecision decision(now.equations, now.stops);
  if (!decision.solve(now.x, now.time, closed, residual)) fail(now);
  return decision;
}

void RigidContacts::land(const ContactInstant& now, const Indices& near,
                         Aftermath& aftermath) const {
  const IntegratorOptions& options = setup_.integrator;
  const double resolution = options.absolute_tolerance.position +
                            options.relative_tolerance * kLandingPart * points_->length();
  if (!now.equations.update_kinematics(now.x, now.time)) return;
  const RigidDynamics& rigid = *now.equations.rigid();
  const Indices& struck = aftermath.struck;
  Indices pressed = near;
  while (!pressed.empty()) {
    const AccelerationDecision decision = solve_accelerations(now, pressed, kPressingResidual);
    Indices lower;
    bool lifts_others = false;
    aftermath.rest.clear();
    aftermath.remaining = 0.0;
    for (const AccelerationDecision::Point& point : decision.points()) {
      const double velocity = -point.motion.approach();
      const double no_parting = resting_speed(rigid, kNoParting, point.motion.at.point);
      const double pressing = point.force(0) * point.response;
      const bool lifts = velocity > no_parting && velocity * velocity > 2.0 * pressing * resolution;
      if (lifts) continue;
      lower.push_back(point.index);
      const bool is_struck = is_among(struck, point.index);
      lifts_others = lifts_others || (!is_struck && velocity > no_parting);
      if (!is_struck || velocity <= no_parting) continue;
      aftermath.rest.push_back(point.index);
      const double e = points_->points()[point.index].contact->settings().restitution;
      if (e == 1.0) continue;
      // nothing else holds it up where all that is pressed bounces
      const bool all_bounce = pressed.size() == struck.size() && point.free < 0.0;
      const double fall = all_bounce ? -point.free : pressing;
      aftermath.remaining = std::max(aftermath.remaining, 2.0 * velocity / (fall * (1.0 - e)));
    }
    const bool is_final = lower.size() == pressed.size();
    pressed = lower;
    if (!is_final) continue;
    if (lifts_others) aftermath.low = pressed;
    break;
  }
  if (pressed.empty()) aftermath.rest.clear();
}

bool RigidContacts::needs_decision(const ContactInstant& now, const Indices& near) const {
  const auto& states = now.equations.discrete().contact_points;
  const EvaluationContext context = now.equations.context();
  for (const std::size_t i : near) {
    if (states[i].mode == PointMode::touching) continue;
    if (states[i].mode == PointMode::apart) {
      const RigidPointMotion motion = points_->motion(context, i);
      const double no_parting = resting_speed(*now.equations.rigid(), kNoParting, motion.at.point);
      if (motion.velocity(0) > no_parting) continue;
      VectorX column(now.equations.acceleration().size());
      points_->column(context, i, motion.at.point, motion.axes.col(0), column);
      const double opening =
          points_->bias(context, i, motion)(0) + column.dot(now.equations.acceleration());
      if (!(opening > 0.0)) return true;
      continue;
    }
    for (const std::size_t kind : {std::size_t{0}, std::size_t{1}}) {
      if (value(now.equations, 2 * i + kind) < 0.0) return true;
    }
  }
  return false;
}

RigidContacts::Indices RigidContacts::decide(const ContactInstant& now, const Indices& near) const {
  EquationsOfMotion& equations = now.equations;
  if (!equations.update_kinematics(now.x, now.time)) fail(now);
  const EvaluationContext context = equations.context();
  Indices closed;
  for (const std::size_t i : near) {
    const RigidPointMotion motion = points_->motion(context, i);
    const Vector3& at = motion.at.point;
    const bool parts = motion.velocity(0) > resting_speed(*equations.rigid(), kNoParting, at) ||
                       motion.gap() > 2.0 * touching_gap(*points_, at);
    if (parts) {
      equations.discrete().contact_points[i] = {};
    } else {
      closed.push_back(i);
    }
  }
  if (closed.empty()) return {};
  const AccelerationDecision decision = solve_accelerations(now, closed, 0.0);
  now.stops.release_pulled(equations, decision);
  return set_modes(now, decision);
}

void RigidContacts::leave_out_carried(const ContactInstant& now) const {
  std::vector<PointState>& states = now.equations.discrete().contact_points;
  for (std::size_t pass = 0; pass < point_count_; ++pass) {
    std::size_t least = point_count_;
    for (std::size_t i = 0; i < point_count_; ++i) {
      if (!states[i].holds() || !(value(now.equations, 2 * i) < 0.0)) continue;
      const auto& rigid = *now.equations.rigid();
      if (least == point_count_ || rigid.force(i)(0) < rigid.force(least)(0)) least = i;
    }
    if (least == point_count_) break;
    states[least] = {};
    states[least].mode = PointMode::touching;
    now.evaluate();
  }
}

void RigidContacts::yield(const ContactInstant& now) {
  std::vector<PointState>& states = now.equations.discrete().contact_points;
  const RigidDynamics& rigid = *now.equations.rigid();
  for (std::size_t pass = 0; pass < point_count_; ++pass) {
    Indices begun;
    for (std::size_t i = 0; i < point_count_; ++i) {
      if (states[i].mode != PointMode::sticking || !(value(now.equations, 2 * i + 1) < 0.0))
        continue;
      states[i].is_carried = !states[i].is_carried && rigid.is_redundant();
      if (states[i].is_carried && !(value(now.equations, 2 * i + 1) < 0.0)) continue;
      begun.push_back(i);
    }
    for (const std::size_t i : begun) {
      const Vector3 friction = rigid.motion(i).axes.rightCols<2>() * rigid.force(i).tail<2>();
      states[i] = {PointMode::sliding, -friction.normalized(), false};
    }
    if (begun.empty()) return;
    straighten(now, begun);
    now.evaluate();
    release_turning(now);
    leave_out_carried(now);
  }
}

RigidContacts::Indices RigidContacts::set_modes(const ContactInstant& now,
                                                const AccelerationDecision& decision) const {
  Indices begun;
  for (const AccelerationDecision::Point& point : decision.points()) {
    PointState& state = now.equations.discrete().contact_points[point.index];
    state = {};
    const double rounding = kAccelerationRounding * decision.scale();
    if (!(point.force(0) * point.response > rounding)) {
      const bool opens = point.acceleration(0) > rounding;
      state.mode = opens ? PointMode::apart : PointMode::touching;
      continue;
    }
    const Vector3 tangential = point.motion.axes.rightCols<2>() * point.acceleration.tail<2>();
    state.mode = PointMode::sliding;
    if (point.slides) {
      state.direction = point.direction;
      state.is_carried = point.keeps_straight;
    } else if (point.has_cone && tangential.norm() > rounding) {
      state.direction = tangential.normalized();
      begun.push_back(point.index);
    } else if (point.has_cone) {
      state.mode = PointMode::sticking;
    }
  }
  return begun;
}

void RigidContacts::straighten(const ContactInstant& now, const Indices& begun) const {
  std::vector<PointState>& states = now.equations.discrete().contact_points;
  for (const RigidPoints::Contact& contact : points_->contacts()) {
    if (!(contact.element->settings().friction > 0.0)) continue;
    Indices own;
    bool side_by_side = true;
    for (std::size_t i = contact.first; i < contact.end; ++i) {
      if (states[i].mode != PointMode::sliding || states[i].is_carried) continue;
      own.push_back(i);
      const Vector3 turned = states[i].direction - states[own.front()].direction;
      side_by_side = side_by_side && turned.norm() < kSideBySide && is_among(begun, i);
    }
    for (std::size_t k = 0; side_by_side && k < own.size(); ++k) {
      states[own[k]].direction = states[own.front()].direction;
      states[own[k]].is_carried = true;
    }
  }
  // what slides slowly may, too, where friction has turned it as far as it does
  for (std::size_t i = 0; i < point_count_; ++i) {
    if (states[i].mode != PointMode::sliding || states[i].is_carried) continue;
    if (!(points_->points()[i].contact->settings().friction > 0.0)) continue;
    const RigidPointMotion motion = points_->motion(now.equations.context(), i);
    if (!(motion.sliding().norm() > kTurnedSpeed * now.equations.rigid()->speed())) continue;
    states[i].is_carried = true;
    if (turns_slowly(*now.equations.rigid(), motion, states)) {
      states[i].direction = motion.sliding().normalized();
    } else {
      states[i].is_carried = false;
    }
  }
}

void RigidContacts::release_turning(const ContactInstant& now) {
  std::vector<PointState>& states = now.equations.discrete().contact_points;
  const RigidDynamics& rigid = *now.equations.rigid();
  std::size_t turned = point_count_;
  for (std::size_t i = 0; i < point_count_; ++i) {
    if (!RigidDynamics::goes_straight(states[i])) continue;
    const RigidPoints::Point& place = points_->points()[i];
    const RigidPointMotion& motion = rigid.motion(i);
    const Vector3 friction = motion.axes.rightCols<2>() * rigid.force(i).tail<2>();
    const double aside = std::abs(RigidDynamics::across(motion, states[i]).dot(friction));
    const double part = straight_part(rigid, motion, states);
    const double most =
        part * place.contact->settings().friction * rigid.normal_force(place.contact_index);
    if (!(aside > 0.5 * most)) continue;
    turned = i;
    if (aside <= 2.0 * most && turns_slowly(rigid, motion, states)) {
      states[i].direction = -friction.normalized();
      continue;
    }
    const RigidPoints::Contact& all = points_->contacts()[place.contact_index];
    for (std::size_t k = all.first; k < all.end; ++k) {
      if (RigidDynamics::goes_straight(states[k])) states[k].is_carried = false;
    }
  }
  if (turned == point_count_) return;
  settle(now, turned);
  now.evaluate();
}

}  // namespace spacedyn
