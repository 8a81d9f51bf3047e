/// @file
/// Meshes of triangles as pages draw them.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

/// Most triangles of one mesh in a page.
inline constexpr std::size_t kMostTriangles = 100000;

/// Corners of the triangles of a file, nine numbers for each, in its axes and unit, taken as
/// metres.
///
/// STL, binary or text, and the faces of Wavefront OBJ, told apart by the ending of the name.
/// @throws IoError if the file cannot be read, is neither, is damaged or has too many triangles
std::vector<float> read_mesh(const std::string& path);

}  // namespace spacedyn
