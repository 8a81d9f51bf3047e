/// @file
/// Joints and frames by their own names, where columns can only hold identifiers.
#pragma once

#include "spacedyn/model/model.hpp"
#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// Names series of joints and frames as the model does.
void use_model_names(ReportData& report, const Model& model);

}  // namespace spacedyn
