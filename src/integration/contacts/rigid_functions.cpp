// Root functions of rigid contacts, at whose zeros modes change.
#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/contacts/rigid_contacts.hpp"
#include "integration/contacts/tolerances.hpp"
#include "integration/equations/projection.hpp"
#include "spacedyn/forces/declarations.hpp"

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

double RigidContacts::level(const EquationsOfMotion& equations, std::size_t function) {
  const std::size_t point = function / 2;
  const PointState& state = equations.discrete().contact_points[point];
  const RigidPoints& points = equations.rigid()->points();
  if (function % 2 == 0 && state.mode == PointMode::apart) {
    return -points.locate(equations.frames(), point).depth;
  }
  if (function % 2 == 1 && state.mode == PointMode::sliding && !state.is_carried) {
    return points.motion(equations.context(), point).sliding().dot(state.direction);
  }
  return value(equations, function);
}

double RigidContacts::rate(const EquationsOfMotion& equations, std::size_t function) {
  const std::size_t point = function / 2;
  const bool is_gap =
      function % 2 == 0 && equations.discrete().contact_points[point].mode == PointMode::apart;
  if (!is_gap) return 0.0;
  return equations.rigid()->points().motion(equations.context(), point).velocity(0);
}

bool RigidContacts::is_about(const Event& event) {
  return event.owner != nullptr && declarations_of(*event.owner).rigid != nullptr;
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

// Keeping the points of rigid contacts that hold on each other from step to step.
namespace {

using PointMode = DiscreteState::ContactPointState::Mode;

/// Newton's method ends when gaps are this multiple of rounding, or nearly and shrink no more.
constexpr int kMostGapIterations = 12;
constexpr double kClosedGap = 4.0;
constexpr double kNearlyClosedGap = 5e5;

/// Rows of points that hold, with what closes them.
class HoldingRows {
 public:
  /// @param tangents  whether tangents of points that stick are rows, too
  /// @param touching  whether points that touch without a force are
  HoldingRows(EquationsOfMotion& equations, const RigidPoints& points, bool tangents,
              bool touching) {
    const EvaluationContext context = equations.context();
    const auto& states = equations.discrete().contact_points;
    std::vector<VectorX> columns;
    VectorX column(equations.model().velocity_size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!states[i].holds() && !(touching && states[i].mode == PointMode::touching)) continue;
      const RigidPointMotion motion = points.motion(context, i);
      const bool straight = tangents && RigidDynamics::goes_straight(states[i]);
      const int count = tangents && states[i].mode == PointMode::sticking ? 3 : straight ? 2 : 1;
      for (int k = 0; k < count; ++k) {
        const bool is_across = straight && k == 1;
        const Vector3 axis =
            is_across ? RigidDynamics::across(motion, states[i]) : Vector3(motion.axes.col(k));
        points.column(context, i, motion.at.point, axis, column);
        columns.push_back(column);
        rates.conservativeResize(rates.size() + 1);
        rates(rates.size() - 1) = is_across ? axis.dot(motion.sliding()) : motion.velocity(k);
        gaps.conservativeResize(gaps.size() + 1);
        gaps(gaps.size() - 1) = motion.gap();
        rounding = std::max(rounding, gap_rounding(points, motion.at.point));
        owner.push_back(points.points()[i].contact_index);
      }
    }
    K_T_.resize(column.size(), static_cast<Eigen::Index>(columns.size()));
    responses_.resize(K_T_.rows(), K_T_.cols());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      K_T_.col(row) = columns[k];
      equations.held().respond(K_T_.col(row), responses_.col(row));
    }
  }

  /// H⁻¹ Kᵀ λ that changes the rates by so much.
  VectorX answer(const VectorX& change) const {
    const MatrixX G = K_T_.transpose() * responses_;
    return responses_ * (inverse_of_delassus(G, G.diagonal()) * change);
  }

  VectorX gaps, rates;
  double rounding = 0.0;  // of gaps
  std::vector<std::size_t> owner;

 private:
  MatrixX K_T_, responses_;
};

}  // namespace

bool RigidContacts::close(EquationsOfMotion& equations, VectorX& x, double time, bool touching) {
  const auto& states = equations.discrete().contact_points;
  const bool any_touches = touching && std::any_of(states.begin(), states.end(), [](auto& state) {
                             return state.mode == PointMode::touching;
                           });
  if (is_idle() || (!any_touches && !RigidDynamics::any_holds(equations.discrete()))) return true;
  if (!equations.update_kinematics(x, time)) return false;
  FreeGroups robots(equations.model(), equations.held().active_loops(), true);
  robots.note(equations);
  return close_positions(equations, x, time, touching) &&
         robots.restore_momentum(equations, x, time) &&
         close_velocities(equations, x, time, touching);
}

bool RigidContacts::close_positions(EquationsOfMotion& equations, VectorX& x, double time,
                                    bool touching) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostGapIterations; ++i) {
    if (!equations.held().update_loops()) return false;
    const HoldingRows rows(equations, *points_, false, touching);
    Eigen::Index row = 0;
    const double largest = rows.gaps.cwiseAbs().maxCoeff(&row);
    if (largest <= kClosedGap * rows.rounding) return true;
    if (!(largest < 0.5 * before)) {
      if (largest <= kNearlyClosedGap * rows.rounding) return true;
      return equations.failure().note(
          Failure::Cause::contact_not_kept,
          points_->contacts()[rows.owner[static_cast<std::size_t>(row)]].element->name());
    }
    before = largest;
    VectorX change = rows.answer(-rows.gaps);
    add_displacement(equations, change, x);
    if (!equations.update_kinematics(x, time)) return false;
  }
  return true;
}

bool RigidContacts::close_velocities(EquationsOfMotion& equations, VectorX& x, double time,
                                     bool touching) {
  if (!equations.held().update_loops()) return false;
  const HoldingRows rows(equations, *points_, true, touching);
  if (rows.rates.isZero(0.0)) return true;
  const VectorX change = rows.answer(-rows.rates);
  x.segment(equations.layout().v_0(), change.size()) += change;
  if (!equations.update_kinematics(x, time)) return false;
  const EvaluationContext context = equations.context();
  for (std::size_t i = 0; i < point_count_; ++i) {
    const auto& state = equations.discrete().contact_points[i];
    if (!state.holds()) continue;
    const RigidPointMotion motion = points_->motion(context, i);
    const double left =
        state.mode == PointMode::sticking ? motion.velocity.norm() : std::abs(motion.velocity(0));
    accounts_[points_->points()[i].contact_index].leave(left);
  }
  return true;
}

}  // namespace spacedyn
