/// @file
/// Where the columns of a result lie in structured files, if a file says something of use. Private.
#pragma once

#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Takes away the places of all columns, with a warning, unless an HDF5 file could have them.
void mend_places(ResultTable& table);

}  // namespace spacedyn
