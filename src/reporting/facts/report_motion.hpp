/// @file
/// The animation of a report, from the states in a result.
#pragma once

#include <vector>

#include "reporting/facts/result_states.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// Rows whose states are shown: evenly spread, without those that hold no finite state.
std::vector<int> motion_rows(const ResultStates& states, const Model& model);

/// Some instants of the bodies of a model, to be set; without efforts.
ReportMotion empty_motion(const Model& model, int instants);

/// Sets the poses and the centre of mass of an instant.
void set_instant(const Model& model, const LinkFrames& frames, int k, ReportMotion& motion);

/// Poses, centre of mass, momentum and joint torques.
/// @param scales  out: the momentum that the bodies carry
/// @pre states.complete()
ReportMotion report_motion(const ResultTable& result, const Model& model,
                           const ResultStates& states, ReportScales& scales);

}  // namespace spacedyn
