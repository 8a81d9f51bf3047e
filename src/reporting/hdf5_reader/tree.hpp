/// @file
/// What a file holds, without following it anywhere else.
#pragma once

#include <string>
#include <vector>

#include "reporting/results/hdf5.hpp"

namespace spacedyn::hdf5 {

/// Paths of all datasets without the first slash, in the order of their names.
/// @throws Failure if the file leads elsewhere (soft and external links), in circles, too deep or
/// to more objects than any result has
std::vector<std::string> dataset_paths(hid_t file);

/// Opens a dataset whose numbers are in the file itself, in pieces that fit into memory and that
/// are packed by filters of HDF5 itself. @param cache  bytes of its pieces to be kept in memory
/// @throws Failure
Handle open_dataset(hid_t file, const std::string& path, std::size_t cache = 0);

}  // namespace spacedyn::hdf5
