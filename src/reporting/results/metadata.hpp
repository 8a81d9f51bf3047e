/// @file
/// What is known about a run, as JSON. Private.
#pragma once

#include "reporting/results/json.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {

/// What `.meta.json` holds.
Json metadata_json(const RunRecord& record);

/// Parts of it that other metadata has as well: versions of all libraries, the machine, texts of
/// input files and what has been changed in them.
Json versions_json();
Json host_json();
Json inputs_json(const std::map<std::string, std::string>& sources,
                 const std::vector<std::pair<std::string, std::string>>& overrides);

/// What `simulate --json` prints of a finished run. @pre record.result
Json summary_object(const RunRecord& record);
/// The keys that it may have.
const std::vector<std::string>& summary_keys();

/// The part of it that says what the columns are.
Json columns_json(const std::vector<Column>& columns);

}  // namespace spacedyn
