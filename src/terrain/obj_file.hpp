/// @file
/// Wavefront OBJ. Private.
#pragma once

#include <string>

#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

/// Vertices in the order of the text, faces as fans of triangles; other lines are skipped.
/// @throws DomainError that names the line
TriangleMesh parse_obj(const std::string& text);

}  // namespace spacedyn
