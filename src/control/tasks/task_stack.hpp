/// @file
/// Levels, limits and solver of a WholeBody, and limits at level torque. Private.
#pragma once

#include <memory>
#include <vector>

#include "control/tasks/task_unknowns.hpp"
#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/math/hierarchical_least_squares.hpp"

namespace spacedyn {

/// Levels, limits and solver of one controller in one thread.
class WholeBody::Stack {
 public:
  Stack(const WholeBody& owner, const Model& model);

  /// Rows of all tasks at an instant. Allocates nothing.
  void update(const EvaluationContext& context);
  /// @returns y
  const VectorX& solve();
  /// As that of the owner.
  Shortfall shortfall();
  /// Rows of a task for y.
  MatrixX for_solution(std::size_t task, VectorX& b) const;

  const long id;

 private:
  struct Group {
    std::vector<std::size_t> tasks;
    int priority = 1;
    Eigen::Index rows = 0;
    MatrixX A;
    VectorX b;
    double miss = 0.0, free_miss = 0.0;
  };

  /// Takes a level. @pre those above it have been taken
  void minimize(Group& level);

  const WholeBody& owner_;
  std::unique_ptr<TaskUnknowns> unknowns_;
  HierarchicalLeastSquares solver_;
  std::vector<Group> levels_;
  VectorX y_;
};

/// l ≤ C x ≤ u of efforts, accelerations and forces of thrusters, in this order, for x = U y.
class TorqueLimits {
 public:
  /// @param unknowns  joints, then thrusters
  TorqueLimits(const WholeBody::Settings& settings, int unknowns);
  int count() const { return static_cast<int>(lower_.size()); }

  /// Takes over an instant. Allocates nothing.
  /// @param free_motion  accelerations of the driven joints at τ = 0
  /// @param upper_by_position, lower_by_position  out: whether the position of a driven joint
  /// limits its motion more than its rate does
  /// @returns whether there are limits
  bool update(const EvaluationContext& context, const VectorX& free_motion,
              std::vector<bool>& upper_by_position, std::vector<bool>& lower_by_position);
  /// C. @pre update() has returned true
  void take(const MatrixX& U, const MatrixX& inverse);
  bool act() const { return act_; }
  /// Begins a problem with an x within the limits; where efforts do not reach the others, as near
  /// to them as they do, and these are moved there.
  void start(HierarchicalLeastSquares& solver, const MatrixX& U);
  bool keep(ConstVectorRef x) const;

 private:
  void find_feasible(const MatrixX& U);
  /// Whether efforts give the least accelerations within the other limits: Uᵀ x of these.
  bool reach_least_accelerations(const MatrixX& U);
  void move_limits_to_first();

  const WholeBody::Settings& settings_;
  Eigen::Index joints_, unknowns_;
  MatrixX C_;
  VectorX lower_, upper_, first_;
  bool act_ = false;
  HierarchicalLeastSquares feasibility_;
  MatrixX slack_C_, slack_A_;
  VectorX slack_start_, none_;
};

}  // namespace spacedyn
