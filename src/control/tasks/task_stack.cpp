#include "control/tasks/task_stack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/tasks/task_unknowns.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Part of |b| by which limits must keep a priority back to be reported.
constexpr double kShortfall = 1e-9;

/// Rows of the largest level.
int most_rows(const WholeBody::Settings& settings) {
  int most = 1;
  for (const Task& task : settings.tasks) {
    int rows = 0;
    for (const Task& other : settings.tasks) {
      if (other.priority == task.priority) rows += other.rows();
    }
    most = std::max(most, rows);
  }
  return most;
}

}  // namespace

WholeBody::Stack::Stack(const WholeBody& owner, const Model& model)
    : id(owner.id_),
      owner_(owner),
      unknowns_(owner.settings_.level == Level::rate ? rate_unknowns(owner.settings_, model)
                                                     : torque_unknowns(owner.settings_, model)),
      solver_({unknowns_->count(), unknowns_->limit_count(),
               std::max(most_rows(owner.settings_), unknowns_->count())}),
      y_(unknowns_->count()) {
  std::vector<std::size_t> order(owner.settings_.tasks.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto priority = [&](std::size_t i) { return owner.settings_.tasks[i].priority; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return priority(a) < priority(b); });
  for (const std::size_t i : order) {
    if (levels_.empty() || priority(levels_.back().tasks.back()) != priority(i)) {
      levels_.emplace_back();
      levels_.back().priority = priority(i);
    }
    levels_.back().tasks.push_back(i);
    levels_.back().rows += owner.settings_.tasks[i].rows();
  }
  for (Group& level : levels_) {
    level.A.resize(level.rows, y_.size());
    level.b.resize(level.rows);
  }
}

void WholeBody::Stack::update(const EvaluationContext& context) {
  unknowns_->update(context);
  for (Group& level : levels_) {
    Eigen::Index row = 0;
    for (const std::size_t i : level.tasks) {
      const Task& task = owner_.settings_.tasks[i];
      auto A = level.A.middleRows(row, task.rows());
      auto b = level.b.segment(row, task.rows());
      unknowns_->rows(context, task, owner_.start_of(context, i), A, b);
      for (Eigen::Index r = 0; r < task.weight.size(); ++r) {
        const double root = std::sqrt(task.weight(r));
        A.row(r) *= root;
        b(r) *= root;
      }
      row += task.rows();
    }
  }
}

void WholeBody::Stack::minimize(Group& level) {
  solver_.minimize(level.A, level.b, owner_.settings_.damping);
  // |A x − b|, without memory
  double squares = 0.0;
  for (Eigen::Index r = 0; r < level.rows; ++r) {
    const double miss = level.A.row(r).dot(solver_.solution()) - level.b(r);
    squares += miss * miss;
  }
  level.miss = std::sqrt(squares);
}

const VectorX& WholeBody::Stack::solve() {
  const bool has_limits = unknowns_->start(solver_);
  for (Group& level : levels_) minimize(level);
  unknowns_->settle(solver_);
  if (has_limits) solver_.shorten();
  unknowns_->to_solution(solver_.solution(), y_);
  return y_;
}

WholeBody::Shortfall WholeBody::Stack::shortfall() {
  solver_.start();
  for (Group& level : levels_) {
    minimize(level);
    level.free_miss = level.miss;
  }
  if (unknowns_->keeps_limits(solver_.solution())) return {};
  if (!unknowns_->start(solver_)) return {};
  for (Group& level : levels_) {
    minimize(level);
    const double size = level.b.norm(), more = level.miss - level.free_miss;
    const double part = size > 0.0 ? more / size : more;
    if (!(part > kShortfall)) continue;
    // the levels below have what this one leaves, which limits change
    Shortfall found{part, level.priority, 0, -1, Limit::rate};
    const auto& joints = owner_.settings_.joints;
    for (int i = 0; i < unknowns_->limit_count(); ++i) {
      if (solver_.side(i) == 0) continue;
      found.limit = unknowns_->limit_of(i, solver_.side(i));
      if (found.limit == Limit::thrust) {
        found.thruster = i - 2 * static_cast<int>(joints.size());
      } else {
        found.joint = joints[static_cast<std::size_t>(i) % joints.size()];
      }
      break;
    }
    return found;
  }
  return {};
}

MatrixX WholeBody::Stack::for_solution(std::size_t task, VectorX& b) const {
  for (const Group& level : levels_) {
    Eigen::Index row = 0;
    for (const std::size_t i : level.tasks) {
      const Eigen::Index rows = owner_.settings_.tasks[i].rows();
      if (i == task) {
        b = level.b.segment(row, rows);
        return unknowns_->for_solution(level.A.middleRows(row, rows));
      }
      row += rows;
    }
  }
  throw DomainError("there is no such task");
}

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

}  // namespace

TorqueLimits::TorqueLimits(const WholeBody::Settings& settings, int unknowns)
    : settings_(settings),
      joints_(static_cast<Eigen::Index>(settings.joints.size())),
      unknowns_(unknowns),
      C_(MatrixX::Zero(joints_ + unknowns_, unknowns_)),
      lower_(VectorX::Zero(joints_ + unknowns_)),
      upper_(lower_),
      first_(VectorX::Zero(unknowns_)),
      feasibility_({static_cast<int>(joints_) + unknowns, static_cast<int>(joints_) + unknowns,
                    static_cast<int>(joints_)}),
      slack_C_(MatrixX::Zero(joints_ + unknowns_, unknowns_ + joints_)),
      slack_A_(MatrixX::Zero(joints_, unknowns_ + joints_)),
      slack_start_(VectorX::Zero(unknowns_ + joints_)),
      none_(VectorX::Zero(joints_)) {
  slack_A_.rightCols(joints_).setIdentity();
  for (Eigen::Index i = joints_; i < unknowns_; ++i) {
    const auto& thrusters = settings_.thrusters->thrusters();
    upper_(joints_ + i) = thrusters[static_cast<std::size_t>(i - joints_)].drive.force;
  }
}

bool TorqueLimits::update(const EvaluationContext& context, const VectorX& free_motion,
                          std::vector<bool>& upper_by_position,
                          std::vector<bool>& lower_by_position) {
  const double kappa = settings_.limit_gain;
  act_ = settings_.thrusters != nullptr;
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int joint = settings_.joints[at];
    const Joint& own = context.model.joint(joint);
    const double q = context.state.q(joint - 1), qd = context.state.qd(joint - 1);
    const double effort =
        settings_.limits.effort ? known_effort_limit(settings_, context.model, at) : kUnlimited;
    lower_(i) = -effort;
    upper_(i) = effort;
    const double most = settings_.limits.rate ? known_rate_limit(context.model, joint) : kUnlimited;
    const double slow = -kappa * (most + qd), fast = kappa * (most - qd);
    double least = slow, greatest = fast;
    if (settings_.limits.position) {
      const double drift = 2.0 * kappa * qd;
      least = std::clamp(-kappa * kappa * (q - own.position_lower) - drift, slow, fast);
      greatest = std::clamp(kappa * kappa * (own.position_upper - q) - drift, slow, fast);
    }
    lower_by_position[at] = least > slow;
    upper_by_position[at] = greatest < fast;
    // of q̈ = q̈_0 + (Uᵀ x)
    lower_(joints_ + i) = least - free_motion(i);
    upper_(joints_ + i) = greatest - free_motion(i);
    act_ = act_ || std::isfinite(effort) || std::isfinite(least) || std::isfinite(greatest);
  }
  return act_;
}

void TorqueLimits::take(const MatrixX& U, const MatrixX& inverse) {
  const Eigen::Index thrusters = unknowns_ - joints_;
  C_.topRows(joints_) = inverse.topRows(joints_);
  C_.middleRows(joints_, joints_) = U.leftCols(joints_).transpose();
  C_.bottomRows(thrusters) = inverse.bottomRows(thrusters);
}

void TorqueLimits::start(HierarchicalLeastSquares& solver, const MatrixX& U) {
  find_feasible(U);
  solver.start(C_, lower_, upper_, first_);
}

bool TorqueLimits::keep(ConstVectorRef x) const {
  for (Eigen::Index i = 0; act_ && i < lower_.size(); ++i) {
    const double value = C_.row(i).dot(x);
    if (value < lower_(i) || value > upper_(i)) return false;
  }
  return true;
}

void TorqueLimits::find_feasible(const MatrixX& U) {
  first_.setZero();
  const bool fits = (lower_.segment(joints_, joints_).array() <= 0.0).all() &&
                    (upper_.segment(joints_, joints_).array() >= 0.0).all();
  if (fits || reach_least_accelerations(U)) return;
  slack_C_.setZero();
  slack_C_.leftCols(unknowns_) = C_;
  slack_start_.setZero();
  for (Eigen::Index i = 0; i < joints_; ++i) {
    slack_C_(joints_ + i, unknowns_ + i) = -1.0;
    // at x = 0
    const double inside = std::clamp(0.0, lower_(joints_ + i), upper_(joints_ + i));
    slack_start_(unknowns_ + i) = -inside;
  }
  feasibility_.start(slack_C_, lower_, upper_, slack_start_);
  feasibility_.minimize(slack_A_, none_);
  first_ = feasibility_.solution().head(unknowns_);
  move_limits_to_first();
}

bool TorqueLimits::reach_least_accelerations(const MatrixX& U) {
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const double least = std::clamp(0.0, lower_(joints_ + i), upper_(joints_ + i));
    first_(i) = (least - U.col(i).head(i).dot(first_.head(i))) / U(i, i);
  }
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const double effort = C_.row(i).dot(first_);
    if (effort >= lower_(i) && effort <= upper_(i)) continue;
    first_.setZero();
    return false;
  }
  move_limits_to_first();
  return true;
}

void TorqueLimits::move_limits_to_first() {
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const double reached = C_.row(joints_ + i).dot(first_);
    lower_(joints_ + i) = std::min(lower_(joints_ + i), reached);
    upper_(joints_ + i) = std::max(upper_(joints_ + i), reached);
  }
}

}  // namespace spacedyn
