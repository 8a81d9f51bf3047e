#include "math/least_squares/active_limits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spacedyn {
namespace {

/// Part of a normal outside of the active ones, below which it depends on them.
constexpr double kDependent = 1e-9;
/// Slope along a step of unit length that is rounding, of a normal of unit length.
constexpr double kNoSlope = 1e-13;

}  // namespace

ActiveLimits::ActiveLimits(int unknowns, int limits)
    : normals_(unknowns, limits),
      lower_(limits),
      upper_(limits),
      norms_(VectorX::Ones(limits)),
      side_(static_cast<std::size_t>(limits), 0),
      locked_(side_.size(), 0),
      G_(unknowns, unknowns),
      scales_(unknowns),
      multipliers_(unknowns),
      swapped_(unknowns) {
  active_.reserve(static_cast<std::size_t>(unknowns));
  before_.reserve(static_cast<std::size_t>(unknowns));
  order_.resize(static_cast<std::size_t>(unknowns));
  at_.resize(order_.size());
}

void ActiveLimits::set(const Eigen::Ref<const MatrixX>* C, ConstVectorRef lower,
                       ConstVectorRef upper) {
  size_ = static_cast<int>(lower.size());
  is_box_ = C == nullptr;
  lower_.head(size_) = lower;
  upper_.head(size_) = upper;
  active_.clear();
  std::fill(side_.begin(), side_.end(), 0);
  std::fill(locked_.begin(), locked_.end(), 0);
  if (is_box_) return;
  normals_.leftCols(size_) = C->transpose();
  for (Eigen::Index i = 0; i < size_; ++i) norms_(i) = normals_.col(i).norm();
}

void ActiveLimits::clamp(VectorRef x) {
  for (int i = 0; i < size_; ++i) {
    const double inside = std::min(std::max(x(i), lower_(i)), upper_(i));
    x(i) = inside;
    if (inside != lower_(i) && inside != upper_(i)) continue;
    side_[static_cast<std::size_t>(i)] = inside == upper_(i) ? 1 : -1;
    active_.push_back(i);
  }
}

double ActiveLimits::slope(int limit, ConstVectorRef d) const {
  return is_box_ ? d(limit) : normals_.col(limit).dot(d);
}

bool ActiveLimits::append(int limit, const Eigen::Ref<const MatrixX>& Z, Eigen::Ref<MatrixX> M) {
  const auto place = static_cast<Eigen::Index>(active_.size());
  if (place >= dimension_) return false;
  if (swaps_) {
    swap_in(limit, M);
    return true;
  }
  auto column = G_.col(place).head(dimension_);
  if (is_box_) {
    column = Z.row(limit);
  } else if (Z.cols() == Z.rows()) {
    column = normals_.col(limit);  // Z is the identity
  } else {
    column.noalias() = Z.transpose().lazyProduct(normals_.col(limit));
  }
  to_active(column);
  auto rest = column.tail(dimension_ - place);
  if (!(rest.norm() > kDependent * (is_box_ ? 1.0 : norms_(limit)))) return false;
  scales_(place) = make_reflection(rest);
  active_.push_back(limit);
  reflect_columns(rest.tail(rest.size() - 1), scales_(place), M.rightCols(rest.size()));
  return true;
}

void ActiveLimits::swap_places(int a, int b, Eigen::Ref<MatrixX> M) {
  if (a == b) return;
  is_permuted_ = true;
  int &at_a = order_[static_cast<std::size_t>(a)], &at_b = order_[static_cast<std::size_t>(b)];
  std::swap(at_a, at_b);
  at_[static_cast<std::size_t>(at_a)] = a;
  at_[static_cast<std::size_t>(at_b)] = b;
  M.col(a).swap(M.col(b));
}

void ActiveLimits::swap_in(int limit, Eigen::Ref<MatrixX> M) {
  swap_places(at_[static_cast<std::size_t>(limit)], count(), M);
  active_.push_back(limit);
}

void ActiveLimits::swap_out(int place, Eigen::Ref<MatrixX> M) {
  side_[static_cast<std::size_t>(active_[static_cast<std::size_t>(place)])] = 0;
  swap_places(place, count() - 1, M);
  active_[static_cast<std::size_t>(place)] = active_.back();
  active_.pop_back();
}

void ActiveLimits::enter(const Eigen::Ref<const MatrixX>& Z, Eigen::Ref<MatrixX> M) {
  dimension_ = Z.cols();
  swaps_ = is_box_ && Z.cols() == Z.rows();
  is_permuted_ = false;
  std::iota(order_.begin(), order_.end(), 0);
  std::iota(at_.begin(), at_.end(), 0);
  before_.swap(active_);
  active_.clear();
  for (const int limit : before_) {
    if (!append(limit, Z, M)) side_[static_cast<std::size_t>(limit)] = 0;
  }
}

void ActiveLimits::to_active(VectorRef v) const {
  if (swaps_) {
    auto swapped = swapped_.head(v.size());
    swapped = v;
    for (Eigen::Index i = 0; i < v.size(); ++i) v(i) = swapped(order_[static_cast<std::size_t>(i)]);
    return;
  }
  for (Eigen::Index i = 0; i < count(); ++i) {
    const Eigen::Index size = dimension_ - i;
    reflect(G_.col(i).segment(i + 1, size - 1), scales_(i), v.tail(size));
  }
}

void ActiveLimits::from_active(VectorRef v) const {
  if (swaps_) {
    auto swapped = swapped_.head(v.size());
    swapped = v;
    for (Eigen::Index i = 0; i < v.size(); ++i) v(order_[static_cast<std::size_t>(i)]) = swapped(i);
    return;
  }
  for (Eigen::Index i = count(); i-- > 0;) {
    const Eigen::Index size = dimension_ - i;
    reflect(G_.col(i).segment(i + 1, size - 1), scales_(i), v.tail(size));
  }
}

int ActiveLimits::find_block(ConstVectorRef x, ConstVectorRef d, double& part) const {
  part = 1.0;
  int block = -1;
  const double length = d.norm();
  for (int i = 0; i < size_; ++i) {
    if (side_[static_cast<std::size_t>(i)] != 0) continue;
    const double rate = slope(i, d);
    if (!(std::abs(rate) > kNoSlope * length * (is_box_ ? 1.0 : norms_(i)))) continue;
    const double end = rate > 0.0 ? upper_(i) : lower_(i);
    const double reach = std::max((end - slope(i, x)) / rate, 0.0);
    if (!(reach < part)) continue;
    part = reach;
    block = i;
  }
  return block;
}

bool ActiveLimits::project(ConstVectorRef d, Eigen::Ref<MatrixX> M, VectorRef x) {
  const int before = count();
  for (int i = 0; i < size_; ++i) {
    const double end = x(i) + d(i);
    if (side(i) != 0 || !(end < lower_(i) || end > upper_(i))) continue;
    side_[static_cast<std::size_t>(i)] = end > upper_(i) ? 1 : -1;
    swap_in(i, M);
  }
  if (count() == before) return false;
  for (int i = 0; i < size_; ++i) {
    x(i) = side(i) == 0 ? x(i) + d(i) : side(i) > 0 ? upper_(i) : lower_(i);
  }
  return true;
}

void ActiveLimits::activate(int limit, ConstVectorRef d, const Eigen::Ref<const MatrixX>& Z,
                            Eigen::Ref<MatrixX> M, VectorRef x) {
  const int side = slope(limit, d) > 0.0 ? 1 : -1;
  side_[static_cast<std::size_t>(limit)] = side;
  if (is_box_) x(limit) = side > 0 ? upper_(limit) : lower_(limit);
  if (!append(limit, Z, M)) side_[static_cast<std::size_t>(limit)] = 0;
}

/// The multipliers of g.
void ActiveLimits::multiply(VectorRef g) const {
  to_active(g);
  auto mu = multipliers_.head(count());
  mu = g.head(count());
  for (Eigen::Index i = count(); !swaps_ && i-- > 0;) {
    mu(i) /= G_(i, i);
    mu.head(i) -= mu(i) * G_.col(i).head(i);
  }
}

/// How much an active limit holds the minimum back; negative if it does not.
double ActiveLimits::wrongness(int place) const {
  const int limit = active_[static_cast<std::size_t>(place)];
  if (lower_(limit) == upper_(limit) || locked_[static_cast<std::size_t>(limit)] != 0) return -1.0;
  return -side(limit) * multipliers_(place) * (is_box_ ? 1.0 : norms_(limit));
}

int ActiveLimits::find_release(VectorRef g, double tolerance, bool first) const {
  multiply(g);
  int worst = -1;
  double most = tolerance;
  for (int place = 0; place < count(); ++place) {
    const double wrong = wrongness(place);
    if (!(wrong > most)) continue;
    const int limit = active_[static_cast<std::size_t>(place)];
    if (!first) {
      most = wrong;
      worst = place;
    } else if (worst < 0 || limit < active_[static_cast<std::size_t>(worst)]) {
      worst = place;
    }
  }
  return worst;
}

void ActiveLimits::lock(double tolerance) {
  for (int place = 0; place < count(); ++place) {
    const int limit = active_[static_cast<std::size_t>(place)];
    if (wrongness(place) < -tolerance) locked_[static_cast<std::size_t>(limit)] = 1;
  }
}

bool ActiveLimits::are_locked() const {
  return std::all_of(active_.begin(), active_.end(), [&](int limit) {
    return lower_(limit) == upper_(limit) || locked_[static_cast<std::size_t>(limit)] != 0;
  });
}

void ActiveLimits::release(int place, const Eigen::Ref<const MatrixX>& Z,
                           const Eigen::Ref<const MatrixX>& whole, Eigen::Ref<MatrixX> M) {
  if (swaps_) return swap_out(place, M);
  const auto at = active_.begin() + place;
  side_[static_cast<std::size_t>(*at)] = 0;
  active_.erase(at);
  M = whole;
  enter(Z, M);
}

bool ActiveLimits::release_all(VectorRef g, double tolerance, Eigen::Ref<MatrixX> M) {
  multiply(g);
  const int before = count();
  // from the last place on: what moves into a place has been looked at
  for (int place = before; place-- > 0;) {
    if (wrongness(place) > tolerance) swap_out(place, M);
  }
  return count() < before;
}

}  // namespace spacedyn
