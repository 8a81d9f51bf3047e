#include "control/tasks/torque_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/tasks/task_unknowns.hpp"

namespace spacedyn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
        settings_.limits.effort ? known_effort_limit(settings_, context.model, at) : kInfinity;
    lower_(i) = -effort;
    upper_(i) = effort;
    const double most = settings_.limits.rate ? known_rate_limit(context.model, joint) : kInfinity;
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
