#include "sensing/loop_reactions.hpp"

#include <algorithm>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
namespace {

/// Part of the largest singular value, and of a unit of force, that is rounding.
constexpr double kRounding = 1e-9;

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

const Loop* loop_of_ambiguous_reaction(const LoopEquations& loops, const Mobility& mobility,
                                       const State& state, int body) {
  if (loops.empty()) return nullptr;
  const Model& model = loops.model();
  LoopMotion motion(model);
  motion.compute(model, state);
  MatrixX K_T = MatrixX::Zero(model.velocity_size(), loops.rows());
  loops.jacobian(motion.frames, motion.state, K_T);
  const double length = model_size(model, loops.loops());
  VectorX unit = VectorX::Ones(loops.rows());
  for (int row = 0; row < loops.rows(); ++row) {
    if (loops.is_angle(row)) unit(row) = length;
  }
  const std::vector<int>& free = mobility.free();
  SingularValues values(std::max<int>(1, static_cast<int>(free.size())), loops.rows());
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
    add_to_loads({loops, motion.frames, multipliers}, loads);
    const Vector6 wrench = wrench_beyond(model, motion.frames, loads, body,
                                         motion.frames.r[static_cast<std::size_t>(body)]);
    if (wrench.head<3>().norm() + wrench.tail<3>().norm() / length <= 1e3 * kRounding) continue;
    Eigen::Index row = 0;
    kernel.col(k).cwiseAbs().maxCoeff(&row);
    return &loops.loops()[static_cast<std::size_t>(loops.loop_of(static_cast<int>(row)))];
  }
  return nullptr;
}

std::string ambiguous_reaction_text(const Loop& loop) {
  return "expected a joint whose reaction is unique: rows of loop '" + loop.name +
         "' follow from others, so forces go round in it that move nothing; a type of loop with "
         "fewer rows leaves none of them open";
}

}  // namespace spacedyn
