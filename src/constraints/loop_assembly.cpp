#include "spacedyn/constraints/loop_assembly.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "math/decompositions.hpp"
#include "spacedyn/constraints/assembly_incremental.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/constraints/loop_review.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/state/configuration.hpp"
#include "state/state_changes.hpp"

namespace spacedyn {
namespace {

constexpr int kMostAttempts = 12;
constexpr int kMostSteps = 200;
constexpr int kMostNearingSteps = 300;
constexpr double kLongestStep = 0.3;  // rad or m
constexpr double kRound = 1e-15;      // residual, of the model's size, that is rounding
constexpr double kNear = 1e-13;       // change of a joint that ends a search
constexpr double kNewton = 1e-4;      // residual from which on steps are not damped
constexpr double kSingular = 1e-10;   // of the largest singular value

/// φ, K and K u of the movable joints at states of one model.
class AssemblyProblem {
 public:
  AssemblyProblem(const Model& model, const std::vector<Loop>& loops, const std::vector<int>& held)
      : model_(model),
        equations_(model, loops),
        seen_(model),
        phi_(VectorX::Zero(equations_.rows())) {
    for (int joint = 1; joint <= model.joint_count(); ++joint) {
      if (std::find(held.begin(), held.end(), joint) == held.end()) movable_.push_back(joint - 1);
    }
  }

  bool can_move() const { return !equations_.empty() && !movable_.empty(); }
  const LoopEquations& equations() const { return equations_; }
  const std::vector<Eigen::Index>& movable() const { return movable_; }

  /// Of a residual that leaves the loops closed.
  double tolerance() const {
    double tolerance = kLoopTolerance;
    for (const Loop& loop : equations_.loops()) {
      tolerance = std::max(tolerance, kLoopTolerance + rounding_of(loop, false));
    }
    return tolerance;
  }
  /// The residual that is largest against its tolerance, of the last residual or rate.
  LoopResidual largest(bool of_rate) const {
    LoopResidual worst;
    for (Eigen::Index row = 0; row < phi_.size(); ++row) {
      const auto loop = static_cast<std::size_t>(equations_.loop_of(static_cast<int>(row)));
      const Loop& its = equations_.loops()[loop];
      const bool is_angle = equations_.is_angle(static_cast<int>(row));
      const double allowed = kLoopTolerance + (is_angle ? 0.0 : rounding_of(its, of_rate));
      const LoopResidual here{std::abs(phi_(row)), its.name, is_angle, allowed};
      if (row == 0) worst = here;
      worst.take(here);
    }
    return worst;
  }

  const VectorX& residual(const State& state) {
    seen_.compute(model_, state);
    equations_.residual(seen_.frames, seen_.state, phi_);
    return phi_;
  }
  const VectorX& rate(const State& state) {
    seen_.compute(model_, state);
    equations_.velocity(seen_.frames, seen_.velocities, seen_.state, phi_);
    return phi_;
  }
  /// K of the movable joints at the state of the last residual or rate.
  const MatrixX& jacobian() {
    // residuals alone need none of these
    K_T_.resize(model_.velocity_size(), equations_.rows());
    K_.resize(equations_.rows(), static_cast<Eigen::Index>(movable_.size()));
    equations_.jacobian(seen_.frames, seen_.state, K_T_);
    for (std::size_t i = 0; i < movable_.size(); ++i) {
      K_.col(static_cast<Eigen::Index>(i)) = K_T_.row(6 + movable_[i]).transpose();
    }
    return K_;
  }

 private:
  /// What places of its points, or their velocities, leave of a length.
  double rounding_of(const Loop& loop, bool of_rate) const {
    if (!loop_traits(loop.type).joins_points) return 0.0;
    double size = 0.0;
    for (const Frame* point : {&loop.from, &loop.to}) {
      const auto body = static_cast<std::size_t>(point->body);
      const double place = seen_.frames.r[body].norm();
      const double rate =
          seen_.velocities.v[body].norm() + seen_.velocities.omega[body].norm() * place;
      size = std::max(size, of_rate ? rate : place);
    }
    return kPlaceRounding * size;
  }

  const Model& model_;
  LoopEquations equations_;
  LoopMotion seen_;
  MatrixX K_T_;
  VectorX phi_;
  std::vector<Eigen::Index> movable_;
  MatrixX K_;
};

/// K⁺ b.
VectorX solve(const MatrixX& K, const VectorX& b) { return LeastNormSolver(K, kSingular).solve(b); }

/// Kᵀ (K Kᵀ + λ²E)⁻¹ b.
VectorX solve_damped(const MatrixX& K, const VectorX& b, double lambda) {
  MatrixX normal = K * K.transpose();
  normal.diagonal().array() += lambda * lambda;
  return K.transpose() * normal.llt().solve(b);
}

/// Moves joints of a configuration; steps are cut where the equations bend too much.
void displace_movable(const Model& model, const std::vector<Eigen::Index>& movable, VectorX step,
                      State& state) {
  const double longest = step.lpNorm<Eigen::Infinity>();
  if (longest > kLongestStep) step *= kLongestStep / longest;
  for (std::size_t i = 0; i < movable.size(); ++i) {
    perturb_configuration(model, state, static_cast<int>(movable[i]) + 6,
                          step(static_cast<Eigen::Index>(i)));
  }
}

/// Levenberg and Marquardt: the residual never grows. @returns the residual reached
double close_loops(AssemblyProblem& problem, State& state) {
  const Model& model = problem.equations().model();
  double damping = 1e-3, norm = problem.residual(state).norm();
  for (int i = 0; i < kMostSteps && norm > 0.0; ++i) {
    const VectorX phi = problem.residual(state);
    const MatrixX& K = problem.jacobian();
    const double unit = K.norm();
    if (!(unit > 0.0)) break;
    const double lambda = norm < kNewton ? 0.0 : damping * unit;
    State next = state;
    displace_movable(model, problem.movable(),
                     lambda > 0.0 ? solve_damped(K, -phi, lambda) : solve(K, -phi), next);
    const double reached = problem.residual(next).norm();
    if (reached < norm) {
      state = next;
      norm = reached;
      damping = std::max(0.2 * damping, 1e-8);
    } else if (lambda == 0.0 || damping > 1e4) {
      break;
    } else {
      damping *= 5.0;
    }
  }
  return problem.residual(state).lpNorm<Eigen::Infinity>();
}

/// From a point on the loops to the nearest one to the start: q ← q_0 + K⁺ (K (q − q_0) − φ).
void draw_near(AssemblyProblem& problem, const VectorX& q_0, State& state) {
  const Model& model = problem.equations().model();
  State best = state;
  for (int i = 0; i < kMostNearingSteps; ++i) {
    const VectorX phi = problem.residual(state);
    const VectorX away = joint_difference(model, q_0, state.q)(problem.movable());
    const MatrixX& K = problem.jacobian();
    const VectorX step = solve(K, K * away - phi) - away;
    displace_movable(model, problem.movable(), step, state);
    const double near = std::max(kNear, problem.tolerance() - kLoopTolerance);
    if (step.lpNorm<Eigen::Infinity>() < near) break;
  }
  const bool is_nearer =
      joint_difference(model, q_0, state.q).norm() <= joint_difference(model, q_0, best.q).norm();
  if (close_loops(problem, state) > problem.tolerance() || !is_nearer) state = best;
}

/// Another place to begin at: joints apart by fractions of a turn that do not repeat.
void scatter(const Model& model, const std::vector<Eigen::Index>& movable, int attempt,
             State& state) {
  const double size = 0.05 * attempt * attempt;
  for (std::size_t i = 0; i < movable.size(); ++i) {
    const double phase = 0.618034 * static_cast<double>(i + 1) * attempt;
    perturb_configuration(model, state, static_cast<int>(movable[i]) + 6,
                          size * std::sin(2.0 * kPi * phase + 0.7));
  }
}

void assemble_positions(AssemblyProblem& problem, bool nearest, State& state) {
  const State start = state;
  State best = state;
  double least = problem.residual(state).lpNorm<Eigen::Infinity>();
  const double tolerance = problem.tolerance();
  const double enough = std::max(1e-12, kRound * model_size(problem.equations().model(),
                                                            problem.equations().loops())) +
                        (tolerance - kLoopTolerance);
  if (least <= enough) return;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    state = start;
    if (attempt > 0) scatter(problem.equations().model(), problem.movable(), attempt, state);
    const double reached = close_loops(problem, state);
    if (reached < least) {
      least = reached;
      best = state;
    }
    if (least <= tolerance) break;
  }
  state = best;
  if (nearest && least <= tolerance) draw_near(problem, start.q, state);
}

void assemble_velocities(AssemblyProblem& problem, State& state) {
  // twice, for the rounding of the first time
  for (int pass = 0; pass < 2; ++pass) {
    const VectorX rate = problem.rate(state);
    const VectorX change = solve(problem.jacobian(), -rate);
    for (std::size_t i = 0; i < problem.movable().size(); ++i) {
      state.qd(problem.movable()[i]) += change(static_cast<Eigen::Index>(i));
    }
  }
}

}  // namespace

LoopResidual position_residual(const Model& model, const State& state) {
  return position_residual(model, model.loops(), state);
}

LoopResidual velocity_residual(const Model& model, const State& state) {
  return velocity_residual(model, model.loops(), state);
}

LoopResidual position_residual(const Model& model, const std::vector<Loop>& loops,
                               const State& state) {
  state.check(model);
  AssemblyProblem problem(model, loops, {});
  problem.residual(state);
  return problem.largest(false);
}

LoopResidual velocity_residual(const Model& model, const std::vector<Loop>& loops,
                               const State& state) {
  state.check(model);
  AssemblyProblem problem(model, loops, {});
  problem.rate(state);
  return problem.largest(true);
}

LoopAssembly assemble_loops(const Model& model, const State& start, const std::vector<int>& held,
                            bool nearest) {
  return assemble_loops(model, model.loops(), start, held, nearest);
}

LoopAssembly assemble_loops(const Model& model, const std::vector<Loop>& loops, const State& start,
                            const std::vector<int>& held, bool nearest) {
  start.check(model);
  for (const int joint : held) {
    if (joint >= 1 && joint <= model.joint_count()) continue;
    throw DomainError("joint " + std::to_string(joint) + " is held, but model '" + model.name() +
                      "' has joints 1 to " + std::to_string(model.joint_count()));
  }
  AssemblyProblem problem(model, loops, held);
  LoopAssembly result;
  result.state = start;
  if (problem.can_move()) {
    assemble_positions(problem, nearest, result.state);
    assemble_velocities(problem, result.state);
  }
  problem.residual(result.state);
  result.position = problem.largest(false);
  problem.rate(result.state);
  result.velocity = problem.largest(true);
  result.assembled = result.position.is_closed() && result.velocity.is_closed();
  return result;
}

namespace {

/// What is left of a row of unit length after all others have been taken out, or of a unit rate of
/// a joint: less is rounding.
constexpr double kLeftOver = 1e-8;

/// An orthonormal basis of rows, one after another.
class RowSpace {
 public:
  /// What the rows so far leave of a vector.
  VectorX rest(VectorX row) const {
    // twice is enough
    for (int pass = 0; pass < 2; ++pass) {
      for (const VectorX& q : basis_) row -= q.dot(row) * q;
    }
    return row;
  }
  /// @returns whether the row does not follow from those before; its length is its size
  bool add(const VectorX& row, double smallest) {
    const double length = row.norm();
    if (length <= smallest) return false;
    const VectorX left = rest(row / length);
    if (left.norm() <= kLeftOver) return false;
    basis_.push_back(left.normalized());
    return true;
  }

 private:
  std::vector<VectorX> basis_;
};

/// Loops up to which all rows are compared with one another.
constexpr std::size_t kMostComparedLoops = 200;

/// Of many loops those without a row of their own.
std::vector<LoopFinding> review_many(const Model& model, const State& state) {
  std::vector<LoopFinding> findings;
  LoopMotion motion(model);
  motion.compute(model, state);
  IncrementalAssembly solver(model, Mobility(model));
  if (solver.update(motion.state, motion.frames) != DynamicsStatus::ok) return findings;
  for (int loop = 0; loop < static_cast<int>(model.loops().size()); ++loop) {
    if (solver.rank_of(loop) == 0) findings.push_back({loop, LoopFinding::Kind::does_nothing});
  }
  return findings;
}

class LoopReview {
 public:
  LoopReview(const Model& model, const State& state) : model_(model), equations_(model) {
    LinkFrames frames(model);
    compute_link_frames(model, state, frames);
    MatrixX K_T = MatrixX::Zero(model.velocity_size(), equations_.rows());
    equations_.jacobian(frames, state, K_T);
    rows_ = K_T.bottomRows(model.joint_count());
    const double length = model_size(model);
    for (int row = 0; row < equations_.rows(); ++row) {
      if (equations_.is_angle(row)) rows_.col(row) *= length;
    }
    smallest_ = kLeftOver * rows_.colwise().norm().maxCoeff();
  }

  std::vector<LoopFinding> run() const {
    std::vector<LoopFinding> findings;
    RowSpace earlier;
    for (int i = 0; i < static_cast<int>(model_.loops().size()); ++i) {
      const bool does_something = add(i, earlier);
      if (is_coupling_of_held_joints(i)) {
        findings.push_back({i, LoopFinding::Kind::joints_are_held});
      } else if (!does_something) {
        findings.push_back({i, LoopFinding::Kind::does_nothing});
      }
    }
    return findings;
  }

 private:
  /// @returns whether a loop adds to rows
  bool add(int loop, RowSpace& rows) const {
    bool adds = false;
    const int first = equations_.first_row(loop);
    const int count = model_.loops()[static_cast<std::size_t>(loop)].rows();
    for (int row = first; row < first + count; ++row) {
      adds = rows.add(rows_.col(row), smallest_) || adds;
    }
    return adds;
  }

  bool is_coupling_of_held_joints(int index) const {
    const Loop& loop = model_.loops()[static_cast<std::size_t>(index)];
    if (loop_traits(loop.type).joins_points) return false;
    RowSpace others;
    for (int i = 0; i < static_cast<int>(model_.loops().size()); ++i) {
      if (i != index) add(i, others);
    }
    return std::all_of(loop.joints.begin(), loop.joints.end(), [&](int joint) {
      const VectorX rate = VectorX::Unit(model_.joint_count(), joint - 1);
      return others.rest(rate).norm() <= kLeftOver;
    });
  }

  const Model& model_;
  const LoopEquations equations_;
  MatrixX rows_;  // of K, of the joints, as columns; angles times a length
  double smallest_ = 0.0;
};

}  // namespace

std::vector<LoopFinding> review_loops(const Model& model, const State& state) {
  state.check(model);
  if (model.loops().empty() || model.joint_count() == 0) return {};
  if (model.loops().size() > kMostComparedLoops) return review_many(model, state);
  return LoopReview(model, state).run();
}

}  // namespace spacedyn
