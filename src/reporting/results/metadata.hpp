/// @file
/// What is known about a run, as JSON. Private.
#pragma once

#include "reporting/results/json.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {

/// What `.meta.json` holds.
Json metadata_json(const RunRecord& record);

/// What `simulate --json` prints of a finished run. @pre record.result
Json summary_object(const RunRecord& record);
/// The keys that it may have.
const std::vector<std::string>& summary_keys();

/// The part of it that says what the columns are.
Json columns_json(const std::vector<Column>& columns);

}  // namespace spacedyn
