/// @file
/// What a page needs to know of bodies and columns.
#pragma once

#include <vector>

#include "spacedyn/model/model.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

std::vector<ReportBody> report_bodies(const Model& model);

/// Facts of the group `Model`.
void add_model_facts(ReportData& report, const Model& model);

/// Bodies, shapes, frames and facts of a robot by itself.
ReportData robot_report(const Model& model);

/// All columns but the time, then what derived_series() makes of them.
std::vector<ReportSeries> report_series(const ResultTable& result);

/// Names series of joints and frames as the model does.
void use_model_names(ReportData& report, const Model& model);

}  // namespace spacedyn
