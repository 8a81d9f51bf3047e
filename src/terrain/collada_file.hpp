/// @file
/// Collada (.dae). Private.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Corners of the triangles of a scene, three for each, in metres; without a scene, of all
/// geometries. As in RViz, `unit` counts and `up_axis` does not: axes are those of the file.
/// @throws DomainError that names the line; also where the library was built without tinyxml2
std::vector<Vector3> parse_collada(const std::string& text, std::size_t most_triangles);

}  // namespace spacedyn
