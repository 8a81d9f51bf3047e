#include "constraints/complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "math/decompositions.hpp"

namespace spacedyn {
namespace {

constexpr double kReactionRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// More exchanges than the rule of Murty needs for rows that meet at one instant.
constexpr int kMostRowExchanges = 1000;

/// Sweeps, after powers of 2 of which Newton's method is tried.
constexpr int kMostSweeps = 16;
/// Compliances of points beside the responses of bodies.
constexpr double kFirstCompliance = 1.0;
constexpr double kTriedCompliance = 1e-4;
constexpr double kLastCompliance = 1e-14;
/// Pyramids in place of cones, each finer than the last.
constexpr int kMostPyramids = 16;

/// What Newton's method must reach, as a part of the largest rate, to end a search at once.
constexpr double kPolished = 1e-12;

MatrixX pseudo_inverse(const MatrixX& G) {
  const LeastNormSolver solver(G, kHeldResponse);
  if (!(solver.largest_pivot() > kHeldResponse)) return MatrixX::Zero(G.cols(), G.rows());
  return solver.pseudo_inverse();
}

}  // namespace

MatrixX inverse_of_delassus(const MatrixX& G, const VectorX& own) {
  if (own.size() == 0) return inverse_of(G);
  const VectorX scale = own.unaryExpr(
      [](double response) { return response > 0.0 ? 1.0 / std::sqrt(response) : 0.0; });
  const MatrixX normalized = scale.asDiagonal() * G * scale.asDiagonal();
  return scale.asDiagonal() * pseudo_inverse(normalized) * scale.asDiagonal();
}

ComplementarityProblem::ComplementarityProblem(std::vector<ConstraintRow> rows, MatrixX G,
                                               VectorX own, VectorX free)
    : rows_(std::move(rows)),
      G_(std::move(G)),
      own_(std::move(own)),
      free_(std::move(free)),
      active_(rows_.size(), true),
      reactions_(VectorX::Zero(G_.rows())),
      size_(reactions_),
      w_(free_) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double least_push = G_(row, row) * rows_[i].least_reaction;
    scale_ = std::max({scale_, std::abs(free_(row)), std::abs(rows_[i].least), least_push});
  }
}

bool ComplementarityProblem::has_friction() const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [](const ConstraintRow& row) { return row.friction > 0.0; });
}

bool ComplementarityProblem::moves(Eigen::Index row) const { return row_moves(G_, own_, row); }

bool ComplementarityProblem::pulls_itself(std::size_t row) const {
  const auto i = static_cast<Eigen::Index>(row);
  // one that loops hold has no response of either sign
  return rows_[row].kind == Kind::unilateral && own_.size() > 0 &&
         G_(i, i) < -kHeldResponse * own_(i);
}

bool ComplementarityProblem::is_jammed() {
  const VectorX w = rates();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (!pulls_itself(i) || w(row) - rows_[i].least >= -kResidual * scale_) continue;
    row_ = static_cast<int>(i);
    return true;
  }
  return false;
}

ComplementarityProblem::Status ComplementarityProblem::solve() {
  if (rows_.empty()) return Status::solved;
  bool needs_sweeps = has_friction();
  for (std::size_t i = 0; i < rows_.size(); ++i) needs_sweeps = needs_sweeps || pulls_itself(i);
  const bool is_decided = !needs_sweeps && exchange_to_end();
  const bool is_solved = is_decided || solve_cones();
  // a row that its own reaction pulls parts, or not at all
  if (is_jammed()) return Status::inconsistent;
  return is_solved ? Status::solved : Status::not_converged;
}

bool ComplementarityProblem::exchange_to_end() {
  compute_active();
  int exchanges = 0;
  while (exchange()) {
    if (++exchanges == kMostRowExchanges) return false;
    compute_active();
  }
  residual_ = measure(reactions_);
  // rows that hold may contradict each other where they are redundant
  return own_.size() == 0 || residual_ <= kResidual * scale_;
}

void ComplementarityProblem::compute_active() {
  std::vector<Eigen::Index> on;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    reactions_(row) = active_[i] ? 0.0 : rows_[i].least_reaction;
    if (active_[i] && rows_[i].kind != Kind::tangential) on.push_back(row);
  }
  size_.setZero(G_.rows());
  if (on.empty()) return;
  VectorX right(static_cast<Eigen::Index>(on.size())), terms(right);
  const VectorX given = free_ + G_ * reactions_;
  for (std::size_t k = 0; k < on.size(); ++k) {
    const ConstraintRow& row = rows_[static_cast<std::size_t>(on[k])];
    right(static_cast<Eigen::Index>(k)) = row.least - given(on[k]);
    terms(static_cast<Eigen::Index>(k)) = std::abs(row.least) + std::abs(given(on[k])) + row.terms;
  }
  const MatrixX inverse =
      inverse_of_delassus(G_(on, on), own_.size() > 0 ? VectorX(own_(on)) : VectorX());
  reactions_(on) = inverse * right;
  size_(on) = inverse.cwiseAbs() * terms;
}

bool ComplementarityProblem::exchange() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].kind != Kind::unilateral) continue;
    const auto row = static_cast<Eigen::Index>(i);
    const bool pulls =
        active_[i] && reactions_(row) - rows_[i].least_reaction < -kReactionRounding * size_(row);
    if (pulls || (!active_[i] && stays_behind(row))) {
      active_[i] = !active_[i];
      return true;
    }
  }
  return false;
}

bool ComplementarityProblem::stays_behind(Eigen::Index row) const {
  const ConstraintRow& condition = rows_[static_cast<std::size_t>(row)];
  const double rate = free_(row) + G_.row(row).dot(reactions_);
  const double terms = std::abs(free_(row)) + G_.row(row).cwiseAbs().dot(reactions_.cwiseAbs()) +
                       std::abs(condition.least) + condition.terms;
  return rate - condition.least < -kReactionRounding * terms;
}

bool ComplementarityProblem::try_sticking() {
  VectorX right = -free_;
  VectorX weights = VectorX::Ones(G_.rows());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    right(row) += rows_[i].least;
    if (!moves(row) || rows_[i].least_reaction > 0.0) return false;
  }
  for (int pass = 0; pass < 2; ++pass) {
    const MatrixX weighted = G_ * weights.asDiagonal();
    reactions_ = weights.cwiseProduct(LeastNormSolver(weighted, kHeldResponse).solve(right));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (rows_[i].friction <= 0.0) continue;
      if (!(reactions_(row) > 0.0)) return false;
      weights.segment<2>(row + 1).setConstant(std::sqrt(reactions_(row)));
    }
  }
  return measure(reactions_) <= kPolished * scale_;
}

bool ComplementarityProblem::solve_cones() {
  if (!try_sticking() && !sweep_to_end() && !stiffen() && !refine_pyramids()) reactions_ = best_;
  w_ = rates();
  residual_ = measure(reactions_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    active_[i] = rows_[i].kind != Kind::unilateral || reactions_(row) > rows_[i].least_reaction ||
                 w_(row) - rows_[i].least <= kResidual * scale_;
  }
  return residual_ <= kResidual * scale_;
}

bool ComplementarityProblem::polish(VectorX start) {
  const double residual = NaturalMap(rows_, G_, own_, free_).solve(start);
  if (!(residual < best_residual_)) return false;
  best_ = start;
  best_residual_ = residual;
  if (residual > kPolished * scale_) return false;
  reactions_ = best_;
  return true;
}

bool ComplementarityProblem::sweep_to_end() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    reactions_(static_cast<Eigen::Index>(i)) = rows_[i].least_reaction;
  }
  for (int k = 1; k <= kMostSweeps; ++k) {
    w_ = rates();
    sweep();
    if ((k & (k - 1)) == 0 && k >= 4 && polish(reactions_)) return true;
  }
  return false;
}

bool ComplementarityProblem::stiffen() {
  VectorX start = reactions_;
  for (double compliance = kFirstCompliance; compliance > kLastCompliance; compliance *= 0.1) {
    MatrixX G = G_;
    G.diagonal() *= 1.0 + compliance;
    NaturalMap(rows_, G, own_, free_).solve(start);
    if (compliance < kTriedCompliance && polish(start)) return true;
  }
  return false;
}

bool ComplementarityProblem::refine_pyramids() {
  FrictionPyramid pyramid(rows_, G_, own_, free_);
  for (int k = 0; k < kMostPyramids; ++k) {
    const std::optional<VectorX> found = pyramid.solve();
    if (found && polish(*found)) return true;
    if (best_residual_ <= kResidual * scale_) break;
    pyramid.refine();
  }
  return false;
}

void ComplementarityProblem::sweep() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (rows_[i].kind == Kind::tangential || !moves(row)) continue;
    if (rows_[i].friction > 0.0) {
      sweep_point(row);
      continue;
    }
    const double before = reactions_(row);
    double after = before - (w_(row) - rows_[i].least) / G_(row, row);
    if (rows_[i].kind == Kind::unilateral) after = std::max(after, rows_[i].least_reaction);
    reactions_(row) = after;
    w_ += (after - before) * G_.col(row);
  }
}

/// Solves the conditions of one point with friction exactly, all other reactions being kept.
void ComplementarityProblem::sweep_point(Eigen::Index normal) {
  const ConstraintRow& row = rows_[static_cast<std::size_t>(normal)];
  const Matrix3 G = G_.block<3, 3>(normal, normal);
  const Vector3 before = reactions_.segment<3>(normal);
  Vector3 free = w_.segment<3>(normal) - G * before;
  free(0) -= row.least;
  const Vector3 after = point_reaction(G, free, row.friction, row.least_reaction);
  reactions_.segment<3>(normal) = after;
  w_ += G_.middleCols<3>(normal) * (after - before);
}

double ComplementarityProblem::measure(const VectorX& reactions) const {
  return NaturalMap(rows_, G_, own_, free_).residual(reactions).lpNorm<Eigen::Infinity>();
}

}  // namespace spacedyn
