#include "spacedyn/optimization/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "optimization/searches.hpp"
#include "optimization/trajectory_path.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// Rows of limits between neighbouring knots of the search.
constexpr int kPointsOfSearch = 4;
/// Cells between them of the turn of the base.
constexpr int kCellsOfTurn = 6;
/// Further loops that are tried where the turn of the base is not found.
constexpr int kLoops = 12;
/// Searches from the last result, within tighter limits or because the time became shorter by more
/// than a part, and what is left then.
constexpr int kRounds = 6;
constexpr double kWorthwhile = 0.98;

/// Parts of the limits that a search may use.
struct Allowed {
  double position = 1.0, rate = 1.0, effort = 1.0, base_rate = 1.0;
  double clearance = 0.0;  ///< m, more than is asked for
};

/// Values of the splines of a basis at one place: those, first and second derivatives.
using Place = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// Inner rows of the spline, then the duration in units of that at the start if it is free.
class TrajectorySearch final : public SmoothProblem {
 public:
  TrajectorySearch(const TrajectoryTask& task, PathDynamics& dynamics, const SplineBasis& basis,
                   const JointTrajectory& start, const Allowed& allowed);

  Eigen::Index count() const override { return start_.size(); }
  VectorX start() const override { return start_; }
  VectorX lower() const override { return bounds(-kFar, 0.01); }
  VectorX upper() const override { return bounds(kFar, 100.0); }
  const OptimizationPoint& at(const VectorX& z) override {
    evaluate(z);
    return point_;
  }
  const MatrixX& gradients(const VectorX& z) override {
    evaluate(z);
    return gradients_;
  }
  const OptimizationPoint& best() const override { return best_; }

  OptimizationSettings settings() const;
  int evaluations() const { return evaluations_; }
  /// Of the best point.
  JointTrajectory trajectory() const;

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  bool is_free() const { return !task_.goal.duration; }
  double duration(const VectorX& z) const {
    return is_free() ? unit_ * z(z.size() - 1) : *task_.goal.duration;
  }
  VectorX bounds(double of_rows, double of_time) const;
  MatrixX rows_of(const VectorX& z) const;
  void evaluate(const VectorX& z);
  void move_to(const Place& place, const MatrixX& rows, double T);
  void add_limits(const Place& place, Eigen::Index& row);
  void add_distances(const Place& place, Eigen::Index& row);
  void add_square(const Place& place, double value, double limit, Eigen::Index& row);
  void add_turn(const MatrixX& rows, Eigen::Index row);
  void add_cost(const MatrixX& rows);

  const TrajectoryTask& task_;
  PathDynamics& dynamics_;
  const SplineBasis& basis_;
  Allowed allowed_;
  double unit_;       // s, of the duration
  double jerk_unit_;  // of the cost
  VectorX start_;
  std::vector<Place> places_, cells_;
  Eigen::Index limits_ = 0, turns_ = 0;  // numbers of rows
  // of the latest point, and of the place that is looked at
  VectorX latest_, q_, qd_, qdd_, by_q_, by_qd_, by_qdd_;
  double T_ = 1.0;
  OptimizationPoint point_, best_;
  MatrixX gradients_;
  int evaluations_ = 0;
};

TrajectorySearch::TrajectorySearch(const TrajectoryTask& task, PathDynamics& dynamics,
                                   const SplineBasis& basis, const JointTrajectory& start,
                                   const Allowed& allowed)
    : task_(task),
      dynamics_(dynamics),
      basis_(basis),
      allowed_(allowed),
      unit_(start.duration()),
      q_(VectorX::Zero(task.count())),
      qd_(q_),
      qdd_(q_),
      by_q_(q_),
      by_qd_(q_),
      by_qdd_(q_) {
  const Eigen::Index n = task.count(), knots = basis.rows() - 2;
  start_.resize(n * knots + (is_free() ? 1 : 0));
  start_.head(n * knots) = start.position.middleCols(1, knots).reshaped();
  if (is_free()) start_(n * knots) = 1.0;
  const MatrixX& Q = start.position;
  jerk_unit_ = std::max((Q * basis.jerk_products() * Q.transpose()).trace(), 1e-3);
  const int points = kPointsOfSearch * (basis.rows() - 1);
  for (int i = 1; i < points; ++i) {
    places_.emplace_back(basis.at(static_cast<double>(i) / points));
  }
  if (task.goal.base_turn) {
    turns_ = 3;
    const int cells = kCellsOfTurn * (basis.rows() - 1);
    for (int i = 0; i < cells; ++i) {
      for (const double side : {-1.0, 1.0}) {
        cells_.emplace_back(basis.at((i + 0.5 + side * std::sqrt(3.0) / 6.0) / cells));
      }
    }
  }
  const TrajectoryLimits& limits = task.limits;
  Eigen::Index rows = std::isfinite(limits.base_rate) ? 1 : 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    rows += (std::isfinite(limits.upper(j) - limits.lower(j)) ? 1 : 0) +
            (std::isfinite(limits.rate(j)) ? 1 : 0) + (std::isfinite(limits.effort(j)) ? 1 : 0);
  }
  if (task.distances) rows += task.distances->count();
  limits_ = rows * static_cast<Eigen::Index>(places_.size());
  point_.constraints = VectorX::Zero(limits_ + turns_);
  best_.objective = best_.violation = kFar;
}

VectorX TrajectorySearch::bounds(double of_rows, double of_time) const {
  VectorX bounds = VectorX::Constant(count(), of_rows);
  if (is_free()) bounds(count() - 1) = of_time;
  return bounds;
}

OptimizationSettings TrajectorySearch::settings() const {
  OptimizationSettings settings;
  OptimizationConstraint limit, turn;
  limit.upper = 1.0;
  turn.lower = turn.upper = 0.0;
  settings.constraints.assign(static_cast<std::size_t>(limits_), limit);
  settings.constraints.insert(settings.constraints.end(), static_cast<std::size_t>(turns_), turn);
  settings.tolerance = 1e-7;
  settings.max_evaluations = task_.goal.max_evaluations;
  return settings;
}

MatrixX TrajectorySearch::rows_of(const VectorX& z) const {
  const Eigen::Index n = task_.count(), knots = basis_.rows() - 2;
  MatrixX rows(n, knots + 2);
  rows.col(0) = task_.from;
  rows.middleCols(1, knots) = z.head(n * knots).reshaped(n, knots);
  rows.col(knots + 1) = task_.goal.to;
  return rows;
}

JointTrajectory TrajectorySearch::trajectory() const {
  const VectorX& z = best_.variables.size() > 0 ? best_.variables : start_;
  JointTrajectory result;
  result.joints = task_.goal.joints;
  result.position = rows_of(z);
  for (const double s : basis_.times()) result.time.push_back(s * duration(z));
  return result;
}

void TrajectorySearch::evaluate(const VectorX& z) {
  if (latest_.size() == z.size() && latest_ == z) return;
  latest_ = z;
  ++evaluations_;
  const MatrixX rows = rows_of(z);
  T_ = duration(z);
  gradients_.setZero(1 + limits_ + turns_, count());
  add_cost(rows);
  Eigen::Index row = 0;
  for (const Place& place : places_) {
    move_to(place, rows, T_);
    add_limits(place, row);
    if (task_.distances) add_distances(place, row);
  }
  if (turns_ > 0) add_turn(rows, row);
  point_.variables = z;
  const double above = limits_ == 0 ? 0.0 : point_.constraints.head(limits_).maxCoeff() - 1.0;
  const double off = turns_ == 0 ? 0.0 : point_.constraints.tail(3).cwiseAbs().maxCoeff();
  point_.violation = std::max({0.0, above, off});
  constexpr double kMet = 1e-6;
  const bool are_met = point_.violation <= kMet && best_.violation <= kMet;
  if (are_met ? point_.objective < best_.objective : point_.violation < best_.violation) {
    best_ = point_;
  }
}

void TrajectorySearch::add_cost(const MatrixX& rows) {
  const Eigen::Index n = task_.count(), knots = basis_.rows() - 2;
  if (is_free()) {
    point_.objective = T_ / unit_;
    gradients_(0, count() - 1) = 1.0;
    return;
  }
  const MatrixX products = rows * basis_.jerk_products();
  point_.objective = (products * rows.transpose()).trace() / jerk_unit_;
  gradients_.row(0).head(n * knots) =
      (2.0 / jerk_unit_ * products.middleCols(1, knots)).reshaped().transpose();
}

void TrajectorySearch::move_to(const Place& place, const MatrixX& rows, double T) {
  q_ = rows * place.col(0);
  qd_ = rows * place.col(1) / T;
  qdd_ = rows * place.col(2) / (T * T);
  dynamics_.differentiate(q_, qd_, qdd_);
}

void TrajectorySearch::add_limits(const Place& place, Eigen::Index& row) {
  const TrajectoryLimits& limits = task_.limits;
  const auto clear = [&] {
    by_q_.setZero();
    by_qd_.setZero();
    by_qdd_.setZero();
  };
  for (Eigen::Index j = 0; j < task_.count(); ++j) {
    const double half = 0.5 * (limits.upper(j) - limits.lower(j));
    if (std::isfinite(half)) {
      clear();
      by_q_(j) = 1.0;
      add_square(place, q_(j) - 0.5 * (limits.upper(j) + limits.lower(j)),
                 allowed_.position * std::max(half, 1e-9), row);
    }
    if (std::isfinite(limits.rate(j))) {
      clear();
      by_qd_(j) = 1.0;
      add_square(place, qd_(j), allowed_.rate * limits.rate(j), row);
    }
    if (std::isfinite(limits.effort(j))) {
      by_q_ = dynamics_.effort_by_q().row(j);
      by_qd_ = dynamics_.effort_by_qd().row(j);
      by_qdd_ = dynamics_.effort_by_qdd().row(j);
      add_square(place, dynamics_.effort()(j), allowed_.effort * limits.effort(j), row);
    }
  }
  if (!std::isfinite(limits.base_rate)) return;
  // |ω|² along ω
  const double size = dynamics_.base_rate().norm();
  const Vector3 along = dynamics_.base_rate() / std::max(size, 1e-300);
  by_q_ = dynamics_.base_rate_by_q().transpose() * along;
  by_qd_ = dynamics_.base_rate_by_qd().transpose() * along;
  by_qdd_.setZero();
  add_square(place, size, allowed_.base_rate * limits.base_rate, row);
}

void TrajectorySearch::add_square(const Place& place, double value, double limit,
                                  Eigen::Index& row) {
  const Eigen::Index n = task_.count(), knots = basis_.rows() - 2;
  point_.constraints(row) = value * value / (limit * limit);
  const double slope = 2.0 * value / (limit * limit);
  auto gradient = gradients_.row(1 + row);
  for (Eigen::Index k = 0; k < knots; ++k) {
    gradient.segment(k * n, n) = slope * (place(k + 1, 0) * by_q_ + place(k + 1, 1) / T_ * by_qd_ +
                                          place(k + 1, 2) / (T_ * T_) * by_qdd_)
                                             .transpose();
  }
  if (is_free()) {
    gradient(count() - 1) = -slope * unit_ / T_ * (by_qd_.dot(qd_) + 2.0 * by_qdd_.dot(qdd_));
  }
  ++row;
}

void TrajectorySearch::add_distances(const Place& place, Eigen::Index& row) {
  const Eigen::Index n = task_.count(), knots = basis_.rows() - 2;
  ShapeDistances& distances = *task_.distances;
  distances.update(q_);
  const double least = *task_.goal.clearance + allowed_.clearance;
  for (int pair = 0; pair < distances.count(); ++pair, ++row) {
    const double size = distances.size(pair);
    point_.constraints(row) = 1.0 + (least - distances.differentiate(pair, by_q_)) / size;
    auto gradient = gradients_.row(1 + row);
    for (Eigen::Index k = 0; k < knots; ++k) {
      gradient.segment(k * n, n) = -place(k + 1, 0) / size * by_q_.transpose();
    }
  }
}

void TrajectorySearch::add_turn(const MatrixX& rows, Eigen::Index row) {
  // the turn does not depend on time: along s, by the fourth-order method of Magnus
  const Eigen::Index n = task_.count(), knots = basis_.rows() - 2;
  const double h = 2.0 / static_cast<double>(cells_.size());
  Matrix3 A = Matrix3::Identity();
  MatrixX inertial = MatrixX::Zero(3, count());  // ∫ A δω ds
  for (std::size_t i = 0; i + 1 < cells_.size(); i += 2) {
    Vector3 rates[2];
    const Matrix3 before = A;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const Place& place = cells_[i + side];
      move_to(place, rows, 1.0);
      rates[side] = dynamics_.base_rate();
      const double reached = side == 0 ? 0.5 - std::sqrt(3.0) / 6.0 : 0.5 + std::sqrt(3.0) / 6.0;
      const Matrix3 there = before * exp_so3(reached * h * rates[side]);
      const MatrixX by_q = 0.5 * h * there * dynamics_.base_rate_by_q();
      const MatrixX by_qd = 0.5 * h * there * dynamics_.base_rate_by_qd();
      for (Eigen::Index k = 0; k < knots; ++k) {
        inertial.middleCols(k * n, n) += place(k + 1, 0) * by_q + place(k + 1, 1) * by_qd;
      }
    }
    A = before * exp_so3(0.5 * h * (rates[0] + rates[1]) +
                         std::sqrt(3.0) / 12.0 * h * h * rates[0].cross(rates[1]));
  }
  const Vector3 error = log_so3(exp_so3(*task_.goal.base_turn).transpose() * A);
  point_.constraints.segment<3>(row) = error;
  // A_end exp(δφ), δφ = A_endᵀ ∫ A δω ds
  gradients_.middleRows(1 + row, 3) =
      dexp_inverse_so3(error).transpose() * A.transpose() * inertial;
}

/// Searches from a motion until limits are kept between the points of the search, too, and a time
/// that is free gets no shorter.
JointTrajectory search(const TrajectoryTask& task, PathDynamics& dynamics, const SplineBasis& basis,
                       const JointTrajectory& start) {
  Allowed allowed;
  JointTrajectory result = start, best;
  for (int round = 0; round < kRounds; ++round) {
    TrajectorySearch problem(task, dynamics, basis, result, allowed);
    const SearchEnd end = minimize_with_nlopt(problem, problem.settings());
    const int before = result.evaluations;
    result = problem.trajectory();
    result.evaluations = before + problem.evaluations();
    result.message = end.message;
    if (task.goal.duration) {
      check_trajectory(task, dynamics, result);
    } else {
      stretch(task, dynamics, result);
    }
    check_clearance(task, result);
    judge(task, result);
    if (result.feasible) {
      if (task.goal.duration) return result;
      const bool is_first = best.time.empty();
      const bool is_done = !is_first && result.duration() > kWorthwhile * best.duration();
      if (is_first || result.duration() < best.duration()) best = result;
      if (is_done) break;
      continue;
    }
    const auto& used = result.used;
    bool is_beyond = false;
    const auto tighten = [&](double part, double& limit) {
      if (part <= 1.0 + kPartTolerance) return;
      is_beyond = true;
      limit /= 1.0 + 1.2 * (part - 1.0) + 1e-6;
    };
    tighten(used.position, allowed.position);
    tighten(used.rate, allowed.rate);
    tighten(used.effort, allowed.effort);
    tighten(used.base_rate, allowed.base_rate);
    if (task.distances && result.clearance < *task.goal.clearance - kClearanceTolerance) {
      is_beyond = true;
      allowed.clearance += 1.2 * (*task.goal.clearance - result.clearance) + 1e-6;
    }
    if (!is_beyond) break;
  }
  return best.time.empty() ? result : best;
}

}  // namespace

JointTrajectory plan_trajectory(const Model& model, const State& state,
                                const TrajectoryGoal& goal) {
  const TrajectoryTask task(model, state, goal);
  PathDynamics dynamics(model, state, goal.joints, goal.gravity);
  const SplineBasis basis(goal.knots + 2);
  const JointTrajectory line = straight_line(task, dynamics, basis);
  JointTrajectory best;
  if (!goal.base_turn) {
    best = search(task, dynamics, basis, line);
    if (!task.distances || best.clearance >= *goal.clearance - kClearanceTolerance) return best;
  }
  // how far it is from what no straight line can do
  const auto miss = [&](const JointTrajectory& motion) {
    return goal.base_turn ? (motion.base_turn - *goal.base_turn).norm() : -motion.clearance;
  };
  for (int loop = 0; loop < kLoops && !best.feasible; ++loop) {
    JointTrajectory start = line;
    add_loop(loop, task, start);
    if (!goal.duration) stretch(task, dynamics, start);
    const JointTrajectory found = search(task, dynamics, basis, start);
    if (best.time.empty() || found.feasible || miss(found) < miss(best)) best = found;
  }
  return best;
}

}  // namespace spacedyn
