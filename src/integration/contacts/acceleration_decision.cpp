#include "integration/contacts/acceleration_decision.hpp"

#include <algorithm>
#include <cmath>

#include "constraints/complementarity.hpp"
#include "integration/contacts/rigid_contacts.hpp"
#include "integration/contacts/tolerances.hpp"

namespace spacedyn {

bool AccelerationDecision::solve(const VectorX& x, double time,
                                 const std::vector<std::size_t>& closed, double residual) {
  using PointState = DiscreteState::ContactPointState;
  std::vector<PointState>& states = equations_.discrete().contact_points;
  const std::vector<PointState> modes = states;
  const std::vector<std::size_t> held = contacts_.held();
  // where one has come to its end all that are as slow may stick
  any_turns_ = std::any_of(closed.begin(), closed.end(), [&](std::size_t i) {
    return states[i].mode == PointState::Mode::sliding &&
           RigidContacts::sliding_margin(equations_, i) < 0.0;
  });
  for (PointState& state : states) state.mode = PointState::Mode::apart;
  for (const std::size_t i : held) contacts_.set_held(equations_, i, false);
  bool is_solved = equations_.evaluate_inside(x, time);
  states = modes;
  if (is_solved) {
    for (const std::size_t i : held) add_stop(i);
    for (const std::size_t i : closed) add_point(i);
    is_solved = solve_rows(residual);
  }
  for (const std::size_t i : held) contacts_.set_held(equations_, i, true);
  return is_solved && (held.empty() || equations_.update_kinematics(x, time));
}

void AccelerationDecision::add_row(const VectorX& column, const VectorX& force, double free,
                                   const ConstraintRow& row) {
  VectorX response(column.size());
  equations_.held().respond(column, response);
  own_.push_back(column.dot(response));
  if (&force != &column) equations_.held().respond(force, response);
  responses_.push_back(response);
  columns_.push_back(column);
  free_.push_back(free);
  conditions_.push_back(row);
}

void AccelerationDecision::add_stop(std::size_t stop) {
  const RestingContacts::Stop& place = contacts_.stops()[stop];
  const VectorX& acceleration = equations_.acceleration();
  const VectorX column = -place.outward * VectorX::Unit(acceleration.size(), place.joint + 5);
  ConstraintRow row;
  row.kind = ConstraintRow::Kind::unilateral;
  stops_.push_back({stop, false});
  add_row(column, column, column.dot(acceleration), row);
}

void AccelerationDecision::add_point(std::size_t i) {
  const RigidDynamics& rigid = *equations_.rigid();
  const RigidPoints& all = rigid.points();
  const EvaluationContext context = equations_.context();
  const VectorX& acceleration = equations_.acceleration();
  const RigidContact::Settings& settings = all.points()[i].contact->settings();
  Point point{i, static_cast<int>(conditions_.size()), all.motion(context, i), false, false, false};
  const Vector3 sliding = point.motion.sliding();
  const double slow = stick_speed(rigid, any_turns_);
  const auto& state = equations_.discrete().contact_points[i];
  point.keeps_straight = RigidDynamics::goes_straight(state) &&
                         (!any_turns_ || sliding.norm() > slow) &&
                         speed_along(rigid, point.motion, state) >= 0.0 &&
                         std::abs(RigidDynamics::across(point.motion, state).dot(sliding)) <= slow;
  point.slides = settings.static_friction > 0.0 && (point.keeps_straight || sliding.norm() > slow);
  point.has_cone = settings.static_friction > 0.0 && !point.slides;
  point.direction = point.keeps_straight ? state.direction : sliding.normalized();
  const Vector3 bias = all.bias(context, i, point.motion);
  VectorX column(acceleration.size());
  for (int k = 0; k < (point.has_cone ? 3 : 1); ++k) {
    all.column(context, i, point.motion.at.point, point.motion.axes.col(k), column);
    ConstraintRow row;
    row.kind = k == 0 ? ConstraintRow::Kind::unilateral : ConstraintRow::Kind::tangential;
    if (k == 0 && point.has_cone) row.friction = settings.static_friction;
    const double free = bias(k) + column.dot(acceleration);
    if (point.slides) {
      VectorX force(column.size());
      all.column(context, i, point.motion.at.point, point.direction, force);
      force = column - settings.friction * force;
      add_row(column, force, free, row);
    } else {
      add_row(column, column, free, row);
    }
  }
  points_.push_back(point);
}

bool AccelerationDecision::solve_rows(double residual) {
  const auto count = static_cast<Eigen::Index>(conditions_.size());
  MatrixX G(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index k = 0; k < count; ++k) {
      G(i, k) = columns_[static_cast<std::size_t>(i)].dot(responses_[static_cast<std::size_t>(k)]);
    }
  }
  const VectorX own = Eigen::Map<const VectorX>(own_.data(), count);
  const VectorX free = Eigen::Map<const VectorX>(free_.data(), count);
  ComplementarityProblem problem(conditions_, G, own, free);
  const auto status = problem.solve();
  // against a weight, or without any what turns the motion, what roundings press is nothing
  scale_ = equations_.loads().gravity.norm();
  if (scale_ == 0.0 && !points_.empty()) {
    const double speed = equations_.rigid()->speed();
    scale_ = speed * speed / equations_.rigid()->points().length();
  }
  if (count > 0) scale_ = std::max(scale_, free.lpNorm<Eigen::Infinity>());
  const bool is_near = status == ComplementarityProblem::Status::not_converged &&
                       problem.residual() <= residual * scale_;
  for (std::size_t k = 0; k < stops_.size(); ++k) stops_[k].pushes = problem.active()[k];
  if (status != ComplementarityProblem::Status::solved && !is_near && !points_.empty()) {
    const bool jams = status == ComplementarityProblem::Status::inconsistent;
    std::size_t guilty = 0;
    for (std::size_t k = 0; jams && k < points_.size(); ++k) {
      if (points_[k].row == problem.row()) guilty = k;
    }
    return equations_.failure().note(
        jams ? Failure::Cause::contact_jammed : Failure::Cause::contact_not_solved,
        equations_.rigid()->points().points()[points_[guilty].index].contact->name());
  }
  const VectorX at_end = problem.rates();
  for (Point& point : points_) {
    const Eigen::Index length = point.has_cone ? 3 : 1;
    point.force.head(length) = problem.reactions().segment(point.row, length);
    point.acceleration.head(length) = at_end.segment(point.row, length);
    point.response = own(point.row);
    point.free = free(point.row);
  }
  return true;
}

}  // namespace spacedyn
