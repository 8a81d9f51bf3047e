/// @file
/// Files of meshes as texts that can be kept beside results. Private.
#pragma once

#include <string>

namespace spacedyn {

/// @throws IoError unless a name ends in .stl, .obj or .dae
void require_mesh_name(const std::string& path);

/// A binary STL file as text STL with the same numbers; other bytes as they are.
std::string mesh_text(std::string bytes);

}  // namespace spacedyn
