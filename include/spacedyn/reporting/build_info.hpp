/// @file
/// What this library was built from.
#pragma once

#include <string>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// Versions that can influence a result, for the record.
struct BuildInfo {
  std::string spacedyn;
  std::string build_type;  ///< for instance Release
  std::string compiler;
  std::string eigen;
  std::string boost;
  std::string yaml_cpp;
  std::string hdf5;
  std::string git;  ///< commit of the sources, `-dirty` if changed since; empty without git
};

SPACEDYN_EXPORT const BuildInfo& build_info();

}  // namespace spacedyn
