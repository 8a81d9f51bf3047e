#include "constraints/complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "math/decompositions.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

using Kind = ConstraintRow::Kind;
using Index = Eigen::Index;

/// Pivots of Lemke's method, as multiples of the size of the problem.
constexpr Index kMostPivots = 40;
/// Entries of a column below this part of its largest are rounding.
constexpr double kPivotRounding = 1e-10;
/// Ratios that differ by less tie.
constexpr double kTie = 1e-12;

/// Edges of a pyramid at first.
constexpr int kEdges = 8;
constexpr double kGoldenPart = 0.6180339887498949;

/// w = M z + q, 0 ≤ w ⊥ z ≥ 0, by the complementary pivots of Lemke.
class LemkeTableau {
 public:
  LemkeTableau(const MatrixX& M, const VectorX& q) : size_(q.size()), rows_(size_, 2 * size_ + 2) {
    // w − M z − d z_0 = q; a generic d keeps ties apart
    rows_.leftCols(size_).setIdentity();
    rows_.middleCols(size_, size_) = -M;
    for (Index i = 0; i < size_; ++i) {
      rows_(i, 2 * size_) = -1.0 - 0.5 * std::fmod(kGoldenPart * static_cast<double>(i + 1), 1.0);
      basis_.push_back(i);
    }
    rows_.col(2 * size_ + 1) = q;
  }

  bool solve() {
    Index entering = 2 * size_, leaving = 0;
    double least = 0.0;
    for (Index i = 0; i < size_; ++i) {
      const double value = rows_(i, 2 * size_ + 1) / -rows_(i, 2 * size_);
      if (value < least) least = value, leaving = i;
    }
    if (!(least < 0.0)) return true;
    for (Index k = 0; k < kMostPivots * size_; ++k) {
      const Index left = pivot(leaving, entering);
      if (left == 2 * size_) return true;
      entering = left < size_ ? left + size_ : left - size_;
      leaving = find_leaving(entering);
      if (leaving < 0) return false;
    }
    return false;
  }

  VectorX z() const {
    VectorX value = VectorX::Zero(size_);
    for (Index i = 0; i < size_; ++i) {
      const Index variable = basis_[static_cast<std::size_t>(i)];
      if (variable < size_ || variable == 2 * size_) continue;
      value(variable - size_) = std::max(0.0, rows_(i, 2 * size_ + 1));
    }
    return value;
  }

 private:
  Index pivot(Index row, Index column) {
    rows_.row(row) /= rows_(row, column);
    VectorX factors = rows_.col(column);
    factors(row) = 0.0;
    const Eigen::RowVectorXd pivots = rows_.row(row);
    rows_.noalias() -= factors * pivots;
    return std::exchange(basis_[static_cast<std::size_t>(row)], column);
  }

  /// The row whose variable first falls to zero; of those that tie that of z_0, which ends the
  /// pivots, or the largest entry.
  Index find_leaving(Index column) const {
    const auto values = rows_.col(2 * size_ + 1).cwiseMax(0.0);
    const double least_pivot =
        kPivotRounding * std::max(1.0, rows_.col(column).lpNorm<Eigen::Infinity>());
    double best = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < size_; ++i) {
      const double entry = rows_(i, column);
      if (entry > least_pivot) best = std::min(best, values(i) / entry);
    }
    Index found = -1;
    for (Index i = 0; i < size_; ++i) {
      const double entry = rows_(i, column);
      if (!(entry > least_pivot) || values(i) / entry > best + kTie) continue;
      if (basis_[static_cast<std::size_t>(i)] == 2 * size_) return i;
      if (found < 0 || entry > rows_(found, column)) found = i;
    }
    return found;
  }

  Index size_;
  MatrixX rows_;
  std::vector<Index> basis_;
};

}  // namespace

FrictionPyramid::FrictionPyramid(const std::vector<ConstraintRow>& rows, const MatrixX& G,
                                 const VectorX& own, const VectorX& free)
    : rows_(rows) {
  collect(G, own);
  reduce(G, free);
}

void FrictionPyramid::collect(const MatrixX& G, const VectorX& own) {
  std::vector<double> units;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const bool moves = row_moves(G, own, row);
    if (rows_[i].kind == Kind::tangential || !moves) continue;
    if (rows_[i].kind == Kind::bilateral) {
      bilateral_.push_back(row);
      continue;
    }
    Point point{static_cast<Index>(on_.size()), rows_[i].friction, rows_[i].least_reaction, {}, {}};
    points_.push_back(point);
    const Index count = point.friction > 0.0 ? 3 : 1;
    for (Index k = 0; k < count; ++k) {
      on_.push_back(row + k);
      units.push_back(1.0 / std::sqrt(G.block(row, row, count, count).trace()));
    }
  }
  unit_ = Eigen::Map<const VectorX>(units.data(), static_cast<Index>(units.size()));
  turn();
}

void FrictionPyramid::turn() {
  for (Point& point : points_) {
    point.edges.clear();
    for (int k = 0; k < kEdges; ++k) point.edges.push_back(2.0 * kPi * (k + turned_) / kEdges);
  }
  turned_ = std::fmod(turned_ + kGoldenPart, 1.0);
}

/// Eliminates bilateral rows; rates at the least reactions in units of the largest.
void FrictionPyramid::reduce(const MatrixX& G, const VectorX& free) {
  VectorX given = free;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Index>(i);
    given(row) -= rows_[i].least;
    if (rows_[i].least_reaction > 0.0) given += G.col(row) * rows_[i].least_reaction;
  }
  G_ = G(on_, on_);
  free_ = given(on_);
  if (!bilateral_.empty()) {
    const LeastNormSolver solver(G(bilateral_, bilateral_), kHeldResponse);
    held_ = -solver.solve(MatrixX(G(bilateral_, on_)));
    held_free_ = -solver.solve(VectorX(given(bilateral_)));
    G_ += G(on_, bilateral_) * held_;
    free_ += G(on_, bilateral_) * held_free_;
  }
  G_ = unit_.asDiagonal() * G_ * unit_.asDiagonal();
  free_ = unit_.asDiagonal() * free_;
  const double scale = on_.empty() ? 0.0 : free_.lpNorm<Eigen::Infinity>();
  if (!(scale > 0.0)) return;
  free_ /= scale;
  unit_ *= scale;
}

Index FrictionPyramid::size() const {
  return std::accumulate(points_.begin(), points_.end(), Index{0},
                         [](Index sum, const Point& point) { return sum + point.size(); });
}

/// Unknowns of each point: its normal reaction, friction along each edge, the speed of sliding.
std::optional<VectorX> FrictionPyramid::solve() {
  MatrixX directions = MatrixX::Zero(free_.size(), size());
  MatrixX M = MatrixX::Zero(size(), size());
  VectorX q = VectorX::Zero(size());
  Index column = 0;
  for (const Point& point : points_) {
    directions(point.normal, column) = 1.0;
    if (point.friction > 0.0) {
      const Index speed = column + point.size() - 1;
      Index edge = column;
      for (const double angle : point.edges) {
        ++edge;
        directions(point.normal + 1, edge) = std::cos(angle);
        directions(point.normal + 2, edge) = std::sin(angle);
        M(edge, speed) = 1.0;
        M(speed, edge) = -1.0;
      }
      M(speed, column) = point.friction;
      q(speed) = point.friction * point.least_reaction / unit_(point.normal);
    }
    column += point.size();
  }
  M += directions.transpose() * G_ * directions;
  q += directions.transpose() * free_;
  LemkeTableau tableau(M, q);
  is_solved_ = tableau.solve();
  if (!is_solved_) return std::nullopt;
  const VectorX z = tableau.z();
  column = 0;
  for (Point& point : points_) {
    const VectorX used = z.segment(column, point.size()).tail(point.size() - 1);
    point.uses.assign(used.begin(), used.end());
    column += point.size();
  }
  return reactions(directions * z);
}

VectorX FrictionPyramid::reactions(const VectorX& found) const {
  VectorX all = VectorX::Zero(static_cast<Index>(rows_.size()));
  all(on_) = unit_.asDiagonal() * found;
  if (!bilateral_.empty()) all(bilateral_) = held_free_ + held_ * VectorX(all(on_));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    all(static_cast<Index>(i)) += rows_[i].least_reaction;
  }
  return all;
}

void FrictionPyramid::refine() {
  if (!is_solved_) return turn();
  for (Point& point : points_) {
    if (!(point.friction > 0.0)) continue;
    const std::size_t count = point.edges.size();
    std::vector<double> finer;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t next = (k + 1) % count;
      const double angle = point.edges[k];
      const double after = next > 0 ? point.edges[next] : point.edges[0] + 2.0 * kPi;
      finer.push_back(angle);
      if (point.uses[k] > 0.0 || point.uses[next] > 0.0) finer.push_back(0.5 * (angle + after));
    }
    point.edges = finer;
    point.uses.assign(finer.size(), 0.0);
  }
}

}  // namespace spacedyn
