#include "spacedyn/constraints/loop_equations.hpp"

#include <algorithm>
#include <cmath>

#include "constraints/coupling_row.hpp"
#include "constraints/elimination_plan.hpp"
#include "constraints/loop_rows.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// Joints between the base and a body, but not those between the base and another one; ascending.
std::vector<int> path_apart(const Model& model, int body, int other) {
  std::vector<int> path = joints_down_to(model, body, meeting_body(model, body, other));
  std::reverse(path.begin(), path.end());
  return path;
}

/// The shortest rotation vector that turns one unit vector to another; about `normal` where they
/// are opposite.
Vector3 turn_between(const Vector3& a, const Vector3& b, const Vector3& normal) {
  const Vector3 c = a.cross(b);
  const double sine = c.norm(), cosine = a.dot(b);
  if (sine > 0.0) return std::atan2(sine, cosine) / sine * c;
  return cosine > 0.0 ? Vector3(Vector3::Zero()) : Vector3(kPi * normal);
}

/// φ of the rows on the attitude.
Vector3 turn_of(const Loop& loop, const LoopPoints& points) {
  if (loop_traits(loop.type).rotations == 3) {
    const Vector3 turn = log_so3(points.from_axes.transpose() * points.to_axes);
    return points.from_axes * turn;
  }
  return turn_between(points.axes.col(2), points.to_axes * loop.axis, points.axes.col(0));
}

}  // namespace

double model_size(const Model& model) { return model_size(model, model.loops()); }

double model_size(const Model& model, const std::vector<Loop>& loops) {
  double size = 0.0;
  for (int i = 1; i <= model.joint_count(); ++i) size += model.joint(i).origin.norm();
  double points = 0.0;
  for (const Loop& loop : loops) {
    points = std::max({points, loop.from.position.norm(), loop.to.position.norm(), loop.length});
  }
  size += points;
  if (size > 0.0) return size;
  // of bodies whose joints are all in one place how far their masses reach
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.body(i);
    if (body.mass > 0.0) size = std::max(size, std::sqrt(0.5 * body.inertia_L.trace() / body.mass));
  }
  return size > 0.0 ? size : 1.0;
}

void LoopMotion::compute(const Model& model, const State& given) {
  take(given);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
}

LoopEquations::LoopEquations(const Model& model) : LoopEquations(model, model.loops()) {}

LoopEquations::LoopEquations(const Model& model, std::vector<Loop> loops)
    : model_(&model), loops_(std::make_shared<const std::vector<Loop>>(std::move(loops))) {
  for (const Loop& loop : *loops_) {
    const LoopTraits& traits = loop_traits(loop.type);
    Part part{&loop, rows_, Matrix3::Identity(), {}, {}};
    if (traits.has_axis) part.axes = rotation_from_z_to(loop.axis);
    if (traits.joins_points) {
      part.positive = path_apart(model, loop.to.body, loop.from.body);
      part.negative = path_apart(model, loop.from.body, loop.to.body);
    }
    parts_.push_back(std::move(part));
    rows_ += traits.rows();
  }
}

int LoopEquations::loop_of(int row) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), row,
                       [](int value, const Part& part) { return value < part.first; });
  return static_cast<int>(after - parts_.begin()) - 1;
}

bool LoopEquations::is_angle(int row) const {
  const Part& part = parts_[static_cast<std::size_t>(loop_of(row))];
  const LoopTraits& traits = loop_traits(part.loop->type);
  return traits.joins_points && row - part.first >= traits.translations;
}

void LoopEquations::residual(const LinkFrames& frames, const State& state,
                             VectorRef phi) const noexcept {
  SPACEDYN_ASSERT(phi.size() == rows_);
  for (const Part& part : parts_) {
    const Loop& loop = *part.loop;
    const LoopTraits& traits = loop_traits(loop.type);
    if (!traits.joins_points) {
      phi(part.first) = coupling_value(loop, state.q) - loop.offset;
      continue;
    }
    const LoopPoints points(loop, part.axes, frames);
    const Vector3 d = points.offset();
    if (loop.type == LoopType::distance) {
      phi(part.first) = d.norm() - loop.length;
      continue;
    }
    int next = part.first;
    for (int i = 0; i < traits.translations; ++i) {
      phi(next++) = points.axes.col(first_translation(traits) + i).dot(d);
    }
    if (loop.type == LoopType::universal) {
      phi(next) = (points.from_axes * loop.axis).dot(points.to_axes * loop.second_axis);
    } else if (traits.rotations > 0) {
      const Vector3 turn = turn_of(loop, points);
      for (int i = 0; i < traits.rotations; ++i) phi(next++) = points.axes.col(i).dot(turn);
    }
  }
}

void LoopEquations::jacobian(const LinkFrames& frames, const State& state,
                             Eigen::Ref<MatrixX> K_transposed) const noexcept {
  SPACEDYN_ASSERT(K_transposed.cols() == rows_);
  K_transposed.setZero();
  for (const Part& part : parts_) {
    const Loop& loop = *part.loop;
    for_each_coefficient(loop, state.q, [&](std::size_t i, double c) {
      K_transposed(loop.joints[i] + 5, part.first) = c;
    });
    if (!loop_traits(loop.type).joins_points) continue;
    const LoopPoints points(loop, part.axes, frames);
    const auto rows = loop_rows(loop, points);
    const auto fill = [&](const std::vector<int>& joints, double sign) {
      for (const int joint : joints) {
        // of both bodies the point that coincides with the second one
        const Vector3 linear = sign * linear_column(*model_, frames, joint, points.to);
        const Vector3 angular = sign * angular_column(*model_, frames, joint);
        for (int i = 0; i < loop.rows(); ++i) {
          const LoopRow& row = rows[static_cast<std::size_t>(i)];
          K_transposed(joint + 5, part.first + i) =
              row.linear.dot(linear) + row.angular.dot(angular);
        }
      }
    };
    fill(part.positive, 1.0);
    fill(part.negative, -1.0);
  }
}

void LoopEquations::velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                             const State& state, VectorRef rate) const noexcept {
  SPACEDYN_ASSERT(rate.size() == rows_);
  for (const Part& part : parts_) {
    const Loop& loop = *part.loop;
    if (!loop_traits(loop.type).joins_points) {
      rate(part.first) = coupling_rate(loop, state);
      continue;
    }
    const LoopPoints points(loop, part.axes, frames);
    const RelativeMotion motion(loop, points, frames, velocities);
    const auto rows = loop_rows(loop, points);
    for (int i = 0; i < loop.rows(); ++i) {
      const LoopRow& row = rows[static_cast<std::size_t>(i)];
      rate(part.first + i) = row.linear.dot(motion.w) + row.angular.dot(motion.omega);
    }
  }
}

/// @param acceleration  of a point, linear and angular, while u̇ = 0
template <typename Acceleration>
void LoopEquations::bias_from(const LinkFrames& frames, const LinkVelocities& velocities,
                              const State& state, const Acceleration& acceleration,
                              VectorRef k) const noexcept {
  SPACEDYN_ASSERT(k.size() == rows_);
  for (const Part& part : parts_) {
    const Loop& loop = *part.loop;
    if (!loop_traits(loop.type).joins_points) {
      k(part.first) = coupling_bias(loop, state);
      continue;
    }
    const LoopPoints points(loop, part.axes, frames);
    const RelativeMotion motion(loop, points, frames, velocities);
    const ClassicalAcceleration from = acceleration(loop.from), to = acceleration(loop.to);
    const Vector3 w_rate = to.linear - from.linear - from.angular.cross(points.offset()) -
                           motion.omega_from.cross(motion.velocity_to - motion.velocity_from);
    const Vector3 omega_rate = to.angular - from.angular;
    const auto rows = loop_rows(loop, points);
    for (int i = 0; i < loop.rows(); ++i) {
      const LoopRow& row = rows[static_cast<std::size_t>(i)];
      const LoopRow rate = row_rate(loop, points, motion, row);
      k(part.first + i) = -(row.linear.dot(w_rate) + row.angular.dot(omega_rate) +
                            rate.linear.dot(motion.w) + rate.angular.dot(motion.omega));
    }
  }
}

void LoopEquations::bias(const LinkFrames& frames, const LinkVelocities& velocities,
                         const State& state, VectorRef k) const noexcept {
  bias_from(
      frames, velocities, state,
      [&](const Frame& point) {
        return bias_acceleration(*model_, state, frames, velocities, point);
      },
      k);
}

void LoopEquations::bias(const LinkFrames& frames, const LinkVelocities& velocities,
                         const LinkAccelerations& coasting, const State& state,
                         VectorRef k) const noexcept {
  bias_from(
      frames, velocities, state,
      [&](const Frame& point) {
        return classical_acceleration(frames, velocities, coasting, point);
      },
      k);
}

Vector6 LoopEquations::wrench(int index, const LinkFrames& frames,
                              ConstVectorRef multipliers) const noexcept {
  const Part& part = parts_[static_cast<std::size_t>(index)];
  const Loop& loop = *part.loop;
  Vector6 wrench = Vector6::Zero();
  if (!loop_traits(loop.type).joins_points) return wrench;
  const LoopPoints points(loop, part.axes, frames);
  const auto rows = loop_rows(loop, points);
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (int i = 0; i < loop.rows(); ++i) {
    const double lambda = multipliers(part.first + i);
    force += lambda * rows[static_cast<std::size_t>(i)].linear;
    moment += lambda * rows[static_cast<std::size_t>(i)].angular;
  }
  moment += points.offset().cross(force);
  wrench.head<3>() = points.from_axes.transpose() * force;
  wrench.tail<3>() = points.from_axes.transpose() * moment;
  return wrench;
}

}  // namespace spacedyn
