#include "integration/impulse_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>

#include "spacedyn/dynamics/composite_rigid_body.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr double kJumpRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// More exchanges than the rule of Murty needs for stops that touch at one instant.
constexpr int kMostJumpExchanges = 1000;

/// Part of a joint's own response below which loops hold it: they leave rounding.
constexpr double kHeldByLoops = 1e-10;

/// G⁻¹; where loops hold some of the joints, or several together, the pseudo-inverse.
/// @param own  diagonal of G without loops, empty where there are none
MatrixX inverse_of(const MatrixX& G, const VectorX& own) {
  if (own.size() == 0) return G.inverse();
  const VectorX scale = own.cwiseSqrt().cwiseInverse();
  const MatrixX normalized = scale.asDiagonal() * G * scale.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<MatrixX> factorization;
  factorization.setThreshold(kHeldByLoops);
  factorization.compute(normalized);
  if (!(factorization.maxPivot() > kHeldByLoops)) return MatrixX::Zero(G.rows(), G.cols());
  return scale.asDiagonal() * factorization.pseudoInverse() * scale.asDiagonal();
}

/// One condition on the jump of a joint, sign · Δq̇ ≥ least.
struct JumpRow {
  int joint;
  double sign, least, speed;
  bool is_stop;
};

std::vector<JumpRow> jump_rows(const std::vector<ImposedJump>& imposed,
                               const std::vector<UnilateralJump>& stops) {
  std::vector<JumpRow> rows;
  for (const ImposedJump& jump : imposed)
    rows.push_back({jump.joint, 1.0, jump.change, 0.0, false});
  for (const UnilateralJump& stop : stops) {
    rows.push_back({stop.joint, stop.inward, stop.least, stop.speed, true});
  }
  return rows;
}

/// The mixed complementarity problem of rows: w = g + G λ − least, w = 0 where a row is active.
class JumpProblem {
 public:
  JumpProblem(const std::vector<JumpRow>& rows, MatrixX G, VectorX own, VectorX g)
      : rows_(rows),
        G_(std::move(G)),
        own_(std::move(own)),
        g_(std::move(g)),
        active_(rows.size(), true),
        reactions_(VectorX::Zero(G_.rows())) {}

  void solve() {
    compute();
    for (int k = 0; k < kMostJumpExchanges && exchange(); ++k) compute();
  }
  const VectorX& reactions() const { return reactions_; }
  const std::vector<bool>& active() const { return active_; }

 private:
  void compute() {
    std::vector<Eigen::Index> on;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (active_[i]) on.push_back(static_cast<Eigen::Index>(i));
    }
    reactions_.setZero();
    size_.setZero(G_.rows());
    if (on.empty()) return;
    VectorX right(static_cast<Eigen::Index>(on.size())), terms(right);
    for (std::size_t k = 0; k < on.size(); ++k) {
      const JumpRow& row = rows_[static_cast<std::size_t>(on[k])];
      right(static_cast<Eigen::Index>(k)) = row.least - g_(on[k]);
      terms(static_cast<Eigen::Index>(k)) = std::abs(row.least) + std::abs(g_(on[k])) + row.speed;
    }
    const MatrixX inverse = inverse_of(G_(on, on), own_.size() > 0 ? VectorX(own_(on)) : VectorX());
    reactions_(on) = inverse * right;
    size_(on) = inverse.cwiseAbs() * terms;
  }

  /// Changes the first stop that contradicts itself. @returns whether there is one
  bool exchange() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].is_stop) continue;
      const auto row = static_cast<Eigen::Index>(i);
      const bool pulls = active_[i] && reactions_(row) < -kJumpRounding * size_(row);
      if (pulls || (!active_[i] && stays_behind(row))) {
        active_[i] = !active_[i];
        return true;
      }
    }
    return false;
  }

  bool stays_behind(Eigen::Index row) const {
    const JumpRow& condition = rows_[static_cast<std::size_t>(row)];
    const double moves = g_(row) + G_.row(row).dot(reactions_);
    const double terms = std::abs(g_(row)) + G_.row(row).cwiseAbs().dot(reactions_.cwiseAbs()) +
                         std::abs(condition.least) + condition.speed;
    return moves - condition.least < -kJumpRounding * terms;
  }

  const std::vector<JumpRow>& rows_;
  const MatrixX G_;
  const VectorX own_;
  const VectorX g_;
  std::vector<bool> active_;
  VectorX reactions_, size_;  // and the size of the terms in each
};

}  // namespace

ImpulseSolver::ImpulseSolver(const Model& model, const State& state, const Mobility& mobility,
                             const std::vector<Loop>& loops)
    : mobility_(mobility), size_(model.velocity_size()) {
  if (!loops.empty()) {
    LinkFrames frames(model);
    compute_link_frames(model, state, frames);
    loops_ = std::make_unique<LoopSolver>(model, mobility, loops);
    if (loops_->update(state, frames) != DynamicsStatus::ok) loops_.reset();
  }
  MatrixX H(size_, size_);
  TreeWorkspace workspace(model);
  composite_rigid_body(state, workspace, H);
  const std::vector<int>& free = mobility_.free();
  factorization_.compute(MatrixX(H(free, free)));
  if (factorization_.info() != Eigen::Success) {
    throw NumericalError("the inertia matrix is not positive definite at an event", 0.0, 0,
                         "inertia matrix");
  }
}

VectorX ImpulseSolver::own_responses(const MatrixX& impulses) const {
  if (loops_ == nullptr) return {};
  const MatrixX rows = impulses(mobility_.free(), Eigen::all);
  return rows.cwiseProduct(factorization_.solve(rows)).colwise().sum().transpose();
}

MatrixX ImpulseSolver::responses(const MatrixX& impulses) const {
  MatrixX changes = MatrixX::Zero(impulses.rows(), impulses.cols());
  if (changes.size() == 0) return changes;  // Eigen takes the address of the first number
  const std::vector<int>& free = mobility_.free();
  const MatrixX solution = factorization_.solve(MatrixX(impulses(free, Eigen::all)));
  changes(free, Eigen::all) = solution;
  if (loops_ == nullptr) return changes;
  // impulses of the loops keep K Δu = 0
  const MatrixX& K_T = loops_->jacobian_transposed();
  VectorX taken(size_);
  for (Eigen::Index i = 0; i < changes.cols(); ++i) {
    loops_->respond(K_T.transpose() * changes.col(i), taken);
    changes.col(i) -= taken;
  }
  return changes;
}

ImpulseSolver::Solution ImpulseSolver::solve(const VectorX& impulse,
                                             const std::vector<ImposedJump>& imposed,
                                             const std::vector<UnilateralJump>& stops,
                                             const VectorX& opening) const {
  const std::vector<JumpRow> rows = jump_rows(imposed, stops);
  const auto count = static_cast<Eigen::Index>(rows.size());
  MatrixX K_T = MatrixX::Zero(size_, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const JumpRow& row = rows[static_cast<std::size_t>(i)];
    K_T(row.joint + 5, i) = row.sign;
  }
  Solution solution{responses(impulse), std::vector<bool>(stops.size(), false), {}};
  const bool closes = loops_ != nullptr && opening.size() > 0;
  if (closes) {
    VectorX closing(size_);
    loops_->respond(-opening, closing);
    solution.change += closing;
  }
  const MatrixX by_reactions = responses(K_T);
  JumpProblem problem(rows, K_T.transpose() * by_reactions, own_responses(K_T),
                      K_T.transpose() * solution.change);
  problem.solve();
  solution.change += by_reactions * problem.reactions();
  if (closes) {
    // the loops take away what was open, and what other impulses would open
    const std::vector<int>& free = mobility_.free();
    const VectorX given = impulse + K_T * problem.reactions();
    VectorX opened = VectorX::Zero(size_);
    const VectorX response = factorization_.solve(VectorX(given(free)));
    opened(free) = response;
    solution.multipliers = VectorX::Zero(opening.size());
    loops_->multipliers(-opening - loops_->jacobian_transposed().transpose() * opened,
                        solution.multipliers);
    loops_->shorten(solution.multipliers);
  }
  for (std::size_t i = 0; i < stops.size(); ++i) {
    solution.pushes[i] = problem.active()[imposed.size() + i];
  }
  return solution;
}

VectorX ImpulseSolver::mobilities(const std::vector<int>& joints) const {
  const auto count = static_cast<Eigen::Index>(joints.size());
  MatrixX K_T = MatrixX::Zero(size_, count);
  for (Eigen::Index i = 0; i < count; ++i) K_T(joints[static_cast<std::size_t>(i)] + 5, i) = 1.0;
  const MatrixX G = K_T.transpose() * responses(K_T);
  return inverse_of(G, own_responses(K_T)).diagonal().cwiseInverse();
}

VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular) {
  VectorX impulse = VectorX::Zero(model.velocity_size());
  const Vector3 point = frame_position(frames, at);
  impulse.head<3>() = linear;
  impulse.segment<3>(3) = angular + (point - frames.r[0]).cross(linear);
  for (const int joint : model.topology().path(at.body)) {
    const auto i = static_cast<std::size_t>(joint);
    const Vector3& k = frames.k[i];
    impulse(joint + 5) = model.joint(joint).type == JointType::revolute
                             ? k.dot(angular + (point - frames.p[i]).cross(linear))
                             : k.dot(linear);
  }
  return impulse;
}

}  // namespace spacedyn
