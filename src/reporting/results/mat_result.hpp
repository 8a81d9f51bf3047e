/// @file
/// A result as a MAT file in the names of SpaceDyn. Private.
#pragma once

#include <string>

#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Writes the rest of a stream as a new file, in bounded memory; a second file of the size of the
/// rows lies beside it meanwhile, for MATLAB wants columns. @return the number of rows
/// @throws IoError, also if they are more than such a file can hold
long write_mat_rows(const std::string& path, ResultStream& stream);

}  // namespace spacedyn
