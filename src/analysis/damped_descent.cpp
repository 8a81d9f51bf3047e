#include "analysis/damped_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/math/hierarchical_least_squares.hpp"

namespace spacedyn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// a linear model of a rotation is worth no more than a quarter turn; screws have many to go
constexpr double kLargestDescentTurn = 1.5707963267948966;
constexpr double kFirstDamping = 1e-3;
constexpr double kLeastDamping = 1e-12;
constexpr double kMostDamping = 1e16;
// singular values below 1e-8 of the largest are rounding or next to it
constexpr double kDampingFloor = 1e-16;
constexpr double kStationary = 1e-10;
constexpr double kLeastRatio = 1e-4;
constexpr int kDriftRounds = 4;
// what is smaller is rounding, and what is not the damping deals with
constexpr double kLeastSingularValue = 1e-15;

/// Damping relative to |W e|², after Nielsen: shrinks with the quality of the linear model, grows
/// ever faster while steps fail.
class Damping {
 public:
  double value() const { return lambda_; }
  bool exhausted() const { return lambda_ > kMostDamping; }
  void succeed(double ratio) {
    const double fall = 1.0 - std::pow(2.0 * ratio - 1.0, 3);
    lambda_ = std::max(kLeastDamping, lambda_ * std::max(1.0 / 3.0, fall));
    growth_ = 2.0;
  }
  void fail() {
    lambda_ *= growth_;
    growth_ *= 2.0;
  }

 private:
  double lambda_ = kFirstDamping;
  double growth_ = 2.0;
};

/// Minimizes ½|e − J d|² + ½ μ|d|² subject to lower ≤ d ≤ upper. @pre lower ≤ 0 ≤ upper, μ > 0
VectorX box_step(const MatrixX& J, const VectorX& e, double mu, const VectorX& lower,
                 const VectorX& upper) {
  const auto unknowns = static_cast<int>(J.cols());
  HierarchicalLeastSquares problem({unknowns, unknowns, static_cast<int>(J.rows())},
                                   kLeastSingularValue);
  problem.start(lower, upper);
  problem.minimize(J, e, std::sqrt(mu));  // feasible even where rounding keeps it from the minimum
  return problem.solution();
}

}  // namespace

JointBox::JointBox(const Model& model, bool respect_limits)
    : lower(VectorX::Constant(model.joint_count(), -kInfinity)),
      upper(-lower),
      followers(model.followers()) {
  if (!respect_limits) return;
  for (const CompoundJoint& joint : model.compound_joints()) {
    if (joint.angle_limit < kInfinity) spherical.push_back(joint);
  }
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    lower(joint - 1) = model.joint(joint).position_lower;
    upper(joint - 1) = model.joint(joint).position_upper;
  }
}

VectorX JointBox::nearest(const VectorX& q) const {
  VectorX within = q.cwiseMax(lower).cwiseMin(upper);
  for (const CompoundJoint& joint : spherical) {
    auto theta = within.segment<3>(joint.first - 1);
    const double angle = theta.norm();
    if (angle > joint.angle_limit) theta *= joint.angle_limit / angle;
  }
  for (const Follower& each : followers) {
    within(each.joint - 1) = each.ratio * within(each.followed - 1) + each.offset;
  }
  return within;
}

DampedDescent::DampedDescent(const Model& model, const FrameTask& task, Mover& mover,
                             const JointBox& box, const InverseKinematicsSettings& settings)
    : model_(model),
      task_(task),
      mover_(mover),
      box_(box),
      settings_(settings),
      loops_(model),
      K_T_(MatrixX::Zero(model.velocity_size(), loops_.rows())),
      phi_(VectorX::Zero(loops_.rows())),
      frames_(model),
      J_(MatrixX::Zero(task.rows() + loops_.rows(), model.joint_count())),
      drift_(VectorX::Zero(J_.rows())) {}

double DampedDescent::evaluate(const State& state, VectorX& residual) {
  compute_link_frames(model_, state, frames_);
  task_.residual(frames_, residual);
  if (!loops_.empty()) {
    loops_.residual(frames_, state, phi_);
    residual.conservativeResize(J_.rows());
    residual.tail(phi_.size()) = -phi_;
  }
  return 0.5 * residual.squaredNorm();
}

/// Everything that a step from the configuration just evaluated needs.
void DampedDescent::linearize(const State& state) {
  reached_ = reached();
  mover_.update(frames_);
  Matrix6X J_frame(6, model_.joint_count());
  Matrix6X drift(6, 1);
  Eigen::Index row = 0;
  for (std::size_t g = 0; g < task_.goals().size(); ++g) {
    const Frame& frame = task_.goals()[g].frame;
    mover_.frame_jacobian(frames_, frame, J_frame);
    drift.col(0) = mover_.drift(frames_, frame);
    const Eigen::Index left = task_.rows() - row;
    task_.residual_rate(frames_, g, drift, drift_.segment(row, left));
    row += task_.residual_rate(frames_, g, J_frame, J_.middleRows(row, left));
  }
  if (loops_.empty()) return;
  loops_.jacobian(frames_, state, K_T_);
  J_.bottomRows(loops_.rows()) = K_T_.bottomRows(model_.joint_count()).transpose();
}

bool DampedDescent::reached() const {
  for (const GoalResidual& residual : task_.residuals(frames_)) {
    if (!(residual.position <= settings_.position_tolerance) ||
        !(residual.orientation <= settings_.orientation_tolerance)) {
      return false;
    }
  }
  return loops_.empty() || phi_.lpNorm<Eigen::Infinity>() <= settings_.position_tolerance;
}

const MatrixX& DampedDescent::jacobian(const State& state) {
  evaluate(state, e_);
  linearize(state);
  return J_;
}

/// Whether no joint that may still move would lower the error, to first order.
bool DampedDescent::stationary(const VectorX& q) const {
  const VectorX descent = J_.transpose() * e_;
  const double size = kStationary * J_.norm() * e_.norm();
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const bool blocked = descent(i) < 0.0 ? q(i) <= box_.lower(i) : q(i) >= box_.upper(i);
    if (!blocked && std::abs(descent(i)) > size) return false;
  }
  return true;
}

/// A step within the bounds, and the gain that the linear model promises.
VectorX DampedDescent::propose(const VectorX& q, double mu, double& predicted) const {
  VectorX lower = box_.lower - q;
  VectorX upper = box_.upper - q;
  for (int joint = 1; joint <= model_.joint_count(); ++joint) {
    if (model_.joint(joint).type != JointType::revolute) continue;
    lower(joint - 1) = std::max(lower(joint - 1), -kLargestDescentTurn);
    upper(joint - 1) = std::min(upper(joint - 1), kLargestDescentTurn);
  }
  VectorX d = box_step(J_, e_, mu, lower, upper);
  // the goals move away while the joints move: aim at where they will be
  const int rounds = drift_.isZero(0.0) ? 0 : kDriftRounds;
  for (int round = 0; round < rounds; ++round) {
    d = box_step(J_, e_ - mover_.duration(d) * drift_, mu, lower, upper);
  }
  const VectorX left = e_ - J_ * d - mover_.duration(d) * drift_;
  predicted = 0.5 * (e_.squaredNorm() - left.squaredNorm());
  return d;
}

Descent DampedDescent::run(const State& start) {
  Descent result;
  result.state = start;
  result.error = evaluate(start, e_);
  linearize(start);
  if (settings_.on_iterate) settings_.on_iterate(start.q, result.error);
  Damping damping;
  VectorX trial_residual;
  for (;; ++result.iterations) {
    result.end = DescentEnd::converged;
    if (reached_) return result;
    result.end = DescentEnd::stationary;
    if (stationary(result.state.q) || damping.exhausted()) return result;
    result.end = DescentEnd::iteration_limit;
    if (result.iterations == settings_.max_iterations) return result;

    const double mu =
        std::max(damping.value() * e_.squaredNorm(), kDampingFloor * J_.squaredNorm());
    double predicted = 0.0;
    const VectorX d = propose(result.state.q, mu, predicted);
    const VectorX q = box_.nearest(displaced(model_, result.state.q, d));
    State trial = mover_.move(result.state, q);
    const double error = evaluate(trial, trial_residual);
    const double ratio = (result.error - error) / predicted;
    if (!(predicted > 0.0) || !(ratio > kLeastRatio)) {
      damping.fail();
      continue;
    }
    damping.succeed(ratio);
    result.state = std::move(trial);
    result.error = error;
    result.knots.push_back(q);
    e_ = trial_residual;
    linearize(result.state);
    if (settings_.on_iterate) settings_.on_iterate(q, error);
  }
}

namespace {

constexpr int kLargestCount = 200;
constexpr double kStillness = 1e-9;   // of a step, rad or m
constexpr double kShortest = 1e-6;    // fraction of a step
constexpr double kRankRatio = 1e-10;  // singular values below this fraction of the largest are zero

/// The step towards a posture that leaves the goals alone, within the bounds.
VectorX admissible_step(const MatrixX& J, const VectorX& q, const VectorX& wanted,
                        const JointBox& box) {
  const auto unknowns = static_cast<int>(q.size());
  const int rows = std::max(static_cast<int>(J.rows()), unknowns);
  HierarchicalLeastSquares problem({unknowns, unknowns, rows}, kRankRatio);
  problem.start(box.lower - q, box.upper - q);
  problem.minimize(J, VectorX::Zero(J.rows()));
  problem.minimize(MatrixX::Identity(unknowns, unknowns), wanted);
  return problem.solution();
}

}  // namespace

int approach_posture(const Model& model, const FrameTask& task, Mover& mover, const JointBox& box,
                     const InverseKinematicsSettings& settings, const VectorX& posture,
                     State& state) {
  DampedDescent descent(model, task, mover, box, settings);
  const auto towards = [&](const State& at) { return joint_difference(model, at.q, posture); };
  double fraction = 1.0;
  int iterations = 0;
  while (iterations < kLargestCount && fraction > kShortest) {
    ++iterations;
    const VectorX step = admissible_step(descent.jacobian(state), state.q, towards(state), box);
    if (step.lpNorm<Eigen::Infinity>() <= kStillness) break;
    const VectorX q = box.nearest(displaced(model, state.q, fraction * step));
    const Descent led_back = descent.run(mover.move(state, q));
    const bool nearer = towards(led_back.state).norm() < towards(state).norm();
    if (led_back.end != DescentEnd::converged || !nearer) {
      fraction *= 0.5;
      continue;
    }
    state = led_back.state;
    fraction = std::min(1.0, 2.0 * fraction);
  }
  return iterations;
}

}  // namespace spacedyn
