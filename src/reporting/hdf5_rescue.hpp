/// @file
/// Opens HDF5 files whose end is missing. Private.
#pragma once

#include <string>

#include "reporting/hdf5.hpp"

namespace spacedyn::hdf5 {

/// Opens a temporary copy, filled up with zeros to the length that the file says it has: HDF5
/// refuses shorter files, however much of them is there.
/// @throws Failure if the beginning is damaged, too
Handle open_cut_off(const std::string& path);

}  // namespace spacedyn::hdf5
