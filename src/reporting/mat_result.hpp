/// @file
/// A result as values of MATLAB, in the names of SpaceDyn. Private.
#pragma once

#include "reporting/mat_file.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

MatValue mat_result(const ResultTable& result);

}  // namespace spacedyn
