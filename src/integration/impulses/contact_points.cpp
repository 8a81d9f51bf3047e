#include "integration/impulses/contact_sweeps.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

/// Part of the largest response below which a direction of a point does not move by itself.
constexpr double kHeld = 1e-10;

using Six = Eigen::Matrix<double, 6, 1>;
using SixColumns = Eigen::Matrix<double, 6, 3>;
/// K of six coordinates, and zeros that make its columns fit vector registers.
using SixRows = Eigen::Matrix<double, 4, 6>;

}  // namespace

void ContactPoints::reserve(std::size_t points) {
  rows_.reserve(points);
  points_.reserve(points);
  for (auto* list : {&order_, &ends_, &group_of_}) list->reserve(points);
  make_room(12 * points);  // two bodies of six coordinates
}

void ContactPoints::make_room(std::size_t coordinates) {
  if (responses_.size() >= 3 * coordinates) return;
  K_.resize(4 * coordinates);
  responses_.resize(3 * coordinates);
}

void ContactPoints::begin(const Model& model, const LinkFrames& frames, const Mobility& mobility,
                          const MatrixX* added) {
  inertias_.update(model, frames, mobility, added);
  rows_.clear();
  points_.clear();
  used_ = 0;
}

bool ContactPoints::add(int body, int other, const Vector3& place, const Matrix3& axes) {
  Rows rows;
  const int block = inertias_.block_of(body);
  const int other_block = other >= 0 ? inertias_.block_of(other) : -1;
  bool is_positive = true;
  const auto add_columns = [&](int own, double sign) {
    inertias_.add_columns(own, place, axes, sign,
                          responses_of(rows.sides[static_cast<std::size_t>(rows.count)]));
  };
  const auto open = [&](int of_block) {
    Side& side = rows.sides[static_cast<std::size_t>(rows.count)];
    const RobotInertias::Block& own = inertias_.blocks()[static_cast<std::size_t>(of_block)];
    side = {own.first, own.size, used_};
    used_ += static_cast<std::size_t>(own.size);
    if (responses_.size() < 3 * used_) make_room(2 * used_);
    responses_of(side).setZero();
  };
  if (block >= 0) {
    open(block);
    add_columns(body, 1.0);
    if (other_block == block) add_columns(other, -1.0);
    is_positive = add_side(block, rows);
  }
  if (other_block >= 0 && other_block != block) {
    open(other_block);
    add_columns(other, -1.0);
    is_positive = add_side(other_block, rows) && is_positive;
  }
  const double least = kHeld * rows.G.diagonal().maxCoeff();
  rows.tangential = 0.5 * (rows.G(1, 1) + rows.G(2, 2)) +
                    std::hypot(0.5 * (rows.G(1, 1) - rows.G(2, 2)), rows.G(1, 2));
  Matrix3 G = rows.G;
  G.diagonal().array() += least;
  rows.G_inverse = G.inverse();
  rows.unit = std::sqrt(rows.G(0, 0));
  rows.normal_inverse = rows.G(0, 0) > 0.0 ? 1.0 / rows.G(0, 0) : 0.0;
  rows.tangential_inverse = rows.tangential > 0.0 ? 1.0 / rows.tangential : 0.0;
  rows_.push_back(rows);
  points_.emplace_back();
  return is_positive;
}

bool ContactPoints::add_side(int block, Rows& rows) {
  const Side& side = rows.sides[static_cast<std::size_t>(rows.count++)];
  auto responses = responses_of(side);
  Eigen::Map<Eigen::Matrix<double, 4, Eigen::Dynamic>> K(&K_[4 * side.at], 4, side.size);
  K.topRows<3>() = responses.transpose();
  K.row(3).setZero();
  if (!inertias_.respond(block, responses)) return false;
  rows.G.noalias() += K.topRows<3>().lazyProduct(responses);
  return true;
}

Vector3 ContactPoints::velocity(const Rows& rows, const double* u) const {
  Eigen::Vector4d w = Eigen::Vector4d::Zero();
  for (int k = 0; k < rows.count; ++k) {
    const Side& side = rows.sides[static_cast<std::size_t>(k)];
    const double *K = &K_[4 * side.at], *own = u + side.first;
    if (side.size == 6) {
      w.noalias() += Eigen::Map<const SixRows>(K) * Eigen::Map<const Six>(own);
    } else {
      for (int row = 0; row < side.size; ++row) {
        w += own[row] * Eigen::Map<const Eigen::Vector4d>(K + 4 * row);
      }
    }
  }
  return w.head<3>();
}

void ContactPoints::apply(const Rows& rows, const Vector3& impulse, double* u) const {
  for (int k = 0; k < rows.count; ++k) {
    const Side& side = rows.sides[static_cast<std::size_t>(k)];
    const double* responses = &responses_[3 * side.at];
    if (side.size == 6) {
      Eigen::Map<Six>(u + side.first).noalias() +=
          Eigen::Map<const SixColumns>(responses) * impulse;
    } else {
      Eigen::Map<VectorX>(u + side.first, side.size).noalias() +=
          Eigen::Map<const Columns>(responses, side.size, 3) * impulse;
    }
  }
}

void ContactPoints::divide() {
  const auto link = [&](int row) -> Link& { return links_[static_cast<std::size_t>(row)]; };
  const auto head_of = [&](const Rows& rows, std::size_t side) {
    int row = rows.sides[side].first;
    while (link(row).head != row) row = link(row).head;
    return row;
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for_each_robot(i, [&](int first, int) { link(first) = {first, -1}; });
  }
  for (const Rows& rows : rows_) {
    if (rows.count < 2) continue;
    const int a = head_of(rows, 0), b = head_of(rows, 1);
    link(std::max(a, b)).head = std::min(a, b);
  }
  group_of_.clear();
  ends_.clear();
  for (const Rows& rows : rows_) {
    int none = -1;  // of what cannot move
    int& group = rows.count > 0 ? link(head_of(rows, 0)).group : none;
    if (group < 0) {
      group = static_cast<int>(ends_.size());
      ends_.push_back(0);
    }
    group_of_.push_back(static_cast<std::size_t>(group));
    ++ends_[group_of_.back()];
  }
  for (std::size_t g = 1; g < ends_.size(); ++g) ends_[g] += ends_[g - 1];
  order_.resize(rows_.size());
  for (std::size_t i = rows_.size(); i-- > 0;) order_[--ends_[group_of_[i]]] = i;
  // each end has become a beginning
  for (std::size_t g = 1; g < ends_.size(); ++g) ends_[g - 1] = ends_[g];
  if (!ends_.empty()) ends_.back() = rows_.size();
}

double ContactPoints::violation(std::size_t i, ConstVectorRef u) const {
  const Rows& rows = rows_[i];
  const Point& point = points_[i];
  if (!(rows.G(0, 0) > 0.0)) return 0.0;
  const Vector3 w = velocity(rows, u.data());
  double worst = std::abs(std::min(w(0) - point.least, rows.G(0, 0) * point.impulse(0)));
  if (point.friction > 0.0 && rows.tangential > 0.0) {
    Eigen::Vector2d tangent = point.impulse.tail<2>() - w.tail<2>() / rows.tangential;
    const double most = point.friction * point.impulse(0), size = tangent.norm();
    if (size > most) tangent *= most / size;
    worst = std::max(worst, rows.tangential * (tangent - point.impulse.tail<2>()).norm());
  }
  return worst;
}

double ContactPoints::residual(Group group, ConstVectorRef u) const {
  double worst = 0.0;
  for (const std::size_t i : group) worst = std::max(worst, violation(i, u));
  return worst;
}

void ContactPoints::gather(Group group, VectorRef impulses) const {
  for (std::size_t k = 0; k < group.size(); ++k) {
    const std::size_t i = group.first[k];
    impulses.segment<3>(at(k)) = rows_[i].unit * points_[i].impulse;
  }
}

void ContactPoints::scatter(Group group, ConstVectorRef impulses, VectorRef u) {
  for (std::size_t k = 0; k < group.size(); ++k) {
    const std::size_t i = group.first[k];
    if (!(rows_[i].G(0, 0) > 0.0)) continue;
    Point& point = points_[i];
    Vector3 found = impulses.segment<3>(at(k)) / rows_[i].unit;
    found(0) = std::max(0.0, found(0));
    const double most = point.friction * found(0), size = found.tail<2>().norm();
    if (size > most) found.tail<2>() *= most / size;
    const Vector3 change = found - point.impulse;
    if (change.isZero(0.0)) continue;
    point.impulse = found;
    apply(rows_[i], change, u.data());
  }
}

void ContactPoints::apply_impulses(Group group, VectorRef u) const {
  for (const std::size_t i : group) apply(rows_[i], points_[i].impulse, u.data());
}

Matrix3 ContactPoints::response_between(const Rows& rows, const Rows& others) const {
  Matrix3 G = Matrix3::Zero();
  for (int k = 0; k < rows.count; ++k) {
    const Side& side = rows.sides[static_cast<std::size_t>(k)];
    for (int l = 0; l < others.count; ++l) {
      const Side& other = others.sides[static_cast<std::size_t>(l)];
      if (other.first != side.first) continue;
      G +=
          Eigen::Map<const Eigen::Matrix<double, 4, Eigen::Dynamic>>(&K_[4 * side.at], 4, side.size)
              .topRows<3>() *
          Eigen::Map<const Columns>(&responses_[3 * other.at], side.size, 3);
    }
  }
  return G;
}

}  // namespace spacedyn
