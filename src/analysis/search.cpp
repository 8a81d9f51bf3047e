#include "analysis/search.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

constexpr double kLargestRevolution = kPi;
constexpr double kLargestSlide = 1.0;
constexpr double kAtLimit = 1e-12;

/// The fixed sequence of further starts: a growing part of the distance to points spread over the
/// joints' ranges, the same on every machine.
class Starts {
 public:
  Starts(const Model& model, const JointBox& box, const VectorX& first, int count)
      : model_(model), box_(box), first_(first), count_(count) {}

  VectorX next() {
    const double progress = static_cast<double>(++index_) / count_;
    VectorX q = first_;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      double lower = box_.lower(i);
      double upper = box_.upper(i);
      const Joint& joint = model_.joint(static_cast<int>(i) + 1);
      const double turns = joint.slide == 0.0 ? 0.0 : kLargestSlide / std::abs(joint.slide);
      const double reach = std::max(joint.turn * kLargestRevolution, turns);
      lower = std::max(lower, first_(i) - reach);
      upper = std::min(upper, first_(i) + reach);
      q(i) += progress * (lower + fraction() * (upper - lower) - first_(i));
    }
    // rotation vectors end within half a turn
    return displaced(model_, box_.nearest(q), VectorX::Zero(q.size()));
  }

 private:
  /// In [0, 1); the distributions of the standard library differ between its makers.
  double fraction() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }

  const Model& model_;
  const JointBox& box_;
  const VectorX& first_;
  int count_;
  int index_ = 0;
  std::mt19937_64 generator_{20180420};
};

InverseKinematicsStatus status_of(DescentEnd end) {
  switch (end) {
    case DescentEnd::converged:
      return InverseKinematicsStatus::converged;
    case DescentEnd::stationary:
      return InverseKinematicsStatus::best_found;
    case DescentEnd::iteration_limit:
      break;
  }
  return InverseKinematicsStatus::iteration_limit;
}

/// A descent that begins at q, and the way there from the given start.
Descent descend_from(const VectorX& q, const State& start, Mover& mover, DampedDescent& descent) {
  if (q == start.q) return descent.run(start);
  Descent result = descent.run(mover.move(start, q));
  result.knots.insert(result.knots.begin(), q);
  return result;
}

}  // namespace

void check_settings(const InverseKinematicsSettings& settings) {
  if (!(settings.position_tolerance > 0.0)) {
    throw DomainError("position_tolerance must be positive");
  }
  if (!(settings.orientation_tolerance > 0.0)) {
    throw DomainError("orientation_tolerance must be positive");
  }
  if (settings.max_iterations < 1) throw DomainError("max_iterations must be at least 1");
  if (settings.restarts < 0) throw DomainError("restarts must be at least 0");
}

SearchResult search(const Model& model, const FrameTask& task, Mover& mover, const State& start,
                    const InverseKinematicsSettings& settings) {
  const JointBox box(model, settings.respect_limits);
  DampedDescent descent(model, task, mover, box, settings);
  const VectorX first = box.nearest(start.q);
  Starts starts(model, box, first, settings.restarts);
  SearchResult result;
  result.best = descend_from(first, start, mover, descent);
  result.report.iterations = result.best.iterations;
  while (result.best.end != DescentEnd::converged && result.report.restarts < settings.restarts &&
         model.joint_count() > 0) {
    ++result.report.restarts;
    Descent other = descend_from(starts.next(), start, mover, descent);
    result.report.iterations += other.iterations;
    if (other.end == DescentEnd::converged || other.error < result.best.error) {
      result.best = std::move(other);
    }
  }
  result.report.status = status_of(result.best.end);
  describe(model, task, result.best.state, box, result.report);
  return result;
}

void describe(const Model& model, const FrameTask& task, const State& state, const JointBox& box,
              InverseKinematicsReport& report) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  VectorX e;
  task.residual(frames, e);
  report.error = 0.5 * e.squaredNorm();
  report.residuals = task.residuals(frames);
  report.at_limit.clear();
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    const double q = state.q(joint - 1);
    const double slack = kAtLimit * (1.0 + std::abs(q));
    if (q - box.lower(joint - 1) <= slack || box.upper(joint - 1) - q <= slack) {
      report.at_limit.push_back(joint);
    }
  }
  for (const CompoundJoint& joint : box.spherical) {
    const double angle = state.q.segment<3>(joint.first - 1).norm();
    if (joint.angle_limit - angle <= kAtLimit * (1.0 + angle)) {
      report.at_limit.push_back(joint.first);
    }
  }
  std::sort(report.at_limit.begin(), report.at_limit.end());
}

const char* to_string(InverseKinematicsStatus status) {
  switch (status) {
    case InverseKinematicsStatus::converged:
      return "converged";
    case InverseKinematicsStatus::best_found:
      return "best_found";
    case InverseKinematicsStatus::iteration_limit:
      break;
  }
  return "iteration_limit";
}

}  // namespace spacedyn
