/// @file
/// One Levenberg–Marquardt search from one start, and the descent towards a posture.
#pragma once

#include <vector>

#include "analysis/frame_task.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/state/configuration.hpp"

namespace spacedyn {

/// Bounds of the joint positions; infinite where there are none.
struct JointBox {
  VectorX lower, upper;
  std::vector<CompoundJoint> spherical;  ///< joints with a limit of their total angle
  std::vector<Follower> followers;

  JointBox(const Model& model, bool respect_limits);
  /// Positions within the bounds, joints that follow others where these put them.
  VectorX nearest(const VectorX& q) const;
};

/// Joint positions after a displacement, which turns spherical joints.
inline VectorX displaced(const Model& model, const VectorX& q, const VectorX& displacement) {
  VectorX moved = q;
  displace_joints(model, displacement, moved);
  return moved;
}

enum class DescentEnd { converged, stationary, iteration_limit };

/// What a search came to.
struct Descent {
  State state;                 ///< the last and best configuration
  std::vector<VectorX> knots;  ///< joint positions on the way, the start excluded
  double error = 0.0;          ///< ½|W e|²
  int iterations = 0;
  DescentEnd end = DescentEnd::stationary;
};

/// Searches from a start, one step after the other; owns the memory that all starts share.
class DampedDescent {
 public:
  DampedDescent(const Model& model, const FrameTask& task, Mover& mover, const JointBox& box,
                const InverseKinematicsSettings& settings);

  /// @pre the start keeps the bounds
  Descent run(const State& start);
  /// −∂(W e)/∂q of the goals, and below it that of the loops, until another state is looked at.
  const MatrixX& jacobian(const State& state);

 private:
  double evaluate(const State& state, VectorX& residual);
  void linearize(const State& state);
  bool reached() const;
  bool stationary(const VectorX& q) const;
  VectorX propose(const VectorX& q, double mu, double& predicted) const;

  const Model& model_;
  const FrameTask& task_;
  Mover& mover_;
  const JointBox& box_;
  const InverseKinematicsSettings& settings_;
  LoopEquations loops_;  // rows below those of the goals: −φ is to become zero
  MatrixX K_T_;
  VectorX phi_;
  LinkFrames frames_;
  VectorX e_;      // W e
  MatrixX J_;      // −∂(W e)/∂q
  VectorX drift_;  // −d(W e)/dt while the joints rest
  bool reached_ = false;
};

/// Moves a solution along the set of solutions towards a posture, as long as that gets nearer:
/// descent on ½|q − posture|² along what leaves the goals alone, each step led back to them.
/// Returns the number of iterations.
/// @param state  in: a configuration that reaches the goals; out: a nearer one that does, too
int approach_posture(const Model& model, const FrameTask& task, Mover& mover, const JointBox& box,
                     const InverseKinematicsSettings& settings, const VectorX& posture,
                     State& state);

}  // namespace spacedyn
