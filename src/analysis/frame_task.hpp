/// @file
/// The goals of inverse kinematics as one weighted residual and its Jacobian.
#pragma once

#include <vector>

#include "spacedyn/analysis/inverse_kinematics_problem.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// W e: for each goal the weighted position error, then the weighted orientation error, of those
/// that count.
class FrameTask {
 public:
  /// @throws DomainError naming the first goal that does not fit the model.
  FrameTask(const Model& model, std::vector<FrameGoal> goals);

  const std::vector<FrameGoal>& goals() const { return goals_; }
  int rows() const { return rows_; }

  /// Errors of goal g: position, then orientation; zero for the part that does not count.
  Vector6 error(const LinkFrames& frames, std::size_t g) const;
  /// W e, size rows().
  void residual(const LinkFrames& frames, VectorX& residual) const;
  /// What twists of the goals' frames take from W e: writes rows of goal g into `out`, from
  /// inertial twists in the columns of `twists`, and returns the number of rows.
  int residual_rate(const LinkFrames& frames, std::size_t g, const Matrix6X& twists,
                    Eigen::Ref<MatrixX> out) const;
  /// Norms of the errors, one for each goal.
  std::vector<GoalResidual> residuals(const LinkFrames& frames) const;

 private:
  std::vector<FrameGoal> goals_;
  int rows_ = 0;
};

}  // namespace spacedyn
