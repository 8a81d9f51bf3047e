/// @file
/// The kinds of result files that a run can write.
#pragma once

#include <string_view>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

enum class ResultFormat {
  hdf5,  ///< arrays with units and everything about the run, in one file
  csv    ///< text, one row for each output
};

SPACEDYN_EXPORT const std::vector<ResultFormat>& all_result_formats();
/// The name used in files, for instance `hdf5`.
SPACEDYN_EXPORT std::string_view to_string(ResultFormat format);
/// The end of its file names, for instance `.h5`.
SPACEDYN_EXPORT std::string_view extension(ResultFormat format);

}  // namespace spacedyn
