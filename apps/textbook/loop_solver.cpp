#include "textbook/loop_solver.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

/// Rows smaller than this part of the largest are rounding: directions in which the joints of a
/// plane mechanism do not move at all.
constexpr double kRowRounding = 1e-12;

/// Rounding of a row against the largest, as it enters the rank of rows scaled to length 1.
constexpr double kLargestRowRounding = 1e-14;

}  // namespace

LoopSolver::LoopSolver(const Model& model, const Mobility& mobility)
    : LoopSolver(model, mobility, model.loops()) {}

LoopSolver::LoopSolver(const Model& model, const Mobility& mobility, std::vector<Loop> loops)
    : equations_(model, std::move(loops)),
      workspace_(model, mobility),
      factorization_(model, mobility),
      length_(model_size(model, equations_.loops())) {
  const Eigen::Index size = model.velocity_size(), rows = equations_.rows();
  H_ = MatrixX::Zero(size, size);
  K_T_ = W_ = MatrixX::Zero(size, rows);
  const Eigen::Index most = std::min(size, rows);
  Q_ = MatrixX::Zero(size, most);
  R_ = MatrixX::Zero(most, rows);
  scales_ = tolerances_ = left_ = solution_ = null_vector_ = VectorX::Zero(rows);
  coordinates_ = VectorX::Zero(most);
  null_vectors_ = MatrixX::Zero(rows, rows);
  pivots_.assign(static_cast<std::size_t>(most), 0);
  is_pivot_.assign(static_cast<std::size_t>(rows), false);
}

DynamicsStatus LoopSolver::update(const State& state, const LinkFrames& frames) noexcept {
  equations_.jacobian(frames, state, K_T_);
  composite_rigid_body(state, workspace_, H_);
  rank_ = 0;
  if (factorization_.factorize(H_) != DynamicsStatus::ok) {
    return DynamicsStatus::inertia_not_positive_definite;
  }
  W_ = K_T_;
  for (Eigen::Index i = 0; i < W_.cols(); ++i) factorization_.solve_from_tips(W_.col(i));
  scale_rows();
  orthogonalize();
  return DynamicsStatus::ok;
}

void LoopSolver::scale_rows() noexcept {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < W_.cols(); ++i) {
    const double unit = equations_.is_angle(static_cast<int>(i)) ? length_ : 1.0;
    left_(i) = unit * W_.col(i).norm();
    largest = std::max(largest, left_(i));
  }
  for (Eigen::Index i = 0; i < W_.cols(); ++i) {
    const bool is_rounding = !(left_(i) > kRowRounding * largest);
    const double norm = W_.col(i).norm();
    scales_(i) = is_rounding ? 0.0 : 1.0 / norm;
    tolerances_(i) =
        is_rounding ? 0.0 : std::max(kRankTolerance, kLargestRowRounding * largest / left_(i));
    W_.col(i) *= scales_(i);
    left_(i) = is_rounding ? 0.0 : 1.0;
  }
}

void LoopSolver::orthogonalize() noexcept {
  R_.setZero();
  std::fill(is_pivot_.begin(), is_pivot_.end(), false);
  for (;;) {
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < equations_.rows(); ++i) {
      if (is_pivot_[static_cast<std::size_t>(i)] || !(left_(i) > tolerances_(i))) continue;
      // in full size: of rows that one joint moves, one that it hardly moves is all rounding
      const double size = left_(i) / scales_(i) * (equations_.is_angle(i) ? length_ : 1.0);
      if (best >= 0 && !(size > most)) continue;
      best = i;
      most = size;
    }
    if (best < 0 || rank_ == Q_.cols()) return;
    take_pivot(best);
  }
}

void LoopSolver::take_pivot(int column) noexcept {
  auto q = Q_.col(rank_);
  q = W_.col(column);
  // once more, because little may be left of it
  for (int i = 0; i < rank_; ++i) {
    const double part = Q_.col(i).dot(q);
    q -= part * Q_.col(i);
    R_(i, column) += part;
  }
  const double norm = q.norm();
  q /= norm;
  R_(rank_, column) = norm;
  pivots_[static_cast<std::size_t>(rank_)] = column;
  is_pivot_[static_cast<std::size_t>(column)] = true;
  for (int j = 0; j < equations_.rows(); ++j) {
    if (is_pivot_[static_cast<std::size_t>(j)] || left_(j) == 0.0) continue;
    const double part = q.dot(W_.col(j));
    R_(rank_, j) = part;
    if (part == 0.0) continue;
    W_.col(j) -= part * q;
    left_(j) = W_.col(j).norm();
  }
  ++rank_;
}

/// Coordinates of the solution in Q: R_1ᵀ c = b.
void LoopSolver::solve_transposed(ConstVectorRef b) noexcept {
  for (int i = 0; i < rank_; ++i) {
    const int row = pivots_[static_cast<std::size_t>(i)];
    const double known = R_.col(row).head(i).dot(coordinates_.head(i));
    coordinates_(i) = (b(row) * scales_(row) - known) / R_(i, row);
  }
}

void LoopSolver::multipliers(ConstVectorRef b, VectorRef lambda) noexcept {
  SPACEDYN_ASSERT(b.size() == equations_.rows() && lambda.size() == b.size());
  solve_transposed(b);
  lambda.setZero();
  for (int i = rank_ - 1; i >= 0; --i) {
    double sum = coordinates_(i);
    for (int j = i + 1; j < rank_; ++j) {
      const int other = pivots_[static_cast<std::size_t>(j)];
      sum -= R_(i, other) * lambda(other);
    }
    const int row = pivots_[static_cast<std::size_t>(i)];
    lambda(row) = sum / R_(i, row);
  }
  lambda.array() *= scales_.array();
}

void LoopSolver::respond(ConstVectorRef b, VectorRef y) noexcept {
  SPACEDYN_ASSERT(b.size() == equations_.rows());
  solve_transposed(b);
  y.noalias() = Q_.leftCols(rank_) * coordinates_.head(rank_);
  factorization_.solve_from_base(y);
}

void LoopSolver::shorten(VectorRef lambda) noexcept {
  int count = 0;
  for (int row = 0; row < equations_.rows(); ++row) {
    if (is_pivot_[static_cast<std::size_t>(row)] || scales_(row) == 0.0) continue;
    // what a unit of this row does, taken back by the pivots
    null_vector_.setZero();
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = -R_(i, row);
      for (int j = i + 1; j < rank_; ++j) {
        const int other = pivots_[static_cast<std::size_t>(j)];
        sum -= R_(i, other) * null_vector_(other);
      }
      const int pivot = pivots_[static_cast<std::size_t>(i)];
      null_vector_(pivot) = sum / R_(i, pivot);
    }
    null_vector_(row) = 1.0;
    null_vector_.array() *= scales_.array();
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < count; ++i) {
        null_vector_ -= null_vectors_.col(i).dot(null_vector_) * null_vectors_.col(i);
      }
    }
    null_vectors_.col(count) = null_vector_ / null_vector_.norm();
    lambda -= null_vectors_.col(count).dot(lambda) * null_vectors_.col(count);
    ++count;
  }
}

std::vector<std::string> LoopSolver::redundant_loops() const {
  MatrixX rest = K_T_;
  for (Eigen::Index i = 0; i < rest.cols(); ++i) factorization_.solve_from_tips(rest.col(i));
  std::vector<std::string> names;
  std::vector<VectorX> basis;
  int named = -1;
  for (int row = 0; row < equations_.rows(); ++row) {
    VectorX w = rest.col(row) * scales_(row);
    for (int pass = 0; pass < 2; ++pass) {
      for (const VectorX& q : basis) w -= q.dot(w) * q;
    }
    if (w.norm() > std::max(tolerances_(row), kRankTolerance)) {
      basis.push_back(w.normalized());
    } else if (equations_.loop_of(row) != named) {
      named = equations_.loop_of(row);
      names.push_back(equations_.loops()[static_cast<std::size_t>(named)].name);
    }
  }
  return names;
}

}  // namespace spacedyn
