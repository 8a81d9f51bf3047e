#include "integration/impulses/contact_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/complementarity.hpp"

namespace spacedyn {
namespace {

/// Sweeps before their acceleration begins.
constexpr int kPlainSweeps = 4;
/// An extrapolation after which sweeps change so much more than before has misled.
constexpr double kWorse = 2.0;
/// Points for which a solution with dense matrices is worth its while, and impulses of least norm.
constexpr std::size_t kFewPoints = 16;
/// Conjugate gradients end with velocities wrong by this part of the tolerance.
constexpr double kRest = 0.1;

}  // namespace

void ContactSweeps::reserve(std::size_t points) {
  ContactPoints::reserve(points);
  parting_.reserve(points);
  make_memory(points);
}

void ContactSweeps::make_memory(std::size_t points) {
  const Eigen::Index numbers = at(points);
  before_.resize(numbers);
  after_.resize(numbers);
  best_.resize(numbers);
  weights_.resize(numbers);
  residual_.resize(numbers);
  direction_.resize(numbers);
  acceleration_.reserve(numbers);
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

double ContactSweeps::sweep(Group group, VectorRef u) {
  double moved = 0.0;
  for (const std::size_t i : group) moved = std::max(moved, visit(i, u.data()));
  // and back, so that loads pass through a stack both ways
  for (const std::size_t* i = group.last; i != group.first;) {
    moved = std::max(moved, visit(*--i, u.data()));
  }
  return moved;
}

ContactSweeps::Outcome ContactSweeps::solve(Group group, const Limits& limits, VectorRef u) {
  const double tolerance = limits.tolerance;
  Outcome outcome;
  acceleration_.restart();
  const Eigen::Index numbers = at(group.size());
  if (before_.size() < numbers) make_memory(2 * rows_.size());
  auto before = before_.head(numbers), after = after_.head(numbers);
  auto best = best_.head(numbers);
  double least = std::numeric_limits<double>::infinity();
  while (outcome.sweeps < limits.most_sweeps) {
    if (limits.before_each) limits.before_each();
    gather(group, before);
    const double moved = sweep(group, u);
    outcome.sweeps += 2;
    if (moved <= tolerance) {
      outcome.residual = residual(group, u);
      if (outcome.residual <= tolerance) return outcome;
    }
    if (outcome.sweeps == 2 && group.size() <= kFewPoints) try_sticking(group, tolerance, u);
    if (outcome.sweeps < kPlainSweeps) continue;
    if (moved > kWorse * least) {
      acceleration_.restart();
      scatter(group, best, u);
      least *= kWorse;  // where it is not to be had again
      continue;
    }
    gather(group, after);
    if (moved < least) least = moved, best = after;
    acceleration_.extrapolate(before, after);
    scatter(group, after, u);
  }
  scatter(group, best, u);
  outcome.residual = residual(group, u);
  if (group.size() <= kFewPoints && outcome.residual > tolerance) {
    solve_few(group, u);
    outcome.residual = residual(group, u);
  }
  return outcome;
}

void ContactSweeps::try_sticking(Group group, double tolerance, VectorRef u) {
  const Eigen::Index numbers = at(group.size());
  auto weights = weights_.head(numbers), found = after_.head(numbers), last = best_.head(numbers);
  auto rest = residual_.head(numbers), direction = direction_.head(numbers);
  auto response = before_.head(numbers);
  gather(group, last);
  const auto set_moved = [&](const auto& value_of) {
    for (const std::size_t i : group) {
      for_each_robot(
          i, [&](int first, int size) { moved_.segment(first, size) = value_of(first, size); });
    }
  };
  set_moved([&](int first, int size) { return u.segment(first, size); });
  for (const std::size_t i : group) apply(rows_[i], -points_[i].impulse, moved_.data());
  double most = 0.0;
  for (std::size_t k = 0; k < group.size(); ++k) {
    const std::size_t i = group.first[k];
    Vector3 missing = -velocity(rows_[i], moved_.data());
    missing(0) += points_[i].least;
    const bool acts = rows_[i].unit > 0.0 && (points_[i].impulse(0) > 0.0 || missing(0) > 0.0);
    const double weight = acts ? 1.0 / rows_[i].unit : 0.0;
    const double tangential = points_[i].friction > 0.0 ? weight : 0.0;
    weights.segment<3>(at(k)) << weight, tangential, tangential;
    rest.segment<3>(at(k)) = weights.segment<3>(at(k)).cwiseProduct(missing);
    most = std::max(most, rows_[i].unit);
  }
  // conjugate gradients from zero stay among the responses: what they find has the least norm
  found.setZero();
  direction = rest;
  double square = rest.squaredNorm();
  const double enough = std::pow(kRest * tolerance / most, 2);
  for (Eigen::Index step = 0; step < numbers && square > enough; ++step) {
    set_moved([](int, int size) { return VectorX::Zero(size); });
    for (std::size_t k = 0; k < group.size(); ++k) {
      const auto weight = weights.segment<3>(at(k));
      apply(rows_[group.first[k]], weight.cwiseProduct(direction.segment<3>(at(k))), moved_.data());
    }
    for (std::size_t k = 0; k < group.size(); ++k) {
      const auto weight = weights.segment<3>(at(k));
      response.segment<3>(at(k)) =
          weight.cwiseProduct(velocity(rows_[group.first[k]], moved_.data()));
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
  const double violated = residual(group, u);
  scatter(group, found, u);
  if (!(residual(group, u) < violated)) scatter(group, last, u);
}

void ContactSweeps::solve_few(Group group, VectorRef u) {
  const auto count = static_cast<Eigen::Index>(group.size());
  std::vector<ConstraintRow> conditions;
  MatrixX G(3 * count, 3 * count);
  VectorX free(3 * count), reactions(3 * count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t own = group.first[i];
    const Point& point = points_[own];
    ConstraintRow normal, tangent;
    normal.kind = ConstraintRow::Kind::unilateral;
    normal.least = point.least;
    normal.friction = point.friction;
    tangent.kind = ConstraintRow::Kind::tangential;
    conditions.insert(conditions.end(), {normal, tangent, tangent});
    for (Eigen::Index k = 0; k < count; ++k) {
      G.block<3, 3>(3 * i, 3 * k) = response_between(rows_[own], rows_[group.first[k]]);
    }
    free.segment<3>(3 * i) = velocity(own, u);
    reactions.segment<3>(3 * i) = point.impulse;
  }
  free -= G * reactions;
  const VectorX own = G.diagonal();
  ComplementarityProblem problem(std::move(conditions), std::move(G), own, free);
  problem.solve();
  if (!(problem.residual() < residual(group, u))) return;
  for (std::size_t k = 0; k < group.size(); ++k) {
    const std::size_t i = group.first[k];
    const Vector3 found = problem.reactions().segment<3>(at(k));
    apply(rows_[i], found - points_[i].impulse, u.data());
    points_[i].impulse = found;
  }
}

void ContactSweeps::part(Group group, const std::vector<double>& gaps,
                         const std::vector<char>& closes, double tolerance, int most_sweeps,
                         VectorRef d) {
  parting_.resize(rows_.size());
  for (const std::size_t i : group) parting_[i] = 0.0;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double moved = 0.0;
    for (const std::size_t i : group) {
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
