#include <algorithm>
#include <cmath>

#include "loading/yaml/yaml_text.hpp"
#include "optimization/trajectory_path.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/reaction_null_space.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {
namespace {

/// Part of the distance to the goal that a step covers, and how many there are at most: the rest
/// of the way decays like exp(−step · number).
constexpr double kStep = 0.05;
constexpr int kMostSteps = 2000;
/// Of the length of the goal: what counts as arrived.
constexpr double kArrived = 1e-9;

/// The motion q̇ = N(q) (q_to − q) in joint space.
class NullSpaceFlow {
 public:
  explicit NullSpaceFlow(const TrajectoryTask& task)
      : task_(task),
        frames_(task.model),
        memory_(task.model),
        blocks_(task.model),
        null_space_(Reaction::angular, static_cast<int>(task.count())),
        state_(task.state),
        G_(MatrixX::Zero(task.model.joint_count(), task.count())) {
    for (Eigen::Index j = 0; j < task.count(); ++j) {
      G_(task.goal.joints[static_cast<std::size_t>(j)] - 1, j) = 1.0;
      spacedyn::follow(task.model, G_.col(j));
    }
  }

  VectorX operator()(const VectorX& q) {
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      state_.q(task_.goal.joints[static_cast<std::size_t>(j)] - 1) = q(j);
    }
    spacedyn::follow(task_.model, state_);
    compute_link_frames(task_.model, state_, frames_);
    compute_inertia_blocks(task_.model, frames_, memory_, blocks_);
    compute_reaction_null_space(blocks_, G_, {}, null_space_);
    return null_space_.projector * (task_.goal.to - q);
  }

 private:
  const TrajectoryTask& task_;
  LinkFrames frames_;
  JacobianWorkspace memory_;
  InertiaBlocks blocks_;
  ReactionNullSpace null_space_;
  State state_;
  MatrixX G_;
};

/// Postures along the way and how far they are from its begin.
struct Way {
  std::vector<VectorX> postures, tangents;
  std::vector<double> lengths;
  std::string stopped_by;  ///< joint whose limits end it

  double length() const { return lengths.back(); }
  /// A posture at a length, by cubics with the directions of the flow at both ends.
  VectorX at(double length) const;
};

VectorX Way::at(double length) const {
  const auto after = std::upper_bound(lengths.begin(), lengths.end(), length);
  if (after == lengths.end()) return postures.back();
  const auto i = static_cast<std::size_t>(after - lengths.begin());
  if (i == 0) return postures.front();
  const double h = lengths[i] - lengths[i - 1], s = (length - lengths[i - 1]) / h;
  const VectorX &a = postures[i - 1], &b = postures[i];
  const double s2 = s * s, s3 = s2 * s;
  return (2.0 * s3 - 3.0 * s2 + 1.0) * a + (s3 - 2.0 * s2 + s) * h * tangents[i - 1] +
         (3.0 * s2 - 2.0 * s3) * b + (s3 - s2) * h * tangents[i];
}

Way follow(const TrajectoryTask& task) {
  NullSpaceFlow flow(task);
  Way way;
  VectorX q = task.from;
  const double size = (task.goal.to - q).norm();
  const auto add = [&](double length) {
    const VectorX rate = flow(q);
    way.postures.push_back(q);
    way.tangents.push_back(rate / std::max(rate.norm(), 1e-300));
    way.lengths.push_back(length);
    return rate.norm();
  };
  double speed = add(0.0);
  for (int step = 0; step < kMostSteps && speed > kArrived * size; ++step) {
    const VectorX k1 = flow(q), k2 = flow(q + 0.5 * kStep * k1);
    const VectorX k3 = flow(q + 0.5 * kStep * k2), k4 = flow(q + kStep * k3);
    const VectorX change = kStep / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    const VectorX next = q + change;
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      if (next(j) <= task.limits.upper(j) && next(j) >= task.limits.lower(j)) continue;
      way.stopped_by = task.model.joint(task.goal.joints[static_cast<std::size_t>(j)]).name;
      return way;
    }
    q = next;
    speed = add(way.length() + change.norm());
  }
  return way;
}

}  // namespace

JointTrajectory plan_reactionless_path(const Model& model, const State& state,
                                       const TrajectoryGoal& goal, int rows) {
  const TrajectoryTask task(model, state, goal);
  if (model.has_fixed_base() || goal.base_turn) {
    throw DomainError("a path without reaction is for a base that floats and shall not turn");
  }
  if (rows < 3) throw DomainError("a path without reaction needs three rows at least");
  const Way way = follow(task);
  JointTrajectory result;
  result.joints = goal.joints;
  result.position.resize(task.count(), rows);
  for (int i = 0; i < rows; ++i) {
    const double s = static_cast<double>(i) / (rows - 1);
    const double part = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    result.position.col(i) = way.at(part * way.length());
    result.time.push_back(s * goal.duration.value_or(1e-2));
  }
  PathDynamics dynamics(model, state, goal.joints, goal.gravity);
  if (goal.duration) {
    check_trajectory(task, dynamics, result);
  } else {
    stretch(task, dynamics, result);
  }
  const double left = (goal.to - result.position.col(rows - 1)).norm();
  const double asked = (goal.to - task.from).norm();
  const bool has_arrived = left <= 1e-6 * std::max(asked, 1.0);
  result.message = has_arrived ? "the goal is reached"
                   : way.stopped_by.empty()
                       ? "the goal cannot be reached so; this is the nearest posture, " +
                             loading::format_number(left) + " from it"
                       : "'" + way.stopped_by + "' is at its limit, " +
                             loading::format_number(left) + " from the goal";
  check_clearance(task, result);
  judge(task, result);
  result.feasible = result.feasible && has_arrived;
  return result;
}

}  // namespace spacedyn
