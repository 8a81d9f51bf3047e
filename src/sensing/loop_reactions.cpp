#include "sensing/loop_reactions.hpp"

#include <algorithm>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
namespace {

/// Part of the largest singular value, and of a unit of force, that is rounding.
constexpr double kRounding = 1e-9;

/// Rows of motion constraints at an instant.
struct MotionColumns {
  MatrixX K_T;
  std::vector<const MotionConstraint*> motions;
  std::vector<MotionRows> rows;

  MotionColumns(const EvaluationContext& context, std::vector<const MotionConstraint*> of)
      : motions(std::move(of)), rows(motions.size()) {
    Eigen::Index count = 0;
    for (const MotionConstraint* motion : motions) count += motion->row_count();
    K_T = MatrixX::Zero(context.model.velocity_size(), count);
    for (std::size_t m = 0; m < motions.size(); ++m) motions[m]->rows(context, rows[m]);
    for (Eigen::Index row = 0; row < count; ++row) {
      for_each_force(
          context.frames, row, 1.0, [&](int body, const Vector3& force, const Vector3& moment) {
            add_generalized_force(context.model, context.frames, body, force, moment, K_T.col(row));
          });
    }
  }

  const std::string& owner(Eigen::Index row) const { return motions[place_of(row).first]->name(); }

  void add_to_loads(const LinkFrames& frames, const VectorX& multipliers, Loads& loads) const {
    for (Eigen::Index row = 0; row < multipliers.size(); ++row) {
      for_each_force(frames, row, multipliers(row),
                     [&](int body, const Vector3& force, const Vector3& moment) {
                       loads.force.col(body) += force;
                       loads.moment.col(body) += moment;
                     });
    }
  }

 private:
  /// The constraint of a row, and which of its rows it is.
  std::pair<std::size_t, std::size_t> place_of(Eigen::Index row) const {
    std::size_t motion = 0;
    while (row >= motions[motion]->row_count()) row -= motions[motion++]->row_count();
    return {motion, static_cast<std::size_t>(row)};
  }

  /// Visits bodies with the force, and its moment about their centroids, of a multiplier.
  template <typename Visit>
  void for_each_force(const LinkFrames& frames, Eigen::Index row, double multiplier,
                      const Visit& visit) const {
    const auto [motion, own] = place_of(row);
    const std::vector<int> bodies = motions[motion]->bodies();
    for (std::size_t p = 0; p < bodies.size(); ++p) {
      const Vector3 force = multiplier * rows[motion].rows[own].directions[p];
      const Vector3 arm = rows[motion].points[p] - frames.r[static_cast<std::size_t>(bodies[p])];
      visit(bodies[p], force, arm.cross(force));
    }
  }
};

}  // namespace

void add_to_loads(const LoopReactions& reactions, Loads& loads) noexcept {
  const LinkFrames& frames = reactions.frames;
  const std::vector<Loop>& loops = reactions.loops.loops();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const Frame &from = loops[i].from, &to = loops[i].to;
    const Vector6 own = reactions.loops.wrench(static_cast<int>(i), frames, reactions.multipliers);
    if (own.isZero(0.0)) continue;
    const Matrix3 axes = frame_orientation(frames, from);
    const Vector3 point = frame_position(frames, from);
    const Vector3 force = axes * own.head<3>(), moment = axes * own.tail<3>();
    loads.add_wrench(to.body, frames.r[static_cast<std::size_t>(to.body)], point, force, moment);
    loads.add_wrench(from.body, frames.r[static_cast<std::size_t>(from.body)], point, -force,
                     -moment);
  }
}

Vector6 wrench_of_neighbours(const EvaluationContext& motion,
                             const LinkAccelerations& accelerations, const Loads& loads, int body) {
  const auto i = static_cast<std::size_t>(body);
  const Matrix3& A = motion.frames.A[i];
  const Vector3 omega = A.transpose() * motion.velocities.omega[i];
  const Vector3 omegad = A.transpose() * accelerations.omegad[i];
  const Matrix3& I = motion.model.body(body).inertia_L;
  Vector6 wrench;
  wrench << motion.model.body(body).mass * (accelerations.vd[i] - loads.gravity),
      A * (I * omegad + omega.cross(I * omega));
  wrench.head<3>() -= loads.force.col(body);
  wrench.tail<3>() -= loads.moment.col(body);
  return wrench;
}

Vector6 wrench_beyond(const Model& model, const LinkFrames& frames, const Loads& loads, int body,
                      const Vector3& point) {
  Vector6 sum = Vector6::Zero();
  for (int i = body; i < model.body_count(); ++i) {
    if (i != body && !model.topology().is_ancestor(body, i)) continue;
    const Vector3 force = loads.force.col(i);
    sum.head<3>() += force;
    sum.tail<3>() +=
        loads.moment.col(i) + (frames.r[static_cast<std::size_t>(i)] - point).cross(force);
  }
  return sum;
}

std::string holder_of_ambiguous_reaction(const HeldSystem& system, int body) {
  if (system.loops.empty() && system.motions.empty()) return {};
  const Model& model = system.loops.model();
  LoopMotion near(model);
  near.compute(model, system.state);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, system.state, frames);
  compute_link_velocities(model, system.state, frames, velocities);
  const MotionColumns moving({system.time, model, system.state, frames, velocities, system.state.z},
                             system.motions);
  const Eigen::Index loop_rows = system.loops.rows(), rows = loop_rows + moving.K_T.cols();
  MatrixX K_T = MatrixX::Zero(model.velocity_size(), rows);
  system.loops.jacobian(near.frames, near.state, K_T.leftCols(loop_rows));
  K_T.rightCols(moving.K_T.cols()) = moving.K_T;
  const double length = model_size(model, system.loops.loops());
  VectorX unit = VectorX::Ones(rows);
  for (int row = 0; row < loop_rows; ++row) {
    if (system.loops.is_angle(row)) unit(row) = length;
  }
  const std::vector<int>& free = system.mobility.free();
  SingularValues values(std::max<int>(1, static_cast<int>(free.size())), static_cast<int>(rows));
  values.matrix().setZero();
  for (std::size_t i = 0; i < free.size(); ++i) {
    values.matrix().row(static_cast<Eigen::Index>(i)) =
        K_T.row(free[i]).cwiseProduct(unit.transpose());
  }
  values.decompose_relative(kRounding);
  const MatrixX kernel = values.kernel_basis();
  for (Eigen::Index k = 0; k < kernel.cols(); ++k) {
    const VectorX multipliers = kernel.col(k).cwiseProduct(unit);
    Loads loads(model);
    add_to_loads({system.loops, near.frames, multipliers}, loads);
    moving.add_to_loads(frames, multipliers.tail(moving.K_T.cols()), loads);
    const Vector6 wrench =
        wrench_beyond(model, frames, loads, body, frames.r[static_cast<std::size_t>(body)]);
    if (wrench.head<3>().norm() + wrench.tail<3>().norm() / length <= 1e3 * kRounding) continue;
    Eigen::Index row = 0;
    kernel.col(k).cwiseAbs().maxCoeff(&row);
    if (row >= loop_rows) return "constraint '" + moving.owner(row - loop_rows) + '\'';
    const int loop = system.loops.loop_of(static_cast<int>(row));
    return "loop '" + system.loops.loops()[static_cast<std::size_t>(loop)].name + '\'';
  }
  return {};
}

std::string ambiguous_reaction_text(const std::string& holder) {
  return "expected a joint whose reaction is unique: rows of " + holder +
         " follow from others, so forces go round in it that move nothing; a type with fewer rows "
         "leaves none of them open";
}

}  // namespace spacedyn
