#include "analysis/posture.hpp"

#include <Eigen/SVD>

#include "spacedyn/constraints/loop_equations.hpp"

namespace spacedyn {
namespace {

constexpr int kLargestCount = 200;
constexpr double kStillness = 1e-9;   // of a step, rad or m
constexpr double kShortest = 1e-6;    // fraction of a step
constexpr double kRankRatio = 1e-10;  // singular values below this fraction of the largest are zero

MatrixX goal_jacobian(const Model& model, const FrameTask& task, Mover& mover, const State& state) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  mover.update(frames);
  const LoopEquations loops(model);
  MatrixX J(task.rows() + loops.rows(), model.joint_count());
  Matrix6X J_frame(6, model.joint_count());
  Eigen::Index row = 0;
  for (std::size_t g = 0; g < task.goals().size(); ++g) {
    mover.frame_jacobian(frames, task.goals()[g].frame, J_frame);
    row += task.residual_rate(frames, g, J_frame, J.middleRows(row, task.rows() - row));
  }
  if (loops.empty()) return J;
  MatrixX K_T(model.velocity_size(), loops.rows());
  loops.jacobian(frames, state, K_T);
  J.bottomRows(loops.rows()) = K_T.bottomRows(model.joint_count()).transpose();
  return J;
}

/// Part of `direction` that leaves the goals alone: (E − J⁺J) direction.
VectorX null_space_part(const MatrixX& J, const VectorX& direction) {
  const Eigen::JacobiSVD<MatrixX> svd(J, Eigen::ComputeThinU | Eigen::ComputeThinV);
  VectorX part = direction;
  for (Eigen::Index i = 0; i < svd.singularValues().size(); ++i) {
    if (svd.singularValues()(i) <= kRankRatio * svd.singularValues()(0)) break;
    part -= svd.matrixV().col(i) * svd.matrixV().col(i).dot(direction);
  }
  return part;
}

/// Projected direction towards the posture with those joints held that it would push out.
VectorX admissible_direction(MatrixX J, const VectorX& q, VectorX direction, const JointBox& box) {
  for (;;) {
    VectorX part = null_space_part(J, direction);
    bool pushes = false;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const bool out = part(i) < -kStillness ? q(i) <= box.lower(i)
                                             : part(i) > kStillness && q(i) >= box.upper(i);
      if (!out) continue;
      J.col(i).setZero();
      direction(i) = 0.0;
      pushes = true;
    }
    if (!pushes) return part;
  }
}

}  // namespace

int approach_posture(const Model& model, const FrameTask& task, Mover& mover, const JointBox& box,
                     const InverseKinematicsSettings& settings, const VectorX& posture,
                     State& state) {
  DampedDescent descent(model, task, mover, box, settings);
  const auto towards = [&](const State& at) { return joint_difference(model, at.q, posture); };
  double fraction = 1.0;
  int iterations = 0;
  while (iterations < kLargestCount && fraction > kShortest) {
    ++iterations;
    const VectorX direction = admissible_direction(goal_jacobian(model, task, mover, state),
                                                   state.q, towards(state), box);
    if (direction.lpNorm<Eigen::Infinity>() <= kStillness) break;
    const VectorX q = box.nearest(displaced(model, state.q, fraction * direction));
    const Descent led_back = descent.run(mover.move(state, q));
    const bool nearer = towards(led_back.state).norm() < towards(state).norm();
    if (led_back.end != DescentEnd::converged || !nearer) {
      fraction *= 0.5;
      continue;
    }
    state = led_back.state;
    fraction = std::min(1.0, 2.0 * fraction);
  }
  return iterations;
}

}  // namespace spacedyn
