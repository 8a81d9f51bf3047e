#include "integration/equations/rigid_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spacedyn {
namespace {

/// Part of the speed below which points that slide have no direction of their own.
constexpr double kNoSlip = 1e-10;

/// Between these the relative tolerance of steps counts.
constexpr double kLeastTolerance = 1e-13;
constexpr double kMostTolerance = 1e-4;

/// Part of the largest response below which a row follows from others.
constexpr double kRedundantRow = 1e-10;

/// Part of the largest normal force that a point counts as pressing at least.
constexpr double kLeastPressing = 1e-6;

/// Part of a point's own response below which friction jams it.
constexpr double kJammedResponse = 1e-9;

using PointMode = DiscreteState::ContactPointState::Mode;

}  // namespace

RigidDynamics::RigidDynamics(const SystemElements& elements, double tolerance)
    : points_(elements),
      tolerance_(std::clamp(tolerance, kLeastTolerance, kMostTolerance)),
      motions_(points_.size()),
      biases_(points_.size()),
      forces_(points_.size(), Vector3::Zero()),
      powers_(points_.size(), 0.0) {
  const Eigen::Index size = elements.system().model->velocity_size();
  column_ = response_ = VectorX::Zero(size);
  factorization_.setThreshold(kRedundantRow);
}

bool RigidDynamics::any_holds(const DiscreteState& discrete) {
  return std::any_of(discrete.contact_points.begin(), discrete.contact_points.end(),
                     [](const auto& point) { return point.holds(); });
}

void RigidDynamics::clear() {
  std::fill(forces_.begin(), forces_.end(), Vector3::Zero());
  std::fill(powers_.begin(), powers_.end(), 0.0);
}

bool RigidDynamics::goes_straight(const PointState& state) {
  return state.mode == PointMode::sliding && state.is_carried;
}

Vector3 RigidDynamics::across(const RigidPointMotion& motion, const PointState& state) {
  return motion.axes.col(0).cross(start_of(motion, state));
}

double RigidDynamics::no_slip() const {
  return std::max(kNoSlip * speed_, std::numeric_limits<double>::min());
}

Vector3 RigidDynamics::start_of(const RigidPointMotion& motion, const PointState& state) {
  const Vector3 n = motion.axes.col(0);
  return (state.direction - n.dot(state.direction) * n).normalized();
}

Vector3 RigidDynamics::direction_of(const RigidPointMotion& motion, const PointState& state) const {
  const Vector3 start = start_of(motion, state);
  if (goes_straight(state)) return start;
  const Vector3 sliding = motion.sliding();
  const double along = start.dot(sliding);
  if (along > no_slip()) return sliding.normalized();
  return (sliding + (no_slip() - along) * start).normalized();
}

void RigidDynamics::update_directions(const EvaluationContext& context,
                                      DiscreteState& discrete) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    auto& state = discrete.contact_points[i];
    if (state.mode != PointMode::sliding || state.is_carried) continue;
    const Vector3 sliding = points_.motion(context, i).sliding();
    if (sliding.norm() > no_slip()) state.direction = sliding.normalized();
  }
}

const RigidContact* RigidDynamics::solve(const EvaluationContext& context,
                                         const DiscreteState& discrete, ConstVectorRef acceleration,
                                         const Response& respond, Loads& loads) {
  clear();
  assemble(context, discrete, acceleration);
  if (rows_.empty()) return nullptr;
  const RigidContact* jammed = respond_to_rows(context, discrete, respond);
  if (jammed != nullptr) return jammed;
  solve_rows();
  add_loads(context, discrete, loads);
  return nullptr;
}

void RigidDynamics::solve_rows() {
  G_ = scale_.asDiagonal() * G_ * scale_.asDiagonal();
  right_.array() *= scale_.array();
  const auto keep = [&](const VectorX& solution) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      forces_[rows_[row].point](rows_[row].component) = solution(static_cast<Eigen::Index>(row));
    }
  };
  factorization_.compute(G_);
  keep(factorization_.solve(right_).cwiseProduct(scale_));
  if (factorization_.rank() == G_.rows()) return;
  // friction where it presses
  double largest = 0.0;
  for (const Row& row : rows_) largest = std::max(largest, forces_[row.point](0));
  if (!(largest > 0.0)) return;
  weights_.resize(G_.rows());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double part = std::max(forces_[rows_[i].point](0) / largest, 0.0) + kLeastPressing;
    const double weight = rows_[i].component == 0 ? 1.0 : std::sqrt(part);
    weights_(row) = scale_(row) > 0.0 ? weight / scale_(row) : 0.0;
  }
  factorization_.compute(MatrixX(G_ * weights_.asDiagonal()));
  keep(factorization_.solve(right_).cwiseProduct(weights_).cwiseProduct(scale_));
}

void RigidDynamics::assemble(const EvaluationContext& context, const DiscreteState& discrete,
                             ConstVectorRef acceleration) {
  rows_.clear();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!discrete.contact_points[i].holds()) continue;
    const PointState& state = discrete.contact_points[i];
    const int count = state.mode == PointMode::sticking ? 3 : goes_straight(state) ? 2 : 1;
    for (int k = 0; k < count; ++k) rows_.push_back({i, k});
  }
  const auto count = static_cast<Eigen::Index>(rows_.size());
  K_T_.resize(column_.size(), count);
  responses_.resize(column_.size(), count);
  right_.resize(count);
  scale_.resize(count);
  for (Eigen::Index row = 0; row < count; ++row) {
    const Row& own = rows_[static_cast<std::size_t>(row)];
    if (own.component == 0) {
      motions_[own.point] = points_.motion(context, own.point);
      biases_[own.point] = points_.bias(context, own.point, motions_[own.point]);
    }
    const RigidPointMotion& motion = motions_[own.point];
    const PointState& state = discrete.contact_points[own.point];
    const bool is_across = own.component > 0 && state.mode == PointMode::sliding;
    const Vector3 axis = is_across ? across(motion, state) : motion.axes.col(own.component);
    points_.column(context, own.point, motion.at.point, axis, K_T_.col(row));
    right_(row) = -axis.dot(motion.axes * biases_[own.point]) - K_T_.col(row).dot(acceleration);
  }
}

const RigidContact* RigidDynamics::respond_to_rows(const EvaluationContext& context,
                                                   const DiscreteState& discrete,
                                                   const Response& respond) {
  for (Eigen::Index row = 0; row < K_T_.cols(); ++row) {
    const std::size_t point = rows_[static_cast<std::size_t>(row)].point;
    const RigidContact& contact = *points_.points()[point].contact;
    respond(K_T_.col(row), responses_.col(row));
    const double own = K_T_.col(row).dot(responses_.col(row));
    scale_(row) = own > 0.0 ? 1.0 / std::sqrt(own) : 0.0;
    const auto& state = discrete.contact_points[point];
    const bool is_normal = rows_[static_cast<std::size_t>(row)].component == 0;
    if (state.mode != PointMode::sliding || contact.settings().friction == 0.0) continue;
    if (!is_normal) continue;
    const RigidPointMotion& motion = motions_[point];
    points_.column(context, point, motion.at.point, direction_of(motion, state), column_);
    respond(column_, response_);
    responses_.col(row) -= contact.settings().friction * response_;
    if (K_T_.col(row).dot(responses_.col(row)) <= kJammedResponse * own) return &contact;
  }
  G_.noalias() = K_T_.transpose() * responses_;
  return nullptr;
}

void RigidDynamics::add_loads(const EvaluationContext& context, const DiscreteState& discrete,
                              Loads& loads) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const auto& state = discrete.contact_points[i];
    if (!state.holds()) continue;
    const RigidPointMotion& motion = motions_[i];
    const RigidPoints::Point& place = points_.points()[i];
    const double friction_coefficient = place.contact->settings().friction;
    if (state.mode == PointMode::sliding && friction_coefficient > 0.0) {
      Vector3 friction = -friction_coefficient * forces_[i](0) * direction_of(motion, state);
      powers_[i] = std::min(0.0, friction.dot(motion.sliding()));
      if (state.is_carried) friction += forces_[i](1) * across(motion, state);
      forces_[i].tail<2>() = motion.axes.rightCols<2>().transpose() * friction;
    }
    const Vector3 force = motion.axes * forces_[i];
    const auto add = [&](int body, double sign) {
      loads.add_wrench(body, context.frames.r[static_cast<std::size_t>(body)], motion.at.point,
                       sign * force, Vector3::Zero());
    };
    add(place.pair->a.frame.body, 1.0);
    if (!place.pair->on_ground) add(place.pair->b.frame.body, -1.0);
  }
}

double RigidDynamics::normal_force(std::size_t contact) const {
  const RigidPoints::Contact& own = points_.contacts()[contact];
  double sum = 0.0;
  for (std::size_t i = own.first; i < own.end; ++i) sum += forces_[i](0);
  return sum;
}

double RigidDynamics::friction_power(std::size_t contact) const {
  const RigidPoints::Contact& own = points_.contacts()[contact];
  double power = 0.0;
  for (std::size_t i = own.first; i < own.end; ++i) power += powers_[i];
  return power;
}

}  // namespace spacedyn
