#include "math/least_squares/active_limits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spacedyn {

double make_reflection(Eigen::Ref<VectorX> x) {
  const Eigen::Index rest = x.size() - 1;
  const double size = x.norm();
  if (!(size > 0.0) || (rest > 0 && x.tail(rest).isZero(0.0)) || rest == 0) return 0.0;
  const double image = x(0) > 0.0 ? -size : size;
  const double scale = (image - x(0)) / image;
  x.tail(rest) /= x(0) - image;
  x(0) = image;
  return scale;
}

void reflect(ConstVectorRef tail, double scale, VectorRef y) {
  const double part = scale * (y(0) + tail.dot(y.tail(tail.size())));
  y(0) -= part;
  y.tail(tail.size()) -= part * tail;
}

void reflect_columns(ConstVectorRef tail, double scale, Eigen::Ref<MatrixX> B) {
  // some rows at a time, so that their products need no memory of their own
  constexpr Eigen::Index kRows = 32;
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kRows, 1> parts;
  for (Eigen::Index row = 0; row < B.rows(); row += kRows) {
    const Eigen::Index count = std::min(kRows, B.rows() - row);
    parts = B.col(0).segment(row, count);
    for (Eigen::Index j = 0; j < tail.size(); ++j) {
      parts += tail(j) * B.col(j + 1).segment(row, count);
    }
    parts *= scale;
    B.col(0).segment(row, count) -= parts;
    for (Eigen::Index j = 0; j < tail.size(); ++j) {
      B.col(j + 1).segment(row, count) -= tail(j) * parts;
    }
  }
}

RowSpace::RowSpace(int rows, int columns)
    : order_(static_cast<std::size_t>(rows)),
      F_(columns, rows),
      scales_(std::min(rows, columns)),
      S_(rows + std::min(rows, columns), std::min(rows, columns)),
      right_(std::max(rows + std::min(rows, columns), columns)),
      T_inverse_(std::min(rows, columns), std::min(rows, columns)) {}

void RowSpace::factorize(const Eigen::Ref<const MatrixX>& M, double least) {
  rows_ = M.rows();
  columns_ = M.cols();
  rank_ = 0;
  std::iota(order_.begin(), order_.begin() + rows_, 0);
  for (Eigen::Index j = 0; j < rows_; ++j) F_.col(j).head(columns_) = M.row(j);
  for (;;) {
    double most = 0.0, squares = 0.0;
    Eigen::Index next = -1;
    for (Eigen::Index j = rank_; j < rows_; ++j) {
      const double square = F_.col(j).head(columns_).tail(columns_ - rank_).squaredNorm();
      squares += square;
      if (square > most) {
        most = square;
        next = j;
      }
    }
    rest_ = std::sqrt(squares);
    if (next < 0 || !(std::sqrt(most) > least)) return;
    std::swap(order_[static_cast<std::size_t>(rank_)], order_[static_cast<std::size_t>(next)]);
    F_.col(rank_).head(columns_).swap(F_.col(next).head(columns_));
    const Eigen::Index size = columns_ - rank_;
    scales_(rank_) = make_reflection(F_.col(rank_).segment(rank_, size));
    const auto tail = F_.col(rank_).segment(rank_ + 1, size - 1);
    for (Eigen::Index j = rank_ + 1; j < rows_; ++j) {
      reflect(tail, scales_(rank_), F_.col(j).segment(rank_, size));
    }
    ++rank_;
  }
}

double RowSpace::least_singular_value() const {
  // T_k⁻¹ᵀ = R⁻¹ of the upper triangle, column by column
  double squares = 0.0;
  for (Eigen::Index column = 0; column < rank_; ++column) {
    auto x = T_inverse_.col(0).head(column + 1);
    x.setZero();
    x(column) = 1.0;
    for (Eigen::Index i = column + 1; i-- > 0;) {
      x(i) /= F_(i, i);
      x.head(i) -= x(i) * F_.col(i).head(i);
    }
    squares += x.squaredNorm();
  }
  return squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0;
}

void RowSpace::solve(ConstVectorRef b, double damping, VectorRef x) {
  x.setZero();
  for (Eigen::Index i = 0; i < rows_; ++i) right_(i) = b(order_[static_cast<std::size_t>(i)]);
  if (damping == 0.0 && rank_ == rows_) {
    for (Eigen::Index i = 0; i < rank_; ++i) {
      x(i) = (right_(i) - F_.col(i).head(i).dot(x.head(i))) / F_(i, i);
    }
  } else {
    const Eigen::Index height = damping == 0.0 ? rows_ : rows_ + rank_;
    right_.segment(rows_, height - rows_).setZero();
    for (Eigen::Index j = 0; j < rank_; ++j) {
      S_.col(j).head(height).setZero();
      S_.col(j).segment(j, rows_ - j) = F_.row(j).segment(j, rows_ - j);
      if (damping != 0.0) S_(rows_ + j, j) = damping;
    }
    for (Eigen::Index j = 0; j < rank_; ++j) {
      const Eigen::Index size = height - j;
      const double scale = make_reflection(S_.col(j).segment(j, size));
      const auto tail = S_.col(j).segment(j + 1, size - 1);
      for (Eigen::Index k = j + 1; k < rank_; ++k) reflect(tail, scale, S_.col(k).segment(j, size));
      reflect(tail, scale, right_.segment(j, size));
    }
    for (Eigen::Index i = rank_; i-- > 0;) {
      x(i) = right_(i) / S_(i, i);
      right_.head(i) -= x(i) * S_.col(i).head(i);
    }
  }
  from_rows(x);
}

void RowSpace::from_rows(VectorRef x) const {
  for (Eigen::Index i = rank_; i-- > 0;) {
    reflect(F_.col(i).segment(i + 1, columns_ - i - 1), scales_(i), x.tail(columns_ - i));
  }
}

void RowSpace::leave(VectorRef x) const {
  for (Eigen::Index i = 0; i < rank_; ++i) {
    reflect(F_.col(i).segment(i + 1, columns_ - i - 1), scales_(i), x.tail(columns_ - i));
  }
  x.head(rank_).setZero();
  from_rows(x);
}

void RowSpace::rotate(Eigen::Ref<MatrixX> B) const {
  for (Eigen::Index i = 0; i < rank_; ++i) {
    const Eigen::Index size = columns_ - i;
    reflect_columns(F_.col(i).segment(i + 1, size - 1), scales_(i), B.rightCols(size));
  }
}

}  // namespace spacedyn
