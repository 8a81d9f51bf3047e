#include "control/tasks/task_stack.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace spacedyn
