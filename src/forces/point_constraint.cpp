#include "spacedyn/forces/point_constraint.hpp"

#include <algorithm>
#include <array>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"

namespace spacedyn {

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
