#include "spacedyn/analysis/inverse_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analysis/base_flight.hpp"
#include "analysis/damped_descent.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {

/// @throws DomainError naming the first setting out of range.
void check_settings(const InverseKinematicsSettings& settings);

/// The best descent and the report on all of them.
struct SearchResult {
  Descent best;
  InverseKinematicsReport report;
};

/// Descends from the given start, then from others near it until one reaches the goals. Knots of
/// the result lead from the given start.
SearchResult search(const Model& model, const FrameTask& task, Mover& mover, const State& start,
                    const InverseKinematicsSettings& settings);

/// Residuals and joints at their limits, written into a report.
void describe(const Model& model, const FrameTask& task, const State& state, const JointBox& box,
              InverseKinematicsReport& report);

namespace {

void check_posture(const Model& model, const VectorX& posture) {
  if (posture.size() != model.joint_count()) {
    throw DimensionError("posture has " + std::to_string(posture.size()) + " elements, expected " +
                         std::to_string(model.joint_count()) + ", one per joint");
  }
  if (!posture.allFinite()) throw DomainError("posture is not finite");
}

}  // namespace

InverseKinematicsResult solve_inverse_kinematics(const Model& model, const State& state,
                                                 const std::vector<FrameGoal>& goals,
                                                 const InverseKinematicsOptions& options) {
  state.check(model);
  check_settings(options);
  if (options.posture) check_posture(model, *options.posture);
  const FrameTask task(model, goals);
  RestingBase mover(model);
  SearchResult found = search(model, task, mover, state, options);
  if (options.posture && found.report.converged()) {
    const JointBox box(model, options.respect_limits);
    found.report.iterations +=
        approach_posture(model, task, mover, box, options, *options.posture, found.best.state);
    describe(model, task, found.best.state, box, found.report);
  }
  return {found.best.state.q, std::move(found.report)};
}

namespace {

/// The accepted steps as a timetable for the joints.
std::vector<JointKnot> timetable(const FloatingBase& mover, double start, VectorX q,
                                 const std::vector<VectorX>& steps) {
  std::vector<JointKnot> knots;
  double time = start;
  for (const VectorX& next : steps) {
    const double duration = mover.duration(next - q);
    if (!(time + duration > time)) continue;  // a step below the resolution of time
    time += duration;
    knots.push_back({time, next});
    q = next;
  }
  return knots;
}

}  // namespace

FreeFloatingResult solve_free_floating_inverse_kinematics(const Model& model,
                                                          const FreeFloatingPath& path,
                                                          const std::vector<FrameGoal>& goals,
                                                          const FreeFloatingOptions& options) {
  // checks path and flight options
  FreeFloatingResult result{continue_free_floating_path(model, path, {}, options.flight), {}};
  check_settings(options);
  if (!(options.joint_speed > 0.0)) throw DomainError("joint_speed must be positive");
  const FrameTask task(model, goals);
  const State& start = path.states.back();
  FloatingBase mover(model, start, options.flight, options.joint_speed);
  const SearchResult found = search(model, task, mover, start, options);

  result.path = continue_free_floating_path(
      model, std::move(result.path), timetable(mover, path.time.back(), start.q, found.best.knots),
      options.flight);
  result.report = found.report;
  describe(model, task, result.path.states.back(), JointBox(model, options.respect_limits),
           result.report);
  return result;
}

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
