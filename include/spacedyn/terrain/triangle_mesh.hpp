/// @file
/// Meshes of triangles from files, and what is wrong with them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Triangles between points, counterclockwise as seen from outside.
struct TriangleMesh {
  std::vector<Vector3> points;                ///< each once
  std::vector<std::array<int, 3>> triangles;  ///< numbers of points, from 0
};

/// Most triangles of a mesh that takes part in contacts.
inline constexpr std::size_t kMostContactTriangles = 1000000;

/// Reads STL, binary or text, the faces of Wavefront OBJ or the scene of Collada (.dae), told apart
/// by the ending of the name; numbers are metres, Collada has its unit; equal points are joined.
/// @throws IoError if the file cannot be read, is none of them, is damaged or has more triangles
SPACEDYN_EXPORT TriangleMesh read_triangle_mesh(const std::string& path,
                                                std::size_t most = kMostContactTriangles);

/// The same of bytes that have been read from a file of that name.
SPACEDYN_EXPORT TriangleMesh parse_triangle_mesh(const std::string& path, const std::string& bytes,
                                                 std::size_t most = kMostContactTriangles);

/// Corners of triangles, nine numbers for each, as graphics take them.
SPACEDYN_EXPORT std::vector<float> corner_coordinates(const TriangleMesh& mesh);

/// Equal points become one, triangles of which two corners are one go.
/// @param corners  three for each triangle
SPACEDYN_EXPORT TriangleMesh join_corners(const std::vector<Vector3>& corners);

/// Refuses triangles without area: the height over the longest edge is below 1e-12 of it.
/// @throws DomainError that names the first and how many there are
SPACEDYN_EXPORT void require_area(const TriangleMesh& mesh);

/// Refuses a surface that encloses no volume: every edge must belong to two triangles that run
/// along it in opposite directions. Turns all triangles round if they point inwards.
/// @throws DomainError that says where the first hole is and how many edges are open
SPACEDYN_EXPORT void require_closed(TriangleMesh& mesh);

/// Volume inside a closed mesh, m³; negative if its triangles point inwards.
SPACEDYN_EXPORT double enclosed_volume(const TriangleMesh& mesh);

}  // namespace spacedyn
