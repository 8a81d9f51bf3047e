/// @file
/// How HDF5 gets at the bytes of a damaged file.
#pragma once

#include "reporting/results/hdf5.hpp"

namespace spacedyn::hdf5 {

/// Opens the file behind a descriptor for reading: plainly, else as one that grows or whose writer
/// was killed, else as one whose end is missing. Numbers beyond the end cannot be read; what else
/// lies there is zeros, which no checksum of HDF5 accepts.
/// @throws Failure, with the reason of the last attempt
Handle open_descriptor(int descriptor);

}  // namespace spacedyn::hdf5
