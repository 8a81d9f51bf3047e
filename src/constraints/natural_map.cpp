#include "constraints/complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/decompositions.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

using Kind = ConstraintRow::Kind;
using Matrix2 = Eigen::Matrix2d;
using Vector2 = Eigen::Vector2d;

constexpr int kMostNewtonSteps = 80;
constexpr int kMostStrides = 12;
constexpr int kHalvings = 12;
/// Least decrease of |F|² along a step, as a part of the linear one.
constexpr double kDecrease = 1e-4;
/// Damping of a step as a part of |F|, relative to the size of rates.
constexpr double kDamping = 1e-3;

}  // namespace

bool row_moves(const MatrixX& G, const VectorX& own, Eigen::Index row) {
  return own.size() == 0 || G(row, row) > kHeldResponse * own(row);
}

NaturalMap::NaturalMap(const std::vector<ConstraintRow>& rows, const MatrixX& G, const VectorX& own,
                       const VectorX& free)
    : rows_(rows), G_(G), own_(own), free_(free), unit_(G.diagonal()) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double least_push = unit_(row) * rows[i].least_reaction;
    scale_ = std::max({scale_, std::abs(free(row)), std::abs(rows[i].least), least_push});
    if (rows[i].friction >= 0.0) {
      unit_.segment<2>(row + 1).setConstant(G.block<2, 2>(row + 1, row + 1).trace());
    }
  }
}

bool NaturalMap::moves(Eigen::Index row) const { return row_moves(G_, own_, row); }

VectorX NaturalMap::residual(const VectorX& reactions) const {
  const VectorX w = free_ + G_ * reactions;
  VectorX F = VectorX::Zero(w.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const ConstraintRow& own = rows_[i];
    if (own.kind == Kind::tangential || !moves(row)) continue;
    F(row) = w(row) - own.least;
    if (own.kind == Kind::unilateral) {
      F(row) = std::min(F(row), unit_(row) * (reactions(row) - own.least_reaction));
    }
    const double unit = own.friction >= 0.0 ? unit_(row + 1) : 0.0;
    if (!(unit > 0.0)) continue;
    const Vector2 held = reactions.segment<2>(row + 1);
    const double radius = own.friction * std::max(0.0, reactions(row));
    F.segment<2>(row + 1) = unit * (held - clip(held - w.segment<2>(row + 1) / unit, radius));
  }
  return F;
}

void NaturalMap::differentiate_friction(Eigen::Index normal, const VectorX& reactions,
                                        const VectorX& w, MatrixX& J) const {
  const double friction = rows_[static_cast<std::size_t>(normal)].friction;
  const double unit = unit_(normal + 1);
  if (!(unit > 0.0)) return;
  const Vector2 tried = reactions.segment<2>(normal + 1) - w.segment<2>(normal + 1) / unit;
  const double radius = friction * std::max(0.0, reactions(normal)), norm = tried.norm();
  if (norm <= radius) {
    J.middleRows<2>(normal + 1) = G_.middleRows<2>(normal + 1);
    return;
  }
  const Vector2 direction = tried / norm;
  const Matrix2 turning = radius / norm * (Matrix2::Identity() - direction * direction.transpose());
  J.middleRows<2>(normal + 1) = turning * G_.middleRows<2>(normal + 1);
  J.block<2, 2>(normal + 1, normal + 1) += unit * (Matrix2::Identity() - turning);
  if (reactions(normal) >= 0.0) J.block<2, 1>(normal + 1, normal) -= unit * friction * direction;
}

MatrixX NaturalMap::jacobian(const VectorX& reactions) const {
  const VectorX w = free_ + G_ * reactions;
  MatrixX J = MatrixX::Zero(G_.rows(), G_.cols());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const ConstraintRow& own = rows_[i];
    if (own.kind == Kind::tangential || !moves(row)) continue;
    const bool holds = own.kind == Kind::bilateral ||
                       w(row) - own.least <= unit_(row) * (reactions(row) - own.least_reaction);
    if (holds) {
      J.row(row) = G_.row(row);
    } else {
      J(row, row) = unit_(row);
    }
    if (own.friction >= 0.0) differentiate_friction(row, reactions, w, J);
  }
  return J;
}

/// The step of Levenberg and Marquardt for reactions in units of rates.
VectorX NaturalMap::step(const VectorX& reactions, const VectorX& F) const {
  const Eigen::Index size = F.size();
  const VectorX scale = unit_.unaryExpr([](double unit) { return unit > 0.0 ? 1.0 / unit : 0.0; });
  MatrixX system = MatrixX::Zero(2 * size, size);
  system.topRows(size) = jacobian(reactions) * scale.asDiagonal();
  const double damping =
      std::max(std::min(kDamping, F.norm() / scale_), std::numeric_limits<double>::epsilon());
  system.bottomRows(size).diagonal().setConstant(damping);
  VectorX right = VectorX::Zero(2 * size);
  right.head(size) = F;
  return scale.asDiagonal() * least_squares(system, right);
}

bool NaturalMap::search(VectorX& reactions, VectorX& F) const {
  const VectorX full = step(reactions, F);
  if (!full.allFinite()) return false;
  const double before = F.squaredNorm();
  double part = 1.0;
  for (int i = 0; i <= kHalvings; ++i, part *= 0.5) {
    const VectorX tried = reactions - part * full;
    const VectorX F_tried = residual(tried);
    if (!(F_tried.squaredNorm() <= (1.0 - kDecrease * part) * before)) continue;
    reactions = tried;
    F = F_tried;
    return true;
  }
  return false;
}

double NaturalMap::solve(VectorX& reactions) const {
  VectorX F = residual(reactions);
  stride(reactions, F);
  for (int i = 0; i < kMostNewtonSteps && F.lpNorm<Eigen::Infinity>() > 0.0; ++i) {
    if (!search(reactions, F)) break;
  }
  project(reactions);
  return residual(reactions).lpNorm<Eigen::Infinity>();
}

/// Full steps: across edges of friction that bodies hardly feel, where F rises before it falls.
void NaturalMap::stride(VectorX& reactions, VectorX& F) const {
  VectorX tried = reactions, F_tried = F;
  for (int i = 0; i < kMostStrides; ++i) {
    const VectorX full = step(tried, F_tried);
    if (!full.allFinite()) return;
    tried -= full;
    F_tried = residual(tried);
    if (!(F_tried.squaredNorm() < F.squaredNorm())) continue;
    reactions = tried;
    F = F_tried;
  }
}

/// Reactions of rows that part become exactly the least, and friction keeps to its disc.
void NaturalMap::project(VectorX& reactions) const {
  const VectorX w = free_ + G_ * reactions;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const ConstraintRow& own = rows_[i];
    if (own.kind != Kind::unilateral || !moves(row)) continue;
    const double push = reactions(row) - own.least_reaction;
    if (!(push > 0.0) || w(row) - own.least > unit_(row) * push) {
      reactions(row) = own.least_reaction;
    }
    if (own.friction < 0.0) continue;
    const Vector2 held = reactions.segment<2>(row + 1);
    reactions.segment<2>(row + 1) = clip(held, own.friction * reactions(row));
  }
}

namespace {

using Vector2 = Eigen::Vector2d;

/// Part of a response below which loops or prescribed motion hold a point.
constexpr double kNoResponse = 1e-10;

/// Directions of sliding that are tried for one point.
constexpr int kDirections = 96;
constexpr int kDirectionHalvings = 60;

/// One point that slides: its normal reaction and what is left across the direction.
struct SlidingTrial {
  double normal = 0.0;
  double across = 0.0, along = 0.0;  // of w_t
  Vector2 direction;

  SlidingTrial(const Matrix3& G, const Vector3& free, double friction, double least, double angle)
      : direction(std::cos(angle), std::sin(angle)) {
    const double response = G(0, 0) - friction * G.block<1, 2>(0, 1).dot(direction);
    normal = response > kNoResponse * G(0, 0) ? std::max(least, -free(0) / response) : -1.0;
    const Vector2 w = free.tail<2>() +
                      normal * (G.block<2, 1>(1, 0) - friction * G.block<2, 2>(1, 1) * direction);
    across = direction.x() * w.y() - direction.y() * w.x();
    along = direction.dot(w);
  }
  bool is_usable() const { return normal >= 0.0; }
};

/// The reaction of a point that slides, found by its direction; zero if there is none.
Vector3 sliding_reaction(const Matrix3& G, const Vector3& free, double friction, double least) {
  const auto trial = [&](double angle) { return SlidingTrial(G, free, friction, least, angle); };
  const double part = 2.0 * kPi / kDirections;
  const double start = std::atan2(free(2), free(1)) - 0.5 * part;
  Vector3 reaction = Vector3::Zero();
  for (int i = 0; i < kDirections; ++i) {
    // from the direction without reactions to both sides
    const int distance = (i + 1) / 2;
    const double left = start + part * (i % 2 == 0 ? distance : -distance);
    double a = left, b = left + part;
    const SlidingTrial at_a = trial(a), at_b = trial(b);
    const bool crosses = (at_a.across >= 0.0) != (at_b.across >= 0.0);
    if (!crosses || !at_a.is_usable() || !at_b.is_usable()) continue;
    if (!(at_a.along > 0.0 || at_b.along > 0.0)) continue;
    for (int k = 0; k < kDirectionHalvings; ++k) {
      const double middle = 0.5 * (a + b);
      ((trial(middle).across >= 0.0) == (at_a.across >= 0.0) ? a : b) = middle;
    }
    const SlidingTrial found = trial(0.5 * (a + b));
    if (!(found.along >= 0.0) || !found.is_usable()) continue;
    reaction(0) = found.normal;
    reaction.tail<2>() = -friction * found.normal * found.direction;
    return reaction;
  }
  return reaction;
}

/// −G⁻¹ w; where a point does not move along some direction, without a part there.
Vector3 sticking_reaction(const Matrix3& G, const Vector3& free) {
  const PrincipalAxes parts = principal_axes(G);
  Vector3 reaction = Vector3::Zero();
  for (int i = 0; i < 3; ++i) {
    const double response = parts.moments(i);
    if (!(response > kNoResponse * parts.moments(2))) continue;
    const Vector3 axis = parts.axes.col(i);
    reaction -= axis.dot(free) / response * axis;
  }
  return reaction;
}

}  // namespace

Vector3 point_reaction(const Matrix3& G, const Vector3& free, double friction, double least) {
  if (least == 0.0 && free(0) >= 0.0) return Vector3::Zero();
  Vector3 stick = sticking_reaction(G, free);
  if (stick(0) >= least && stick.tail<2>().norm() <= friction * stick(0)) return stick;
  Vector3 slide = sliding_reaction(G, free, friction, least);
  if (slide(0) > 0.0 || least == 0.0) return slide;
  // no direction: it sticks at the least reaction
  Vector3 held(least, 0.0, 0.0);
  const double response = G.block<2, 2>(1, 1).trace();
  const Vector2 w = free.tail<2>() + least * G.block<2, 1>(1, 0);
  if (response > 0.0) held.tail<2>() = clip(-w / response, friction * least);
  return held;
}

}  // namespace spacedyn
