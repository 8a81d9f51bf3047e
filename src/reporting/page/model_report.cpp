#include "spacedyn/reporting/model_report.hpp"

#include <algorithm>

#include "reporting/facts/report_bodies.hpp"
#include "reporting/facts/report_motion.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn {
namespace {

/// Loops that give one joint the position of another one.
std::vector<Loop> gears(const Model& model) {
  std::vector<Loop> list;
  for (const Loop& loop : model.loops()) {
    if (loop.joints.size() == 2 && loop.coefficients.size() == 2) list.push_back(loop);
  }
  return list;
}

State posture(const Model& model, const std::vector<Loop>& gears) {
  State state(model);
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    state.q(i - 1) = std::clamp(0.0, joint.position_lower, joint.position_upper);
  }
  for (const Loop& gear : gears) {
    const double followed = gear.coefficients(0) * state.q(gear.joints[0] - 1);
    state.q(gear.joints[1] - 1) = (gear.offset - followed) / gear.coefficients(1);
  }
  return state;
}

}  // namespace

ReportData model_report(const Model& model) {
  ReportData report = robot_report(model);
  report.title = model.name();
  report.description = model.description().notes.description;
  report.source = model.description().notes.source;
  report.gears = gears(model);
  if (model.loops().size() > report.gears.size()) {
    report.warnings.emplace_back("loops are not kept closed: their joints move one by one");
  }
  const State state = posture(model, report.gears);
  report.joint_positions = state.q;
  report.motion = empty_motion(model, 1);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  set_instant(model, frames, 0, report.motion);
  return report;
}

}  // namespace spacedyn
