/// @file
/// Reads placements and tensors.
#pragma once

#include <optional>

#include "loading/map_reader.hpp"

namespace spacedyn::loading {

/// The rotation of a mapping that may hold one of `twist`, `rpy`, `quaternion`, `matrix`;
/// nothing where none is given or it is wrong.
std::optional<Matrix3> read_orientation(MapReader& map);

/// `xyz` and one of the four orientation keys of a mapping.
Pose read_placement(MapReader& map);

/// A mapping that holds a placement and nothing else.
Pose read_pose(const Value& value, ReadContext& context);

/// A list of three rows of three numbers.
std::optional<Matrix3> read_matrix3(const Value& value, const Quantity& quantity,
                                    ProblemList& problems);

/// An inertia as `[xx, yy, zz]`, `{xx, yy, zz, xy, xz, yz}` or three rows of three numbers.
std::optional<Matrix3> read_inertia(const Value& value, ReadContext& context);

}  // namespace spacedyn::loading
