/// @file
/// The metadata of a result, read back.
#pragma once

#include <string>

#include "reporting/results/json.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Takes the text of a metadata file into a table; missing entries cost only themselves, and a text
/// that is no JSON at all costs a warning.
/// @throws IoError if the metadata are of a newer format or hold values of a wrong kind
void read_run_facts(const std::string& text, const std::string& path, ResultTable& table);

/// @throws IoError naming the first known entry that has a value of another kind than it should
void check_kinds(const Json& json, const std::string& path);

/// The same as read_run_facts() from what has been parsed and checked already.
void take_run_facts(const Json& json, ResultTable& table);

/// The same the other way, for a table that has not been read from files; the format alone where
/// nothing is known of its run.
Json facts_json(const ResultTable& table);

/// @throws IoError if a result of this format cannot be read
void check_format(const std::string& format, const std::string& path);

/// Hz, of the modes whose energies a result holds; empty if it says nothing of them.
std::vector<double> mode_frequencies(const Json& metadata);

/// What a metadata file says about the circumstances of its run, which the result leaves out.
void take_circumstances(const std::string& metadata_path, Json& json);

/// Where the metadata of a result lie if they are not in it.
std::string metadata_path(const std::string& result);

/// All of a file. @throws IoError, also if it is larger than any file that is read as a whole
std::string read_whole_file(const std::string& path);

}  // namespace spacedyn
