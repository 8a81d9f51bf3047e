/// @file
/// Meshes in the texts and bytes of files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spacedyn/math/types.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

/// @throws IoError unless a name ends in .stl, .obj or .dae
void require_mesh_name(const std::string& path);

/// A binary STL file as text STL with the same numbers; other bytes as they are.
std::string mesh_text(std::string bytes);

/// Vertices in the order of the text, faces as fans of triangles; other lines are skipped.
/// @throws DomainError that names the line
TriangleMesh parse_obj(const std::string& text);

/// Corners of the triangles of a scene, three for each, in metres; without a scene, of all
/// geometries. As in RViz, `unit` counts and `up_axis` does not: axes are those of the file.
/// @throws DomainError that names the line; also where the library was built without tinyxml2
std::vector<Vector3> parse_collada(const std::string& text, std::size_t most_triangles);

}  // namespace spacedyn
