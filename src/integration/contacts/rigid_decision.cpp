// Which points hold from now on: the complementarity problem of accelerations.

#include <algorithm>
#include <cmath>

#include "integration/contacts/is_among.hpp"
#include "integration/contacts/rigid_contacts.hpp"
#include "integration/contacts/rigid_tolerances.hpp"

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

/// A solution for points that are closed.
struct RigidContacts::Decision {
  struct Point {
    std::size_t index;
    int row;  // of its normal
    RigidPointMotion motion;
    bool slides, has_cone;
    Vector3 force = Vector3::Zero();         // λ
    Vector3 acceleration = Vector3::Zero();  // w
    double response = 0.0;                   // of the point alone along its normal
    double free = 0.0;                       // w_n without any of these forces
  };
  std::vector<Point> points;
  double scale = 0.0;  // of accelerations
};

void RigidContacts::fail(const Instant& now) const {
  throw numerical_error(now.equations.model(), now.equations.layout(), now.equations.failure(),
                        now.time, 0);
}

/// The rows of closed points, and what their forces do.
struct RigidContacts::Rows {
  std::vector<ConstraintRow> conditions;
  std::vector<VectorX> columns;  // of K
  std::vector<VectorX> forces;   // likewise, friction of points that slide added
  std::vector<double> free;      // accelerations without them
};

RigidContacts::Decision RigidContacts::solve_accelerations(const Instant& now,
                                                           const Indices& closed,
                                                           double residual) const {
  EquationsOfMotion& equations = now.equations;
  std::vector<PointState>& states = equations.contact_points();
  const std::vector<PointState> before = states;
  for (PointState& state : states) state.mode = PointMode::apart;
  const bool is_evaluated = equations.evaluate_inside(now.x, now.time);
  states = before;
  if (!is_evaluated) fail(now);
  Decision decision;
  Rows rows;
  for (const std::size_t i : closed) add_rows(equations, i, rows, decision);
  solve_rows(now, rows, residual, decision);
  return decision;
}

void RigidContacts::add_rows(const EquationsOfMotion& equations, std::size_t i, Rows& rows,
                             Decision& decision) const {
  const EvaluationContext context = equations.context();
  const VectorX& acceleration = equations.acceleration();
  const RigidContact::Settings& settings = points_->points()[i].contact->settings();
  Decision::Point point{i, static_cast<int>(rows.conditions.size()), points_->motion(context, i),
                        false, false};
  const Vector3 sliding = point.motion.sliding();
  point.slides = settings.static_friction > 0.0 && sliding.norm() > kStickSpeed;
  point.has_cone = settings.static_friction > 0.0 && !point.slides;
  const Vector3 bias = points_->bias(context, i, point.motion);
  VectorX column(acceleration.size());
  for (int k = 0; k < (point.has_cone ? 3 : 1); ++k) {
    points_->column(context, i, point.motion.at.point, point.motion.axes.col(k), column);
    rows.columns.push_back(column);
    rows.free.push_back(bias(k) + column.dot(acceleration));
    if (point.slides) {
      VectorX across(column.size());
      points_->column(context, i, point.motion.at.point, sliding.normalized(), across);
      column -= settings.friction * across;
    }
    rows.forces.push_back(column);
    ConstraintRow row;
    row.kind = k == 0 ? ConstraintRow::Kind::unilateral : ConstraintRow::Kind::tangential;
    if (k == 0 && point.has_cone) row.friction = settings.static_friction;
    rows.conditions.push_back(row);
  }
  decision.points.push_back(point);
}

void RigidContacts::solve_rows(const Instant& now, const Rows& rows, double residual,
                               Decision& decision) const {
  EquationsOfMotion& equations = now.equations;
  const auto count = static_cast<Eigen::Index>(rows.conditions.size());
  const Eigen::Index size = equations.model().velocity_size();
  MatrixX K_T(size, count), responses(size, count);
  VectorX own(count), rates(count), response(size);
  for (Eigen::Index i = 0; i < count; ++i) {
    K_T.col(i) = rows.columns[static_cast<std::size_t>(i)];
    rates(i) = rows.free[static_cast<std::size_t>(i)];
    equations.respond(K_T.col(i), response);
    own(i) = K_T.col(i).dot(response);
    equations.respond(rows.forces[static_cast<std::size_t>(i)], response);
    responses.col(i) = response;
  }
  ComplementarityProblem problem(rows.conditions, K_T.transpose() * responses, own, rates);
  const auto status = problem.solve();
  // against a weight, what roundings press is nothing
  decision.scale = setup_.gravity.norm();
  if (count > 0) decision.scale = std::max(decision.scale, rates.lpNorm<Eigen::Infinity>());
  const bool is_near = status == ComplementarityProblem::Status::not_converged &&
                       problem.residual() <= residual * decision.scale;
  if (status != ComplementarityProblem::Status::solved && !is_near) {
    const bool jams = status == ComplementarityProblem::Status::inconsistent;
    std::size_t guilty = 0;
    for (std::size_t k = 0; jams && k < decision.points.size(); ++k) {
      if (decision.points[k].row == problem.row()) guilty = k;
    }
    equations.fail(jams ? Failure::Cause::contact_jammed : Failure::Cause::contact_not_solved,
                   *points_->points()[decision.points[guilty].index].contact);
    fail(now);
  }
  const VectorX at_end = problem.rates();
  for (Decision::Point& point : decision.points) {
    const Eigen::Index length = point.has_cone ? 3 : 1;
    point.force.head(length) = problem.reactions().segment(point.row, length);
    point.acceleration.head(length) = at_end.segment(point.row, length);
    point.response = own(point.row);
    point.free = rates(point.row);
  }
}

void RigidContacts::land(const Instant& now, const Indices& near, Aftermath& aftermath) const {
  const IntegratorOptions& options = setup_.integrator;
  const double resolution =
      options.absolute_tolerance.position + options.relative_tolerance * kLandingPart * size_;
  if (!now.equations.update_kinematics(now.x, now.time)) return;
  const Indices& struck = aftermath.struck;
  Indices pressed = near;
  while (!pressed.empty()) {
    const Decision decision = solve_accelerations(now, pressed, kPressingResidual);
    Indices lower;
    bool lifts_others = false;
    aftermath.rest.clear();
    aftermath.remaining = 0.0;
    for (const Decision::Point& point : decision.points) {
      const double velocity = -point.motion.approach();
      const double pressing = point.force(0) * point.response;
      const bool lifts = velocity > kNoParting && velocity * velocity > 2.0 * pressing * resolution;
      if (lifts) continue;
      lower.push_back(point.index);
      const bool is_struck = is_among(struck, point.index);
      lifts_others = lifts_others || (!is_struck && velocity > kNoParting);
      if (!is_struck || velocity <= kNoParting) continue;
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

bool RigidContacts::needs_decision(const Instant& now, const Indices& near, bool fired) const {
  if (fired) return !near.empty();
  const auto& states = now.equations.discrete().contact_points;
  const double rounding = speed_rounding(now.equations);
  const EvaluationContext context = now.equations.context();
  for (const std::size_t i : near) {
    if (states[i].mode == PointMode::touching) continue;
    if (states[i].mode == PointMode::apart) {
      const RigidPointMotion motion = points_->motion(context, i);
      if (motion.velocity(0) > std::max(rounding, kNoParting)) continue;
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

RigidContacts::Indices RigidContacts::decide(const Instant& now, const Indices& near) const {
  EquationsOfMotion& equations = now.equations;
  if (!equations.update_kinematics(now.x, now.time)) fail(now);
  const EvaluationContext context = equations.context();
  Indices closed;
  for (const std::size_t i : near) {
    const RigidPointMotion motion = points_->motion(context, i);
    const bool parts = motion.velocity(0) > std::max(kNoParting, speed_rounding(equations)) ||
                       motion.gap() > 2.0 * kTouchingGap * size_;
    if (parts) {
      equations.contact_points()[i] = {};
    } else {
      closed.push_back(i);
    }
  }
  if (closed.empty()) return {};
  return set_modes(now, solve_accelerations(now, closed, 0.0));
}

void RigidContacts::leave_out_carried(const Instant& now) const {
  std::vector<PointState>& states = now.equations.contact_points();
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
  for (std::size_t i = 0; i < point_count_; ++i) {
    const bool sticks = states[i].mode == PointMode::sticking;
    if (sticks && value(now.equations, 2 * i + 1) < 0.0) states[i].is_carried = true;
  }
}

RigidContacts::Indices RigidContacts::set_modes(const Instant& now,
                                                const Decision& decision) const {
  Indices begun;
  for (const Decision::Point& point : decision.points) {
    PointState& state = now.equations.contact_points()[point.index];
    const PointState before = state;
    state = {};
    const double rounding = kAccelerationRounding * decision.scale;
    if (!(point.force(0) * point.response > rounding)) {
      const bool opens = point.acceleration(0) > rounding;
      state.mode = opens ? PointMode::apart : PointMode::touching;
      continue;
    }
    const Vector3 tangential = point.motion.axes.rightCols<2>() * point.acceleration.tail<2>();
    state.mode = PointMode::sliding;
    if (point.slides && RigidDynamics::goes_straight(before)) {
      state = before;
    } else if (point.slides) {
      state.direction = point.motion.sliding().normalized();
    } else if (point.has_cone && tangential.norm() > rounding) {
      state.direction = tangential.normalized();
      begun.push_back(point.index);
    } else if (point.has_cone) {
      state.mode = PointMode::sticking;
    }
  }
  return begun;
}

void RigidContacts::straighten(const Instant& now, const Indices& begun) const {
  std::vector<PointState>& states = now.equations.contact_points();
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
}

void RigidContacts::release_turning(const Instant& now) const {
  std::vector<PointState>& states = now.equations.contact_points();
  bool any_turns = false;
  for (const RigidPoints::Contact& contact : points_->contacts()) {
    bool turns = false;
    for (std::size_t i = contact.first; i < contact.end; ++i) {
      if (!RigidDynamics::goes_straight(states[i])) continue;
      const RigidDynamics& rigid = *now.equations.rigid();
      const Vector3 friction = rigid.motion(i).axes.rightCols<2>() * rigid.force(i).tail<2>();
      const double aside = RigidDynamics::across(rigid.motion(i), states[i]).dot(friction);
      const double most = kStraightPart * contact.element->settings().friction *
                          rigid.normal_force(points_->points()[i].contact_index);
      turns = turns || std::abs(aside) > 0.5 * most;
    }
    for (std::size_t i = contact.first; turns && i < contact.end; ++i) {
      if (RigidDynamics::goes_straight(states[i])) states[i].is_carried = false;
    }
    any_turns = any_turns || turns;
  }
  if (any_turns) now.evaluate();
}

}  // namespace spacedyn
