/// @file
/// Levels, limits and solver of a WholeBody. Private.
#pragma once

#include <memory>
#include <vector>

#include "control/tasks/task_unknowns.hpp"

namespace spacedyn {

/// Levels, limits and solver of one controller in one thread.
class WholeBody::Stack {
 public:
  Stack(const WholeBody& owner, const Model& model);

  /// Rows of all tasks at an instant. Allocates nothing.
  void update(const EvaluationContext& context);
  /// @returns y
  const VectorX& solve(bool is_limited);
  /// By how much limits keep a level back, as WholeBody::shortfall().
  double shortfall(int* joint);
  /// Rows of a task for y.
  MatrixX for_solution(std::size_t task, VectorX& b) const;

  const long id;

 private:
  struct Group {
    std::vector<std::size_t> tasks;
    Eigen::Index rows = 0;
    MatrixX A;
    VectorX b;
    double miss = 0.0, free_miss = 0.0;
  };

  int limited_joint() const;

  const WholeBody& owner_;
  std::unique_ptr<TaskUnknowns> unknowns_;
  HierarchicalLeastSquares solver_;
  std::vector<Group> levels_;
  VectorX y_;
};

}  // namespace spacedyn
