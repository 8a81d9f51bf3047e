/// @file
/// The graph of a tree of bodies, as in section III.A of the paper.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// Some links in ascending order: the columns of the entries of a sparse row. Valid as long as the
/// topology that gave it.
class LinkList {
 public:
  LinkList(const int* begin, const int* end) : begin_(begin), end_(end) {}

  const int* begin() const { return begin_; }
  const int* end() const { return end_; }
  int size() const { return static_cast<int>(end_ - begin_); }
  bool empty() const { return begin_ == end_; }
  int front() const { return *begin_; }
  int back() const { return end_[-1]; }
  int operator[](int i) const { return begin_[i]; }

 private:
  const int* begin_;
  const int* end_;
};

/// Connection vector B, and the incidence matrices S, S_0, S_e that follow from it. The rows
/// of S_0 and S give the order of all recursions over the tree: outward from roots() along
/// children(), inward the same in reverse.
///
/// Bodies are numbered as in the paper: 0 is the base, links are 1…n with B_i < i, and joint i
/// carries link i. S_0 and S are kept as compressed sparse rows of one matrix with S_0 on top; the
/// diagonal of S, −1, takes no memory. Memory is O(n); dense matrices exist on request only.
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

  /// Links that the base carries: the columns j with S_0j = 1.
  LinkList roots() const { return children(0); }
  /// Upper connections of body i (0 ≤ i ≤ n): the columns j with S_ij = +1, of the base with
  /// S_0j = 1.
  LinkList children(int body) const {
    const int* first = carried_.data();
    const auto row = static_cast<std::size_t>(body);
    return {first + row_begin_[row], first + row_begin_[row + 1]};
  }
  /// Links that carry no other: the columns j with S_ej = 1.
  LinkList terminals() const { return {terminals_.data(), terminals_.data() + terminals_.size()}; }

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
  std::vector<int> carried_;    // columns of the entries +1 of [S_0; S], row by row
  std::vector<int> row_begin_;  // of row i in carried_; size n + 2
  std::vector<int> terminals_;  // columns of the entries of S_e
  std::vector<int> depth_;
};

}  // namespace spacedyn
