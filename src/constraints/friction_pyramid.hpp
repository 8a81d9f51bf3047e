/// @file
/// Reactions with pyramids of friction in place of cones. Private.
#pragma once

#include <optional>
#include <vector>

#include "constraints/constraint_row.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Rows where each cone of friction is a pyramid: a linear complementarity problem, solved by
/// Lemke's pivots. Where G is positive semidefinite and some motion satisfies the rows it always
/// has a solution, and the pivots find one. With finer edges it approaches one of the cones.
class FrictionPyramid {
 public:
  /// @param own  as of ComplementarityProblem
  FrictionPyramid(const std::vector<ConstraintRow>& rows, const MatrixX& G, const VectorX& own,
                  const VectorX& free);

  /// @returns nothing where the pivots end without a solution
  std::optional<VectorX> solve();
  /// Halves the angles beside the edges that the solution uses; turns all edges where there is
  /// none.
  void refine();

 private:
  struct Point {
    Eigen::Index normal;  // in on_
    double friction, least_reaction;
    std::vector<double> edges;  // angles, ascending
    std::vector<double> uses;   // friction along them
    /// Of unknowns.
    Eigen::Index size() const {
      return friction > 0.0 ? static_cast<Eigen::Index>(edges.size()) + 2 : 1;
    }
  };

  void collect(const MatrixX& G, const VectorX& own);
  void turn();
  void reduce(const MatrixX& G, const VectorX& free);
  Eigen::Index size() const;
  VectorX reactions(const VectorX& found) const;

  const std::vector<ConstraintRow>& rows_;
  double turned_ = 0.3;  // first edge, as a part of the angle to the next: off axes of symmetry
  bool is_solved_ = false;
  std::vector<Point> points_;
  std::vector<Eigen::Index> on_, bilateral_;
  VectorX unit_;              // of the reactions of on_
  MatrixX G_, held_;          // held: reactions of bilateral rows by those of on_,
  VectorX free_, held_free_;  // and without them
};

}  // namespace spacedyn
