#include "analysis/frame_task.hpp"

#include <cmath>
#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

constexpr double kRotationTolerance = 1e-6;

bool has_position(const FrameGoal& goal) { return goal.kind != GoalKind::orientation; }
bool has_orientation(const FrameGoal& goal) { return goal.kind != GoalKind::position; }

bool is_weight(double weight) { return std::isfinite(weight) && weight > 0.0; }

bool is_rotation(const Matrix3& A) {
  return A.allFinite() && orthogonality_error(A) <= kRotationTolerance && A.determinant() > 0.0;
}

void check_goal(const Model& model, const FrameGoal& goal, std::size_t g) {
  const std::string name = "goal " + std::to_string(g + 1) + " ('" + goal.frame.name + "'): ";
  if (goal.frame.body < 0 || goal.frame.body >= model.body_count()) {
    throw DomainError(name + "body " + std::to_string(goal.frame.body) +
                      " does not exist, expected 0 to " + std::to_string(model.body_count() - 1));
  }
  if (has_position(goal) && !goal.pose.position.allFinite()) {
    throw DomainError(name + "the position is not finite");
  }
  if (has_orientation(goal) && !is_rotation(goal.pose.rotation)) {
    throw DomainError(name + "expected a rotation: orthonormal to 1e-6 with determinant +1");
  }
  if ((has_position(goal) && !is_weight(goal.position_weight)) ||
      (has_orientation(goal) && !is_weight(goal.orientation_weight))) {
    throw DomainError(name + "expected positive weights");
  }
}

}  // namespace

FrameTask::FrameTask(const Model& model, std::vector<FrameGoal> goals) : goals_(std::move(goals)) {
  if (goals_.empty()) throw DomainError("inverse kinematics needs at least one goal");
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    check_goal(model, goals_[g], g);
    rows_ += (has_position(goals_[g]) ? 3 : 0) + (has_orientation(goals_[g]) ? 3 : 0);
  }
}

Vector6 FrameTask::error(const LinkFrames& frames, std::size_t g) const {
  const FrameGoal& goal = goals_[g];
  Vector6 error = Vector6::Zero();
  if (has_position(goal)) {
    error.head<3>() = goal.pose.position - frame_position(frames, goal.frame);
  }
  if (has_orientation(goal)) {
    error.tail<3>() = orientation_error(goal.pose.rotation, frame_orientation(frames, goal.frame));
  }
  return error;
}

void FrameTask::residual(const LinkFrames& frames, VectorX& residual) const {
  residual.resize(rows_);
  Eigen::Index row = 0;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const FrameGoal& goal = goals_[g];
    const Vector6 e = error(frames, g);
    if (has_position(goal)) {
      residual.segment<3>(row) = goal.position_weight * e.head<3>();
      row += 3;
    }
    if (has_orientation(goal)) {
      residual.segment<3>(row) = goal.orientation_weight * e.tail<3>();
      row += 3;
    }
  }
}

int FrameTask::residual_rate(const LinkFrames& frames, std::size_t g, const Matrix6X& twists,
                             Eigen::Ref<MatrixX> out) const {
  const FrameGoal& goal = goals_[g];
  int row = 0;
  if (has_position(goal)) {
    out.topRows(3) = goal.position_weight * twists.topRows<3>();
    row = 3;
  }
  if (has_orientation(goal)) {
    // A_now turns, so exp(e) = A_goal A_nowᵀ is multiplied from the right: ė = −dexp⁻¹(−e) ω
    const Vector3 e = error(frames, g).tail<3>();
    out.middleRows(row, 3) =
        goal.orientation_weight * dexp_inverse_so3(-e) * twists.bottomRows<3>();
    row += 3;
  }
  return row;
}

std::vector<GoalResidual> FrameTask::residuals(const LinkFrames& frames) const {
  std::vector<GoalResidual> result;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const Vector6 e = error(frames, g);
    result.push_back({e.head<3>().norm(), e.tail<3>().norm()});
  }
  return result;
}

Mover::~Mover() = default;

void RestingBase::frame_jacobian(const LinkFrames& frames, const Frame& frame,
                                 Eigen::Ref<Matrix6X> J) const {
  spacedyn::frame_jacobian(model_, frames, frame, J);
}

State RestingBase::move(const State& from, const VectorX& q) const {
  State moved = from;
  moved.q = q;
  return moved;
}

}  // namespace spacedyn
