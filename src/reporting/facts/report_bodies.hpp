/// @file
/// What a page needs to know of a model's bodies.
#pragma once

#include <vector>

#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

std::vector<ReportBody> report_bodies(const Model& model);

/// Facts of the group `Model`.
void add_model_facts(ReportData& report, const Model& model);

/// Bodies, shapes, frames and facts of a robot by itself.
ReportData robot_report(const Model& model);

}  // namespace spacedyn
