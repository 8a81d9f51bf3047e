#include "constraints/complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <Eigen/QR>

#include "constraints/point_reaction.hpp"

namespace spacedyn {
namespace {

using Matrix2 = Eigen::Matrix2d;
using Vector2 = Eigen::Vector2d;

constexpr double kReactionRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// More exchanges than the rule of Murty needs for rows that meet at one instant.
constexpr int kMostRowExchanges = 1000;

/// Part of a row's own response below which loops or other rows hold it: what is left is rounding.
constexpr double kHeldResponse = 1e-10;

/// Sweeps, after powers of 2 of which Newton's method is tried; its steps.
constexpr int kMostSweeps = 4096;
constexpr int kMostNewtonSteps = 12;

/// Part of μ λ_n from which friction counts as sliding.
constexpr double kSlidingPart = 1.0 - 1e-9;

/// What Newton's method must reach, as a part of the largest rate; sweeps alone may end at
/// kResidual.
constexpr double kPolished = 1e-12;

MatrixX pseudo_inverse(const MatrixX& G) {
  Eigen::CompleteOrthogonalDecomposition<MatrixX> factorization;
  factorization.setThreshold(kHeldResponse);
  factorization.compute(G);
  if (!(factorization.maxPivot() > kHeldResponse)) return MatrixX::Zero(G.cols(), G.rows());
  return factorization.pseudoInverse();
}

}  // namespace

MatrixX inverse_of_delassus(const MatrixX& G, const VectorX& own) {
  if (own.size() == 0) return G.inverse();
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
    const double rate = std::abs(free_(static_cast<Eigen::Index>(i)));
    scale_ = std::max({scale_, rate, std::abs(rows_[i].least)});
  }
}

bool ComplementarityProblem::has_friction() const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [](const ConstraintRow& row) { return row.friction > 0.0; });
}

bool ComplementarityProblem::moves(Eigen::Index row) const {
  return own_.size() == 0 || G_(row, row) > kHeldResponse * own_(row);
}

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
  const bool is_solved = is_decided || sweep_to_end();
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
    Eigen::CompleteOrthogonalDecomposition<MatrixX> factorization;
    factorization.setThreshold(kHeldResponse);
    factorization.compute(weighted);
    reactions_ = weights.cwiseProduct(factorization.solve(right));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (rows_[i].friction <= 0.0) continue;
      if (!(reactions_(row) > 0.0)) return false;
      weights.segment<2>(row + 1).setConstant(std::sqrt(reactions_(row)));
    }
  }
  return measure(reactions_) <= kPolished * scale_;
}

bool ComplementarityProblem::sweep_to_end() {
  reactions_.setZero();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    reactions_(static_cast<Eigen::Index>(i)) = rows_[i].least_reaction;
  }
  bool is_polished = try_sticking();
  if (!is_polished) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      reactions_(static_cast<Eigen::Index>(i)) = rows_[i].least_reaction;
    }
  }
  for (int k = 1; k <= kMostSweeps && !is_polished; ++k) {
    w_ = free_ + G_ * reactions_;
    sweep();
    if ((k & (k - 1)) == 0 && k >= 4) is_polished = polish();
  }
  w_ = rates();
  residual_ = measure(reactions_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    active_[i] = rows_[i].kind != Kind::unilateral || reactions_(row) > rows_[i].least_reaction ||
                 w_(row) - rows_[i].least <= kResidual * scale_;
  }
  return residual_ <= kResidual * scale_;
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

bool ComplementarityProblem::slides(Eigen::Index normal) const {
  const double radius = rows_[static_cast<std::size_t>(normal)].friction * reactions_(normal);
  return reactions_.segment<2>(normal + 1).norm() >= kSlidingPart * radius;
}

std::vector<Eigen::Index> ComplementarityProblem::holding_rows() const {
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const ConstraintRow& own = rows_[i];
    if (own.kind == Kind::tangential) continue;
    const bool holds = own.kind == Kind::bilateral || reactions_(row) > own.least_reaction;
    if (holds && moves(row)) rows.push_back(row);
    if (own.friction > 0.0 && reactions_(row) > 0.0) {
      rows.push_back(row + 1);
      rows.push_back(row + 2);
    }
  }
  return rows;
}

/// Conditions of the rows as they hold now: w − least, w_t where they stick, and where they slide
/// λ_t + μ λ_n w_t/|w_t| in units of a rate.
void ComplementarityProblem::linearize(const std::vector<Eigen::Index>& rows, MatrixX& J,
                                       VectorX& rest) const {
  const auto count = static_cast<Eigen::Index>(rows.size());
  J = G_(rows, rows);
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(rows[static_cast<std::size_t>(k)]);
    rest(k) = w_(rows[static_cast<std::size_t>(k)]) - rows_[i].least;
  }
  for (Eigen::Index k = 0; k + 1 < count; ++k) {
    const Eigen::Index tangent = rows[static_cast<std::size_t>(k)];
    const bool begins = rows_[static_cast<std::size_t>(tangent)].kind == Kind::tangential;
    if (!begins) continue;
    const Eigen::Index normal = tangent - 1;
    const Vector2 w = w_.segment<2>(tangent);
    const double speed = w.norm();
    if (slides(normal) && speed > 0.0) {
      const double friction = rows_[static_cast<std::size_t>(normal)].friction;
      const double unit = G_.block<2, 2>(tangent, tangent).trace();
      const Vector2 direction = w / speed;
      const Matrix2 turning = friction * reactions_(normal) / speed *
                              (Matrix2::Identity() - direction * direction.transpose());
      const MatrixX rates = J.middleRows<2>(k);
      J.middleRows<2>(k) = unit * turning * rates;
      J.block<2, 2>(k, k) += unit * Matrix2::Identity();
      if (k > 0 && rows[static_cast<std::size_t>(k - 1)] == normal) {
        J.block<2, 1>(k, k - 1) += unit * friction * direction;
      }
      rest.segment<2>(k) =
          unit * (reactions_.segment<2>(tangent) + friction * reactions_(normal) * direction);
    }
    ++k;
  }
}

bool ComplementarityProblem::polish() {
  const VectorX before = reactions_;
  const double residual_before = measure(reactions_);
  const std::vector<Eigen::Index> rows = holding_rows();
  if (rows.empty()) return residual_before <= kPolished * scale_;
  MatrixX J;
  VectorX rest(static_cast<Eigen::Index>(rows.size()));
  Eigen::CompleteOrthogonalDecomposition<MatrixX> factorization;
  factorization.setThreshold(kHeldResponse);
  double best = residual_before;
  VectorX best_reactions = before;
  for (int k = 0; k < kMostNewtonSteps; ++k) {
    w_ = rates();
    linearize(rows, J, rest);
    factorization.compute(J);
    const VectorX step = factorization.solve(rest);
    if (!step.allFinite()) break;
    reactions_(rows) -= step;
    const double residual = measure(reactions_);
    if (residual < best) {
      best = residual;
      best_reactions = reactions_;
    } else if (best <= kPolished * scale_) {
      break;
    }
  }
  reactions_ = best_reactions;
  w_ = rates();
  return best <= kPolished * scale_;
}

double ComplementarityProblem::friction_residual(Eigen::Index normal, const VectorX& reactions,
                                                 const VectorX& w) const {
  const double radius =
      rows_[static_cast<std::size_t>(normal)].friction * std::max(0.0, reactions(normal));
  const double response = G_.block<2, 2>(normal + 1, normal + 1).trace();
  if (!(response > 0.0)) return 0.0;
  const Vector2 held = reactions.segment<2>(normal + 1);
  const Vector2 nearest = clip(held - w.segment<2>(normal + 1) / response, radius);
  return response * (held - nearest).norm();
}

double ComplementarityProblem::measure(const VectorX& reactions) const {
  const VectorX w = free_ + G_ * reactions;
  double largest = 0.0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const ConstraintRow& own = rows_[i];
    if (own.kind == Kind::tangential || !moves(row)) continue;
    const double open = w(row) - own.least;
    const double push = G_(row, row) * (reactions(row) - own.least_reaction);
    largest =
        std::max(largest, std::abs(own.kind == Kind::bilateral ? open : std::min(open, push)));
    if (own.friction >= 0.0) largest = std::max(largest, friction_residual(row, reactions, w));
  }
  return largest;
}

}  // namespace spacedyn
