/// @file
/// A page on which one moves the joints of a robot.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// A robot with its base at rest at the origin, for html_report(): the page moves its joints.
///
/// Joint positions are those nearest to zero inside their limits; of two joints that a gear ties to
/// each other, the second one follows the first.
SPACEDYN_EXPORT ReportData model_report(const Model& model);

}  // namespace spacedyn
