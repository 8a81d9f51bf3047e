/// @file
/// Reads placements and tensors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loading/keys/mapping.hpp"

namespace spacedyn::loading {

enum class OrientationForm { twist, rpy, quaternion, matrix };

/// A key that may hold an orientation, and the form it has there.
struct OrientationKey {
  std::string name;
  OrientationForm form;
};

/// `twist`, `rpy`, `quaternion` and `matrix`.
const std::vector<OrientationKey>& orientation_keys();

/// The rotation of a mapping that may hold one of several keys; nothing where none is given or it
/// is wrong.
std::optional<Matrix3> read_orientation(
    MapReader& map, const std::vector<OrientationKey>& keys = orientation_keys());

/// The rotation of `[w, x, y, z]`, normalized; nothing where it is wrong.
std::optional<Matrix3> read_quaternion(const Value& value, ProblemList& problems);
/// The schema of read_quaternion().
Json quaternion_schema();

/// Adds the keys of an orientation: at most one of them may be there, or one must.
void describe_orientation(MappingSchema& schema, bool is_required = false);

/// `xyz` and one of the four orientation keys of a mapping.
KeyGroup<Pose> placement_keys();

namespace kind {
/// A mapping that holds a placement and nothing else.
Kind<Pose> pose();
/// As read_inertia().
Kind<Matrix3> inertia();

}  // namespace kind

/// A vector other than zero.
std::optional<Vector3> read_axis(const Value& value, ProblemList& problems);

/// A list of three rows of three numbers.
std::optional<Matrix3> read_matrix3(const Value& value, const Quantity& quantity,
                                    ProblemList& problems);

/// An inertia as `[xx, yy, zz]`, `{xx, yy, zz, xy, xz, yz}` or three rows of three numbers.
std::optional<Matrix3> read_inertia(const Value& value, ReadContext& context);

}  // namespace spacedyn::loading
