/// @file
/// What the reader of HDF5 may ask of the system.
#pragma once

namespace spacedyn::hdf5 {

/// From now on the system refuses all calls but those for memory, time, reading what is open and
/// writing to it; nothing changes where it knows no such filter.
void keep_to_reading();

}  // namespace spacedyn::hdf5
