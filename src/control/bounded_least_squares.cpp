#include "spacedyn/control/bounded_least_squares.hpp"

#include <algorithm>

namespace spacedyn {
namespace {

constexpr double kSlopeTolerance = 1e-12;
/// Part of a column beside the others, below which it depends on them.
constexpr double kDependent = 1e-14;

}  // namespace

BoundedLeastSquares::BoundedLeastSquares(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      is_free_(static_cast<std::size_t>(columns), 0),
      Q_(rows, columns),
      R_(columns, columns),
      step_(columns),
      residual_(rows) {
  free_.reserve(static_cast<std::size_t>(columns));
}

bool BoundedLeastSquares::solve_free(const MatrixX& B, const VectorX& b, ConstVectorRef u) {
  const auto count = static_cast<Eigen::Index>(free_.size());
  residual_ = b;
  for (int j = 0; j < columns_; ++j) {
    if (is_free_[static_cast<std::size_t>(j)] == 0) residual_ -= u(j) * B.col(j);
  }
  for (Eigen::Index i = 0; i < count; ++i) Q_.col(i) = B.col(free_[static_cast<std::size_t>(i)]);
  // modified Gram-Schmidt with the right side carried along
  for (Eigen::Index i = 0; i < count; ++i) {
    const double before = B.col(free_[static_cast<std::size_t>(i)]).norm();
    R_(i, i) = Q_.col(i).norm();
    if (!(R_(i, i) > kDependent * before)) return false;
    Q_.col(i) /= R_(i, i);
    for (Eigen::Index j = i + 1; j < count; ++j) {
      R_(i, j) = Q_.col(i).dot(Q_.col(j));
      Q_.col(j) -= R_(i, j) * Q_.col(i);
    }
    step_(i) = Q_.col(i).dot(residual_);
    residual_ -= step_(i) * Q_.col(i);
  }
  for (Eigen::Index i = count; i-- > 0;) {
    for (Eigen::Index k = i + 1; k < count; ++k) step_(i) -= R_(i, k) * step_(k);
    step_(i) /= R_(i, i);
  }
  return true;
}

void BoundedLeastSquares::solve(const MatrixX& B, const VectorX& b, VectorRef u) {
  u.setZero();
  std::fill(is_free_.begin(), is_free_.end(), char{0});
  free_.clear();
  const double scale = kSlopeTolerance * (B.norm() * b.norm());
  for (int exchange = 0; exchange < 8 * columns_ + 8; ++exchange) {
    // the bound whose release gains most
    residual_ = b;
    for (int j = 0; j < columns_; ++j) residual_ -= u(j) * B.col(j);
    int best = -1;
    double most = scale;
    for (int j = 0; j < columns_; ++j) {
      if (is_free_[static_cast<std::size_t>(j)] != 0) continue;
      const double slope = B.col(j).dot(residual_);
      const double gain = u(j) == 0.0 ? slope : -slope;
      if (gain > most) {
        most = gain;
        best = j;
      }
    }
    if (best < 0) return;
    is_free_[static_cast<std::size_t>(best)] = 1;
    free_.push_back(best);
    // to the least squares of the free ones, or to the first bound on the path there
    while (!free_.empty() && solve_free(B, b, u)) {
      double part = 1.0;
      for (std::size_t i = 0; i < free_.size(); ++i) {
        const double now = u(free_[i]), wanted = step_(static_cast<Eigen::Index>(i));
        if (wanted < 0.0) part = std::min(part, now / (now - wanted));
        if (wanted > 1.0) part = std::min(part, (1.0 - now) / (wanted - now));
      }
      for (std::size_t i = 0; i < free_.size(); ++i) {
        double& now = u(free_[i]);
        now += part * (step_(static_cast<Eigen::Index>(i)) - now);
      }
      if (part >= 1.0) break;
      std::size_t kept = 0;
      for (const int j : free_) {
        const bool is_bound = u(j) <= 1e-14 || u(j) >= 1.0 - 1e-14;
        if (is_bound) u(j) = u(j) < 0.5 ? 0.0 : 1.0;
        is_free_[static_cast<std::size_t>(j)] = is_bound ? 0 : 1;
        if (!is_bound) free_[kept++] = j;
      }
      free_.resize(kept);
    }
  }
}

}  // namespace spacedyn
