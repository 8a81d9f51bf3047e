/// @file
/// What is wrong with a row that is no state.
#pragma once

#include <string>

#include "batch/kernels/rows_task.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn::batch {

/// Nothing if it is a state.
std::string row_flaw(const double* row, Eigen::Index size);

}  // namespace spacedyn::batch
