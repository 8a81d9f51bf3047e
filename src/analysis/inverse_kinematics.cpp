#include "spacedyn/analysis/inverse_kinematics.hpp"

#include <string>

#include "analysis/base_flight.hpp"
#include "analysis/damped_descent.hpp"
#include "analysis/search.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
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

}  // namespace spacedyn
