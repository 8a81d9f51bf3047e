#include "integration/steppers/arrow_lu.hpp"

namespace spacedyn {
namespace {

/// Fewer are not worth their sorting.
constexpr std::size_t kFewest = 32;

/// Whether row i is the only one from `first` on that has an entry in column i.
bool acts_on_itself_alone(const MatrixX& matrix, Eigen::Index first, Eigen::Index i) {
  const auto above = matrix.col(i).segment(first, i - first);
  return above.isZero(0.0) && matrix.col(i).tail(matrix.rows() - i - 1).isZero(0.0);
}

}  // namespace

void ArrowLu::compute(const MatrixX& matrix, Eigen::Index first, double least) {
  lone_.clear();
  for (Eigen::Index i = first; i < matrix.rows(); ++i) {
    if (matrix(i, i) >= least && acts_on_itself_alone(matrix, first, i)) lone_.push_back(i);
  }
  if (lone_.size() < kFewest) {
    lone_.clear();
    factorization_.compute(matrix);
    return;
  }
  kept_.clear();
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (next < lone_.size() && lone_[next] == i) {
      ++next;
    } else {
      kept_.push_back(i);
    }
  }
  pivots_ = matrix.diagonal()(lone_);
  of_kept_ = matrix(lone_, kept_);
  to_kept_ = matrix(kept_, lone_);
  to_kept_.array().rowwise() /= pivots_.transpose().array();
  rest_ = matrix(kept_, kept_);
  rest_.noalias() -= to_kept_ * of_kept_;
  factorization_.compute(rest_);
}

void ArrowLu::solve(VectorX& b) {
  if (lone_.empty()) {
    solved_ = factorization_.solve(b);
    b = solved_;
    return;
  }
  lone_side_ = b(lone_);
  kept_side_ = b(kept_);
  kept_side_.noalias() -= to_kept_ * lone_side_;
  solved_ = factorization_.solve(kept_side_);
  b(kept_) = solved_;
  lone_side_.noalias() -= of_kept_ * solved_;
  b(lone_) = lone_side_.cwiseQuotient(pivots_);
}

}  // namespace spacedyn
