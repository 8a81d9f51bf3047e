#include "integration/impulses/contact_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/complementarity.hpp"

namespace spacedyn {
namespace {

/// Part of the largest response below which a direction of a point does not move by itself.
constexpr double kHeld = 1e-10;
/// Sweeps before their acceleration begins.
constexpr int kPlainSweeps = 4;
/// An extrapolation after which sweeps change so much more than before has misled.
constexpr double kWorse = 2.0;
/// Points for which a solution with dense matrices is worth its while, and impulses of least norm.
constexpr std::size_t kFewPoints = 16;
/// Conjugate gradients end with velocities wrong by this part of the tolerance.
constexpr double kRest = 0.1;

using Six = Eigen::Matrix<double, 6, 1>;
using SixColumns = Eigen::Matrix<double, 6, 3>;
/// K of six coordinates, and zeros that make its columns fit vector registers.
using SixRows = Eigen::Matrix<double, 4, 6>;

/// Where the three numbers of a point stand.
Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(3 * i); }

}  // namespace

void ContactPoints::reserve(std::size_t points) {
  rows_.reserve(points);
  points_.reserve(points);
  make_room(12 * points);  // two bodies of six coordinates
}

void ContactSweeps::reserve(std::size_t points) {
  ContactPoints::reserve(points);
  parting_.reserve(points);
  const auto numbers = static_cast<Eigen::Index>(3 * points);
  before_.resize(numbers);
  after_.resize(numbers);
  best_.resize(numbers);
  weights_.resize(numbers);
  residual_.resize(numbers);
  direction_.resize(numbers);
  acceleration_.reserve(numbers);
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

void ContactPoints::clear_robots(std::size_t i, VectorRef u) const {
  for (int k = 0; k < rows_[i].count; ++k) {
    const Side& side = rows_[i].sides[static_cast<std::size_t>(k)];
    u.segment(side.first, side.size).setZero();
  }
}

double ContactSweeps::visit(std::size_t i, double* u) {
  const Rows& rows = rows_[i];
  Point& point = points_[i];
  const Vector3 w = velocity(rows, u);
  const double open = w(0) - point.least;
  const Vector3 old = point.impulse;
  if ((old(0) == 0.0 && open >= 0.0) || rows.unit == 0.0) return 0.0;
  Vector3 found = old;
  const double mu = point.friction;
  if (mu > 0.0) found -= rows.G_inverse * Vector3(open, w(1), w(2));
  const auto is_inside = [mu](const Vector3& impulse) {
    const double most = mu * impulse(0);
    return impulse(1) * impulse(1) + impulse(2) * impulse(2) <= most * most;
  };
  if (mu == 0.0 || found(0) < 0.0 || !is_inside(found)) {
    const double normal = std::max(0.0, old(0) - open * rows.normal_inverse);
    const double change = normal - old(0);
    // what the change of the normal impulse does to the tangents comes first
    found = {normal, old(1) - (w(1) + rows.G(1, 0) * change) * rows.tangential_inverse,
             old(2) - (w(2) + rows.G(2, 0) * change) * rows.tangential_inverse};
    if (!is_inside(found)) found.tail<2>() *= mu * normal / found.tail<2>().norm();
  }
  const Vector3 change = found - old;
  if (change.isZero(0.0)) return 0.0;
  point.impulse = found;
  apply(rows, change, u);
  return (rows.G * change).lpNorm<Eigen::Infinity>();
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

double ContactSweeps::sweep(VectorRef u) {
  double moved = 0.0;
  for (std::size_t i = 0; i < rows_.size(); ++i) moved = std::max(moved, visit(i, u.data()));
  // and back, so that loads pass through a stack both ways
  for (std::size_t i = rows_.size(); i-- > 0;) moved = std::max(moved, visit(i, u.data()));
  return moved;
}

double ContactPoints::residual(ConstVectorRef u) const {
  double worst = 0.0;
  for (std::size_t i = 0; i < rows_.size(); ++i) worst = std::max(worst, violation(i, u));
  return worst;
}

void ContactPoints::gather(VectorRef impulses) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    impulses.segment<3>(at(i)) = rows_[i].unit * points_[i].impulse;
  }
}

void ContactPoints::scatter(ConstVectorRef impulses, VectorRef u) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!(rows_[i].G(0, 0) > 0.0)) continue;
    Point& point = points_[i];
    Vector3 found = impulses.segment<3>(at(i)) / rows_[i].unit;
    found(0) = std::max(0.0, found(0));
    const double most = point.friction * found(0), size = found.tail<2>().norm();
    if (size > most) found.tail<2>() *= most / size;
    const Vector3 change = found - point.impulse;
    if (change.isZero(0.0)) continue;
    point.impulse = found;
    apply(rows_[i], change, u.data());
  }
}

void ContactPoints::apply_impulses(VectorRef u) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) apply(rows_[i], points_[i].impulse, u.data());
}

ContactSweeps::Outcome ContactSweeps::solve(const Limits& limits, VectorRef u) {
  const double tolerance = limits.tolerance;
  Outcome outcome;
  acceleration_.restart();
  const auto numbers = static_cast<Eigen::Index>(3 * rows_.size());
  if (before_.size() < numbers) reserve(2 * rows_.size());
  auto before = before_.head(numbers), after = after_.head(numbers);
  auto best = best_.head(numbers);
  double least = std::numeric_limits<double>::infinity();
  while (outcome.sweeps < limits.most_sweeps) {
    if (limits.before_each) limits.before_each();
    gather(before);
    const double moved = sweep(u);
    outcome.sweeps += 2;
    if (moved <= tolerance) {
      outcome.residual = residual(u);
      if (outcome.residual <= tolerance) return outcome;
    }
    if (outcome.sweeps == 2 && rows_.size() <= kFewPoints) try_sticking(tolerance, u);
    if (outcome.sweeps < kPlainSweeps) continue;
    if (moved > kWorse * least) {
      acceleration_.restart();
      scatter(best, u);
      least *= kWorse;  // where it is not to be had again
      continue;
    }
    gather(after);
    if (moved < least) least = moved, best = after;
    acceleration_.extrapolate(before, after);
    scatter(after, u);
  }
  scatter(best, u);
  outcome.residual = residual(u);
  if (rows_.size() <= kFewPoints && outcome.residual > tolerance) {
    solve_few(u);
    outcome.residual = residual(u);
  }
  return outcome;
}

void ContactSweeps::try_sticking(double tolerance, VectorRef u) {
  const Eigen::Index numbers = at(rows_.size());
  auto weights = weights_.head(numbers), found = after_.head(numbers), last = best_.head(numbers);
  auto rest = residual_.head(numbers), direction = direction_.head(numbers);
  auto response = before_.head(numbers);
  gather(last);
  moved_ = u;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    apply(rows_[i], -points_[i].impulse, moved_.data());
  }
  double most = 0.0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Vector3 missing = -velocity(rows_[i], moved_.data());
    missing(0) += points_[i].least;
    const bool acts = rows_[i].unit > 0.0 && (points_[i].impulse(0) > 0.0 || missing(0) > 0.0);
    const double weight = acts ? 1.0 / rows_[i].unit : 0.0;
    const double tangential = points_[i].friction > 0.0 ? weight : 0.0;
    weights.segment<3>(at(i)) << weight, tangential, tangential;
    rest.segment<3>(at(i)) = weights.segment<3>(at(i)).cwiseProduct(missing);
    most = std::max(most, rows_[i].unit);
  }
  // conjugate gradients from zero stay among the responses: what they find has the least norm
  found.setZero();
  direction = rest;
  double square = rest.squaredNorm();
  const double enough = std::pow(kRest * tolerance / most, 2);
  for (Eigen::Index k = 0; k < numbers && square > enough; ++k) {
    moved_.setZero();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto weight = weights.segment<3>(at(i));
      apply(rows_[i], weight.cwiseProduct(direction.segment<3>(at(i))), moved_.data());
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto weight = weights.segment<3>(at(i));
      response.segment<3>(at(i)) = weight.cwiseProduct(velocity(rows_[i], moved_.data()));
    }
    const double curvature = direction.dot(response);
    if (!(curvature > 0.0)) return;
    found += square / curvature * direction;
    rest -= square / curvature * response;
    const double next = rest.squaredNorm();
    direction = rest + next / square * direction;
    square = next;
  }
  if (!(square <= enough)) return;
  // what the cones do not bear slides
  const double violated = residual(u);
  scatter(found, u);
  if (!(residual(u) < violated)) scatter(last, u);
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

void ContactSweeps::solve_few(VectorRef u) {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  std::vector<ConstraintRow> conditions;
  MatrixX G(3 * count, 3 * count);
  VectorX free(3 * count), reactions(3 * count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Point& point = points_[at];
    ConstraintRow normal, tangent;
    normal.kind = ConstraintRow::Kind::unilateral;
    normal.least = point.least;
    normal.friction = point.friction;
    tangent.kind = ConstraintRow::Kind::tangential;
    conditions.insert(conditions.end(), {normal, tangent, tangent});
    for (Eigen::Index k = 0; k < count; ++k) {
      G.block<3, 3>(3 * i, 3 * k) = response_between(rows_[at], rows_[static_cast<std::size_t>(k)]);
    }
    free.segment<3>(3 * i) = velocity(at, u);
    reactions.segment<3>(3 * i) = point.impulse;
  }
  free -= G * reactions;
  const VectorX own = G.diagonal();
  ComplementarityProblem problem(std::move(conditions), std::move(G), own, free);
  problem.solve();
  if (!(problem.residual() < residual(u))) return;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Vector3 found = problem.reactions().segment<3>(static_cast<Eigen::Index>(3 * i));
    apply(rows_[i], found - points_[i].impulse, u.data());
    points_[i].impulse = found;
  }
}

void ContactSweeps::part(const std::vector<double>& gaps, const std::vector<char>& closes,
                         double tolerance, int most_sweeps, VectorRef d) {
  parting_.assign(rows_.size(), 0.0);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double moved = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Rows& rows = rows_[i];
      if (!(rows.G(0, 0) > 0.0)) continue;
      const double open = gaps[i] + velocity(rows, d.data())(0);
      double found = parting_[i] - open / rows.G(0, 0);
      if (closes[i] == 0) found = std::max(0.0, found);
      const double change = found - parting_[i];
      if (change == 0.0) continue;
      parting_[i] = found;
      apply(rows, Vector3(change, 0.0, 0.0), d.data());
      moved = std::max(moved, rows.G(0, 0) * std::abs(change));
    }
    if (moved <= tolerance) return;
  }
}

}  // namespace spacedyn
