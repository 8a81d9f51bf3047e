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

}  // namespace spacedyn
