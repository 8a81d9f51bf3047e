/// @file
/// The graph of a tree of bodies, as in section III.A of the paper.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// Connection vector B and everything that follows from it: incidence, paths, subtrees.
///
/// Bodies are numbered as in the paper: 0 is the base, links are 1…n with B_i < i, and joint i
/// carries link i. Memory is O(n); the dense matrices exist on request only.
class SPACEDYN_EXPORT Topology {
 public:
  using IntVector = Eigen::VectorXi;
  using IntRowVector = Eigen::RowVectorXi;
  using IntMatrix = Eigen::MatrixXi;

  /// A base alone, n = 0.
  Topology() : Topology(std::vector<int>{}) {}

  /// @param connection  B_1…B_n, each with 0 ≤ B_i < i
  /// @throws DomainError naming every entry that breaks this rule
  explicit Topology(std::vector<int> connection);

  /// Number n of links, which is the number of joints.
  int link_count() const { return static_cast<int>(connection_.size()); }

  /// B: index of the lower link of each link; element i−1 belongs to link i.
  const std::vector<int>& connection() const { return connection_; }
  /// B_i, 1 ≤ i ≤ n.
  int connection(int link) const { return connection_[static_cast<std::size_t>(link - 1)]; }

  /// Upper connections of body i (0 ≤ i ≤ n), ascending.
  const std::vector<int>& children(int body) const {
    return children_[static_cast<std::size_t>(body)];
  }

  /// S_ij: +1 if i = B_j, −1 if i = j, else 0 (1 ≤ i, j ≤ n).
  int incidence(int i, int j) const;
  /// S as a dense n×n matrix. @throws DimensionError for n > kMaxDenseLinks.
  IntMatrix incidence_matrix() const;
  /// S_0: 1 where a link is carried by the base, else 0 (1×n).
  IntRowVector base_incidence() const;
  /// S_e: 1 where a link is terminal, that is, carries no other link, else 0 (1×n).
  IntRowVector terminal_incidence() const;
  /// Whether a link carries no other link.
  bool is_terminal(int link) const { return children(link).empty(); }

  /// Links from the base (not included) to link i (included), ascending. Empty for the base.
  std::vector<int> path(int body) const;
  /// Number of joints between the base and body i.
  int depth(int body) const { return depth_[static_cast<std::size_t>(body)]; }
  /// Whether @p ancestor lies on the path from the base to @p body (the base and itself do).
  bool is_ancestor(int ancestor, int body) const;
  /// Body i and everything it carries, ascending.
  std::vector<int> subtree(int body) const;

  /// Largest n for which a dense n×n matrix is formed.
  static constexpr int kMaxDenseLinks = 2000;

 private:
  std::vector<int> connection_;
  std::vector<std::vector<int>> children_;
  std::vector<int> depth_;
};

}  // namespace spacedyn
