/// @file
/// The goals of inverse kinematics as one weighted residual and its Jacobian, and how the base
/// moves meanwhile.
#pragma once

#include <vector>

#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/state/state.hpp"

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

/// What a search must know about the motion of the base.
class Mover {
 public:
  virtual ~Mover();

  /// Prepares the next two functions for a configuration.
  virtual void update(const LinkFrames& frames) = 0;
  /// Inertial twist of a frame per joint rate, 6×n.
  virtual void frame_jacobian(const LinkFrames& frames, const Frame& frame,
                              Eigen::Ref<Matrix6X> J) const = 0;
  /// Inertial twist of a frame while the joints rest.
  virtual Vector6 drift(const LinkFrames& frames, const Frame& frame) const = 0;

  /// Time that a joint displacement takes, s.
  virtual double duration(const VectorX& displacement) const = 0;
  /// Where the system is when its joints have moved straight to q.
  virtual State move(const State& from, const VectorX& q) const = 0;
};

/// A base that stays where it is.
class RestingBase : public Mover {
 public:
  explicit RestingBase(const Model& model) : model_(model) {}

  void update(const LinkFrames&) override {}
  void frame_jacobian(const LinkFrames& frames, const Frame& frame,
                      Eigen::Ref<Matrix6X> J) const override;
  Vector6 drift(const LinkFrames&, const Frame&) const override { return Vector6::Zero(); }
  double duration(const VectorX&) const override { return 0.0; }
  State move(const State& from, const VectorX& q) const override;

 private:
  const Model& model_;
};

}  // namespace spacedyn
