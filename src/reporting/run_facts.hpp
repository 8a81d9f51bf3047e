/// @file
/// The metadata file of a result, read back.
#pragma once

#include <string>

#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Takes what metadata say into a table; broken or missing entries cost only themselves, and a
/// text that is no metadata at all costs a warning.
/// @throws IoError if the metadata are of a newer format
void read_run_facts(const std::string& text, const std::string& path, ResultTable& table);

}  // namespace spacedyn
