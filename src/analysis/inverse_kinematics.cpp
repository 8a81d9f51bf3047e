#include "spacedyn/analysis/inverse_kinematics.hpp"

#include <string>

#include "analysis/posture.hpp"
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

}  // namespace spacedyn
