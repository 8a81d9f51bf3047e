/// @file
/// Directions of contacts that do not jump. Private.
#pragma once

#include "collision/polyhedron.hpp"

namespace spacedyn {

/// The direction, from the first shape to the second, in which the forces of two shapes that
/// overlap act: that of the shortest line between both after each has lost a layer as thick as the
/// depth. What is left is apart and convex, so this line has one direction, and it is continuous in
/// the motion; that of the least motion jumps where two faces are as near.
///
/// Of a mesh what is left is a smaller copy. Where nothing is left of the shapes that is apart, it
/// is the direction of the least motion.
/// @param least  of the two shapes; its distance is not positive
Vector3 core_direction(const ShapePose& a, const ShapePose& b, const Separation& least);

/// Where two shapes are nearest to each other: the middle of the shortest line between them, its
/// direction and, as a negative depth, its length, which is not more than their distance. Where
/// they overlap the deepest point. Allocates nothing. @pre may_touch()
ContactPoint nearest_place(const ShapePose& a, const ShapePose& b);

}  // namespace spacedyn
