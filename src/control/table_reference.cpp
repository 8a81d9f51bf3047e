#include <algorithm>
#include <string>

#include <Eigen/LU>

#include "control/reference_checks.hpp"
#include "spacedyn/control/resting_table.hpp"
#include "spacedyn/control/spline_reference.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

void check_times(const std::vector<double>& times) {
  if (times.size() < 2) {
    throw DimensionError("a reference table has " + std::to_string(times.size()) +
                         " rows, expected at least 2");
  }
  for (std::size_t row = 0; row < times.size(); ++row) {
    check_finite("time", times[row]);
    if (row > 0 && !(times[row] > times[row - 1])) {
      throw DomainError("the times of a reference table must increase, but time " +
                        std::to_string(row + 1) + " does not exceed the one before it");
    }
  }
}

}  // namespace

void check_table(const std::vector<double>& times, const MatrixX& positions) {
  check_times(times);
  check_same_size("the list of positions", positions.cols(),
                  static_cast<Eigen::Index>(times.size()));
  if (!positions.allFinite()) throw DomainError("a position of a reference table is not finite");
}

MatrixX spline_curvatures(const std::vector<double>& times, const MatrixX& positions,
                          SplineEnds ends) {
  const Eigen::Index rows = positions.cols();
  const auto width = [&](Eigen::Index k) {  // of the interval after row k, 0 outside the table
    const auto i = static_cast<std::size_t>(k);
    return k < 0 || k + 1 >= rows ? 0.0 : times[i + 1] - times[i];
  };
  const auto slope = [&](Eigen::Index k) -> VectorX {  // of the chord after row k, at rest outside
    if (k < 0 || k + 1 >= rows) return VectorX::Zero(positions.rows());
    return (positions.col(k + 1) - positions.col(k)) / width(k);
  };
  // h_{k−1} c_{k−1} + 2 (h_{k−1} + h_k) c_k + h_k c_{k+1} = 6 (s_k − s_{k−1}), forward elimination
  MatrixX curvatures(positions.rows(), rows);
  VectorX upper(rows);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const double before = width(k - 1);
    if (ends == SplineEnds::natural && (k == 0 || k + 1 == rows)) {
      upper(k) = 0.0;
      curvatures.col(k).setZero();
      continue;
    }
    double pivot = 2.0 * (before + width(k));
    VectorX right = 6.0 * (slope(k) - slope(k - 1));
    if (k > 0) {
      pivot -= before * upper(k - 1);
      right -= before * curvatures.col(k - 1);
    }
    upper(k) = width(k) / pivot;
    curvatures.col(k) = right / pivot;
  }
  for (Eigen::Index k = rows - 2; k >= 0; --k) {
    curvatures.col(k) -= upper(k) * curvatures.col(k + 1);
  }
  return curvatures;
}

TableReference::TableReference(std::vector<double> times, MatrixX positions,
                               Interpolation interpolation)
    : times_(std::move(times)), positions_(std::move(positions)), interpolation_(interpolation) {
  check_table(times_, positions_);
  curvatures_ = interpolation_ == Interpolation::cubic
                    ? spline_curvatures(times_, positions_, SplineEnds::natural)
                    : MatrixX::Zero(positions_.rows(), positions_.cols());
}

ReferenceValue TableReference::evaluate(int component, double time) const {
  if (time < times_.front()) return {positions_(component, 0), 0.0, 0.0};
  if (time >= times_.back()) return {positions_(component, positions_.cols() - 1), 0.0, 0.0};
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  const auto right = static_cast<Eigen::Index>(after - times_.begin());
  const double h = *after - *(after - 1);
  const double u = time - *(after - 1);
  const double w = *after - time;
  const double p0 = positions_(component, right - 1);
  const double p1 = positions_(component, right);
  const double c0 = curvatures_(component, right - 1);
  const double c1 = curvatures_(component, right);
  const double slope = (p1 - p0) / h;
  return {p0 + slope * u - u * w / (6.0 * h) * (c0 * (h + w) + c1 * (h + u)),
          slope + (c1 * (3.0 * u * u - h * h) - c0 * (3.0 * w * w - h * h)) / (6.0 * h),
          (c0 * w + c1 * u) / h};
}

void TableReference::append_discontinuities(std::vector<double>& times) const {
  times.insert(times.end(), times_.begin(), times_.end());
}

RestingTable::RestingTable(std::vector<double> times, MatrixX positions)
    : times_(std::move(times)), positions_(std::move(positions)) {
  check_table(times_, positions_);
  curvatures_ = spline_curvatures(times_, positions_, SplineEnds::rest);
  slopes_ = MatrixX::Zero(positions_.rows(), positions_.cols());
  // both ends are at rest to the last bit, so that what has moved hardly has hardly worked
  for (Eigen::Index k = 1; k + 1 < slopes_.cols(); ++k) {
    const auto row = static_cast<std::size_t>(k);
    const double h = times_[row + 1] - times_[row];
    slopes_.col(k) = (positions_.col(k + 1) - positions_.col(k)) / h -
                     h / 6.0 * (2.0 * curvatures_.col(k) + curvatures_.col(k + 1));
  }
}

ReferenceValue RestingTable::evaluate(int component, double time) const {
  if (time < times_.front()) return {positions_(component, 0), 0.0, 0.0};
  if (time >= times_.back()) return {positions_(component, positions_.cols() - 1), 0.0, 0.0};
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  const auto left = static_cast<Eigen::Index>(after - times_.begin()) - 1;
  const double u = time - *(after - 1);
  const double curvature = curvatures_(component, left);
  const double jerk = (curvatures_(component, left + 1) - curvature) / (*after - *(after - 1));
  const double slope = slopes_(component, left);
  return {positions_(component, left) + u * (slope + u * (0.5 * curvature + u * jerk / 6.0)),
          slope + u * (curvature + 0.5 * u * jerk), curvature + u * jerk};
}

void RestingTable::append_discontinuities(std::vector<double>& times) const {
  times.insert(times.end(), times_.begin(), times_.end());
}

namespace {

using Matrix2 = Eigen::Matrix2d;
using Matrix2X = Eigen::Matrix2Xd;

/// p⃛ h³ and p⁗ h⁴ at an end of a quintic over h: `by_rise` (p_1 − p_0) + `by_first` [v h; a h²]_0 +
/// `by_last` [v h; a h²]_1.
struct EndDerivatives {
  Eigen::Vector2d by_rise;
  Matrix2 by_first, by_last;
};

EndDerivatives at_begin() {
  EndDerivatives end;
  end.by_rise << 60.0, -360.0;
  end.by_first << -36.0, -9.0, 192.0, 36.0;
  end.by_last << -24.0, 3.0, 168.0, -24.0;
  return end;
}

EndDerivatives at_end() {
  EndDerivatives end;
  end.by_rise << 60.0, 360.0;
  end.by_first << -24.0, -3.0, -168.0, -24.0;
  end.by_last << -36.0, 9.0, -192.0, 36.0;
  return end;
}

}  // namespace

SplineReference::SplineReference(std::vector<double> times, MatrixX positions, double from_time)
    : times_(std::move(times)), positions_(std::move(positions)), from_time_(from_time) {
  check_table(times_, positions_);
  check_finite("from_time", from_time_);
  const auto rows = static_cast<Eigen::Index>(times_.size());
  const auto h = [&](Eigen::Index i) {
    return times_[static_cast<std::size_t>(i + 1)] - times_[static_cast<std::size_t>(i)];
  };
  // continuity of both at each inner row, a block tridiagonal system of [v; a], eliminated forward
  const EndDerivatives begin = at_begin(), end = at_end();
  velocities_ = accelerations_ = MatrixX::Zero(positions_.rows(), rows);
  std::vector<Matrix2> upper(times_.size(), Matrix2::Zero());
  std::vector<Matrix2X> right(times_.size(), Matrix2X::Zero(2, positions_.rows()));
  for (Eigen::Index i = 1; i + 1 < rows; ++i) {
    const double left = h(i - 1), next = h(i);
    const auto scaled = [](double size) {
      return Eigen::DiagonalMatrix<double, 2>(size, size * size);
    };
    const auto divided = [](double size) {
      return Eigen::DiagonalMatrix<double, 2>(1.0 / (size * size * size),
                                              1.0 / (size * size * size * size));
    };
    const Matrix2 before = divided(left) * end.by_first * scaled(left);
    const Matrix2 own =
        divided(left) * end.by_last * scaled(left) - divided(next) * begin.by_first * scaled(next);
    const Matrix2 after = -(divided(next) * begin.by_last * scaled(next)).eval();
    const Matrix2X need =
        divided(next) * begin.by_rise * (positions_.col(i + 1) - positions_.col(i)).transpose() -
        divided(left) * end.by_rise * (positions_.col(i) - positions_.col(i - 1)).transpose();
    const auto at = static_cast<std::size_t>(i);
    const Eigen::PartialPivLU<Matrix2> pivot(own - before * upper[at - 1]);
    upper[at] = pivot.solve(after);
    right[at] = pivot.solve(need - before * right[at - 1]);
  }
  for (Eigen::Index i = rows - 2; i >= 1; --i) {
    const auto at = static_cast<std::size_t>(i);
    if (i + 2 < rows) right[at] -= upper[at] * right[at + 1];
    velocities_.col(i) = right[at].row(0);
    accelerations_.col(i) = right[at].row(1);
  }
}

ReferenceValue SplineReference::evaluate(int component, double time) const {
  const double since = time - from_time_;
  if (since < times_.front()) return {positions_(component, 0), 0.0, 0.0};
  if (since >= times_.back()) return {positions_(component, positions_.cols() - 1), 0.0, 0.0};
  const auto after = std::upper_bound(times_.begin(), times_.end(), since);
  const auto i = static_cast<Eigen::Index>(after - times_.begin()) - 1;
  const double h = *after - *(after - 1), s = (since - *(after - 1)) / h;
  const double p = positions_(component, i), rise = positions_(component, i + 1) - p;
  const double v_0 = velocities_(component, i) * h, v_1 = velocities_(component, i + 1) * h;
  const double a_0 = accelerations_(component, i) * h * h;
  const double a_1 = accelerations_(component, i + 1) * h * h;
  const double c_3 = 10.0 * rise - 6.0 * v_0 - 4.0 * v_1 - 1.5 * a_0 + 0.5 * a_1;
  const double c_4 = -15.0 * rise + 8.0 * v_0 + 7.0 * v_1 + 1.5 * a_0 - a_1;
  const double c_5 = 6.0 * rise - 3.0 * (v_0 + v_1) - 0.5 * (a_0 - a_1);
  return {p + s * (v_0 + s * (0.5 * a_0 + s * (c_3 + s * (c_4 + s * c_5)))),
          (v_0 + s * (a_0 + s * (3.0 * c_3 + s * (4.0 * c_4 + s * 5.0 * c_5)))) / h,
          (a_0 + s * (6.0 * c_3 + s * (12.0 * c_4 + s * 20.0 * c_5))) / (h * h)};
}

void SplineReference::append_discontinuities(std::vector<double>& times) const {
  for (const double time : times_) times.push_back(from_time_ + time);
}

}  // namespace spacedyn
