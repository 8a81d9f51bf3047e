#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {
namespace {

/// Beyond, the squares of slopes have no digits of one left.
constexpr double kSteepest = 1e6;
/// Steps of Newton's method below so many cells are taken as they are.
constexpr double kTrusted = 1e-4;
/// Those below are nothing; what is left after those is of their square.
constexpr double kRounding = 1e-14, kSquareIsRounding = 1e-9;

/// Slopes of the natural cubic spline through the columns of `values`, per cell, along its rows.
MatrixX spline_slopes(const MatrixX& values) {
  const Eigen::Index n = values.rows();
  MatrixX slopes(n, values.cols());
  // m_0 … m_{n−1}: 2 m_0 + m_1 = 3 (z_1 − z_0), m_{i−1} + 4 m_i + m_{i+1} = 3 (z_{i+1} − z_{i−1})
  std::vector<double> diagonal(static_cast<std::size_t>(n));
  const auto at = [&](Eigen::Index i) -> double& { return diagonal[static_cast<std::size_t>(i)]; };
  at(0) = 2.0;
  slopes.row(0) = 3.0 * (values.row(1) - values.row(0));
  for (Eigen::Index i = 1; i < n; ++i) {
    const bool last = i == n - 1;
    at(i) = (last ? 2.0 : 4.0) - 1.0 / at(i - 1);
    slopes.row(i) =
        3.0 * (values.row(last ? i : i + 1) - values.row(i - 1)) - slopes.row(i - 1) / at(i - 1);
  }
  slopes.row(n - 1) /= at(n - 1);
  for (Eigen::Index i = n - 1; i-- > 0;) {
    slopes.row(i) = (slopes.row(i) - slopes.row(i + 1)) / at(i);
  }
  return slopes;
}

/// Hermite weights of both ends of a cell, for value and slope, and their derivatives.
struct Weights {
  Eigen::Vector4d value, first, second, third;  // of z_0, z_1, m_0, m_1
};

Weights weights_at(double t) {
  const double t2 = t * t, t3 = t2 * t;
  return {{2 * t3 - 3 * t2 + 1, 3 * t2 - 2 * t3, t3 - 2 * t2 + t, t3 - t2},
          {6 * t2 - 6 * t, 6 * t - 6 * t2, 3 * t2 - 4 * t + 1, 3 * t2 - 2 * t},
          {12 * t - 6, 6 - 12 * t, 6 * t - 4, 6 * t - 2},
          {12, -12, 6, 6}};
}

/// A place on one axis: its cell, where it is in it, and how far beyond the edge of the grid.
struct Place {
  Eigen::Index cell;
  double fraction, beyond;
};

Place place_of(double coordinate, Eigen::Index nodes) {
  const auto last = static_cast<double>(nodes - 1);
  // what is not a number is in a cell as well, and beyond it
  const double inside = coordinate > 0.0 ? std::min(coordinate, last) : 0.0;
  const auto cell = std::min(static_cast<Eigen::Index>(inside), nodes - 2);
  return {cell, inside - static_cast<double>(cell), coordinate - inside};
}

/// Weights that go on straight beyond an edge.
Weights extended(const Place& place) {
  Weights weights = weights_at(place.fraction);
  if (place.beyond == 0.0) return weights;
  weights.value += place.beyond * weights.first;
  weights.second.setZero();
  weights.third.setZero();
  return weights;
}

}  // namespace

HeightField::HeightField(const MatrixX& heights, double spacing, const Vector3& origin)
    : spacing_(spacing), origin_(origin), rows_(heights.rows()), columns_(heights.cols()) {
  if (heights.rows() < 2 || heights.cols() < 2) {
    throw DimensionError("a height field needs at least 2 rows and 2 columns, got " +
                         std::to_string(heights.rows()) + " and " + std::to_string(heights.cols()));
  }
  if (!heights.allFinite()) throw DomainError("a height field must not have holes");
  if (!(std::isfinite(spacing) && spacing > 0.0 && origin.allFinite())) {
    throw DomainError("the spacing of a height field must be positive, its origin finite");
  }
  const MatrixX zy = spline_slopes(heights), zx = spline_slopes(heights.transpose()).transpose();
  const double steepest = std::max(zx.cwiseAbs().maxCoeff(), zy.cwiseAbs().maxCoeff()) / spacing;
  if (!(steepest <= kSteepest)) {
    throw DomainError(
        "heights of a height field must not change by more than a million times "
        "their spacing from one to the next");
  }
  const MatrixX zxy = spline_slopes(zx);
  nodes_.reserve(static_cast<std::size_t>(heights.size()));
  for (Eigen::Index i = 0; i < rows_; ++i) {
    for (Eigen::Index j = 0; j < columns_; ++j) {
      nodes_.push_back({{heights(i, j), zy(i, j)}, {zx(i, j), zxy(i, j)}});
    }
  }
}

struct HeightField::Cell {
  Weights along, across;
  const Node *low, *high;  // of both rows

  /// Along x in both rows, with weights for it: for those across.
  Eigen::Vector4d sum(const Eigen::Vector4d& a) const {
    const Eigen::Vector2d below =
        a[0] * low[0].value + a[1] * low[1].value + a[2] * low[0].slope + a[3] * low[1].slope;
    const Eigen::Vector2d above =
        a[0] * high[0].value + a[1] * high[1].value + a[2] * high[0].slope + a[3] * high[1].slope;
    return Eigen::Vector4d(below[0], above[0], below[1], above[1]);
  }
};

HeightField::Cell HeightField::cell(double x, double y) const {
  const double per = 1.0 / spacing_;
  const Place column = place_of((x - origin_.x()) * per, columns_);
  const Place row = place_of((y - origin_.y()) * per, rows_);
  const Node* low = &nodes_[static_cast<std::size_t>(row.cell * columns_ + column.cell)];
  return {extended(column), extended(row), low, low + columns_};
}

HeightField::Jet HeightField::jet(double x, double y) const {
  const double per = 1.0 / spacing_;
  const Cell cell = this->cell(x, y);
  const Weights &along = cell.along, &across = cell.across;
  const Eigen::Vector4d value = cell.sum(along.value), first = cell.sum(along.first);
  return {
      origin_.z() + across.value.dot(value), per * across.value.dot(first),
      per * across.first.dot(value),         per * per * across.value.dot(cell.sum(along.second)),
      per * per * across.first.dot(first),   per * per * across.second.dot(value)};
}

HeightField::ThirdDerivatives HeightField::third_derivatives(double x, double y) const {
  const double per = 1.0 / spacing_, per3 = per * per * per;
  const Cell cell = this->cell(x, y);
  const Weights &along = cell.along, &across = cell.across;
  return {per3 * across.value.dot(cell.sum(along.third)),
          per3 * across.first.dot(cell.sum(along.second)),
          per3 * across.second.dot(cell.sum(along.first)),
          per3 * across.third.dot(cell.sum(along.value))};
}

double HeightField::height(double x, double y) const { return jet(x, y).z; }

Vector3 HeightField::normal(double x, double y) const {
  const Jet at = jet(x, y);
  return Vector3(-at.x, -at.y, 1.0).normalized();
}

namespace {

/// The normal of a surface z(x, y), and how it changes along it.
struct Shape {
  HeightField::Jet jet;
  double length;
  Vector3 normal;
  Matrix3 tangent, curvature;  // I − n nᵀ; −∂²z
  Matrix3 bend;                // ∂n/∂(point of the surface) W, symmetric

  explicit Shape(const HeightField::Jet& at)
      : jet(at),
        length(std::sqrt(1.0 + at.x * at.x + at.y * at.y)),
        normal(Vector3(-at.x, -at.y, 1.0) / length),
        tangent(Matrix3::Identity() - normal * normal.transpose()),
        curvature(Matrix3::Zero()) {
    curvature.topLeftCorner<2, 2>() << -at.xx, -at.xy, -at.xy, -at.yy;
    bend = tangent * curvature * tangent / length;
  }
  /// Change of W as its point moves along the surface.
  Matrix3 bend_change(const HeightField::ThirdDerivatives& by, const Vector3& moves) const {
    const double dx = moves.x(), dy = moves.y();
    Matrix3 change = Matrix3::Zero();
    change.topLeftCorner<2, 2>() << -(by.xxx * dx + by.xxy * dy), -(by.xxy * dx + by.xyy * dy),
        -(by.xxy * dx + by.xyy * dy), -(by.xyy * dx + by.yyy * dy);
    const Vector3 turn = bend * moves;  // of the normal
    const Matrix3 tilt = -(turn * normal.transpose() + normal * turn.transpose());
    const double stretch =
        (jet.x * (jet.xx * dx + jet.xy * dy) + jet.y * (jet.xy * dx + jet.yy * dy)) / length;
    return (tilt * curvature * tangent + tangent * change * tangent + tangent * curvature * tilt) /
               length -
           stretch / length * bend;
  }
};

}  // namespace

SurfacePoint HeightField::nearest(const Vector3& point) const {
  double x = point.x(), y = point.y();
  Jet at = jet(x, y);
  for (int i = 0; i < 30; ++i) {
    // zero of ½ ∂|r − p|²/∂(x, y)
    const double above = at.z - point.z();
    const Eigen::Vector2d g(x - point.x() + above * at.x, y - point.y() + above * at.y);
    Eigen::Matrix2d K;
    K << 1.0 + at.x * at.x + above * at.xx, at.x * at.y + above * at.xy,
        at.x * at.y + above * at.xy, 1.0 + at.y * at.y + above * at.yy;
    const double determinant = K.determinant();
    if (!(determinant > 0.05 && K.trace() > 0.0)) {  // beyond the curvature: no minimum near
      K << 1.0 + at.x * at.x, at.x * at.y, at.x * at.y, 1.0 + at.y * at.y;
    }
    Eigen::Vector2d step = K.inverse() * g;
    if (step.norm() < kRounding * spacing_) break;
    Jet next = jet(x - step.x(), y - step.y());
    // far from the solution, in a hollow, a whole step may lead farther away
    const auto square = [&](double dx, double dy, double z) {
      return dx * dx + dy * dy + (z - point.z()) * (z - point.z());
    };
    const double before = square(x - point.x(), y - point.y(), at.z);
    for (int half = 0; half < 30 && step.norm() > kTrusted * spacing_; ++half) {
      if (square(x - step.x() - point.x(), y - step.y() - point.y(), next.z) <= before) break;
      step *= 0.5;
      next = jet(x - step.x(), y - step.y());
    }
    x -= step.x();
    y -= step.y();
    at = next;
    if (step.norm() < kSquareIsRounding * spacing_) break;
  }
  SurfacePoint surface;
  const Shape shape(at);
  surface.normal = shape.normal;
  surface.point = {x, y, at.z};
  surface.distance = surface.normal.dot(point - surface.point);
  if (at.xx == 0.0 && at.xy == 0.0 && at.yy == 0.0) return surface;
  // with the nearest point of a moving point
  surface.normal_gradient =
      shape.bend * (Matrix3::Identity() + surface.distance * shape.bend).inverse();
  return surface;
}

Matrix3 HeightField::normal_gradient_change(const SurfacePoint& at,
                                            const Vector3& direction) const {
  const Shape shape(jet(at.point.x(), at.point.y()));
  const double rise = at.normal.dot(direction);  // of the distance
  const Vector3 moves =
      direction - rise * at.normal - at.distance * (at.normal_gradient * direction);
  const Matrix3 spread = (Matrix3::Identity() + at.distance * shape.bend).inverse();
  return spread * shape.bend_change(third_derivatives(at.point.x(), at.point.y()), moves) * spread -
         rise * at.normal_gradient * at.normal_gradient;
}

}  // namespace spacedyn
