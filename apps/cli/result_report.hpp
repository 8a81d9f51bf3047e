/// @file
/// Result files on behalf of a command, and names of files that it writes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spacedyn/scenario/result_report.hpp"

namespace spacedyn::cli {

/// How far results are trusted: what the environment variables SPACEDYN_MAX_RESULT_BYTES, with K, M
/// or G behind the number, and SPACEDYN_MAX_RESULT_SECONDS say. @throws Failure (2)
ReadLimits read_limits();

/// read_report() within these limits. @throws Failure (2), (3) if the result cannot be read
ReportData read_result_report(const std::string& result, ReportDetail detail);

/// A file that does not exist yet, or that will do: the path itself, or with -002 and so on before
/// its extension.
/// @param will_do  of a file that exists; none does without it
std::string free_path(const std::string& path,
                      const std::function<bool(const std::string&)>& will_do = {});

/// Where a file goes: where it was asked for, else to its usual place, which may be overwritten, or
/// free_path().
std::string output_path(const std::string& asked, const std::string& usual, bool force);

/// @throws Failure (6) if the file exists and may not be overwritten
void refuse_existing(const std::string& path, bool force);

/// What a command has read is never replaced, under whatever name. @throws Failure (6)
void refuse_inputs(const std::string& path, const std::vector<std::string>& inputs);
/// The same of results, with the metadata beside them.
void refuse_inputs(const std::string& path, const std::vector<ReportData>& results);

/// Whether a path is a result: a file of its kinds, or a folder.
bool is_result(const std::string& path);

/// How the run ended and all columns, by their place in HDF5 files, with units.
/// @throws Failure (3) if the result cannot be read
std::string result_text(const std::string& path);

}  // namespace spacedyn::cli
